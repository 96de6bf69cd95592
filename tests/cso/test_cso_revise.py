"""Revision: nothing is erased, the count follows the line, and a human gets the last word."""

import pytest
from attrs import evolve
from cso_states import KEY, SESSION, decision, fact, state

from cso import (
    ConflictError,
    ContentError,
    EscalationRequired,
    RevisionResult,
    Status,
    UnknownIdError,
    check,
    dumps,
    invalidate,
    loads,
    reaffirm,
    revise,
    sign,
)
from cso.encode import item_digest

BASE = state(fact("a"), fact("n"), decision("d", "a"), decision("e", "d"), decision("x"))


def test_a_revision_supersedes_with_a_link():
    new, done = revise(BASE, "d", "other", "new reason", because="n")
    assert (done.result, done.new_id, done.number) == (RevisionResult.REVISED, "d.r1", 1)
    old, head = new.items()["d"], new.items()["d.r1"]
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, "d.r1")
    assert (head.supersedes.id, head.supersedes.digest) == ("d", item_digest(BASE.decisions[0]))
    assert (old.choice, old.rationale) == ("choose d", "because")
    assert (head.choice, head.rationale, head.alternatives) == (
        "other",
        "new reason",
        ("choose d",),
    )
    assert head.depends_on == ("a", "n")
    assert new.items()["e"].status is Status.NEEDS_REVISION
    assert new.items()["x"].status is Status.VALID
    record = new.revisions[0]
    assert (record.target, record.superseded_by, record.because) == ("d", "d.r1", "n")
    assert (record.number, record.affected, record.window) == (1, ("e",), 1)
    assert check(new) == ()
    assert done.required() is done


def test_facts_are_revised_the_same_way():
    new, done = revise(BASE, "a", "v3.4", because="turn 9")
    assert done.affected == ("d", "e")
    assert new.items()["a.r1"].statement == "v3.4"
    assert new.items()["a"].status is Status.SUPERSEDED


def attempts(cso, target, count, **options):
    results = []
    for number in range(count):
        cso, done = revise(cso, target, f"c{number}", "r", because="x", **options)
        results.append((done.result.value, done.new_id, done.event))
        target = done.new_id or target
    return cso, results


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_the_limit_counts_successes(limit):
    cso, results = attempts(BASE, "x", limit + 2, limit=limit)
    assert [name for _, name, _ in results[:limit]] == [f"x.r{n + 1}" for n in range(limit)]
    for result in results[limit:]:
        assert result == ("ESCALATED", "", "OVERSIGHT_TRIGGERED")
    stuck = cso.items()[f"x.r{limit}" if limit else "x"]
    assert stuck.status is Status.ESCALATED
    assert [r.kind.value for r in cso.revisions] == ["REVISION"] * limit + ["ESCALATION"]


def test_an_escalation_changes_only_the_status():
    cso, _ = attempts(BASE, "x", 3)
    stuck, done = revise(cso, "x.r3", "again", "r", because="x")
    old = cso.items()["x.r3"]
    assert stuck.items()["x.r3"] == evolve(old, status=Status.ESCALATED)
    assert set(stuck.items()) == set(cso.items())
    with pytest.raises(EscalationRequired):
        done.required()


def test_the_count_survives_text_and_renamed_ids():
    cso, _ = attempts(BASE, "x", 2)
    cso = loads(dumps(cso))
    cso, done = revise(cso, "x.r2", "c", "r", because="x", new_id="renamed")
    assert done.number == 3
    cso, done = revise(loads(dumps(cso)), "renamed", "c", "r", because="x")
    assert done.result is RevisionResult.ESCALATED
    # Even where the name of the old item was edited away, the link counts.
    renamed = evolve(cso.items()["renamed"], decision_id="fresh", status=Status.VALID)
    others = [d for d in cso.decisions if d.decision_id != "renamed"]
    _, done = revise(evolve(cso, decisions=[*others, renamed]), "fresh", "c", "r", because="x")
    assert done.result is RevisionResult.ESCALATED


def test_facts_have_no_escalated_status():
    cso, done = revise(BASE, "a", "s2", because="x", limit=0)
    assert done.result is RevisionResult.ESCALATED
    assert cso.items()["a"].status is Status.NEEDS_REVISION


def test_what_is_not_revisable_is_refused():
    value = state(decision("d", revisable=False))
    new, done = revise(value, "d", "c", "r", because="x")
    assert (done.result, done.event) == (RevisionResult.REFUSED, "OVERSIGHT_TRIGGERED")
    assert new.items()["d"].status is Status.ESCALATED
    assert revise(new, "d", "c", "r", because="x")[0] == new


def test_a_human_may_raise_the_limit():
    cso, _ = attempts(BASE, "x", 4)
    cso, done = revise(cso, "x.r3", "by hand", "r", because="board", limit=4)
    assert done.new_id == "x.r4"


def test_only_live_items_are_revised():
    new, _ = revise(BASE, "d", "other", "r", because="n")
    with pytest.raises(ConflictError, match=r"revise d\.r1"):
        revise(new, "d", "third", "r", because="n")
    gone, _ = invalidate(BASE, "a", "r")
    with pytest.raises(ConflictError, match="INVALIDATED"):
        revise(gone, "a", "s", because="n")
    with pytest.raises(UnknownIdError):
        revise(BASE, "nope", "c", because="n")
    with pytest.raises(ConflictError, match="taken"):
        revise(BASE, "d", "c", "r", because="n", new_id="e")


def test_dead_supports_are_not_inherited():
    gone, _ = invalidate(BASE, "a", "r")
    new, _ = revise(gone, "d", "c", "r", because="n")
    assert new.items()["d.r1"].depends_on == ("n",)
    assert new.items()["d.r1"].status is Status.VALID


def test_long_ids_stay_ids():
    name = "y" * 128
    new, done = revise(state(decision(name)), name, "c", "r", because="x")
    assert len(done.new_id) == 128
    assert done.new_id.endswith(".r1")
    assert check(new) == ()


def test_reaffirm_moves_to_the_head():
    new, _ = revise(BASE, "d", "other", "r", because="n")
    firm = reaffirm(new, "e")
    assert firm.items()["e"].status is Status.VALID
    assert firm.items()["e"].depends_on == ("d.r1",)
    pairs = [(edge.dependent, edge.depends_on) for edge in firm.dependency_graph]
    assert ("e", "d.r1") in pairs
    assert ("e", "d") not in pairs
    with pytest.raises(ContentError, match="nothing to reaffirm"):
        reaffirm(firm, "e")
    with pytest.raises(UnknownIdError):
        reaffirm(firm, "nope")


def test_reaffirm_refuses_dead_ground():
    gone, _ = invalidate(BASE, "a", "r")
    with pytest.raises(ContentError, match="a, which no longer holds"):
        reaffirm(gone, "d")


def test_changing_a_signed_object_opens_the_next_window():
    signed = sign(BASE, KEY, SESSION)
    before = dumps(signed)
    new, _ = revise(signed, "d", "other", "r", because="n")
    assert (new.window_number, new.prior_cso_hash, new.cso_hmac) == (2, signed.cso_hmac, "")
    assert new.revisions[0].window == 2
    assert dumps(signed) == before


@pytest.mark.parametrize("name", ["a b", "a\nb", "é", "x" * 129, ""])
def test_a_new_id_is_one_that_headers_carry(name):
    with pytest.raises(ContentError, match="an id is 1-128"):
        revise(state(decision("d")), "d", "c", because="w", new_id=name)
