"""The audit trail, and rendering under a budget."""

import json

import pytest
from attrs import evolve
from cso_states import (
    KEY,
    OTHER_KEY,
    any_objects,
    decision,
    fact,
    filled,
    given,
    json_values,
    state,
)
from hypothesis import strategies as st

from cso import (
    ChainStatus,
    Event,
    EventDraft,
    GoalState,
    audit,
    dump_events,
    load_events,
    render,
    verify_events,
)
from cso.windows import Compat, Window, chain_tags, verify_windows

drafts = st.lists(
    st.builds(EventDraft, filled, filled, filled, st.dictionaries(filled, json_values, max_size=2)),
    min_size=1,
    max_size=4,
)


@given(drafts, st.data())
def test_trails_round_trip_and_tell_every_tamper(given_, data):
    trail = audit.append((), given_, KEY)
    text = dump_events(trail)
    assert load_events(text) == trail
    assert verify_events(trail, KEY).status is ChainStatus.VALID
    assert verify_events(trail, OTHER_KEY).status is ChainStatus.BROKEN
    which = data.draw(st.integers(0, len(trail) - 1))
    name = data.draw(
        st.sampled_from(["event_type", "timestamp", "window_id", "hmac", "data", "seq"])
    )
    new = {"data": {"x": "y z"}, "seq": trail[which].seq + 1}.get(name, "other")
    bad = evolve(trail[which], **{name: new})
    if bad == trail[which] or (name == "seq" and which == 0):
        return
    verdict = verify_events([*trail[:which], bad, *trail[which + 1 :]], KEY)
    assert (verdict.status, verdict.index) == (ChainStatus.BROKEN, which)


def trail_of(count):
    return audit.append((), [EventDraft("T", "t", "w", {"n": n}) for n in range(count)], KEY)


def test_appending_goes_on_where_the_trail_ends():
    more = [EventDraft("T", "t", "w", {"n": n}) for n in range(2, 4)]
    assert audit.append(trail_of(2), more, KEY) == trail_of(4)
    assert [event.seq for event in trail_of(4)] == [1, 2, 3, 4]


def test_holes_and_cuts():
    one, two, three = trail_of(3)
    assert verify_events([one, three], KEY).status is ChainStatus.BROKEN
    assert verify_events([two, one, three], KEY).status is ChainStatus.BROKEN
    assert verify_events([one, one, two], KEY).status is ChainStatus.BROKEN
    assert verify_events([two, three], KEY).status is ChainStatus.PARTIAL
    assert verify_events([], KEY).status is ChainStatus.UNVERIFIED
    torn = load_events(dump_events([one, two, three])[:-9])
    verdict = verify_events(torn, KEY)
    assert (verdict.status, verdict.index) == (ChainStatus.BROKEN, 2)
    assert "bad syntax" in verdict.reason


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{}",
        b'{"seq":"1","event_type":"","timestamp":"","window_id":"","data":{},"hmac":""}',
        b'{"seq":1,"event_type":"","timestamp":"","window_id":"","data":[],"hmac":""}',
        b'{"seq":1,"event_type":"","timestamp":"","window_id":"","data":{},"hmac":"","x":1}',
    ],
)
def test_lines_that_are_no_events(line):
    entries = load_events(line + b"\n")
    assert isinstance(entries[0], str)
    assert verify_events(entries, KEY).status is ChainStatus.BROKEN


def test_events_are_ordered_by_seq_not_time():
    late = audit.append(
        (), [EventDraft("A", "2030", "w", {}), EventDraft("B", "2020", "w", {})], KEY
    )
    assert verify_events(late, KEY).status is ChainStatus.VALID
    assert isinstance(late[0], Event)


