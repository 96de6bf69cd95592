"""Blocks of versions 1 and 2, their repair, and what an old binary makes of newer entries."""

import json
import random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_journals import USUAL, Journal, wander
from projection_logs import PLAIN, LogBuilder, logs

from kernel.projection.journal.legacy import LegacyBlock, old_view, read_legacy
from kernel.projection.journal.repair import batch, decode_repair, encode_repair, plan, repair
from kernel.projection.model import REPAIR, Fault
from kernel.projection.replaying.reducer import replay
from kernel.projection.view.projector import BlockItem, project
from kernel.sessions.pi_entries import Item, context_of

SETTINGS = settings(derandomize=True, deadline=None, max_examples=25)
V1, V2 = "aili.compact.tx.v1", "aili.compact.tx.v2"


class Old(Journal):
    """A journal with what old binaries wrote."""

    def v1(self, name, first, last, **more):
        data = {"version": 1, "id": name, "startId": first, "endId": last, "summary": "old words"}
        return self.log.custom(V1, {**data, **more})

    def v2(self, kind, **fields):
        return self.log.custom(V2, {"version": 2, "kind": kind, **fields})

    def block(self, name, first, last):
        return self.v2("block", id=name, startId=first, endId=last, summary=f"words of {name}")

    def collect(self, name, reason="gc"):
        return self.v2("deactivate", id=name, reason=reason)

    def plan(self):
        return plan(self.branch())

    def repair(self):
        branch = self.branch()
        made = batch(plan(branch), branch)
        self.log.custom(REPAIR, encode_repair(made))
        return made

    def shown(self):
        state = self.state()
        assert state.fault is None, state.fault
        return [block.block_id for block in state.active()]


def talk(turns=6):
    log = LogBuilder()
    for number in range(turns):
        log.user(f"question {number}")
        log.turn(calls=[("read", {"path": f"{number}.py"})], results=[f"text {number}"])
        log.assistant(f"answer {number}")
    return Old(log), list(log.ids)


# Legacy leaves


def test_old_blocks_are_shown_as_leaves():
    journal, ids = talk()
    journal.v1("one", ids[0], ids[3], topic="start")
    journal.block("two", ids[8], ids[11])
    state, view = journal.state(), journal.view()
    assert journal.shown() == ["one", "two"]
    assert [(b.version, b.ref, b.topic) for b in state.active()] == [
        (1, "b000001", "start"),
        (2, "b000002", ""),
    ]
    assert state.blocks["one"].source_ids == tuple(ids[0:4])
    assert [item.name for item in view.items] == ["one", *ids[4:8], "two", *ids[12:]]
    assert "v1" in view.messages[0]["content"].split("\n")[0]


def test_old_blocks_are_never_children():
    journal, ids = talk()
    journal.v1("one", ids[0], ids[3])
    new = journal.fold(ids[4:8])
    assert journal.tries(journal.lifting(["one", new])).code == "journal-schema"
    # Under a name as v3 blocks have it the schema lets it pass; the proof does not.
    disguised = "blk_0123456789abcdef"
    journal.v1(disguised, ids[8], ids[11])
    for names in ([disguised, new], [new, disguised]):
        assert journal.tries(journal.lifting(names, tier=2)).code == "lineage-child-legacy"


def test_the_way_up_is_opening_and_a_new_block():
    journal, ids = talk()
    journal.v1("one", ids[0], ids[3])
    journal.open(["one"])
    assert journal.shown() == []
    assert journal.state().status == {"one": "decompressed"}
    assert project(journal.branch(), journal.state()).raw
    new = journal.fold(ids[0:4])
    assert journal.shown() == [new]
    journal.open([new])
    assert journal.tries(journal.closing("one")).code in (
        "journal-schema",
        "lineage-legacy-recompress",
    )


def test_an_old_block_never_comes_back_by_closing():
    from kernel.projection.replaying.lineage import proof_of_recompress
    from kernel.projection.replaying.reducer import Replay

    journal, ids = talk()
    journal.v1("one", ids[0], ids[3])
    journal.open(["one"], "raw")
    cursor = Replay(journal.branch().tree)
    for item in journal.branch().path:
        cursor.step(item)
    code = proof_of_recompress(cursor.ledger, journal.closing("one"), "user")
    assert code == "lineage-legacy-recompress"


