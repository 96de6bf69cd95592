"""Snapshots and activation: pure, repeatable, and raw where anything is in doubt."""

import random
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from projection_desk import Desk
from projection_journals import Journal
from projection_logs import LogBuilder, chat_log, logs, random_log

from kernel.projection import activation, snapshot
from kernel.projection.activation import TRIES, activate
from kernel.projection.journal.codec import encode, transaction
from kernel.projection.log.branch import read_tree
from kernel.projection.log.storage import appender, load
from kernel.projection.model import REPAIR, TRANSACTION, Control
from kernel.projection.planning import facts
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.facts import FactsMemory
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import raw_snapshot, take
from kernel.projection.view import checks as views
from kernel.projection.view.checks import folds_worse, is_worse, violations
from kernel.projection.view.projector import BlockItem, Projection, RawItem
from kernel.projection.view.recap import recap_message

TRANSCRIPTS = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "transcripts"
SMALL = Config(context_window=20_000)


def codes(found):
    return [note.code for note in found.diagnostics]


def objects(snapshot):
    return [id(message) for message in snapshot.projection.messages]


def raw_objects(snapshot):
    return [id(source.message) for source in snapshot.branch.sources]


def control(log, action):
    made = transaction(log.header["id"], "root", log.leaf, "user", Control(action))
    return log.custom(TRANSACTION, encode(made))


def legacy(log, first, last, name, *, collected=True):
    """Add a version 2 block, and the garbage collection that switched it off by age."""
    block = {"version": 2, "kind": "block", "id": name, "startId": first, "endId": last}
    log.custom("aili.compact.tx.v2", {**block, "summary": f"what {name} held"})
    if collected:
        gone = {"version": 2, "kind": "deactivate", "id": name, "reason": "gc"}
        log.custom("aili.compact.tx.v2", gone)


def collected_log(blocks):
    log = LogBuilder()
    for number in range(blocks):
        first = log.user(f"question {number}")
        last = log.assistant(f"answer {number}")
        legacy(log, first, last, f"old{number}")
    log.user("and now")
    return log


def clock():
    ticks = count()
    return lambda: datetime(2026, 3, 1, tzinfo=UTC) + timedelta(seconds=next(ticks))


def activated(path, config=SMALL, **more):
    return activate(lambda: load(path), appender(path, clock()), config, **more)


# Snapshots


@given(logs())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_snapshot_is_a_function_of_log_leaf_and_settings(log):
    one, other = take(log.tree(), None, SMALL), take(log.tree(), None, SMALL)
    assert (one.state, one.atoms, one.protection) == (other.state, other.atoms, other.protection)
    assert (one.catalog, one.pressure) == (other.catalog, other.pressure)
    memory = FactsMemory()
    for leaf in (*log.ids[-3:], None):
        again = take(log.tree(), leaf, SMALL, memory=memory)
        assert again.facts == take(log.tree(), leaf, SMALL).facts
        assert len(again.facts) == len(again.branch.sources)
    covered = [index for a in one.atoms for index in range(a.first, a.last + 1)]
    assert covered == list(range(len(one.branch.sources)))
    assert len(one.protection.reasons) == len(one.atoms)


@given(logs())
@settings(max_examples=30, deadline=None, derandomize=True)
def test_without_a_journal_the_view_is_the_history_itself(log):
    found = take(log.tree(), None, SMALL)
    assert found.projection.raw
    assert objects(found) == raw_objects(found)
    assert found.diagnostics == found.branch.diagnostics
    assert not violations(found.projection.messages) - violations(
        [source.message for source in found.branch.sources]
    )


@pytest.mark.parametrize("name", ["pi-v3-alltypes", "pi-v3-migrated-two-compactions"])
def test_real_logs_without_a_journal_are_shown_as_they_are(name):
    path = TRANSCRIPTS / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip("the transcripts are not beside this checkout")
    found = activate(lambda: load(path), None, SMALL)
    assert objects(found) == raw_objects(found)
    assert found.projection.fault is None


