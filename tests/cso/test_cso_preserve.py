"""Preservation and repair: what is lost is counted exactly and put back once."""

from fractions import Fraction

import pytest
from attrs import evolve
from cso_states import any_objects, decision, fact, given, sound_objects, state

from cso import (
    ConflictError,
    ContentError,
    GoalState,
    Record,
    Status,
    advance,
    answer,
    dumps,
    invalidate,
    preservation,
    repair,
    verify_relay,
)

PRIOR = state(
    fact("a", "port 2379", provenance="TOOL", provenance_ref="t1"),
    fact("b"),
    decision("d", "a"),
    constraints=["no downtime"],
    open_questions=["who?"],
    goal_state=GoalState(mode="DOCUMENT", objective="write", remaining=["two"], success_test="t"),
)


def next_of(prior, **changes):
    return evolve(prior, window_number=prior.window_number + 1, **changes)


# What is changed in the next window → (kept, valid prior, dropped, drifted)
SCORES = {
    "nothing": ({}, (2, 2, (), ())),
    "one dropped": ({"established_facts": PRIOR.established_facts[:1]}, (1, 2, ("b",), ())),
    "other statement": (
        {"established_facts": [fact("a", "port 4001"), fact("b")]},
        (1, 2, (), ("a",)),
    ),
    "other source": (
        {"established_facts": [fact("a", "port 2379"), fact("b")]},
        (1, 2, (), ("a",)),
    ),
    "invalid without a record": (
        {"established_facts": [PRIOR.established_facts[0], fact("b", status="INVALIDATED")]},
        (1, 2, (), ("b",)),
    ),
    "invalid with a record": (
        {
            "established_facts": [PRIOR.established_facts[0], fact("b", status="INVALIDATED")],
            "revisions": [Record(target="b", window=2, kind="INVALIDATION")],
        },
        (1, 1, (), ()),
    ),
    "gone with a record": (
        {
            "established_facts": [PRIOR.established_facts[0]],
            "revisions": [Record(target="b", window=2, kind="INVALIDATION")],
        },
        (1, 1, (), ()),
    ),
    "gone with a record of something else": (
        {
            "established_facts": [PRIOR.established_facts[0]],
            "revisions": [Record(target="a", window=2, kind="INVALIDATION", affected=["b"])],
        },
        (1, 2, ("b",), ()),
    ),
    "stale is kept": (
        {"established_facts": [evolve(f, status="STALE") for f in PRIOR.established_facts]},
        (2, 2, (), ()),
    ),
    "everything gone": ({"established_facts": []}, (0, 2, ("a", "b"), ())),
}


@pytest.mark.parametrize(("changes", "expected"), SCORES.values(), ids=SCORES)
def test_preservation(changes, expected):
    found = preservation(PRIOR, next_of(PRIOR, **changes))
    assert (found.kept, found.valid_prior, found.dropped, found.drifted) == expected


def test_nothing_to_keep_scores_one():
    assert preservation(state(), state()).score == Fraction(1)
    assert preservation(state(fact("a", status="INVALIDATED")), state()).score == 1


def test_a_record_of_the_prior_excuses_nothing_new():
    old = Record(target="b", window=1, kind="INVALIDATION")
    prior = evolve(PRIOR, revisions=[old])
    found = preservation(prior, next_of(prior, established_facts=PRIOR.established_facts[:1]))
    assert found.dropped == ("b",)


EMPTY_NEXT = evolve(
    PRIOR,
    window_number=2,
    established_facts=[],
    decisions=[],
    constraints=[],
    open_questions=[],
    goal_state=GoalState(mode="TOOL"),
)


def test_repair_restores_everything_in_prior_order():
    mine = evolve(EMPTY_NEXT, established_facts=[fact("new"), fact("b")], constraints=["mine"])
    fixed, done = repair(PRIOR, mine)
    assert [f.fact_id for f in fixed.established_facts] == ["a", "b", "new"]
    assert fixed.decisions == PRIOR.decisions
    assert fixed.constraints == ("no downtime", "mine")
    assert fixed.open_questions == ("who?",)
    assert fixed.goal_state == PRIOR.goal_state
    assert [(e.dependent, e.depends_on) for e in fixed.dependency_graph] == [("d", "a")]
    assert done.facts == 1
    assert done.restored == {
        "facts": ("a",),
        "decisions": ("d",),
        "constraints": ("no downtime",),
        "open_questions": ("who?",),
        "edges": ("d -> a",),
        "remaining": ("two",),
        "goal_state": ("mode", "objective", "success_test"),
    }


