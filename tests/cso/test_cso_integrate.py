"""Integration: all or nothing, in any order, once."""

import pytest
from attrs import evolve
from cso_states import KEY, SESSION, decision, fact, given, sound_objects, state
from hypothesis import strategies as st

from cso import (
    ChainStatus,
    ConflictError,
    CycleError,
    Edge,
    EscalationRequired,
    Resolved,
    Status,
    advance,
    dumps,
    graph,
    integrate,
    invalidate,
    relay,
    revise,
    slice_of,
    verify_chain,
)
from cso.encode import item_digest

BASE = relay(
    None,
    state(fact("a"), fact("b"), decision("d", "a"), constraints=["k"], open_questions=["q?"]),
    KEY,
    SESSION,
).cso
TAG = BASE.cso_hmac


def contribution(*items, branch="m", **members):
    return state(*items, window_number=2, ext={"crp": {"branch": branch}}, **members)


LEFT = contribution(
    fact("w2.l.f", window_origin=2),
    decision("w2.l.d", "w2.l.f", "a", window_origin=2),
    branch="l",
    open_questions=["left?", "both?"],
    constraints=["k", "left"],
)
RIGHT = contribution(
    fact("w2.r.f", window_origin=2),
    branch="r",
    dependency_graph=[Edge("w2.r.f", "b")],
    open_questions=["both?", "right?"],
    constraints=["right", "shared"],
)


def test_a_contribution_joins_the_next_window():
    new, done = integrate(BASE, LEFT, base=TAG)
    assert done.added == ("w2.l.f", "w2.l.d")
    assert (new.window_number, new.prior_cso_hash, new.cso_hmac) == (2, TAG, "")
    assert list(new.items()) == ["a", "b", "w2.l.f", "d", "w2.l.d"]
    assert new.constraints == ("k", "left")
    assert new.open_questions == ("q?", "left?", "both?")
    assert ("w2.l.d", "a") in set(graph.pairs(new))
    done = relay(BASE, new, KEY, SESSION)
    assert done.repair.restored == {}
    assert "merged" not in done.cso.ext.get("crp", {})
    assert verify_chain([BASE, done.cso], KEY, SESSION).status is ChainStatus.VALID


def both(first, second, base=BASE):
    once, _ = integrate(base, first, base=base.cso_hmac)
    return integrate(once, second, base=base.cso_hmac)[0]


def test_disjoint_contributions_commute():
    assert dumps(both(LEFT, RIGHT)) == dumps(both(RIGHT, LEFT))
    joined = both(LEFT, RIGHT)
    assert joined.open_questions == ("q?", "left?", "both?", "right?")
    assert [f.fact_id for f in joined.established_facts] == ["a", "b", "w2.l.f", "w2.r.f"]


@given(sound_objects(), st.tuples(*map(sound_objects, "lrs")))
def test_any_disjoint_contributions_commute_and_repeat(base, parts):
    base = relay(None, base, KEY, SESSION).cso
    before = [dumps(part) for part in (base, *parts)]
    orders = [(0, 1, 2), (2, 1, 0), (1, 0, 2)]
    results = []
    for order in orders:
        value = base
        for which in order:
            value, _ = integrate(value, parts[which], base=base.cso_hmac)
        for which in order:
            again, report = integrate(value, parts[which], base=base.cso_hmac)
            assert report.unchanged
            assert again is value
        results.append(dumps(value))
    assert len(set(results)) == 1
    assert [dumps(part) for part in (base, *parts)] == before


def test_the_same_branch_twice():
    more = contribution(fact("w2.l.g", window_origin=2), branch="l")
    assert dumps(both(LEFT, more)) == dumps(both(more, LEFT))
    once, _ = integrate(BASE, LEFT, base=TAG)
    assert integrate(once, LEFT, base=TAG)[1].unchanged
    # Also after the relay, when the note of it is gone.
    sealed = relay(BASE, once, KEY, SESSION).cso
    again, report = integrate(sealed, LEFT, base=sealed.cso_hmac)
    assert report.unchanged
    assert again is sealed


def test_what_is_there_already_is_no_conflict():
    same = contribution(*BASE.established_facts, fact("n", window_origin=2))
    new, done = integrate(BASE, same, base=TAG)
    assert done.added == ("n",)
    assert [f.fact_id for f in new.established_facts] == ["a", "b", "n"]
    everything = contribution(*BASE.established_facts, *BASE.decisions)
    assert integrate(BASE, everything, base=TAG) == (BASE, integrate(BASE, everything, base=TAG)[1])