def test_a_larger_old_block_takes_the_smaller_ones_in():
    journal, ids = talk()
    journal.v1("one", ids[0], ids[3])
    journal.block("all", ids[0], ids[7])
    assert journal.shown() == ["all"]
    assert journal.state().status["one"] == "query-only"


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        (0, 99, "legacy-range"),
        (3, 0, "legacy-range"),
        (0, 1, "legacy-atom-parted"),
        (4, 11, "legacy-overlap"),
    ],
)
def test_an_old_block_that_does_not_fit_is_a_fault(first, last, code):
    journal, ids = talk()
    journal.block("here", ids[8], ids[15])
    ids += ["nobody"] * 99
    journal.v1("there", ids[first], ids[last])
    state = journal.state()
    assert state.fault.code == code
    assert list(state.blocks) == ["here"]
    assert journal.view().raw


def test_an_old_block_over_a_new_one_is_a_fault():
    journal, ids = talk()
    journal.fold(ids[4:8])
    journal.block("all", ids[0], ids[11])
    assert journal.state().fault.code == "legacy-overlap"


def test_old_switches_are_heard():
    journal, _ = talk()
    journal.v2("control", action="off")
    journal.v2("control", action="manual-on")
    controls = journal.state().controls
    assert (controls.enabled, controls.manual) == (False, True)
    journal.v2("control", action="on")
    assert journal.state().controls.enabled


V1_DATA = {"version": 1, "id": "b", "startId": "s", "endId": "e", "summary": "t", "topic": "u"}
V2_DATA = {
    "block": {"version": 2, "kind": "block", **{k: V1_DATA[k] for k in V1_DATA if k != "version"}},
    "deactivate": {"version": 2, "kind": "deactivate", "id": "b", "reason": "gc"},
    "control": {"version": 2, "kind": "control", "action": "on"},
}


@pytest.mark.parametrize("data", [V1_DATA, *V2_DATA.values()])
def test_old_entries_are_read_strictly(data):
    name = f"aili.compact.tx.v{data['version']}"

    def read(said):
        return read_legacy(Item("e", None, {"type": "custom", "customType": name, "data": said}, 1))

    assert not isinstance(read(data), Fault)
    assert isinstance(read({**data, "more": 1}), Fault)
    for key in data:
        for junk in (None, 7, True, [], "\ud800"):
            assert isinstance(read({**data, key: junk}), Fault), key
        if key != "topic":
            assert isinstance(read({k: v for k, v in data.items() if k != key}), Fault), key
    assert read_legacy(Item("e", None, {"type": "message", "customType": name}, 1)) is None
    assert read_legacy(Item("e", None, {"type": "custom", "customType": "x"}, 1)) is None


# Repair


def collected(count=3):
    journal, ids = talk(count)
    for number in range(count):
        journal.block(f"old{number}", ids[4 * number], ids[4 * number + 3])
    for number in range(count):
        journal.collect(f"old{number}")
    return journal, ids


def test_what_a_collection_took_comes_back():
    journal, _ = collected()
    assert journal.shown() == []
    found = journal.plan()
    assert [one.block_id for one in found.eligible] == ["old0", "old1", "old2"]
    assert found.ineligible == ()
    made = journal.repair()
    state = journal.state()
    assert journal.shown() == ["old0", "old1", "old2"]
    assert state.repaired == {"old0", "old1", "old2"}
    assert made.repair_id in state.transactions
    assert state.opened == {}
    assert [item.name for item in journal.view().items] == ["old0", "old1", "old2"]
    assert journal.plan().eligible == ()
    assert batch(journal.plan(), journal.branch()) is None


def test_repairs_hold_sixteen_blocks_and_the_rest_waits():
    journal, _ = collected(19)
    first = journal.repair()
    assert len(first.evidence) == 16
    assert len(journal.shown()) == 16
    second = journal.repair()
    assert [one.block_id for one in second.evidence] == ["old16", "old17", "old18"]
    assert len(journal.shown()) == 19