def test_what_a_snapshot_holds():
    found = take(chat_log(200).tree(), None, SMALL)
    assert found.enabled
    assert found.leaf == found.branch.leaf
    assert found.catalog.ranges
    assert found.pressure.window == 20_000
    assert found.pressure.use.tokens > 0
    with pytest.raises(KeyError):
        take(found.tree, "nowhere", SMALL)
    assert take(LogBuilder().tree()).leaf is None


def test_pressure_follows_the_window():
    log = chat_log(40)
    tokens = take(log.tree(), None, SMALL).pressure.use.tokens
    states = [
        take(log.tree(), None, Config(context_window=int(tokens / share))).pressure.state
        for share in (0.3, 0.6, 0.8, 0.95, 1.2)
    ]
    assert states == [
        "NORMAL",
        "PRESSURE",
        "FORCE_SEMANTIC",
        "CHECKPOINT_REQUIRED",
        "OVERFLOW_RECOVERY",
    ]
    assert take(log.tree()).pressure.state == "NORMAL"


def test_off_nothing_is_planned_and_the_input_comes_back():
    log = chat_log(60)
    control(log, "off")
    by_branch = take(log.tree(), None, SMALL)
    by_settings = take(chat_log(60).tree(), None, evolve(SMALL, enabled=False))
    for found in (by_branch, by_settings):
        assert not found.enabled
        assert (found.facts, found.atoms, found.catalog.ranges) == ((), (), ())
        assert objects(found) == raw_objects(found)
    control(log, "on")
    assert take(log.tree(), None, SMALL).catalog.ranges


def test_a_journal_that_cannot_be_followed_ends_in_the_raw_history():
    log = chat_log(60)
    bad = log.custom(TRANSACTION, {"version": 4, "secret": "hunter2"})
    log.user("on we go")
    found = take(log.tree(), None, SMALL)
    assert objects(found) == raw_objects(found)
    assert found.state.fault.entry_id == bad
    assert not found.catalog.ranges
    (note,) = found.diagnostics
    assert (note.code, note.line) == ("RAW_HISTORY", len(log.entries))
    assert "hunter2" not in str(found.diagnostics) + str(found.state.fault)
    assert take(log.tree(), log.ids[10], SMALL).state.fault is None


@pytest.mark.parametrize(
    "name", ["replayed", "project", "atoms_of", "protect", "catalog_of", "window_use", "facts_of"]
)
@pytest.mark.parametrize("error", [RecursionError, KeyError("sk-secret"), ValueError("sk-secret")])
def test_whatever_fails_the_raw_history_is_shown(monkeypatch, name, error):
    def broken(*_args, **_more):
        raise error

    monkeypatch.setattr(facts if name == "facts_of" else snapshot, name, broken)
    found = take(chat_log(40).tree(), None, SMALL)
    assert objects(found) == raw_objects(found)
    assert found.state.fault.code == "snapshot-failed"
    assert codes(found) == ["RAW_HISTORY"]
    assert "sk-secret" not in str(found.diagnostics) + str(found.state.fault)


# Activation


def test_blocks_an_old_collection_took_come_back(tmp_path):
    path = collected_log(3).write(tmp_path / "s.jsonl")
    before = path.read_bytes()
    assert take(load(path), None, SMALL).projection.raw
    found = activated(path)
    assert path.read_bytes().startswith(before)
    assert found.state.repaired == {"old0", "old1", "old2"}
    assert len(found.projection.messages) == 4
    assert codes(found) == []
    after = path.read_bytes()
    again = activated(path)
    assert path.read_bytes() == after, "what is repaired is not repaired again"
    assert (again.state, again.projection) == (found.state, found.projection)


def test_more_blocks_than_one_repair_takes(tmp_path):
    log = collected_log(20)
    path = log.write(tmp_path / "s.jsonl")
    found = activated(path)
    added = load(path).entries[len(log.entries) :]
    assert [item.value["customType"] for item in added] == [REPAIR, REPAIR]
    assert len(found.state.repaired) == 20
    assert len(found.projection.messages) == 21


def test_where_nothing_may_be_written_a_repair_is_only_said(tmp_path):
    path = collected_log(2).write(tmp_path / "s.jsonl")
    before = path.read_bytes()
    found = activate(lambda: load(path), None, SMALL)
    assert codes(found) == ["REPAIR_PENDING"]
    assert found.projection.raw
    assert path.read_bytes() == before