CONFLICTS = {
    "other statement": contribution(fact("a", "another")),
    "other status": contribution(fact("a", status="INVALIDATED")),
    "other kind": contribution(decision("a")),
    "dangling": contribution(decision("n", "nowhere")),
    "record of the state": contribution(
        fact("n"),
        revisions=advance(
            evolve(BASE, goal_state=evolve(BASE.goal_state, remaining=["x"])), ["x"]
        ).revisions,
    ),
    "supersedes what is not there as it was": contribution(
        evolve(revise(state(fact("a", "drifted")), "a", "new", because="x")[0].established_facts[1])
    ),
    "ext with other content": None,
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_conflicts_change_nothing(name):
    base, given_ = BASE, CONFLICTS[name]
    if given_ is None:
        base = relay(None, evolve(state(fact("a")), ext={"x": 1}), KEY, SESSION).cso
        given_ = state(fact("n"), ext={"x": 2})
    before = dumps(base)
    with pytest.raises(ConflictError):
        integrate(base, given_, base=base.cso_hmac)
    assert dumps(base) == before


def test_unverified_integration_tolerates_what_dangles():
    new, done = integrate(BASE, CONFLICTS["dangling"], base=TAG, verify=False)
    assert done.dangling == ("nowhere",)
    assert "n" in new.items()


def test_the_base_must_be_known():
    with pytest.raises(ConflictError, match="base"):
        integrate(BASE, LEFT, base="sha256:" + "0" * 64)
    with pytest.raises(ConflictError, match="base"):
        integrate(BASE, LEFT, base="")


def test_an_older_base_is_fine_unless_touched():
    moved, _ = invalidate(BASE, "a", "moved")
    second = relay(BASE, moved, KEY, SESSION).cso
    with pytest.raises(ConflictError, match="base"):
        integrate(second, RIGHT, base=TAG)
    history = {TAG: BASE}
    new, _ = integrate(second, RIGHT, base=TAG, history=history)
    assert "w2.r.f" in new.items()
    with pytest.raises(ConflictError, match="changed since the base"):
        integrate(second, LEFT, base=TAG, history=history)  # rests on a, which fell
    # The same holds against an unsigned draft of the next window.
    with pytest.raises(ConflictError, match="changed since the base"):
        integrate(moved, LEFT, base=TAG)
    assert "w2.r.f" in integrate(moved, RIGHT, base=TAG)[0].items()


def revised(target, text):
    part = slice_of(BASE, [target]).cso
    new, _ = revise(evolve(part, window_number=2), target, text, "r", because="seen")
    return new


def test_a_revision_is_no_conflict():
    given_ = revised("a", "new a")
    new, done = integrate(BASE, given_, base=TAG)
    assert done.superseded == ("a",)
    assert done.affected == ("d",)
    assert new.items()["a"].status is Status.SUPERSEDED
    assert new.items()["a"].superseded_by == "a.r1"
    assert new.items()["d"].status is Status.NEEDS_REVISION
    assert (new.revisions[0].target, new.revisions[0].because) == ("a", "seen")
    assert relay(BASE, new, KEY, SESSION).repair.restored == {}
    with pytest.raises(ConflictError):
        integrate(new, revised("a", "yet another"), base=TAG)
    apart = both(revised("b", "new b"), revised("a", "new a"))
    assert dumps(apart) == dumps(both(revised("a", "new a"), revised("b", "new b")))


def test_revisions_through_contributions_stay_bounded():
    value, target = BASE, "b"
    for _ in range(3):
        part = slice_of(value, [target]).cso
        given_, done = revise(
            evolve(part, window_number=value.window_number + 1), target, "n", because="x", limit=99
        )
        merged, _ = integrate(value, given_, base=value.cso_hmac)
        value = relay(value, merged, KEY, SESSION).cso
        target = done.new_id
    part = slice_of(value, [target]).cso
    given_, _ = revise(part, target, "n", because="x", limit=99)
    with pytest.raises(EscalationRequired):
        integrate(value, given_, base=value.cso_hmac)


def test_a_contribution_may_not_revise_what_is_fixed():
    fixed = relay(None, state(decision("z", revisable=False)), KEY, SESSION).cso
    forced, _ = revise(state(decision("z")), "z", "c", "r", because="x")
    link = evolve(forced.decisions[1].supersedes, digest=item_digest(fixed.decisions[0]))
    given_ = state(evolve(forced.decisions[1], supersedes=link), window_number=2)
    with pytest.raises(EscalationRequired):
        integrate(fixed, given_, base=fixed.cso_hmac)


def test_edges_that_close_a_cycle_are_refused():
    bad = contribution(
        fact("n", window_origin=2), dependency_graph=[Edge("n", "d"), Edge("a", "n")]
    )
    with pytest.raises(CycleError, match="n -> d -> a -> n"):
        integrate(BASE, bad, base=TAG)


def test_answers_and_new_ext_come_along():
    answered = evolve(
        contribution(fact("n", window_origin=2)),
        resolved_questions=[Resolved(question="q?", answer_ref="n", window=2)],
        ext={"org.x": {"y": 1}},
    )
    new, _ = integrate(BASE, answered, base=TAG)
    assert new.open_questions == ()
    assert new.resolved_questions[0].answer_ref == "n"
    assert new.ext["org.x"] == {"y": 1}
    assert relay(BASE, new, KEY, SESSION).repair.restored == {}
