"""JSON in and out: round trips, the fast path, and everything that is refused."""

import json

import pytest
import rfc8785
from cso_states import any_objects, fact, given, json_values, state
from hypothesis import strategies as st

import cso
from cso import ContentError, LimitError, Limits, dumps, from_members, loads, members_of
from cso.encode import text_of
from cso.jcs import number, string

PLAIN = {
    "cso_id": "cso_1",
    "window_number": 1,
    "goal_state": {"mode": "TOOL"},
    "established_facts": [
        {
            "fact_id": "f1",
            "statement": "s",
            "provenance": "TOOL",
            "provenance_ref": "t1",
            "confidence": 0.5,
            "window_origin": 1,
        }
    ],
    "decisions": [{"decision_id": "d1", "choice": "c", "rationale": "", "window_origin": 1}],
}
FACT = PLAIN["established_facts"][0]


def with_fact(**members):
    return {**PLAIN, "established_facts": [{**FACT, **members}]}


def with_decision(**members):
    return {**PLAIN, "decisions": [{**PLAIN["decisions"][0], **members}]}


@given(any_objects())
def test_fast_text_is_the_librarys(value):
    assert text_of(value).encode() == rfc8785.dumps(members_of(value))


@given(any_objects(), st.dictionaries(st.text(max_size=3), json_values, max_size=2))
def test_round_trips(value, unknown):
    data = dumps(value)
    assert loads(data, strict=False) == value
    assert dumps(loads(data, strict=False)) == data
    pretty = dumps(value, indent=2)
    assert dumps(loads(pretty, strict=False)) == data
    # Unknown members come back as they were, at every level.
    members = members_of(value)
    known = set(members) | {"resolved_questions", "revisions", "ext"}
    extra = {k: v for k, v in unknown.items() if k not in known}
    members.update(extra)
    for rows in ("established_facts", "decisions", "dependency_graph"):
        for row in members[rows]:
            row.update({f"x{k}": v for k, v in extra.items()})
    wide = from_members(members, strict=False)
    assert dumps(wide) == rfc8785.dumps(members)
    assert loads(dumps(wide), strict=False) == wide


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_number_is_the_librarys(value):
    assert number(value) == rfc8785.dumps(value).decode()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_string_is_the_librarys(value):
    assert string(value) == rfc8785.dumps(value).decode()


def test_strict_accepts_what_it_writes():
    value = from_members(PLAIN)
    assert loads(dumps(value)) == value
    assert b"status" not in dumps(value)
    assert value.established_facts[0].status is cso.Status.VALID


