"""Verification and the relay: what was checked is signed, and nothing else."""

import pytest
from attrs import evolve
from cso_states import KEY, SESSION, decision, fact, given, sound_objects, state
from hypothesis import strategies as st

from cso import (
    ChainError,
    ChainStatus,
    ConflictError,
    GoalState,
    Outcome,
    Policy,
    PreservationError,
    Record,
    RecordKind,
    Status,
    archive,
    bind,
    invalidate,
    preservation,
    reaffirm,
    relay,
    revise,
    sign,
    slice_of,
    verify_chain,
    verify_relay,
    with_goal,
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


def outcome(report, name):
    return next(step for step in report.steps if step.name == name).outcome


def test_what_was_not_checked_is_not_passed():
    report = verify_relay(PRIOR, next_of(PRIOR))
    assert outcome(report, "prior-tag") is Outcome.NOT_CHECKED
    assert outcome(report, "output") is Outcome.NOT_CHECKED
    assert [step.name for step in report.steps] == [
        "prior-tag",
        "structure",
        "facts",
        "dependencies",
        "output",
        "carried",
        "statuses",
    ]
    caught = verify_relay(PRIOR, next_of(PRIOR), "text", capture=lambda _, __: ["missed"])
    assert outcome(caught, "output") is Outcome.FAILED
    clean = verify_relay(PRIOR, next_of(PRIOR), "text", capture=lambda _, __: [])
    assert outcome(clean, "output") is Outcome.PASSED


FAILS = {
    "structure": {"window_number": 1, "prior_cso_hash": "sha256:" + "0" * 64},
    "facts": {"established_facts": [fact("b")]},
    "dependencies": {"decisions": [*PRIOR.decisions, decision("e", "nowhere")]},
    "carried": {"constraints": []},
    "statuses": {"decisions": [evolve(PRIOR.decisions[0], status="STALE")]},
}


@pytest.mark.parametrize(("step", "changes"), FAILS.items(), ids=FAILS)
def test_each_question_can_fail(step, changes):
    report = verify_relay(PRIOR, evolve(PRIOR, **{"window_number": 2, **changes}))
    assert outcome(report, step) is Outcome.FAILED


def test_a_valid_item_on_dead_ground_fails_and_a_marked_one_waits():
    closed, _ = invalidate(PRIOR, "a", "moved")
    assert outcome(verify_relay(PRIOR, next_of(closed)), "dependencies") is Outcome.PASSED
    claims = evolve(closed, decisions=[evolve(closed.decisions[0], status="VALID")])
    assert outcome(verify_relay(PRIOR, next_of(claims)), "dependencies") is Outcome.FAILED


def test_backwards_windows_are_refused():
    late = evolve(PRIOR, window_number=5)
    report = verify_relay(late, evolve(late, window_number=3))
    assert outcome(report, "structure") is Outcome.FAILED


def genesis():
    return relay(None, PRIOR, KEY, SESSION).cso


def test_relay_repairs_verifies_signs():
    first = genesis()
    assert first.verified
    assert first.window_number == 1
    done = relay(first, evolve(first, established_facts=[fact("new")]), KEY, SESSION)
    assert done.cso.verified
    assert done.cso.window_number == 2
    assert done.cso.prior_cso_hash == first.cso_hmac
    assert done.cso.cso_id != first.cso_id
    assert done.repair.facts == 2
    assert str(done.headers[0]) == "CRP-Relay-Preservation: 0.00; repaired=2"
    assert [event.event_type for event in done.events] == ["CSO_REPAIRED", "CSO_RELAYED"]
    assert verify_chain([first, done.cso], KEY, SESSION).status is ChainStatus.VALID
    third = relay(done.cso, done.cso, KEY, SESSION).cso
    assert verify_chain([first, done.cso, third], KEY, SESSION).status is ChainStatus.VALID


def test_relay_of_changes_made_on_a_signed_object():
    first = genesis()
    changed, _ = revise(first, "d", "other", "new reason", because="b")
    assert (changed.cso_hmac, changed.verified, changed.window_number) == ("", False, 2)
    changed, _ = invalidate(changed, "a", "moved")
    done = relay(first, changed, KEY, SESSION)
    values = {header.name: header.value for header in done.headers}
    assert values["CRP-Relay-Revisions"] == "1"
    assert values["CRP-Relay-Revision-Target"] == "d"
    assert values["CRP-Relay-Preservation"] == "1.00"
    assert [event.event_type for event in done.events] == [
        "REVISION",
        "ITEM_INVALIDATED",
        "CSO_RELAYED",
    ]
    assert verify_chain([first, done.cso], KEY, SESSION).status is ChainStatus.VALID


def test_records_of_a_draft_move_to_its_window():
    draft, _ = revise(PRIOR, "d", "other", "r", because="x")
    assert draft.revisions[0].window == 1
    done = relay(genesis(), draft, KEY, SESSION)
    assert done.cso.revisions[0].window == done.cso.window_number == 2


def test_nothing_is_built_on_a_broken_prior():
    first = genesis()
    forged = evolve(first, established_facts=[*first.established_facts, fact("injected")])
    with pytest.raises(ChainError, match="BROKEN"):
        relay(forged, forged, KEY, SESSION)
    with pytest.raises(ChainError, match="unsigned"):
        relay(PRIOR, PRIOR, KEY, SESSION)
    with pytest.raises(ChainError, match="BROKEN"):
        relay(first, first, KEY, "another session")


def test_relay_halts_or_flags_what_cannot_be_repaired():
    first = genesis()
    torn = evolve(first, decisions=[*first.decisions, decision("e", "nowhere")])
    with pytest.raises(PreservationError, match="nowhere"):
        relay(first, torn, KEY, SESSION)
    flagged = relay(first, torn, KEY, SESSION, policy=Policy.FLAG)
    assert flagged.flagged
    assert flagged.events == ()
    assert (flagged.cso.cso_hmac, flagged.cso.verified) == ("", False)
    with pytest.raises(PreservationError, match="missed"):
        relay(first, first, KEY, SESSION, output="o", capture=lambda _, __: ["missed"])
    with pytest.raises(PreservationError):
        relay(None, state(decision("e", "nowhere")), KEY, SESSION)


def test_slices_are_never_relayed():
    first = genesis()
    with pytest.raises(ChainError, match="slice"):
        relay(first, slice_of(first, ["d"]).cso, KEY, SESSION)


def test_relay_across_a_key_change():
    first = genesis()
    other = b"the key of the following year...."
    with pytest.raises(ChainError):
        relay(first, first, other, SESSION)
    second = relay(first, first, other, SESSION, keys=[KEY, other]).cso
    assert verify_chain([first, second], [KEY, other], SESSION).status is ChainStatus.VALID


def test_mode_changes_only_with_a_record():
    first = genesis()
    goal = GoalState(mode="AGENTIC", objective="o", remaining=["two"], success_test="t")
    silent = relay(first, evolve(first, goal_state=goal), KEY, SESSION)
    assert silent.repair.restored == {"goal_state": ("mode",)}
    told = relay(first, with_goal(first, goal), KEY, SESSION)
    assert told.repair.restored == {}
    assert told.cso.goal_state == goal
    assert told.cso.revisions[0].kind is RecordKind.MODE


def test_archive_leaves_stubs_that_resolve():
    draft, _ = revise(genesis(), "d", "other", "r", because="b")
    draft, _ = invalidate(draft, "a", "moved")
    second = relay(genesis(), draft, KEY, SESSION).cso
    lean, gone = archive(second)
    assert gone.ids == ("a", "d")
    assert [row.get("fact_id", row.get("decision_id")) for row in gone.data] == ["a", "d"]
    assert [stub["id"] for stub in lean.ext["crp"]["archived"]] == ["a", "d"]
    assert archive(lean) == (lean, archive(lean)[1])
    done = relay(second, lean, KEY, SESSION)
    assert done.repair.restored == {}
    # The line's count of revisions does not begin anew.
    again, what = revise(done.cso, "d.r1", "third", "r", because="b")
    assert what.new_id == "d.r2"
    assert relay(done.cso, again, KEY, SESSION).cso.verified


def test_stubs_of_archived_items_are_carried():
    draft, _ = revise(genesis(), "d", "other", "r", because="b")
    second = relay(genesis(), archive(draft)[0], KEY, SESSION).cso
    done = relay(second, evolve(second, ext={}), KEY, SESSION)
    assert done.repair.restored == {"ext": ("crp.archived",)}
    assert done.cso.ext["crp"]["archived"] == second.ext["crp"]["archived"]


def test_what_rests_on_an_escalated_decision_has_not_fallen():
    prior = relay(
        None, evolve(PRIOR, decisions=[*PRIOR.decisions, decision("e", "d")]), KEY, SESSION
    )
    stuck, _ = revise(prior.cso, "d", "x", "r", because="b", limit=0)
    assert relay(prior.cso, stuck, KEY, SESSION).cso.verified


def test_escalated_decisions_are_carried():
    stuck, _ = revise(genesis(), "d", "x", "r", because="b", limit=0)
    second = relay(genesis(), stuck, KEY, SESSION).cso
    assert second.decisions[0].status is Status.ESCALATED
    third = relay(second, evolve(second, decisions=[]), KEY, SESSION).cso
    assert third.decisions == second.decisions
    free = reaffirm(third, "d")
    assert relay(third, free, KEY, SESSION).cso.decisions[0].status is Status.VALID


@given(sound_objects(), st.lists(sound_objects(window=1), max_size=3))
def test_any_relays_make_a_valid_chain(first, others):
    chain = [relay(None, first, KEY, SESSION).cso]
    for other in others:
        try:
            chain.append(relay(chain[-1], evolve(other, window_number=0), KEY, SESSION).cso)
        except ConflictError:
            return
        assert preservation(chain[-2], chain[-1]).score == 1
    expected = ChainStatus.VALID if others else ChainStatus.UNVERIFIED
    assert verify_chain(chain, KEY, SESSION).status is expected
    assert all(entry.verified for entry in chain)


def test_signing_a_draft_by_hand():
    first = genesis()
    draft = sign(bind(evolve(PRIOR, window_number=0), first), KEY, SESSION)
    assert not draft.verified
    assert verify_chain([first, draft], KEY, SESSION).status is ChainStatus.VALID


@pytest.mark.parametrize("end", ["invalidated", "superseded"])
@pytest.mark.parametrize("tamper", ["erased", "rewritten"])
def test_what_had_ended_stays_as_it_was(end, tamper):
    first = relay(None, PRIOR, KEY, SESSION).cso
    if end == "invalidated":
        name, (draft, _) = "b", invalidate(first, "b", "wrong")
    else:
        name, (draft, _) = "d", revise(first, "d", "new", because="b")
    second = relay(first, draft, KEY, SESSION).cso

    def changed(items, **words):
        rest = [item for item in items if tamper == "rewritten" or item.id != name]
        return [evolve(item, **words) if item.id == name else item for item in rest]

    forged = evolve(
        second,
        established_facts=changed(second.established_facts, statement="it never said that"),
        decisions=changed(second.decisions, choice="it never said that"),
    )
    report = verify_relay(second, next_of(forged, prior_cso_hash=second.cso_hmac, cso_hmac=""))
    assert outcome(report, "carried") is Outcome.FAILED
    done = relay(second, forged, KEY, SESSION)
    assert done.repair.restored["ended"] == (name,)
    assert done.repair.facts == 0
    assert done.cso.items() == second.items()
    gone, _ = archive(second)
    assert "ended" not in relay(second, gone, KEY, SESSION).repair.restored


def test_a_revision_into_a_bystander_ends_nothing():
    first = relay(None, PRIOR, KEY, SESSION).cso
    record = Record(target="a", superseded_by="b", window=2, number=1)
    forged = next_of(
        first, established_facts=first.established_facts[1:], revisions=[record], cso_hmac=""
    )
    assert preservation(first, forged).dropped == ("a",)
    named = evolve(forged, established_facts=[*forged.established_facts, fact("a2")])
    named = evolve(named, revisions=[evolve(record, superseded_by="a2")])
    assert preservation(first, named).dropped == ()