@pytest.mark.parametrize("why", ["off", "settings", "version", "fault", "user"])
def test_repair_needs_leave(tmp_path, why):
    log = collected_log(2)
    config = SMALL
    if why == "off":
        control(log, "off")
    elif why == "settings":
        config = evolve(SMALL, enabled=False)
    elif why == "version":
        log.header["version"] = 2
    elif why == "fault":
        log.custom(TRANSACTION, {})
    else:
        for name in ("old0", "old1"):
            gone = {"version": 2, "kind": "deactivate", "id": name, "reason": "user"}
            log.custom("aili.compact.tx.v2", gone)
    path = log.write(tmp_path / "s.jsonl")
    found = activated(path, config)
    assert path.read_bytes() == log.raw()
    assert objects(found) == raw_objects(found)


def test_a_branch_that_moves_is_begun_anew(tmp_path):
    """The log grows once while the first attempt is under way."""
    log = collected_log(2)
    path = log.write(tmp_path / "s.jsonl")
    reads = []

    def read():
        tree = load(path)
        reads.append(tree.leaf)
        if len(reads) == 1:
            log.user("meanwhile")
            log.write(path)
        return tree

    found = activate(read, appender(path, clock()), SMALL)
    assert found.branch.path[-2].id == log.leaf
    assert found.state.repaired == {"old0", "old1"}
    assert len(set(reads)) == 3


@pytest.mark.parametrize("write", [True, False])
def test_a_branch_that_never_rests_is_shown_raw(write):
    log = collected_log(2)
    control(log, "manual-on")
    attempts = []

    def read():
        log.user("more")
        attempts.append(log.leaf)
        return log.tree()

    found = activate(read, (lambda *_: None) if write else None, SMALL)
    assert objects(found) == raw_objects(found)
    assert found.state.fault.code == "branch-moved"
    assert codes(found) == ["RAW_HISTORY"]
    assert TRIES < len(attempts) <= 2 * TRIES + 1


def test_an_append_that_fails_ends_in_the_raw_history(tmp_path):
    path = collected_log(2).write(tmp_path / "s.jsonl")

    def broken(*_):
        raise OSError("/home/someone: no space")

    found = activate(lambda: load(path), broken, SMALL)
    assert objects(found) == raw_objects(found)
    assert found.state.fault.code == "activation-failed"
    assert "someone" not in str(found.diagnostics)


def test_a_repair_that_is_not_replayed_ends_in_the_raw_history(tmp_path):
    """What was appended is no repair: another program's hand, or a fault of ours."""
    log = collected_log(2)
    path = log.write(tmp_path / "s.jsonl")
    put = appender(path, clock())
    found = activate(
        lambda: load(path), lambda tree, leaf, _kind, _data: put(tree, leaf, "x", {}), SMALL
    )
    assert objects(found) == raw_objects(found)
    assert found.state.fault.code == "repair-not-replayed"


def test_replays_that_differ_end_in_the_raw_history(monkeypatch):
    log = chat_log(40)
    real = activation.replayed

    def other(branch, screen):
        cursor = real(branch, screen)
        cursor.ledger.transactions.append("tx_other")
        cursor.ledger.changed()
        return cursor

    monkeypatch.setattr(activation, "replayed", other)
    found = activate(log.tree, None, SMALL)
    assert found.state.fault.code == "replay-differs"
    assert objects(found) == raw_objects(found)


def test_a_view_no_provider_takes_is_not_published(tmp_path, monkeypatch):
    path = collected_log(2).write(tmp_path / "s.jsonl")
    monkeypatch.setattr(activation, "folds_worse", lambda _view, _sources: True)
    found = activated(path)
    assert found.state.fault.code == "view-refused"
    assert objects(found) == raw_objects(found)


def test_worse_is_what_breaks_a_law_the_other_kept():
    log = LogBuilder()
    log.user()
    log.turn(calls=[("bash", {}), ("read", {})])
    messages = [source.message for source in log.branch().sources]
    parted = messages[:-1]
    assert not is_worse(messages, messages)
    assert is_worse(messages, parted)
    assert not is_worse(parted, messages)
    assert not is_worse(parted, parted)


