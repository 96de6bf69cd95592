"""The index: equal to the pure functions after every step, at the price it says."""

import json
import random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_journals import Journal, wander
from projection_logs import STEPS, LogBuilder, chat_log, logs, random_log, spell

from kernel.projection.index import BranchIndex, Counters, Indexes, Scope, differences, store
from kernel.projection.index import branch_index as module
from kernel.projection.index.counters import Rows, Table
from kernel.projection.log import branch
from kernel.projection.log.branch import read_tree
from kernel.projection.planning import facts as facts_module
from kernel.projection.settings.config import Config, IndexSettings
from kernel.projection.snapshot import take
from kernel.sessions.pi_entries import Item

CONFIG = Config(context_window=200_000)


LONG = 10_000


def items(log, start=0):
    return log.tree().entries[start:]


@pytest.fixture(scope="module")
def lines():
    """A long log and 60 entries more."""
    return chat_log(LONG + 60, words=(4, 9)).lines()


@pytest.fixture(scope="module")
def long_tree(lines):
    return read_tree(lines[: LONG + 1])


@pytest.fixture(scope="module")
def longer_tree(lines):
    return read_tree(lines)


# What it costs


def test_a_cold_build_touches_every_entry_once(long_tree, monkeypatch):
    counted = dict.fromkeys(("facts", "digests", "steps"), 0)

    def counting(name, function):
        def call(*args):
            counted[name] += 1
            return function(*args)

        return call

    monkeypatch.setattr(facts_module, "facts_of", counting("facts", facts_module.facts_of))
    monkeypatch.setattr(module.Replay, "step", counting("steps", module.Replay.step))
    monkeypatch.setattr(branch, "source_digest", counting("digests", branch.source_digest))
    index = BranchIndex(evolve(long_tree))
    assert (index.counters.visited, index.counters.walked) == (10_000, 10_000)
    assert (index.counters.cold_builds, index.counters.rebuilds, index.counters.scans) == (1, 0, 0)
    assert counted == {"facts": 10_000, "digests": 10_000, "steps": 10_000}
    assert len(index.sources) == 10_000


def test_an_append_costs_one_entry_whatever_came_before(long_tree, longer_tree):
    index = BranchIndex(long_tree)
    ledger = index.cursor.ledger
    # The reducer's own rows are watched, too.
    ledger.path = rows_of(index.counters, ledger.path)
    ledger.at = table_of(index.counters, ledger.at)
    ledger.scope.items = rows_of(index.counters, ledger.scope.items)
    ledger.scope.place = table_of(index.counters, ledger.scope.place)
    before = evolve(index.counters)
    new = longer_tree.entries[LONG:]
    for item in new:
        assert index.append(item)
    after = index.counters
    assert after.appends == len(new) == after.visited - before.visited == 60
    assert (after.scans, after.passes, after.rebuilds) == (0, 0, 0)
    assert (after.cold_builds, after.walked) == (before.cold_builds, before.walked)
    assert differences(index, longer_tree) == ()


def rows_of(counters, values):
    rows = Rows(counters)
    rows.extend(values)
    return rows


def table_of(counters, values):
    table = Table(counters)
    table.update(values)
    return table


def test_a_hundred_thousand_lookups_scan_nothing(long_tree):
    index = BranchIndex(long_tree)
    refs = [f"m{at % 10_000 + 1:06d}" for at in range(0, 700_000, 7)]
    assert len(refs) == 100_000
    scope = index.scope
    found = [index.source(scope, ref) for ref in refs]
    assert all(source.ref == ref for source, ref in zip(found, refs, strict=True))
    assert (index.counters.lookups, index.counters.scans) == (100_000, 0)
    assert index.counters.mismatches == 0


def test_the_tripwire_trips():
    counters = Counters()
    rows, table = Rows(counters), Table(counters)
    rows.extend([1, 2, 3])
    table.update(a=1)
    assert (rows[1], rows[-1], len(rows), table["a"], table.get("b"), counters.scans) == (
        2,
        3,
        3,
        1,
        None,
        0,
    )
    walks = [
        lambda: list(rows), lambda: tuple(rows), lambda: [*rows], lambda: 2 in rows, lambda: rows[1:],
        lambda: list(reversed(rows)), lambda: sum(rows), lambda: list(table), lambda: list(table.items()),
        lambda: list(table.values()),
    ]  # fmt: skip
    for number, walk in enumerate(walks, 1):
        walk()
        assert counters.scans == number
    with counters.whole():
        list(rows)
    assert (counters.scans, counters.passes) == (len(walks), 1)
    assert counters.as_json()["scans"] == len(walks)
    assert "_declared" not in counters.as_json()