def _contradictions():
    return {
        "its user opened it": (lambda j, _: j.collect("old1", "user"), None),
        "a new block stands there": (lambda j, ids: j.fold(ids[4:8]), "repair-overlap"),
        "an old block stands there": (
            lambda j, ids: j.block("later", ids[0], ids[7]),
            "repair-overlap",
        ),
        "restore-all": (lambda j, _: j.switch("restore-all"), None),
        "a new epoch": (lambda j, ids: j.log.compaction("x", keep=ids[4]), None),
        "a fault": (lambda j, _: j.log.custom(V1, {}), None),
    }


@pytest.mark.parametrize("name", _contradictions())
def test_what_contradicts_a_repair(name):
    journal, ids = collected()
    change, code = _contradictions()[name]
    change(journal, ids)
    found = journal.plan()
    assert "old1" not in [one.block_id for one in found.eligible]
    assert {one.code for one in found.ineligible if one.block_id == "old1"} == (
        {code} if code else set()
    )


def test_of_two_that_overlap_the_first_comes_back():
    journal, ids = talk(2)
    journal.block("small", ids[0], ids[3])
    journal.collect("small")
    journal.block("large", ids[0], ids[7])
    journal.collect("large")
    found = journal.plan()
    assert [one.block_id for one in found.eligible] == ["small"]
    assert [(one.block_id, one.code) for one in found.ineligible] == [("large", "repair-overlap")]


@pytest.mark.parametrize(
    "member",
    [
        "branch", "epoch", "block_id", "entry_id", "leaf_digest", "leaf_count", "collected_by",
        "provenance", "lineage", "later_state",
    ],
)  # fmt: skip
def test_all_or_none_come_back(member):
    """One piece of evidence that is not what replay finds, and no block comes back."""
    journal, _ = collected()
    branch = journal.branch()
    good = plan(branch).eligible
    wrong = evolve(good[1], **{member: 9 if member == "leaf_count" else "other"})
    made = repair(branch.session_id, branch.epoch, branch.leaf, (good[0], wrong, good[2]))
    journal.log.custom(REPAIR, encode_repair(made))
    state = journal.state()
    assert state.fault.code in ("repair-evidence", "repair-schema")
    assert state.repaired == frozenset()
    assert state.active() == ()
    assert journal.view().raw


@pytest.mark.parametrize("order", [(1, 0), (0, 0), (2, 0, 1)])
def test_evidence_is_ordered_and_single(order):
    journal, _ = collected()
    branch = journal.branch()
    good = plan(branch).eligible
    made = repair(branch.session_id, branch.epoch, branch.leaf, tuple(good[at] for at in order))
    journal.log.custom(REPAIR, encode_repair(made))
    assert journal.state().fault.code == "repair-order"
    assert journal.state().active() == ()


def test_a_repair_is_bound_to_what_stood_when_it_was_found():
    journal, _ = collected()
    branch = journal.branch()
    made = batch(plan(branch), branch)
    journal.log.user("later")
    journal.log.custom(REPAIR, encode_repair(made))
    assert journal.state().fault.code == "replay-stale-base"
    journal, _ = collected()
    evidence = journal.plan().eligible
    journal.switch("manual-on")
    branch = journal.branch()
    moved = [evolve(one, branch=branch.leaf) for one in evidence]
    made = repair(branch.session_id, branch.epoch, branch.leaf, tuple(moved))
    journal.log.custom(REPAIR, encode_repair(made))
    assert journal.state().fault.code == "repair-evidence"