@given(logs(max_steps=12))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_activation_of_any_log_publishes_the_snapshot_of_its_leaf(log):
    found = activate(log.tree, None, SMALL)
    assert found.state == take(log.tree(), None, SMALL).state
    assert objects(found) == raw_objects(found)


def test_another_leaf_can_be_activated(tmp_path):
    log = collected_log(1)
    target = log.leaf
    log.user("later")
    path = log.write(tmp_path / "s.jsonl")
    found = activated(path, leaf=target)
    assert found.branch.path[-2].id == target
    assert found.state.repaired == {"old0"}
    with pytest.raises(KeyError):
        activated(path, leaf="nowhere")


def test_a_raw_snapshot_lets_nothing_past():
    branch = chat_log(20).branch()
    found = raw_snapshot(branch, SMALL, "some-code")
    assert found.state.fault.code == found.projection.fault.code == "some-code"
    assert not found.catalog.ranges
    assert found.pressure.state == "NORMAL"


@pytest.mark.parametrize("depth", [100, 500, 700, 850])
@pytest.mark.parametrize("where", ["arguments", "result", "edit"])
def test_depth_is_no_fault_of_a_projection(depth, where):
    """What a reader takes is shown, folded and judged, however deep it is nested."""
    log = LogBuilder()
    first = log.user("one")
    log.assistant("done")
    deep = {"X": "@@"} if where == "arguments" else {}
    call = log.turn(calls=[("read", deep)], results=["x"])[1]
    if where == "result":
        log.entries[-1]["message"]["details"] = "@@"
    if where == "edit":
        log.add(
            "context_edit", targetId=call, replacement={"content": [{"type": "odd", "of": "@@"}]}
        )
    log.assistant("so")
    log.user("the newest question")
    journal = Journal(log)
    journal.fold([first, log.ids[1]])
    nested = b'{"a":' * depth + b"1" + b"}" * depth
    tree = read_tree([line.replace(b'"@@"', nested) for line in log.lines()])
    assert len(tree.entries) == len(log.entries)
    now = activate(lambda: tree, None, SMALL)
    assert (now.state.fault, now.projection.fault, now.projection.raw) == (None, None, False)
    assert not violations(now.projection.messages) - violations(
        [source.message for source in now.branch.sources]
    )


def rough(branch, block, rng):
    """A view with some runs of sources laid under recaps, atoms parted or not."""
    items, messages, at = [], [], 0
    sources = branch.sources
    while at < len(sources):
        size = rng.choice((0, 0, 0, 0, 1, 2, 5))
        if size:
            part = sources[at : at + size]
            items.append(BlockItem(block, part))
            messages.append(recap_message(block))
        else:
            size, part = 1, sources[at : at + 1]
            items.append(RawItem(part[0]))
            messages.append(part[0].message)
        at += size
    return Projection(items, messages, raw=False)


@pytest.mark.parametrize("seed", range(30))
def test_a_view_is_judged_by_its_changes_as_by_the_whole(seed):
    """A fold that parts an atom is found wherever it is; one that parts none is no worse."""
    rng = random.Random(seed)
    branch = random_log(seed, 30).branch()
    raw = [source.message for source in branch.sources]
    desk = Desk()
    desk.fold()
    block = desk.now.state.active()[0]
    for _ in range(4):
        view = rough(branch, block, rng)
        assert not is_worse(raw, view.messages) or folds_worse(view, branch.sources)
    plain = Projection(list(map(RawItem, branch.sources)), raw)
    assert not folds_worse(plain, branch.sources)


def test_a_long_history_is_not_serialized_for_a_small_fold(monkeypatch):
    journal = Journal(chat_log(400))
    branch = journal.branch()
    atom = next(one for one in atoms_of(branch.sources) if one.first > 100 and one.kind == "tool")
    journal.fold([source.entry_id for source in branch.sources[atom.first : atom.last + 1]])
    sizes = []
    real = views.violations
    monkeypatch.setattr(views, "violations", lambda shown: sizes.append(len(shown)) or real(shown))
    tree = journal.log.tree()
    now = activate(lambda: tree, None, SMALL)
    assert not now.projection.raw
    assert 0 < sum(sizes) < 20