def test_an_append_through_the_store_costs_what_was_added(long_tree, longer_tree):
    indexes = Indexes()
    indexes.of(long_tree)
    before = evolve(indexes.counters)
    index = indexes.of(longer_tree)
    after = indexes.counters
    assert index.leaf == longer_tree.leaf
    assert (after.visited - before.visited, after.walked - before.walked) == (60, 60)
    assert (after.cold_builds, after.hits, after.scans) == (1, 1, 0)


# Equal to the oracle


@given(logs(min_steps=1, max_steps=25))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_any_log_is_indexed_as_the_pure_functions_have_it(log):
    tree = log.tree()
    for leaf in (None, *log.ids[:: max(1, len(log.ids) // 3)]):
        assert differences(BranchIndex(tree, leaf), tree, CONFIG) == ()


@pytest.mark.parametrize("seed", range(4))
def test_every_step_of_a_log_equals_the_oracle(seed):
    """Whatever is appended: messages, edits, compactions, tree moves, folds, stubs, switches."""
    log = LogBuilder(seed=seed)
    log.user("hello")
    journal = Journal(log)
    rng = random.Random(seed)
    indexes = Indexes()
    for _ in range(24):
        if rng.random() < 0.5:
            wander(journal, rng, 1)
        else:
            STEPS[rng.choice(tuple(STEPS))](log, rng)
        tree = log.tree()
        leaf = rng.choice((None, log.leaf))
        assert indexes.audit(tree, leaf, CONFIG, path="a") == ()
        mine = indexes.snapshot(tree, leaf, CONFIG, path="a")
        pure = take(tree, leaf, CONFIG)
        for part in ("state", "projection", "catalog", "pressure", "facts", "atoms", "diagnostics"):
            assert getattr(mine, part) == getattr(pure, part), part
        assert mine.branch.sources == pure.branch.sources
        assert mine.branch.path == pure.branch.path
    assert indexes.counters.fallbacks == 0
    assert indexes.counters.hits > 10
    assert indexes.counters.scans == 0


@pytest.mark.parametrize("seed", range(4))
def test_entries_one_by_one_give_what_a_cold_build_gives(seed):
    log = random_log(seed, steps=40, names=tuple(name for name in STEPS if "move" not in name))
    whole = items(log)
    index = BranchIndex(read_tree(log.lines()[:2]))
    for at, item in enumerate(whole[1:], 2):
        assert index.append(item)
        if at % 4 == 0 or item.value["type"] in ("compaction", "context_edit"):
            assert differences(index, read_tree(log.lines()[: at + 1])) == ()
    assert differences(index, log.tree()) == ()
    assert index.counters.cold_builds == 1
    assert index.counters.appends == len(whole) - 1


def test_the_default_leaf_is_told_apart_from_a_named_one():
    log = LogBuilder()
    first = log.user("one")
    log.assistant("two")
    log.custom("demo-ext", {}, parent=first)
    tree = log.tree()
    indexes = Indexes()
    for leaf in (None, tree.leaf, None):
        found = indexes.snapshot(tree, leaf, CONFIG)
        assert found == take(tree, leaf, CONFIG)
    assert [note.code for note in indexes.snapshot(tree).diagnostics] == ["STALE_LEAF"]


def test_a_snapshot_is_made_once_for_one_leaf_and_one_config():
    tree = chat_log(40).tree()
    indexes = Indexes()
    one = indexes.snapshot(tree, config=CONFIG)
    assert indexes.snapshot(tree, config=Config(context_window=200_000)) is one
    other = indexes.snapshot(tree, config=Config(context_window=1_000))
    assert other is not one
    assert other.pressure.state == "OVERFLOW_RECOVERY"
    assert indexes.counters.cold_builds == 1


# Refs and scopes


def test_refs_hold_in_their_scope_alone():
    log = chat_log(20)
    log.label(log.ids[0])
    index = BranchIndex(log.tree(), path="a")
    scope = index.scope
    assert index.source(scope, "m000003").entry_id == log.ids[2]
    assert index.source(evolve(scope), "m000003").entry_id == log.ids[2]
    assert index.entry(scope, log.ids[-1]).value["type"] == "label"
    for changes in (
        {"session_id": "x"},
        {"path": "b"},
        {"branch": "x"},
        {"epoch": "x"},
        {"replay": 9},
    ):
        other = evolve(scope, **changes)
        assert index.source(other, "m000003") is None
        assert index.block(other, "b000001") is None
        assert index.entry(other, log.ids[0]) is None
    assert index.counters.mismatches == 15


@pytest.mark.parametrize(
    "ref",
    [
        "m000000",
        "m000021",
        "m1",
        "m0000003",
        "M000003",
        "b000001",
        "",
        "m\u0660\u0660\u0660\u0660\u0660\u0663",
    ],
)
def test_what_names_nothing_is_nothing(ref):
    index = BranchIndex(chat_log(20).tree())
    assert index.source(index.scope, ref) is None
    assert index.block(index.scope, ref) is None
    assert index.entry(index.scope, ref) is None


def test_a_new_epoch_ends_the_scope_and_keeps_block_refs():
    log = chat_log(20)
    journal = Journal(log)
    name = journal.fold(log.ids[0:4])
    indexes = Indexes()
    old = indexes.of(log.tree()).scope
    log.compaction("so far", keep=log.ids[8])
    index = indexes.of(log.tree())
    assert index.scope.epoch == log.leaf != old.epoch
    assert index.source(old, "m000001") is None
    assert index.source(index.scope, "m000001").message["role"] == "compactionSummary"
    assert index.block(index.scope, "b000001").block_id == name
    assert index.counters.rebuilds == 1


def test_blocks_have_refs_in_the_order_they_were_made():
    log = chat_log(40)
    journal = Journal(log)
    indexes = Indexes()
    names = []
    for start in (0, 4, 8):
        names.append(journal.fold(log.path()[start : start + 4]))
        index = indexes.of(log.tree())
        found = [index.block(index.scope, f"b{at + 1:06d}").block_id for at in range(len(names))]
        assert found == names
    assert index.counters.cold_builds == 1


def test_equal_sources_are_found_by_their_digest():
    log = LogBuilder()
    for text in ("same", "other", "same", "same"):
        log.user(text)
    index = BranchIndex(log.tree())
    digest = index.sources[0].digest
    assert index.alike(digest) == (3, 2, 0)
    assert index.alike("0" * 64) == ()
    assert index.tokens(0, 3) == sum(one.tokens for one in index.facts)
    assert index.tokens(1, 1) == index.facts[1].tokens


# Doubt


def test_what_does_not_follow_is_not_taken():
    log = chat_log(20)
    index = BranchIndex(log.tree())
    before = (len(index.path), index.digest(), index.leaf)
    value = {"type": "message", "message": {"role": "user", "content": "x"}}
    for item in (
        Item("new", log.ids[3], value, 0),
        Item("new", None, value, 0),
        Item(log.ids[4], index.leaf, value, 0),
        Item("", index.leaf, value, 0),
    ):
        assert not index.append(item)
    assert not index.append(Item("new", index.leaf, value, 0), inherited=True)
    assert (len(index.path), index.digest(), index.leaf) == before
    assert index.healthy
    assert index.counters.mismatches == 5
    assert index.append(Item("new", index.leaf, value, 0))


def rewritten(log):
    log.entries[3]["message"]["content"] = [{"type": "text", "text": "changed behind our back"}]


def reused(log):
    log.custom_message("again")
    log.entries[-1]["id"] = log.ids[2]


def dropped(log):
    del log.entries[4]


def other_header(log):
    log.header["id"] = "S-9"


CHANGES = {
    "the leaf rewritten": None,
    "an id used again": reused,
    "an entry lost": dropped,
    "another session": other_header,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_log_that_is_not_the_same_grown_is_read_anew(name):
    log = chat_log(20)
    indexes = Indexes()
    indexes.of(log.tree(), path="a")
    if CHANGES[name] is None:
        log.entries[-1]["message"]["content"] = "changed behind our back"
    else:
        CHANGES[name](log)
    log.user(
        "more",
        parent=log.entries[-2]["id"] if name == "an id used again" else log.entries[-1]["id"],
    )
    tree = log.tree()
    found = indexes.snapshot(tree, config=CONFIG, path="a")
    assert found == take(tree, config=CONFIG)
    assert indexes.counters.cold_builds == 2
    assert indexes.audit(tree, config=CONFIG, path="a") == ()


def test_a_forked_log_with_words_of_its_parent_is_read_anew():
    log = chat_log(12)
    copy = log.fork(parent_session="parent.jsonl")
    tree = copy.tree()
    note = Item("old", None, {"type": "custom", "customType": "demo", "id": "old"}, 0)
    indexes = Indexes()
    indexes.of(tree)
    heard = evolve(tree, inherited={copy.ids[4]: (note,)}, ancestors=("S-1",), severed=False)
    assert indexes.audit(heard, config=CONFIG) == ()
    assert [item.id for item in indexes.of(heard).path][4] == "old"
    assert indexes.counters.cold_builds == 2
    assert indexes.snapshot(heard, config=CONFIG) == take(heard, config=CONFIG)


def test_four_branches_are_kept_and_the_least_used_goes():
    log = LogBuilder()
    root = log.user("root")
    leaves = [log.user(f"branch {number}", parent=root) for number in range(6)]
    tree = log.tree()
    indexes = Indexes()
    for leaf in leaves[:4]:
        indexes.of(tree, leaf)
    assert (len(indexes), indexes.counters.cold_builds, indexes.counters.evictions) == (4, 4, 0)
    indexes.of(tree, leaves[0])
    indexes.of(tree, leaves[4])
    assert (len(indexes), indexes.counters.cold_builds, indexes.counters.evictions) == (4, 5, 1)
    for leaf in (leaves[0], leaves[2], leaves[3], leaves[4]):
        indexes.of(tree, leaf)
    assert indexes.counters.cold_builds == 5
    indexes.of(tree, leaves[1])
    assert (len(indexes), indexes.counters.cold_builds, indexes.counters.evictions) == (4, 6, 2)
    assert indexes.of(tree, leaves[0]).scope == Scope("S-1", "", leaves[0], "root")


def test_the_limit_is_the_settings():
    log = LogBuilder()
    root = log.user("root")
    leaves = [log.user(f"branch {number}", parent=root) for number in range(4)]
    tree = log.tree()
    indexes = Indexes()
    small = Config(index=IndexSettings(snapshot_lru=2))
    for leaf in leaves:
        assert indexes.snapshot(tree, leaf, small) == take(tree, leaf, small)
        assert len(indexes) <= 2
    off = Config(index=IndexSettings(enabled=False))
    before = evolve(indexes.counters)
    assert indexes.snapshot(tree, leaves[0], off) == take(tree, leaves[0], off)
    assert indexes.counters == before


def test_files_and_sessions_do_not_mix():
    one, two = chat_log(12), chat_log(12, session="S-2")
    indexes = Indexes()
    for tree, path in ((one.tree(), "a"), (one.tree(), "b"), (two.tree(), "a")):
        assert indexes.of(tree, path=path).scope.path == path
    assert indexes.counters.cold_builds == 3


def broken(*_args, **_more):
    raise RuntimeError("no")


@pytest.mark.parametrize("name", ["snapshot_of", "BranchIndex"])
def test_an_index_that_fails_is_answered_for(monkeypatch, name):
    log = chat_log(30)
    Journal(log).fold(log.ids[0:4])
    tree = log.tree()
    monkeypatch.setattr(store, name, broken)
    indexes = Indexes()
    assert indexes.snapshot(tree, config=CONFIG) == take(tree, config=CONFIG)
    assert indexes.counters.fallbacks == 1
    if name == "BranchIndex":
        assert indexes.source(tree, "m000002").entry_id == log.ids[1]
        assert indexes.block(tree, "b000001").source_ids == tuple(log.ids[0:4])
        assert indexes.source(tree, "m999999") is None


def test_an_append_that_fails_makes_it_unhealthy_and_the_next_one_whole(monkeypatch):
    log = chat_log(20)
    indexes = Indexes()
    index = indexes.of(log.tree())
    log.user("more")
    with monkeypatch.context() as patch:
        patch.setattr(facts_module, "facts_of", broken)
        assert not index.append(items(log, 20)[0])
    assert index.fault == "append-failed-RuntimeError"
    assert index.source(index.scope, "m000001") is None
    assert not index.append(items(log, 20)[0])
    tree = log.tree()
    assert indexes.snapshot(tree, config=CONFIG) == take(tree, config=CONFIG)
    assert indexes.of(tree).healthy
    assert indexes.audit(tree, config=CONFIG) == ()


DAMAGE = {
    "sources": lambda index: index.sources.__setitem__(2, index.sources[1]),
    "facts": lambda index: index.facts.__setitem__(2, index.facts[1]),
    "atoms": lambda index: index.reader.atoms.pop(),
    "tokens": lambda index: index.sums.__setitem__(3, 0),
    "refs": lambda index: index._refs.__setitem__("m000001", 1),
    "block-refs": lambda index: index._blocks.clear(),
    "digest": lambda index: index._chain.update(b"x"),
    "state": lambda index: (index.cursor.ledger.status.clear(), index.cursor.ledger.changed()),
    "path": lambda index: index.path.pop(),
    "context": lambda index: index.context.pop(),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_found_and_the_file_is_read_purely_from_then_on(name):
    log = chat_log(20)
    Journal(log).fold(log.ids[0:4])
    tree = log.tree()
    indexes = Indexes()
    index = indexes.of(tree)
    DAMAGE[name](index)
    assert name in indexes.audit(tree)
    assert index.fault.startswith("differs-")
    assert indexes.snapshot(tree, config=CONFIG) == take(tree, config=CONFIG)
    assert indexes.source(tree, "m000001").entry_id == log.ids[0]
    assert indexes.block(tree, "b000001").source_ids == tuple(log.ids[0:4])
    assert indexes.counters.fallbacks == 3


def test_a_faulted_journal_is_read_by_the_pure_functions():
    log = chat_log(20)
    log.custom("aili.compact.tx.v9", {})
    tree = log.tree()
    found = Indexes().snapshot(tree, config=CONFIG)
    assert found == take(tree, config=CONFIG)
    assert found.projection.raw
    assert found.state.fault.code == "journal-version"


def test_an_unknown_leaf_raises():
    tree = chat_log(12).tree()
    indexes = Indexes()
    for ask in (
        lambda: BranchIndex(tree, "nowhere"),
        lambda: indexes.of(tree, "nowhere"),
        lambda: indexes.snapshot(tree, "nowhere"),
        lambda: indexes.source(tree, "m000001", "nowhere"),
    ):
        with pytest.raises(KeyError, match="nowhere"):
            ask()


def test_an_empty_log_is_indexed_too():
    tree = LogBuilder().tree()
    indexes = Indexes()
    assert indexes.snapshot(tree, config=CONFIG) == take(tree, config=CONFIG)
    assert indexes.audit(tree, config=CONFIG) == ()
    log = LogBuilder()
    log.user("first")
    assert indexes.audit(log.tree(), config=CONFIG) == ()


@given(st.lists(st.sampled_from(["grow", "back", "fold", "ask"]), max_size=25), st.integers(0, 99))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_any_walk_among_branches_asks_an_equal_index(steps, seed):
    log = chat_log(12, seed=seed)
    journal = Journal(log)
    rng = random.Random(seed)
    indexes = Indexes(limit=2)
    for step in steps:
        if step == "grow":
            log.user(f"more {rng.random()}")
        elif step == "back":
            log.move(rng.choice(log.ids))
        elif step == "fold":
            wander(journal, rng, 1)
        tree = log.tree()
        assert indexes.audit(tree, log.leaf, CONFIG) == ()


@pytest.mark.parametrize("grown", [0, 1, 5])
def test_a_log_that_was_rewritten_anywhere_is_read_anew(grown):
    """The same header, as many entries, the same last one: one line in between is another."""
    log = chat_log(24)
    journal = Journal(log)
    journal.fold(log.ids[4:8])
    log.user("the newest question")
    before = log.raw().splitlines(keepends=True)
    more = chat_log(24 + grown)
    for at in range(1, len(before) - 1):
        indexes = Indexes()
        old = read_tree(before)
        indexes.snapshot(old, None, CONFIG, path="f")
        entry = json.loads(before[at])
        entry["note"] = "added by hand"
        if entry["type"] == "message":
            entry["message"]["content"] = [{"type": "text", "text": "REWRITTEN"}]
        lines = [*before[:at], spell(entry), *before[at + 1 :]]
        last = json.loads(before[-1])["id"]
        for extra in more.entries[24 : 24 + grown]:
            lines.append(spell({**extra, "parentId": last}))
            last = extra["id"]
        tree = read_tree(lines)
        assert indexes.snapshot(tree, None, CONFIG, path="f") == take(tree, None, CONFIG), at
        assert (indexes.counters.hits, indexes.counters.mismatches > 0 or grown > 0) == (0, True)
        # What is only closed by its line end, or spelled with another one, is the same line.
        again = read_tree([line.rstrip(b"\n") + b"\r\n" for line in lines])
        assert tree.begins(again)
        assert not tree.begins(old)
        assert not old.begins(tree)


def test_what_was_not_read_from_lines_is_compared_whole():
    log = chat_log(24)
    tree = log.tree()
    bare = evolve(tree, marks=())
    indexes = Indexes()
    first = indexes.snapshot(bare, None, CONFIG)
    assert indexes.snapshot(evolve(bare), None, CONFIG).projection == first.projection
    assert indexes.counters.hits == 1
    assert not bare.begins(tree)
    assert not tree.begins(bare)
