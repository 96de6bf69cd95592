"""Headers: what is emitted parses back, and what is not in the grammar does not."""

import http_sf
import pytest
from cso_states import any_objects, decision, fact, given, sound_objects, state
from hypothesis import strategies as st

from cso import HeaderError, parse_header, parse_headers, preservation, relay_headers, revise
from cso.headers import emit_preservation, score_text, stripped


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_preservation_parses_back_and_never_rounds_up(kept, more, repaired):
    valid = kept + more
    header = emit_preservation(kept, valid, repaired)
    name, value = parse_header(str(header))
    assert name == "CRP-Relay-Preservation"
    assert value.repaired == repaired
    assert ("repaired" in header.value) == (repaired > 0)
    hundredths = int(value.score.replace(".", ""))
    assert hundredths * valid <= 100 * kept + 100 * (valid == 0)
    assert (value.score == "1.00") == (more == 0)
    number, params = http_sf.parse(header.value.encode(), tltype="item")
    assert float(number) == float(value.score)
    assert params.get("repaired", 0) == repaired


@given(any_objects())
def test_headers_parse_back(value):
    try:
        headers = relay_headers(value, preservation(value, value))
    except HeaderError:
        targets = [r.target for r in value.revisions if r.window == value.window_number]
        assert any(not t.isascii() or not t or set(t) - set(ALLOWED) for t in targets)
        return
    parsed = parse_headers(map(str, headers))
    assert list(parsed) == [header.name for header in headers]
    assert parsed["CRP-Relay-CSO-Facts"] <= len(value.established_facts)
    assert parsed["CRP-Relay-CSO-Decisions"] <= len(value.decisions)


ALLOWED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"


@given(sound_objects())
def test_header_lines_are_clean(value):
    for header in relay_headers(value):
        assert not set("\r\n\0") & set(str(header))


def test_counts_are_of_what_is_live_and_reasoned():
    value = state(
        fact("a"),
        fact("b", status="STALE"),
        fact("c", status="INVALIDATED"),
        decision("d"),
        decision("e", rationale=" "),
        decision("f", status="SUPERSEDED"),
    )
    found = {header.name: header.value for header in relay_headers(value)}
    assert found == {
        "CRP-Relay-Revisions": "0",
        "CRP-Relay-CSO-Facts": "2",
        "CRP-Relay-CSO-Decisions": "1",
        "CRP-Relay-Dependency-Depth": "0",
    }


def test_targets_are_listed():
    value, _ = revise(state(decision("d"), decision("e")), "d", "c", "r", because="x")
    value, _ = revise(value, "e", "c", "r", because="x")
    found = {header.name: header.value for header in relay_headers(value)}
    assert found["CRP-Relay-Revisions"] == "2"
    assert found["CRP-Relay-Revision-Target"] == "d, e"
    assert [str(m[0]) for m in http_sf.parse(b"d, e", tltype="list")] == ["d", "e"]


@pytest.mark.parametrize("name", ["a b", "a\r\nSet-Cookie: x", "ü", "x" * 129, "a,b", "a\0"])
def test_foreign_ids_are_refused_in_headers(name):
    value, _ = revise(state(decision(name)), name, "c", "r", because="x")
    with pytest.raises(HeaderError):
        relay_headers(value)


def test_scores():
    assert [score_text(k, n) for k, n in ((0, 0), (1, 3), (999, 1000), (10**9 - 1, 10**9))] == [
        "1.00",
        "0.33",
        "0.99",
        "0.99",
    ]
    for kept, valid in ((2, 1), (-1, 1)):
        with pytest.raises(HeaderError):
            score_text(kept, valid)
    with pytest.raises(HeaderError):
        emit_preservation(1, 1, -1)


REFUSED = [
    "CRP-Relay-Preservation: 1",
    "CRP-Relay-Preservation: 1.",
    "CRP-Relay-Preservation: 1.01",
    "CRP-Relay-Preservation: 01.00",
    "CRP-Relay-Preservation: +0.94",
    "CRP-Relay-Preservation: 9e-1",
    "CRP-Relay-Preservation: 0.94;",
    "CRP-Relay-Preservation: 0.94; repaired",
    "CRP-Relay-Preservation: 0.94; repaired=",
    "CRP-Relay-Preservation: 0.94; repaired=3; x=1",
    "CRP-Relay-Preservation: 0.94, 0.95",
    "CRP-Relay-Preservation: 0.94; Repaired=3",
    "CRP-Relay-Preservation: \u0660.94",
    "CRP-Relay-Preservation: 0.94\n",
    "CRP-Relay-Preservation:",
    "CRP-Relay-Revisions: -1",
    "CRP-Relay-Revisions: +1",
    "CRP-Relay-Revisions: 1 2",
    "CRP-Relay-Revisions: " + "9" * 5000,
    "CRP-Relay-Revision-Target: a,",
    "CRP-Relay-Revision-Target: ,a",
    "CRP-Relay-Revision-Target: ",
    "CRP-Relay-CSO-Facts: 1\u00b2",
    "CRP-Relay-Other: 1",
    "CRP-Relay-Revisions",
    "CRP-Relay-Revisions : 1",
    "X: 1",
    "",
]


@pytest.mark.parametrize("line", REFUSED, ids=range(len(REFUSED)))
def test_refused_lines(line):
    with pytest.raises(HeaderError):
        parse_header(line)


def test_accepted_spellings():
    assert parse_header("CRP-RELAY-PRESERVATION:0.940000\t;\trepaired=03")[1].repaired == 3
    assert parse_header("crp-relay-revision-target: 1a ,_B,.c")[1] == ("1a", "_B", ".c")


def test_sets_of_headers():
    lines = ["Host: x", "CRP-Relay-Revisions: 2", "crp-relay-revision-target: a, b"]
    assert parse_headers(lines) == {
        "CRP-Relay-Revisions": 2,
        "CRP-Relay-Revision-Target": ("a", "b"),
    }
    for bad in (
        [*lines, "crp-relay-revisions: 2"],
        ["CRP-Relay-Revisions: 1", "CRP-Relay-Revision-Target: a, b"],
        ["CRP-Relay-Revisions: 0", "CRP-Relay-Revision-Target: a"],
    ):
        with pytest.raises(HeaderError):
            parse_headers(bad)


def test_requests_are_stripped():
    given_ = [("Host", "x"), ("crp-relay-revisions", "1"), ("CRP-Relay-X", "1")]
    assert stripped(given_) == (("Host", "x"),)
