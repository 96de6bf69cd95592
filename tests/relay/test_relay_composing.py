"""The head capsule: carried on by stitching, constraints and newest HIGH loops kept."""

import capsules
import pytest
from attrs import evolve
from cso_states import given
from hypothesis import strategies as st
from relay_samples import NOW, capsule, text

import pcsf_lark
from cso import CognitiveStateObject, GoalState
from pcsf_lark.relay import of_capsule
from pcsf_lark.relay.composing import compose
from pcsf_lark.relay.notes import Loop
from pcsf_lark.spec import LIMIT


def state(constraints=(), remaining=(), **members):
    goal = GoalState(mode="CONVERSATION", remaining=remaining)
    return CognitiveStateObject(
        cso_id="c", window_number=1, goal_state=goal, constraints=constraints, **members
    )


def tree(*layers, **members):
    return capsule(*layers, **members).capsule


def loops(*texts, window=1):
    return [Loop("INCOMPLETE_TASK", one, "HIGH", window) for one in texts]


def composed(old, new, constraints=(), urgent=()):
    remaining = [one.text for one in urgent]
    return compose(old, new, state(constraints, remaining), urgent)


def lines(done):
    return done.text.split("\n")


def test_the_first_capsule_is_its_own_head():
    new = tree(["CHOICE | a | b"], [], [], ["STYLE: s"], ["PROMISE | p | LOW"])
    done = composed(None, new)
    assert done.text == text(["CHOICE | a | b"], [], [], ["STYLE: s"], ["PROMISE | p | LOW"])
    assert (done.dropped, done.absent) == ((), ())


def test_nothing_gives_no_capsule():
    assert compose(None, None, state(), ()) is None


def test_a_later_one_is_stitched_and_replacements_are_told():
    old = tree(["CHOICE | a | b"], [], [], [], ["PROMISE | p | LOW"])
    new = tree(["CHOICE | c | d"], [], [], [], ["PROMISE | p | HIGH"], time="2026-05-05T09:30Z")
    done = composed(old, new)
    assert done.text.encode() == pcsf_lark.stitch(old, new).text
    (lost,) = done.dropped
    assert (lost.layer, lost.entry, lost.reason) == (
        "L5",
        "PROMISE | p | LOW",
        "replaced by a later one",
    )


def test_old_constraints_stay_where_the_cap_would_drop_them():
    old = tree(
        [
            "CONSTRAINT | never on Fridays | the shop is full",
            *(f"CHOICE | o{n} | r" for n in range(11)),
        ]
    )
    new = tree([f"CHOICE | n{n} | r" for n in range(12)])
    assert b"never on Fridays" not in pcsf_lark.stitch(old, new).text
    done = composed(old, new, ["never on Fridays"])
    assert "CONSTRAINT | never on Fridays | hard constraint" in lines(done)
    assert done.absent == ()
    reasons = {lost.entry: lost.reason for lost in done.dropped}
    assert reasons["CHOICE | n0 | r"] == "made room for a constraint"
    assert len([line for line in lines(done) if line.startswith("CHOICE")]) == 11


def test_a_boundary_that_a_newer_one_replaced_comes_back():
    old = tree([], [], [], ["BOUNDARY: never push to main"])
    new = tree([], [], [], ["BOUNDARY: no new dependencies"])
    done = composed(old, new, ["never push to main", "no new dependencies"])
    assert "BOUNDARY: no new dependencies" in lines(done)
    assert "CONSTRAINT | never push to main | hard constraint" in lines(done)


def test_newest_urgent_loops_are_kept_and_older_ones_are_on_record():
    old = tree([], [], [], [], [f"PROMISE | old {n} | HIGH" for n in range(8)])
    new = tree([], [], [], [], [f"PROMISE | new {n} | HIGH" for n in range(3)])
    known = [
        *loops(*(f"old {n}" for n in range(8))),
        *loops(*(f"new {n}" for n in range(3)), window=2),
    ]
    done = composed(old, new, urgent=known)
    assert sum("| new" in line for line in lines(done)) == 3
    assert sum("| old" in line for line in lines(done)) == 5
    assert len(done.absent) == 3
    assert {one.text for one in done.absent} | {
        line.split(" | ")[1] for line in lines(done) if "| HIGH" in line
    } == {one.text for one in known}


