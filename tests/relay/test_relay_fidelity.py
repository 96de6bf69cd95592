"""What the relay keeps over chains of sessions, by the scoring of `tools/bench fidelity`.

Laws: all that was pushed is in the head object; a constraint or HIGH loop that the head
capsule lacks is on record, and none is lacking where the constraints and the newest HIGH
loops fit; every line that left is on record with its reason.
"""

from pathlib import Path

import pytest
from attrs import evolve
from benchmarks.fidelity import HEAD, LAST, OBJECT, TRANSCRIPTS, WAYS, measured, real_logs
from benchmarks.fidelity_chains import CROWDED, USUAL, Hop, Profile, cut_log, made_up
from benchmarks.fidelity_scoring import KINDS, Held, Item, items_of, unrecorded
from relay_samples import NOW, capsule, text

from pcsf_lark import conformant, parse
from pcsf_lark.emit.lines import all_lines
from pcsf_lark.relay import Repository, of_object

LOGS = Path(__file__).parent.parent / "draft/logs"
STUCK = Profile("nobody closes anything", first=5, fresh=0.4, stuck=1.0)
CHAINS = {
    **{f"{p.name} {n}": (p, n) for p in (USUAL, CROWDED, STUCK) for n in range(2)},
}


@pytest.fixture(scope="module", params=CHAINS)
def chain(request):
    return made_up(*CHAINS[request.param], hops=14)


@pytest.fixture(scope="module")
def account(chain):
    return measured(chain)


def test_nothing_is_gone_unrecorded(account):
    assert account.unrecorded == []
    assert account.pushes == 15


def test_the_object_has_all_of_it(account):
    looked = 0
    for (way, hops, kind), of in account.tally.of.items():
        if way == OBJECT:
            assert account.tally.there[way, hops, kind] == of, (hops, kind)
            looked += of
    assert looked > 200


def test_every_way_is_asked_for_the_same(account):
    counts = [{(h, k): n for (w, h, k), n in account.tally.of.items() if w == way} for way in WAYS]
    assert all(one == counts[0] for one in counts)


def test_the_head_capsule_has_what_fits():
    done = measured(made_up(USUAL, 0, hops=14))
    assert done.absent == 0
    for hops in (0, 1, 5):
        assert done.tally.share(HEAD, hops, "constraints") == 1
        assert done.tally.share(HEAD, hops, "HIGH loops") == 1
        assert (done.tally.share(LAST, hops, "constraints") < 1) == (hops > 0)


def test_what_does_not_fit_is_absent_and_told():
    done = measured(made_up(CROWDED, 0, hops=14))
    assert done.tally.share(HEAD, 5, "constraints") < 1
    assert done.absent > 0
    assert done.unrecorded == []


def test_every_line_that_leaves_has_a_reason(tmp_path, chain):
    head = None
    relay, _ = Repository.init(tmp_path, session="test", environ={"PCSF_RELAY_KEY": "5b" * 32})
    with relay:
        for hop in chain:
            notes = relay.push(hop.given, now=NOW).notes
            assert conformant(notes.head)
            there = all_lines(parse(notes.head))
            gone = {(lost.layer, lost.entry) for lost in notes.dropped}
            assert all(lost.reason for lost in notes.dropped)
            for given in (head, notes.capsule):
                for layer, lines in all_lines(parse(given)).items() if given else ():
                    for line in lines:
                        assert line in there[layer] or (layer, line) in gone
            head = notes.head


@pytest.mark.parametrize(
    "path", [*sorted(LOGS.iterdir()), *real_logs(TRANSCRIPTS)], ids=lambda path: path.name
)
def test_drafted_logs_keep_the_law(path):
    done = measured(cut_log(path, 8))
    assert done.unrecorded == []
    assert all(done.tally.there[key] == of for key, of in done.tally.of.items() if key[0] == OBJECT)


# The scoring itself.


def test_a_chain_is_the_same_each_time_and_its_capsules_conform():
    made = made_up(USUAL, 4, hops=20)
    assert made == made_up(USUAL, 4, hops=20)
    assert made != made_up(USUAL, 5, hops=20)
    assert {hop.given.kind for hop in made} == {"capsule", "cso", "log"}
    assert {item.kind for hop in made for item in hop.items} == set(KINDS)
    assert any(hop.closes for hop in made)


ROWS = (
    ["CONSTRAINT | never on Fridays | r", "CHOICE | build online | r", "OUTCOME | ok: make | r"],
    ["locks | slow | l"],
    ["DIRECTION: d"],
    ["BOUNDARY: no new parts; keep it small", "STYLE: s"],
    ["PROMISE | send it | HIGH", "DEFERRED_QUESTION | who pays | LOW"],
)