def test_repairs_are_read_strictly_and_hold_no_source_text():
    journal, _ = collected()
    made = journal.repair()
    data = encode_repair(made)
    assert decode_repair(data) == made
    assert decode_repair(json.loads(json.dumps(data))) == made
    assert "words of" not in json.dumps(data)
    assert "question" not in json.dumps(data)
    assert decode_repair({**data, "version": 2}).code == "repair-version"
    assert decode_repair({**data, "evidence": []}).code == "repair-schema"
    assert decode_repair({**data, "evidence": data["evidence"] * 6}).code == "repair-schema"
    assert decode_repair({**data, "more": 1}).code == "repair-schema"
    for key in data:
        assert isinstance(decode_repair({k: v for k, v in data.items() if k != key}), Fault)
        for junk in (None, True, "x", 7, [7]):
            assert isinstance(decode_repair({**data, key: junk}), Fault)
    for key in data["evidence"][0]:
        for junk in (None, "x", 7.5):
            changed = [{**data["evidence"][0], key: junk}, *data["evidence"][1:]]
            assert isinstance(decode_repair({**data, "evidence": changed}), Fault)


def test_a_repair_that_stands_twice_counts_once():
    journal, _ = collected()
    made = journal.repair()
    before = journal.state()
    journal.log.custom(REPAIR, encode_repair(made))
    assert journal.state() == before


def test_an_opened_repaired_block_stays_open():
    journal, _ = collected()
    journal.repair()
    journal.open(["old1"])
    assert journal.shown() == ["old0", "old2"]
    assert journal.plan().eligible == ()


# Rollback to an old binary


def test_an_old_binary_shows_raw_history_where_new_entries_stand():
    journal, ids = talk()
    journal.block("old", ids[0], ids[3])
    new = journal.fold(ids[4:8])
    journal.lift([new, journal.fold(ids[8:12])])
    journal.cool([ids[14]])
    path = journal.branch().path
    assert [read_legacy(item) for item in path if item.id == journal.log.leaf] == [None]
    shown = [name for name in old_view(path) if name in (*ids, "old")]
    assert shown == ["old", *ids[4:]]
    journal.v2("control", action="off")
    assert list(old_view(journal.branch().path)) == list(journal.log.ids)


def test_an_old_binary_does_not_see_a_repair():
    journal, ids = collected()
    journal.repair()
    assert journal.shown() == ["old0", "old1", "old2"]
    shown = [name for name in old_view(journal.branch().path) if not name.startswith("old")]
    assert [name for name in shown if name in ids] == ids


def test_what_an_old_binary_writes_after_a_new_block_never_loses_a_source():
    journal, ids = talk()
    journal.fold(ids[4:8])
    journal.block("over", ids[4], ids[7])
    view = journal.view()
    assert view.fault is not None
    assert [item.name for item in view.items] == ids


@SETTINGS
@given(logs(PLAIN, 4, 16), st.integers(0, 10**6))
def test_an_old_binary_sees_the_raw_history_of_any_new_journal(log, seed):
    journal = Journal(log)
    wander(journal, random.Random(seed), 12, (*USUAL, "off", "on", "restore-all"))
    path = journal.branch().path
    assert list(old_view(path)) == [item.id for item in context_of(path)]
    assert not any(isinstance(read_legacy(item), LegacyBlock) for item in path)


@SETTINGS
@given(logs(PLAIN, 6, 16), st.integers(0, 10**6))
def test_old_and_new_entries_replay_together(log, seed):
    journal = Old(log)
    rng = random.Random(seed)
    names = [source.entry_id for source in journal.branch().sources]
    for number in range(3):
        first = rng.randrange(len(names))
        last = min(len(names) - 1, first + rng.randint(0, 4))
        keep = (list(log.entries), log.leaf)
        journal.block(f"old{number}", names[first], names[last])
        if journal.state().fault is not None:
            log.entries[:], log.leaf = keep
        elif rng.random() < 0.5:
            journal.collect(f"old{number}")
    wander(journal, rng, 6)
    while journal.plan().eligible:
        journal.repair()
        assert journal.state().fault is None
    branch = journal.branch()
    view = project(branch, replay(branch))
    shown = [
        source.entry_id
        for item in view.items
        for source in (item.sources if isinstance(item, BlockItem) else (item.source,))
    ]
    assert sorted(shown) == sorted(source.entry_id for source in branch.sources)
    journal.switch("restore-all")
    assert journal.view().raw
    assert journal.plan() == type(journal.plan())((), ())