def test_urgent_loops_outlast_everything_of_less_worth():
    old = tree([f"CHOICE | {n} {'x' * 60} | r" for n in range(12)])
    new = tree([], [], [], [], [f"PROMISE | {n} {'y' * 60} | HIGH" for n in range(8)])
    known = loops(*(f"{n} {'y' * 60}" for n in range(8)), window=2)
    done = composed(old, new, urgent=known)
    assert sum("| HIGH" in line for line in lines(done)) == 8
    assert done.absent == ()
    assert any(line.startswith("CHOICE") for line in lines(done))


def test_what_cannot_fit_is_on_record():
    done = composed(None, tree(), ["z" * 1300, "short"])
    assert [(one.kind, one.text) for one in done.absent] == [("constraint", "z" * 1300)]
    assert "CONSTRAINT | short | hard constraint" in lines(done)


def test_a_shortened_constraint_is_said_in_full_where_it_fits():
    whole = "do not touch the vendored files below third_party whatever the linter says"
    new = tree([], [], [], ["BOUNDARY: do not touch the vendored files below..."])
    done = composed(None, new, [whole])
    assert f"BOUNDARY: {whole}" in lines(done)
    assert "CONSTRAINT" not in done.text
    assert done.absent == ()
    (lost,) = done.dropped
    assert (lost.entry, lost.reason) == (
        "BOUNDARY: do not touch the vendored files below...",
        "said in full",
    )


def test_what_is_said_in_full_makes_room_for_itself():
    whole = "do not touch the vendored files below third_party" + " whatever the linter says" * 20
    new = tree(
        [f"CHOICE | {n} {'x' * 60} | r" for n in range(8)],
        [],
        [],
        ["BOUNDARY: do not touch the vendored files below..."],
    )
    done = composed(None, new, [whole])
    assert f"BOUNDARY: {whole}" in lines(done)
    assert len(done.text) <= LIMIT
    assert {lost.reason for lost in done.dropped} == {"said in full", "made room for a constraint"}


def test_a_shortened_constraint_too_long_to_be_said_is_not_said_twice():
    whole = "do not touch the vendored files below third_party" + " whatever the linter says" * 50
    new = tree([], [], [], ["BOUNDARY: do not touch the vendored files below..."])
    done = composed(None, new, [whole])
    assert "CONSTRAINT" not in done.text
    assert [one.reason for one in done.absent] == ["in the head capsule, but shortened"]


def test_where_both_cannot_be_the_older_one_gives_way():
    wide = "w" * 500
    old = tree([], [], [], [f"STYLE: {wide}"])
    new = tree([], [], [], [f"TRUST: {wide}"])
    with pytest.raises(pcsf_lark.Unfittable):
        pcsf_lark.stitch(
            evolve(old, seed=new.seed), evolve(new, seed=evolve(new.seed, text="s" * 200))
        )
    done = composed(old, evolve(new, seed=evolve(new.seed, text="s" * 200)))
    assert f"TRUST: {wide}" in lines(done)
    assert [lost.entry for lost in done.dropped] == [f"STYLE: {wide}"]
    assert pcsf_lark.conformant(done.text)


def test_any_chain_stays_conformant_and_accounts_for_every_line():
    import random

    for seed in range(60):
        chance = random.Random(seed)
        head = None
        constraints, urgent = [], {}
        for window in range(1, 7):
            new = of_capsule(capsules.generate(chance)).capsule
            constraints += [e.fact for e in new.skeleton if e.type == "CONSTRAINT"]
            constraints += [e.state for e in new.relation if e.dimension == "BOUNDARY"]
            constraints = list(dict.fromkeys(constraints))
            for entry in new.loops:
                urgent.pop(entry.description, None)
                if entry.priority == "HIGH":
                    urgent[entry.description] = Loop(entry.type, entry.description, "HIGH", window)
            known = tuple(urgent.values())
            done = compose(head, new, state(constraints, [one.text for one in known]), known)
            assert len(done.text) <= LIMIT
            assert pcsf_lark.conformant(done.text)
            there = set(lines(done))
            gone = {lost.entry for lost in done.dropped}
            for layer in ("skeleton", "negative", "internal", "relation", "loops"):
                for source in (head, new):
                    for entry in getattr(source, layer) if source else ():
                        assert entry.line in there or entry.line in gone
            absent = {(one.kind, one.text) for one in done.absent}
            for one in constraints:
                shown = any(one in line for line in there)
                assert shown or ("constraint", one) in absent
            for one in known:
                shown = any(f"| {one.text} | HIGH" in line for line in there)
                assert shown or ("loop", one.text) in absent
            again = compose(head, new, state(constraints, [one.text for one in known]), known)
            assert again == done
            head = pcsf_lark.parse(done.text)