@pytest.mark.parametrize("which", ["decisions", "constraints", "open_questions"])
def test_repair_is_not_only_for_facts(which):
    fixed, done = repair(PRIOR, next_of(PRIOR, **{which: []}))
    assert done.facts == 0
    assert getattr(fixed, which) == getattr(PRIOR, which)


@pytest.mark.parametrize(
    "drift",
    [
        {"rationale": "other"},
        {"choice": "other"},
        {"alternatives": ["x"]},
        {"revisable": False},
        {"depends_on": ["b"]},
        {"status": Status.SUPERSEDED},
    ],
)
def test_drifted_decisions_come_back(drift):
    new = next_of(PRIOR, decisions=[evolve(PRIOR.decisions[0], **drift)])
    assert not verify_relay(PRIOR, new).complete
    assert repair(PRIOR, new)[0].decisions == PRIOR.decisions


def test_what_was_ended_or_answered_stays_out():
    closed, _ = invalidate(PRIOR, "b", "wrong")
    closed = answer(closed, "who?", "turn 7")
    closed = advance(closed, ["two"])
    # A window that also drops them for good: the records speak for it.
    lean = next_of(closed, established_facts=closed.established_facts[:1])
    assert repair(PRIOR, lean)[0] == lean
    broken = next_of(lean, constraints=[])
    fixed, _ = repair(PRIOR, broken)
    assert [f.fact_id for f in fixed.established_facts] == ["a"]
    assert fixed.open_questions == ()
    assert fixed.goal_state.remaining == ()
    assert fixed.constraints == PRIOR.constraints


def test_repair_keeps_recorded_statuses_of_drifted_items():
    marked, _ = invalidate(PRIOR, "a", "moved")
    drifted = evolve(marked, decisions=[evolve(marked.decisions[0], rationale="?")])
    fixed, _ = repair(PRIOR, drifted)
    assert fixed.decisions[0].rationale == "because"
    assert fixed.decisions[0].status is Status.NEEDS_REVISION


def test_ids_of_two_kinds_cannot_be_repaired():
    new = next_of(PRIOR, established_facts=[fact("d")], decisions=[])
    with pytest.raises(ConflictError, match="duplicate id"):
        repair(PRIOR, new)
    with pytest.raises(ContentError, match="duplicate id"):
        state(fact("a"), fact("a", "other"))


def test_unknown_ext_is_carried():
    prior = evolve(PRIOR, ext={"org.x": {"a": 1}, "crp": {"branch": "m"}})
    fixed, done = repair(prior, next_of(prior, ext={}))
    assert fixed.ext == {"org.x": {"a": 1}}
    assert done.restored == {"ext": ("org.x",)}


@given(sound_objects(), sound_objects(), any_objects())
def test_repair_reaches_one_and_is_idempotent(prior, other, wild):
    for new in (evolve(other, window_number=2), evolve(wild, window_number=9)):
        before = dumps(prior), dumps(new)
        try:
            fixed, _ = repair(prior, new)
        except ConflictError:
            continue  # an id is a fact here and a decision there
        assert preservation(prior, fixed).score == 1
        found = verify_relay(prior, fixed).losses
        assert not any(carried.lost for carried in found.carried().values())
        assert (found.statuses, found.goal) == ((), ())
        assert repair(prior, fixed)[0] == fixed
        assert (dumps(prior), dumps(new)) == before


@given(sound_objects())
def test_a_copy_loses_nothing(prior):
    new = next_of(prior)
    assert verify_relay(prior, new).complete
    assert repair(prior, new) == (new, repair(prior, new)[1])


def test_a_revision_into_nothing_excuses_nothing():
    record = Record(target="b", window=2, superseded_by="b.r1")
    lean = next_of(PRIOR, established_facts=PRIOR.established_facts[:1], revisions=[record])
    assert preservation(PRIOR, lean).dropped == ("b",)
    real = evolve(lean, established_facts=[*lean.established_facts, fact("b.r1")])
    assert preservation(PRIOR, real).score == 1
