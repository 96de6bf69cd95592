"""Goals for each mode, and tool results that change or grow old."""

import pytest
from attrs import evolve
from cso_states import KEY, SESSION, decision, fact, state

from cso import (
    GoalError,
    GoalState,
    Status,
    UnknownIdError,
    Volatility,
    advance,
    answer,
    dumps,
    freshness,
    goal,
    loads,
    on_tool_refresh,
    on_tool_stale,
    output_hash,
    relay,
    revision_window,
    with_goal,
)

BUILDERS = {
    "DOCUMENT": goal.document(3, ["one", "two"]),
    "CONVERSATION": goal.conversation("how?", ["one", "two"]),
    "TOOL": goal.tool("scratch_1", ["one", "two"]),
    "AGENTIC": goal.agentic("7", ["one", "two"]),
}


@pytest.mark.parametrize(("mode", "built"), BUILDERS.items())
def test_builders(mode, built):
    assert built.mode == mode
    assert built.objective
    assert built.success_test
    assert built.remaining == ("one", "two")
    value = with_goal(state(fact("a")), built)
    value = loads(dumps(advance(value, ["two"])))
    assert value.goal_state.completion == 0.5
    assert value.goal_state.remaining == ("one",)
    assert advance(value, ["one"]).goal_state.completion == 1


def test_advance_is_exact():
    value = state(goal_state=GoalState(mode="AGENTIC", remaining=["a", "b", "a"], completion=0.25))
    done = advance(value, ["a"])
    assert done.goal_state.remaining == ("b", "a")
    assert done.goal_state.completion == 0.25  # nobody counted: nothing to compute from
    assert done.revisions[0].affected == ("a",)
    for wrong in (["A"], ["b", "b"], ["c"]):
        with pytest.raises(GoalError):
            advance(value, wrong)
    assert advance(value, []) is value


def test_answers():
    value = state(open_questions=["a?", "b?"])
    done = answer(value, "a?", "turn 3")
    assert done.open_questions == ("b?",)
    assert (done.resolved_questions[0].question, done.resolved_questions[0].window) == ("a?", 1)
    with pytest.raises(UnknownIdError):
        answer(done, "a?", "turn 4")


def test_revision_window():
    value = state(
        fact("old"),
        fact("new", "the team moves to Mongo"),
        decision("db", "old", choice="PostgreSQL", rationale="ACID", alternatives=["MongoDB"]),
        decision("orm", "db"),
    )
    window = revision_window(value, "db", "new")
    assert window.goal.mode == "AGENTIC"
    assert "db" in window.goal.objective
    assert "new" in window.goal.objective
    assert (window.choice, window.rationale, window.alternatives) == (
        "PostgreSQL",
        "ACID",
        ("MongoDB",),
    )
    assert window.new_fact == "the team moves to Mongo"
    assert window.dependents == ("orm",)
    assert revision_window(value, "db", "said so").new_fact == "said so"
    with pytest.raises(UnknownIdError):
        revision_window(value, "nope", "new")


TOOLS = state(
    fact("cpu", provenance="TOOL", provenance_ref="m4"),
    fact("mem", provenance="TOOL", provenance_ref="m5"),
    fact("limit"),
    decision("scale", "limit", provenance="TOOL", provenance_ref="m4"),
    decision("order", "scale"),
    decision("other", "mem"),
)


def statuses(value):
    return {
        name: item.status.value for name, item in value.items().items() if item.status != "VALID"
    }


def test_another_value_invalidates_and_marks():
    new, change = on_tool_refresh(TOOLS, "m4", output_hash("87%"), output_hash("45%"))
    assert sorted(change.affected) == ["cpu", "order", "scale"]
    assert change.facts == ("cpu",)
    assert statuses(new) == {
        "cpu": "INVALIDATED",
        "scale": "NEEDS_REVISION",
        "order": "NEEDS_REVISION",
    }
    assert [record.target for record in new.revisions] == ["cpu"]
    first = relay(None, TOOLS, KEY, SESSION).cso
    moved, _ = on_tool_refresh(first, "m4", output_hash("87%"), output_hash("45%"))
    assert relay(first, moved, KEY, SESSION).repair.restored == {}


def test_a_result_with_decisions_only():
    value = state(decision("scale", provenance="TOOL", provenance_ref="m4"))
    new, change = on_tool_refresh(value, "m4", "a", "b")
    assert change.facts == ()
    assert statuses(new) == {"scale": "NEEDS_REVISION"}
    assert new.revisions[0].target == "tool:m4"
    first = relay(None, value, KEY, SESSION).cso
    moved, _ = on_tool_refresh(first, "m4", "a", "b")
    assert relay(first, moved, KEY, SESSION).repair.restored == {}


def test_old_age_flags_but_does_not_invalidate():
    stale, change = on_tool_stale(TOOLS, "m4")
    assert statuses(stale) == {"cpu": "STALE"}
    assert change.needs_review == ("scale", "order")
    first = relay(None, TOOLS, KEY, SESSION).cso
    second = relay(first, on_tool_stale(first, "m4")[0], KEY, SESSION)
    assert second.repair.restored == {}
    assert second.cso.items()["cpu"].status is Status.STALE
    fresh, same = on_tool_refresh(second.cso, "m4", output_hash("87%"), output_hash("87%"))
    assert same.affected == ()
    assert statuses(fresh) == {}
    assert relay(second.cso, fresh, KEY, SESSION).repair.restored == {}


def test_same_value_touches_nothing():
    new, change = on_tool_refresh(TOOLS, "m4", "h", "h")
    assert new is TOOLS
    assert change.affected == ()


def test_unknown_results():
    with pytest.raises(UnknownIdError):
        on_tool_stale(TOOLS, "nope")
    with pytest.raises(UnknownIdError):
        on_tool_refresh(TOOLS, "nope", "a", "b")


# (age, class, pinned) → (fresh, warnings)
AGES = {
    "at the limit": (30, "REALTIME", False, True, 0),
    "just over": (30.5, "REALTIME", False, False, 0),
    "stable": (3600, "STABLE", False, True, 0),
    "stable over": (3601, "STABLE", False, False, 0),
    "static never": (10**9, "STATIC", False, True, 0),
    "skewed clock": (-5, "REALTIME", False, True, 1),
    "pinned is kept, not fresh": (31, "REALTIME", True, False, 1),
}


@pytest.mark.parametrize(("age", "kind", "pinned", "fresh", "warned"), AGES.values(), ids=AGES)
def test_ages(age, kind, pinned, fresh, warned):
    found = freshness(age, Volatility(kind), pinned=pinned)
    assert (found.fresh, len(found.warnings)) == (fresh, warned)


def test_hashes_are_of_the_raw_bytes():
    assert output_hash("é") == output_hash("é".encode())
    assert (
        output_hash("") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )


def test_stale_marks_survive_more_changes():
    stale, _ = on_tool_stale(evolve(TOOLS), "m4")
    moved, _ = on_tool_refresh(stale, "m4", "a", "b")
    assert statuses(moved)["cpu"] == "INVALIDATED"
