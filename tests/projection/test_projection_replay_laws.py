"""Laws of replay, on logs and journals at random: prefixes, copies, contexts, cost."""

import json
import random
import time

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_journals import USUAL, Journal, wander
from projection_logs import PLAIN, chat_log, logs

from kernel.projection.log.branch import read_tree
from kernel.projection.model import REPAIR, TRANSACTION
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.replaying.reducer import Replay, replay
from kernel.projection.view.projector import project

SETTINGS = settings(derandomize=True, deadline=None, max_examples=20)


def coherent(state, cursor):
    """Single active parent, nothing shown twice, every covered block under a shown one."""
    owned = [leaf for block in state.active() for leaf in block.source_ids]
    assert len(set(owned)) == len(owned)
    assert set(cursor.scope.owner) == set(owned)
    for name, status in state.status.items():
        assert (name in state.parent) == (status == "covered")
        top = name
        for _ in range(len(state.blocks)):
            if top not in state.parent:
                break
            assert top in state.blocks[state.parent[top]].children
            top = state.parent[top]
        if status == "covered":
            assert state.status[top] == "active"
        assert (name in state.opened) == (status in ("decompressed", "disabled"))


ALL = (*USUAL, "off", "on", "restore-all")


@SETTINGS
@given(logs(PLAIN, 6, 20), st.integers(0, 10**6))
def test_every_prefix_replays_and_holds(log, seed):
    journal = Journal(log)
    wander(journal, random.Random(seed), 14, ALL)
    branch = journal.branch()
    cursor = Replay(branch.tree)
    for at, item in enumerate(branch.path):
        cursor.step(item)
        state = cursor.state()
        assert state.fault is None
        assert cursor.state() is state
        coherent(state, cursor)
        if at % 5 == 0:
            assert state == replay(log.branch(item.id))
    assert cursor.state() == replay(branch) == replay(branch)


@SETTINGS
@given(logs(min_steps=6, max_steps=20), st.integers(0, 10**6))
def test_a_copy_goes_its_own_way(log, seed):
    journal = Journal(log)
    rng = random.Random(seed)
    wander(journal, rng, 8, ALL)
    branch = journal.branch()
    cut = rng.randint(0, len(branch.path))
    cursor = Replay(branch.tree)
    for item in branch.path[:cut]:
        cursor.step(item)
    twin, before = cursor.copy(), cursor.state()
    for item in branch.path[cut:]:
        twin.step(item)
    assert twin.state() == replay(branch)
    assert cursor.state() == before
    for item in branch.path[cut:]:
        cursor.step(item)
    assert cursor.state() == twin.state()


@SETTINGS
@given(logs(min_steps=4, max_steps=20), st.integers(0, 10**6), st.data())
def test_a_broken_entry_never_changes_what_stood_before(log, seed, data):
    journal = Journal(log)
    wander(journal, random.Random(seed), 8)
    before = journal.state()
    if before.fault is None:
        junk = data.draw(st.sampled_from([None, {}, {"version": 3}, {"version": 3, "kind": "x"}]))
        journal.log.custom(TRANSACTION, junk)
        after = journal.state()
        assert after.fault is not None
        assert evolve(after, fault=None) == before


@SETTINGS
@given(logs(max_steps=30))
def test_replay_walks_the_context_the_branch_has(log):
    """At every entry: the same epoch and sources, the same digests, the same atoms."""
    if not log.entries:
        return
    branch = log.branch(log.leaf)
    cursor = Replay(branch.tree)
    for item in branch.path:
        cursor.step(item)
        now, scope = log.branch(item.id), cursor.scope
        shown = [one.id for one in scope.items if not scope.omitted(one.id)]
        assert shown == [source.entry_id for source in now.sources]
        assert cursor.state().epoch == now.epoch
    digests = {source.entry_id: source.digest for source in branch.sources}
    assert {name: scope.digest(name) for name in digests} == digests
    assert cursor.ledger.turn == branch.settled[-1]


@SETTINGS
@given(logs(max_steps=30), st.integers(0, 10**6))
def test_whole_ranges_are_unions_of_whole_atoms(log, seed):
    branch = log.branch(log.leaf) if log.entries else log.branch()
    cursor = Replay(branch.tree)
    for item in branch.path:
        cursor.step(item)
    atoms = atoms_of(branch.sources)
    names = [source.entry_id for source in branch.sources]
    rng = random.Random(seed)
    for _ in range(20 if atoms else 0):
        first = rng.randrange(len(atoms))
        run = atoms[first : first + rng.randint(1, 4)]
        if all(atom.flaw is None for atom in run):
            assert cursor.scope.whole(names[run[0].first : run[-1].last + 1])
        start = rng.randrange(len(names))
        cut = names[start : start + rng.randint(1, 6)]
        if cursor.scope.whole(cut):
            strays = {"orphan-result", "duplicate-result"}
            touched = [a for a in atoms if a.first < start + len(cut) and a.last >= start]
            inside = all(start <= a.first and a.last < start + len(cut) for a in touched)
            assert inside or any(a.flaw in strays for a in touched)
            assert "unanswered-call" not in {a.flaw for a in touched if a.first >= start}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.sampled_from(["a", "b", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "id", "type", "version", "kind"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "toolResult", "system"]) | JSON},
    optional={
        "content": st.lists(
            st.fixed_dictionaries({"type": st.sampled_from(["toolCall", "text"]), "id": JSON})
        )
        | JSON,
        "toolCallId": JSON,
        "toolName": JSON,
    },
)
ENTRIES = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["message", "custom", "compaction", "context_edit", "custom_message", "x"]
        ),
    },
    optional={
        "message": MESSAGES | JSON,
        "customType": st.sampled_from(
            [TRANSACTION, REPAIR, "aili.compact.tx.v1", "aili.compact.tx.v2", "aili.compact.tx.v9"]
        )
        | JSON,
        "data": JSON,
        "firstKeptEntryId": st.sampled_from(["e0", "e1", "e9"]) | JSON,
        "targetId": st.sampled_from(["e0", "e1", "e2"]) | JSON,
        "replacement": st.fixed_dictionaries({"content": JSON}) | JSON,
        "summary": JSON,
        "content": JSON,
    },
)


@settings(SETTINGS, max_examples=80)
@given(st.lists(ENTRIES, min_size=1, max_size=12))
def test_no_log_is_too_odd_to_replay(entries):
    """Whatever the entries hold: no exception, and behind restore-all the raw history."""
    chain = [
        {**entry, "id": f"e{at}", "parentId": f"e{at - 1}" if at else None}
        for at, entry in enumerate(entries)
    ]
    header = {"type": "session", "version": 3, "id": "S"}
    branch = read_tree(json.dumps(line).encode() + b"\n" for line in (header, *chain)).branch()
    state = replay(branch)
    view = project(branch, state)
    assert view.raw
    assert [item.source.entry_id for item in view.items] == [s.entry_id for s in branch.sources]
    cursor = Replay(branch.tree)
    for item in branch.path:
        cursor.step(item)
    scope = cursor.scope
    assert [i.id for i in scope.items if not scope.omitted(i.id)] == [
        source.entry_id for source in branch.sources
    ]


def test_replay_is_linear():
    def cost(size):
        branch = chat_log(size).branch()
        rounds = []
        for _ in range(3):
            start = time.process_time()
            replay(branch)
            rounds.append(time.process_time() - start)
        return min(rounds)

    small, large = cost(2000), cost(8000)
    assert large < 8 * small + 0.05
