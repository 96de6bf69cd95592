"""Context edits behind a summary or a stub: neither speaks over what its user changed."""

import random

import pytest
from projection_desk import Desk, adjoining, observed, results
from projection_journals import USUAL, Journal, wander
from projection_logs import LogBuilder, chat_log

from kernel.projection.cooling.planning import automatic
from kernel.projection.index import Indexes, differences
from kernel.projection.journal.evidence import judge
from kernel.projection.lifecycle.opening import decompress, recompress
from kernel.projection.replaying.reducer import Replay, replay
from kernel.projection.view.projector import BlockItem, project

REPLACEMENTS = (None, "EDITED by its user", [{"type": "text", "text": "EDITED by its user"}])
V2 = "aili.compact.tx.v2"


def talk(turns=4):
    """Turns of user, call, result, reply (ids 4n to 4n+3), and a live end."""
    log = LogBuilder()
    for number in range(turns):
        log.user(f"question {number}")
        log.turn(calls=[("read", {"path": f"{number}.py"})], results=[f"text {number}"])
        log.assistant(f"answer {number}")
    for word in ("so", "then", "well"):
        log.assistant(word)
    log.user("the newest question")
    return Journal(log), list(log.ids)


def tower():
    """Four T1, two T2, a T3, each over all below."""
    journal, ids = talk()
    low = [journal.fold(ids[4 * n : 4 * n + 4], f"part {n}") for n in range(4)]
    middle = [journal.lift(low[:2], "first half"), journal.lift(low[2:], "second half")]
    return journal, ids, low, middle, journal.lift(middle, "all of it")


def status(journal, names):
    found = journal.state()
    assert found.fault is None
    return [found.status[name] for name in names]


@pytest.mark.parametrize("replacement", REPLACEMENTS)
def test_an_edit_opens_the_line_above_it_and_shows_what_stood_beside(replacement):
    journal, ids, low, middle, top = tower()
    journal.log.edit(ids[6], replacement)
    assert status(journal, [*low, *middle, top]) == [
        "active", "edited", "covered", "covered", "edited", "active", "edited",
    ]  # fmt: skip
    view = journal.view()
    shown = [item.name for item in view.items if isinstance(item, BlockItem)]
    assert shown == [low[0], middle[1]]
    raw = {source.entry_id: source.message for source in journal.branch().sources}
    for name in ids[4:8]:
        assert (raw.get(name) in view.messages) == (name in raw)
    assert (ids[6] in raw) == (replacement is not None)


def test_every_edit_counts_once_and_says_where():
    journal, ids, low, middle, top = tower()
    journal.log.edit(ids[0], "one")
    first = journal.log.leaf
    journal.log.edit(ids[1], None)
    journal.log.edit(ids[13], "two")
    second = journal.log.leaf
    opened = journal.state().opened
    assert {name: opened[name] for name in (top, middle[0], low[0])} == dict.fromkeys(
        (top, middle[0], low[0]), first
    )
    assert {opened[middle[1]], opened[low[3]]} == {second}
    assert status(journal, low) == ["edited", "active", "active", "edited"]


@pytest.mark.parametrize("depth", ["one", "raw"])
def test_what_was_opened_before_stays_open_for_good(depth):
    journal, ids, low, middle, top = tower()
    journal.open([top], depth)
    journal.log.edit(ids[0], "changed")
    for name in (top, middle[0], low[0]):
        for origin in ("user", "model"):
            assert journal.tries(journal.closing(name), origin).code == "lineage-source-edited"
    if depth == "raw":
        journal.close(middle[1])
    assert status(journal, [middle[1], *low[2:]]) == ["active", "covered", "covered"]


def test_restore_all_brings_nothing_back_that_was_edited():
    journal, ids, low, middle, top = tower()
    journal.log.edit(ids[0], "changed")
    journal.switch("restore-all")
    assert status(journal, [low[0], top, low[1], middle[1]]) == [
        "edited", "edited", "disabled", "disabled",
    ]  # fmt: skip
    assert journal.tries(journal.closing(top)).code == "lineage-source-edited"
    journal, ids, low, *_ = tower()
    journal.switch("restore-all")
    journal.log.edit(ids[0], "changed")
    assert journal.tries(journal.closing(low[0])).code == "lineage-source-edited"
    assert journal.tries(journal.closing(low[1])) is None


def test_edited_sources_can_be_folded_anew():
    journal, ids, *_ = tower()
    journal.log.edit(ids[5], None)
    journal.log.edit(ids[6], None)
    assert journal.tries(journal.folding([ids[4], ids[7]])) is None
    name = journal.fold([ids[4], ids[7]], "told anew")
    assert status(journal, [name]) == ["active"]


def test_edits_elsewhere_open_nothing():
    journal, ids, low, middle, top = tower()
    for target in (ids[-1], ids[-2], "nobody", journal.log.ids[-1]):
        journal.log.edit(target, "other")
    assert status(journal, [*low, *middle, top]) == ["covered"] * 6 + ["active"]
    # Behind a compaction blocks are for queries only, edited or not.
    journal.log.compaction("until then", keep=ids[8])
    journal.log.edit(ids[9], "other")
    assert status(journal, [*low, *middle, top]) == ["query-only"] * 7