def test_what_a_capsule_hands_on():
    assert set(items_of(capsule(*ROWS))) == {
        Item("constraints", "never on Fridays"),
        Item("constraints", "no new parts; keep it small"),
        Item("decisions", "build online"),
        Item("artifacts", "ok: make"),
        Item("rejected", "locks"),
        Item("HIGH loops", "send it"),
        Item("LOW loops", "who pays"),
    }


def test_what_an_object_hands_on():
    given = of_object(capsule(*ROWS).cso)
    assert {item for item in items_of(given) if item.kind != "artifacts"} == {
        Item("constraints", "never on Fridays"),
        Item("constraints", "no new parts; keep it small"),
        Item("decisions", "build online"),
        Item("rejected", "locks"),
        Item("HIGH loops", "send it"),
    }


@pytest.mark.parametrize(
    ("kind", "said", "there"),
    [
        ("constraints", "never on Fridays", True),
        ("constraints", "keep it small", True),
        ("constraints", "build online", False),
        ("decisions", "build online", True),
        ("decisions", "never on Fridays", False),
        ("rejected", "locks", True),
        ("rejected", "slow", False),
        ("MED loops", "send it", True),
        ("HIGH loops", "send", False),
        ("artifacts", "ok: make", True),
        ("artifacts", "ok: make test", False),
    ],
)
def test_what_a_text_still_has(kind, said, there):
    held = Held.by_text(text(*ROWS))
    assert held.has(Item(kind, said)) is there


def test_a_line_that_was_cut_off_is_not_there():
    whole = text(*ROWS)
    cut = whole[: whole.index("LOW") - 3]
    assert not Held.by_text(cut).has(Item("LOW loops", "who pays"))
    assert Held.by_text(cut).has(Item("HIGH loops", "send it"))


def test_a_trimmed_text_is_there_and_not_whole():
    held = Held.by_text(text(["CONSTRAINT | never write to the ledger tables... | r"]))
    item = Item("constraints", "never write to the ledger tables by hand")
    assert held.has(item)
    assert not held.whole(item)


# The law is worth something: what breaks it is found.


def window(relay):
    return relay.push(capsule(*ROWS), now=NOW)


def test_a_constraint_without_line_or_record_is_found(relay):
    done = window(relay)
    assert unrecorded(done.cso, done.notes, ["send it"], ["send it"]) == []
    for line in ("CONSTRAINT | never on Fridays | r\n", "PROMISE | send it | HIGH\n"):
        notes = evolve(done.notes, head=done.notes.head.replace(line, ""))
        found = unrecorded(done.cso, notes, ["send it"], ["send it"])
        assert [one.partition(": ")[2][:30] for one in found] == [
            "neither in the head capsule no",
            "it would fit and is not in the",
        ]


def test_a_loop_that_the_object_forgot_is_found(relay):
    done = window(relay)
    found = unrecorded(done.cso, done.notes, ["send the other"], [])
    assert len(found) == 2
    assert found[0] == "a HIGH loop is not in the object: send the other"


def test_a_hop_of_an_object_has_a_capsule_for_the_simpler_ways():
    given = of_object(capsule(*ROWS).cso)
    assert "never on Fridays" in {e.fact for e in Hop.of(given, NOW).capsule.skeleton}


def test_a_loop_that_an_object_names_again_is_among_the_newest(relay):
    rows = [f"PROMISE | old {n} {'x' * 90} | HIGH" for n in range(6)]
    relay.push(capsule([], [], [], [], rows), now=NOW)
    rows = [f"PROMISE | new {n} {'y' * 90} | HIGH" for n in range(6)]
    done = relay.push(capsule([], [], [], [], rows), now=NOW)
    again = f"old 5 {'x' * 90}"
    assert again not in done.notes.head
    given = of_object(capsule([], [], [], [], [f"PROMISE | {again} | HIGH"], seed="Other.").cso)
    done = relay.push(given, now=NOW)
    assert again in done.notes.head
    assert unrecorded(done.cso, done.notes, [again], [again]) == []


def test_the_picture_is_drawn_and_the_same_each_time(tmp_path):
    pytest.importorskip("matplotlib")
    from benchmarks.fidelity_plot import draw

    tally = measured(made_up(USUAL, 0, hops=14)).tally
    for name in ("one.svg", "two.svg"):
        draw(tally, WAYS, (0, 1, 5), tmp_path / name)
    one, two = ((tmp_path / name).read_text() for name in ("one.svg", "two.svg"))
    assert one == two
    assert all(way in one for way in WAYS)