@given(
    st.lists(
        st.text("abc ", min_size=1, max_size=400).map(str.strip).filter(bool),
        max_size=30,
        unique=True,
    ),
    examples=60,
)
def test_constraints_are_all_there_where_they_fit(texts):
    new = tree(
        ["CHOICE | a | b"], ["o | r | l"], ["DIRECTION: d"], ["STYLE: s"], ["PROMISE | p | HIGH"]
    )
    done = composed(None, new, texts, loops("p"))
    own = sum(len(f"CONSTRAINT | {one} | hard constraint") + 1 for one in texts)
    bare = len(text([], [], [], ["STYLE: s"], ["PROMISE | p | HIGH"]))
    if len(texts) <= 12 and bare + own <= LIMIT:
        assert done.absent == ()
    kept = {line.split(" | ")[1] for line in lines(done) if line.startswith("CONSTRAINT")}
    assert kept | {one.text for one in done.absent if one.kind == "constraint"} == set(texts)
    assert pcsf_lark.conformant(done.text)


def test_lines_whose_item_ended_leave(relay):
    relay.push(
        capsule(["CHOICE | build online | no downtime", "DISCOVERY | lag is 4 s | measured"]),
        now=NOW,
    )
    head = relay.head()
    lag = next(f.fact_id for f in head.established_facts if f.statement == "lag is 4 s")
    window, _ = relay.invalidate(lag, "measured wrong", now=NOW)
    assert "lag is 4 s" not in window.notes.head
    assert [lost.reason for lost in window.notes.dropped] == ["invalidated"]
    choice = head.decisions[0].decision_id
    window, _ = relay.revise(choice, "build offline", "the lag is unknown", because="lag", now=NOW)
    assert "PIVOT | build offline | the lag is unknown" in window.notes.head
    assert "CHOICE | build online" not in window.notes.head
    assert "build online | lag | replaced by build offline" in window.notes.head
    assert "SEED: Lag decides." in window.notes.head
    window = relay.push(capsule(["CHOICE | n | r"]), now=NOW)
    assert "build online | lag | replaced by build offline" in window.notes.head
    assert "PIVOT | build offline" in window.notes.head


def test_a_warning_that_was_lifted_leaves(relay):
    relay.push(capsule([], ["locks | slow | measure first"]), now=NOW)
    (warning,) = relay.head().decisions
    window, _ = relay.revise(
        warning.decision_id, "use locks after all", "they are fast now", because="new", now=NOW
    )
    assert "locks | slow" not in window.notes.head
    assert "PIVOT | use locks after all | they are fast now" in window.notes.head


def test_what_awaits_revision_is_a_doubt(relay):
    relay.push(capsule(["DISCOVERY | lag is 4 s | the meter said so"]), now=NOW)
    why = next(
        f.fact_id for f in relay.head().established_facts if f.statement == "the meter said so"
    )
    window, _ = relay.invalidate(why, "the meter was broken", now=NOW)
    assert "\nUNCERTAINTY: needs revision: lag is 4 s\n" in window.notes.head
    assert "DISCOVERY" not in window.notes.head


TERMS = ("Never push to main.", "Never touch the billing module at all.", "Only the library.")


def test_a_constraint_stands_once_however_it_is_said():
    """As one of several terms of a dimension, with or without its final stop."""
    for dimension in ("BOUNDARY", "MODE", "STYLE"):
        for stops in ("", "."):
            row = "; ".join(term.rstrip(".") + stops for term in TERMS)
            done = composed(None, tree([], [], [], [f"{dimension}: {row}"]), TERMS)
            assert done.absent == ()
            assert "CONSTRAINT" not in done.text
    done = composed(None, tree([], [], [], [f"TRUST: {TERMS[0]}"]), TERMS[:1])
    assert f"CONSTRAINT | {TERMS[0]} | hard constraint" in done.text


def test_one_term_of_several_is_said_in_full():
    row = "BOUNDARY: Only the library; Never touch the billing module..."
    done = composed(None, tree([], [], [], [row]), TERMS[1:])
    assert f"BOUNDARY: Only the library; {TERMS[1]}" in done.text
    assert done.absent == ()