@pytest.mark.parametrize("collected", [False, True])
def test_an_old_block_is_opened_and_never_repaired(collected):
    journal, ids = talk()
    said = {"version": 2, "kind": "block", "id": "old", "startId": ids[0], "endId": ids[3]}
    journal.log.custom(V2, {**said, "summary": "what an older release said"})
    if collected:
        journal.log.custom(V2, {"version": 2, "kind": "deactivate", "id": "old", "reason": "gc"})
    journal.log.edit(ids[1], "changed")
    assert status(journal, ["old"]) == ["edited"]
    cursor = Replay(journal.branch().tree)
    for item in journal.branch().path:
        cursor.step(item)
    assert judge(cursor.ledger).eligible == judge(cursor.ledger).ineligible == ()


@pytest.mark.parametrize("replacement", REPLACEMENTS)
def test_a_stub_ends_with_an_edit_and_may_come_back_once_that_was_seen(replacement):
    desk = Desk(observed(answers=4))
    (ref,) = results(desk)
    desk.append(automatic(desk.now))
    target = next(iter(desk.now.state.cooled))
    desk.log.edit(target, replacement)
    now = desk.now
    assert now.state.cooled == {}
    assert desk.shown == desk.raw
    desk.log.edit(target, "y " * 4000)
    for number in range(2):
        assert not hasattr(automatic(desk.now), "payload")
        desk.log.assistant(f"seen {number}")
    desk.log.user("the newest of all")
    desk.append(automatic(desk.now))
    assert [source.ref for source in now.branch.sources if source.entry_id == target] in ([], [ref])


def test_the_planner_says_so_and_the_snapshot_names_the_block():
    desk = Desk()
    desk.fold()
    block = desk.now.state.active()[0]
    desk.append(decompress(desk.now, ["b000001"], "raw", "user"))
    assert recompress(desk.now, "b000001", "user").payload.block_id == block.block_id
    desk.log.edit(block.source_ids[0], "changed")
    line = len(desk.log.entries) + 1
    for origin in ("user", "model", "automatic"):
        assert recompress(desk.now, "b000001", origin).code == "source-edited"
    found = [note for note in desk.now.diagnostics if note.code == "BLOCK_EDITED"]
    assert [(note.line, "b000001" in note.message) for note in found] == [(line, True)]
    assert "changed" not in found[0].message


def test_a_parent_opened_by_an_edit_leaves_its_other_children_to_be_raised():
    desk = adjoining(3)
    desk.raise_(["b000001", "b000002", "b000003"])
    first = next(block for block in desk.now.state.blocks.values() if block.ref == "b000001")
    desk.log.edit(first.source_ids[0], "changed")
    assert desk.active == ["b000002", "b000003"]
    desk.raise_(["b000002", "b000003"])
    assert desk.active == ["b000005"]


@pytest.mark.parametrize("seed", range(6))
def test_no_edit_is_ever_hidden_and_the_index_agrees(seed):
    """Random journals with edits among them: what was edited last stands raw, or was folded since."""
    rng = random.Random(seed)
    journal = Journal(chat_log(60, seed=seed))
    indexes, edited = Indexes(), {}
    for round_ in range(12):
        wander(journal, rng, 3, (*USUAL, "restore-all"))
        sources = journal.branch().sources
        target = rng.choice(sources).entry_id
        journal.log.edit(target, rng.choice((None, f"edit {round_}")))
        edited[target] = journal.log.leaf
        branch = journal.branch()
        state = replay(branch)
        assert state.fault is None
        assert target not in state.cooled
        for block in state.active():
            made = branch.position[block.entry_id]
            assert all(
                branch.position[edited[name]] < made for name in block.source_ids if name in edited
            )
        assert project(branch, state).fault is None
        tree = branch.tree
        assert differences(indexes.of(tree, journal.log.leaf), tree) == ()
    assert len(edited) > 6


def test_edits_cost_what_they_touch(monkeypatch):
    """Many edits over many blocks: the leaves of a block are noted once."""
    from kernel.projection.replaying.ledger import Ledger

    log = LogBuilder()
    ids = [log.assistant(f"message {n}") for n in range(60)]
    log.user("the newest question")
    journal = Journal(log)
    for number in range(20):
        journal.fold(ids[3 * number : 3 * number + 3], f"part {number}")
    for name in ids[::2]:
        log.edit(name, "changed")
    noted = []
    real = Ledger._above

    def above(ledger, source):
        before = ledger._noted
        found = real(ledger, source)
        noted.append(ledger._noted - before)
        return found

    monkeypatch.setattr(Ledger, "_above", above)
    state = journal.state()
    assert sum(noted) == 20
    assert set(state.status.values()) == {"edited"}