REFUSED = {
    "not JSON": b"{",
    "not UTF-8": b'{"a": "\xff"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "array": b"[]",
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": -Infinity}',
    "number beyond doubles": b'{"a": 1e400}',
    "integer beyond 2^53 - 1": b'{"a": 9007199254740992}',
    "long integer": b'{"a": ' + b"9" * 5000 + b"}",
    "member twice": b'{"cso_id": "a", "cso_id": "b"}',
    "lone high surrogate": rb'{"a": "\ud800"}',
    "lone low surrogate": rb'{"a": "x\udc00"}',
    "surrogates in the wrong order": rb'{"a": "\udc00\ud800"}',
    "deep": b'{"a":' + b"[" * 70 + b"]" * 70 + b"}",
    "very deep": b"[" * 100_000,
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("strict", [True, False])
def test_refused_text(data, strict):
    with pytest.raises(ContentError):
        loads(data, strict=strict)


def test_surrogate_pairs_and_escaped_backslashes_are_text():
    value = loads(json.dumps(with_fact(statement="😀")).encode())
    assert value.established_facts[0].statement == "😀"
    assert loads(json.dumps(with_fact(statement="\\ud800")).encode())


# name: (the object, where the fault is)
FAULTS = {
    "confidence NaN as text": (with_fact(confidence="0.5"), "established_facts[0].confidence"),
    "confidence above 1": (with_fact(confidence=7.5), "established_facts[0].confidence"),
    "confidence below 0": (with_fact(confidence=-1), "established_facts[0].confidence"),
    "confidence a boolean": (with_fact(confidence=True), "established_facts[0].confidence"),
    "statement empty": (with_fact(statement=""), "established_facts[0].statement"),
    "statement a number": (with_fact(statement=1), "established_facts[0].statement"),
    "provenance unknown": (with_fact(provenance="GUESS"), "established_facts[0].provenance"),
    "provenance in lower case": (with_fact(provenance="tool"), "established_facts[0].provenance"),
    "window of origin later": (with_fact(window_origin=2), "established_facts[0].window_origin"),
    "window of origin 0": (with_fact(window_origin=0), "established_facts[0].window_origin"),
    "fact escalated": (with_fact(status="ESCALATED"), "established_facts[0].status"),
    "status unknown": (with_fact(status="OK"), "established_facts[0].status"),
    "link without digest": (with_fact(supersedes={"id": "a"}), "established_facts[0].supersedes"),
    "window negative": ({**PLAIN, "window_number": -3}, "window_number"),
    "window a text": ({**PLAIN, "window_number": "x"}, "window_number"),
    "window a fraction": ({**PLAIN, "window_number": 1.5}, "window_number"),
    "completion above 1": (
        {**PLAIN, "goal_state": {"mode": "TOOL", "completion": 2}},
        "goal_state.completion",
    ),
    "mode unknown": ({**PLAIN, "goal_state": {"mode": "X"}}, "goal_state.mode"),
    "goal missing": ({k: v for k, v in PLAIN.items() if k != "goal_state"}, ""),
    "empty object": ({}, ""),
    "constraint twice": ({**PLAIN, "constraints": ["a", "a"]}, "constraints"),
    "question empty": ({**PLAIN, "open_questions": [""]}, "open_questions"),
    "questions a text": ({**PLAIN, "open_questions": "why"}, "open_questions"),
    "facts an object": ({**PLAIN, "established_facts": {}}, "established_facts"),
    "fact a text": ({**PLAIN, "established_facts": ["f"]}, "established_facts[0]"),
    "one id twice": ({**PLAIN, "established_facts": [FACT, FACT]}, "established_facts[1]"),
    "one id, two kinds": (with_decision(decision_id="f1"), "decisions[0]"),
    "rests on itself": (with_decision(depends_on=["d1"]), "decisions[0].depends_on"),
    "rests twice": (with_decision(depends_on=["a", "a"]), "decisions[0].depends_on"),
    "revisable a number": (with_decision(revisable=1), "decisions[0].revisable"),
    "verified a text": ({**PLAIN, "verified": "yes"}, "verified"),
    "ext an array": ({**PLAIN, "ext": []}, "ext"),
}


@pytest.mark.parametrize(("raw", "at"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("strict", [True, False])
def test_refused_content(raw, at, strict):
    with pytest.raises(ContentError) as caught:
        from_members(raw, strict=strict)
    assert caught.value.findings[0].at == at


STRICT_ONLY = {
    "unknown member": {**PLAIN, "mood": "good"},
    "unknown member of a fact": with_fact(mood="good"),
    "peer name": {**PLAIN, "active_constraints": ["x"]},
    "foreign id": with_fact(fact_id="Maßstab 1"),
    "id too long": with_fact(fact_id="x" * 129),
    "tool without source": with_fact(provenance_ref=""),
    "tag in upper case": {**PLAIN, "cso_hmac": "sha256:" + "A" * 64},
    "tag too short": {**PLAIN, "prior_cso_hash": "sha256:00"},
}


@pytest.mark.parametrize("raw", STRICT_ONLY.values(), ids=STRICT_ONLY)
def test_strict_refuses_and_lenient_keeps(raw):
    with pytest.raises(ContentError):
        from_members(raw)
    assert dumps(from_members(raw, strict=False)) == rfc8785.dumps(
        {**members_of(from_members({**PLAIN})), **_complete(raw)}
    )


def _complete(raw):
    filled = json.loads(json.dumps(raw))
    for row in filled["decisions"]:
        for name, default in (("alternatives", []), ("depends_on", []), ("revisable", True)):
            row.setdefault(name, default)
    filled["goal_state"] = members_of(from_members(PLAIN))["goal_state"]
    return filled


def test_explicit_defaults_survive_lenient_reading_only():
    raw = with_fact(status="VALID", superseded_by=None)
    assert b'"status":"VALID"' in dumps(from_members(raw, strict=False))
    assert b"superseded_by" in dumps(from_members(raw, strict=False))
    assert b"status" not in dumps(from_members(raw))


def test_all_faults_come_together():
    raw = with_fact(confidence=9, window_origin=0)
    raw["window_number"] = "x"
    raw["constraints"] = [1]
    with pytest.raises(ContentError) as caught:
        from_members(raw)
    assert len(caught.value.findings) >= 2
    assert "more" in str(caught.value)


def test_integral_floats_are_integers():
    assert from_members({**PLAIN, "window_number": 1.0}) == from_members(PLAIN)


def test_missing_id_is_minted_from_content():
    raw = {k: v for k, v in PLAIN.items() if k != "cso_id"}
    first, second = from_members(raw), from_members(json.loads(json.dumps(raw)))
    assert first == second
    assert first.cso_id.startswith("cso_")
    assert len(first.cso_id) == 36
    assert from_members({**raw, "constraints": ["x"]}).cso_id != first.cso_id


LIMITS = {
    "bytes": Limits(max_bytes=10),
    "items": Limits(items=1),
    "string": Limits(string=3),
    "depth": Limits(depth=2),
}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_limits(limits):
    with pytest.raises(LimitError):
        loads(json.dumps(PLAIN), limits=limits)


def test_values_are_immutable_and_own_their_parts():
    deep = {"a": [1, {"b": 2}]}
    value = state(fact("a"), ext=deep)
    before = dumps(value)
    deep["a"].append(3)
    value.ext["a"].append(4)
    value.ext.thaw()["a"].clear()
    assert dumps(value) == before
    with pytest.raises(AttributeError):
        value.verified = True
    with pytest.raises(AttributeError):
        value.established_facts[0].statement = "x"


def test_import_of_the_peers_form():
    raw = {
        "cso_id": "62bb",
        "window_number": 0,
        "prior_cso_hash": "",
        "created_at": 1.5,
        "established_facts": [
            {**FACT, "window_origin": 0, "invalidated": True},
            {**FACT, "fact_id": "f2", "invalidated": False},
        ],
        "decisions": [
            {**PLAIN["decisions"][0], "revised_by": "__needs_revision__"},
            {**PLAIN["decisions"][0], "decision_id": "d2", "revised_by": "d1"},
        ],
        "active_constraints": ["no downtime"],
        "goal_state": {"mode": "DOCUMENT"},
        "cso_hmac": "ab" * 32,
        "verified": True,
    }
    value = cso.from_crprotocol(raw)
    assert value.constraints == ("no downtime",)
    assert [f.status.value for f in value.established_facts] == ["INVALIDATED", "VALID"]
    assert [d.status.value for d in value.decisions] == ["NEEDS_REVISION", "SUPERSEDED"]
    assert not value.verified
    assert value.cso_hmac == ""
    assert value.extra["created_at"] == 1.5