def test_window_chains_for_the_peer():
    windows = [Window(window_number=n, timestamp="t", response_hash=f"r{n}") for n in (1, 2, 3)]
    tags = chain_tags(KEY, "s", windows)
    assert verify_windows(KEY, "s", windows, tags).status is ChainStatus.VALID
    assert (
        verify_windows(KEY, "s", windows[1:], tags[1:], parent=tags[0]).status
        is ChainStatus.PARTIAL
    )
    assert verify_windows(KEY, "s", windows[:1], tags[:1]).status is ChainStatus.UNVERIFIED
    forged = [windows[0], evolve(windows[1], response_hash="x"), windows[2]]
    verdict = verify_windows(KEY, "s", forged, tags)
    assert (verdict.status, verdict.broken_at_window) == (ChainStatus.BROKEN, 2)
    assert tags != chain_tags(KEY, "s", windows, Compat.CONCATENATION)
    assert tags == chain_tags(KEY, "s", windows, compat="crprotocol")


def test_window_tags_are_the_peers():
    peer = pytest.importorskip("crp.provenance.window_chain")
    windows = [Window(window_number=n, timestamp="t", response_hash=f"r{n}") for n in (1, 2)]
    tags, previous = chain_tags(KEY, "s", windows), ""
    for window, tag in zip(windows, tags, strict=True):
        given_ = peer.WindowHmacInput(
            "s", window.window_number, "t", window.response_hash, "", previous
        )
        assert tag == peer.build_window_hmac(given_, KEY)
        previous = tag


FULL = state(
    fact("a", "alpha"),
    fact("old", "omega", status="SUPERSEDED"),
    fact("t", "87%", provenance="TOOL", provenance_ref="m4", status="STALE"),
    decision(
        "d", "a", choice="go", rationale="why", alternatives=["stay"], status="NEEDS_REVISION"
    ),
    decision("bare", choice="x", rationale=""),
    constraints=["no downtime", "no prod"],
    open_questions=["who?"],
    goal_state=GoalState(
        mode="AGENTIC", objective="ship", remaining=["step"], success_test="green"
    ),
)


def test_everything_that_fits():
    found = render(FULL, 10_000, ages={"m4": 240.9})
    assert found.text == (
        "Goal (AGENTIC): ship\n"
        "Done when: green\n"
        "Constraints (all must hold):\n"
        "- no downtime\n"
        "- no prod\n"
        "Decisions:\n"
        "- d: go because why; rejected: stay [NEEDS_REVISION]\n"
        "- bare: x (no rationale)\n"
        "Facts:\n"
        "- a: alpha (USER)\n"
        "- t: 87% (TOOL m4) [STALE: 240 s old]\n"
        "Remaining:\n"
        "- step\n"
        "Open questions:\n"
        "- who?\n"
    )
    assert found.left_out == {}
    assert (found.size, found.over) == (len(found.text), 0)


def test_a_stale_value_without_age_stays_out_and_is_told():
    found = render(FULL, 10_000)
    assert "87%" not in found.text
    assert found.left_out == {"Facts": ("t",)}
    assert "[left out: 1: t]" in found.text


@given(any_objects(), st.integers(0, 400))
def test_budget_and_honesty(value, budget):
    found = render(value, budget)
    assert found.size == len(found.text)
    assert found.over == max(0, found.size - budget)
    for constraint in value.constraints:
        assert f"- {constraint}" in found.text
    for names in found.left_out.values():
        assert f"[left out: {len(names)}" in found.text
    shown = {d.decision_id for d in value.decisions if d.status != "SUPERSEDED"}
    assert set(found.left_out.get("Decisions", ())) <= shown
    full = render(value, 10**6)
    if full.size <= budget and not full.left_out:
        assert found == full


def test_a_large_state_keeps_to_the_budget():
    value = state(*(fact(f"f{n}", "word " * 5) for n in range(2_000)), constraints=["k"])
    for budget in (200, 2_000, 20_000):
        found = render(value, budget)
        assert found.size <= budget
        left = found.left_out["Facts"]
        assert found.text.count("\n- f") + len(left) == 2_000
        assert f"[left out: {len(left)}" in found.text
        assert left[0] in found.text
    words = render(value, 300, count=lambda text: len(text.split()))
    assert words.size <= 300


def test_the_budget_may_be_too_small_for_what_is_never_cut():
    found = render(FULL, 10)
    assert found.over > 0
    assert "- no prod" in found.text


def test_events_are_canonical_json_lines():
    line = dump_events(trail_of(1))
    assert json.loads(line)["seq"] == 1
    assert line.endswith(b"\n")
