"""Protocol atoms: nothing that belongs together is parted, every flaw is told."""

import pytest
from hypothesis import given, settings
from projection_logs import LogBuilder, chat_log, logs, random_log

from kernel.pairs import pair
from kernel.projection.model import Source
from kernel.projection.planning.atoms import INCOMPLETE, MALFORMED, AtomReader, atoms_of
from kernel.projection.planning.facts import FactsMemory, facts_of
from kernel.wire.pi import decode

READ = ("read", {"path": "a.py"})


def shape(log):
    return [(a.first, a.last, a.kind, a.flaw) for a in atoms_of(log.branch().sources)]


def sources(*messages):
    return [Source(i, f"e{i}", message, f"d{i}") for i, message in enumerate(messages)]


def call(*names, stop="toolUse"):
    parts = [{"type": "toolCall", "id": name, "name": "read", "arguments": {}} for name in names]
    return {"role": "assistant", "content": parts, "stopReason": stop}


def result(name):
    content = [{"type": "text", "text": "x"}]
    return {"role": "toolResult", "toolCallId": name, "toolName": "read", "content": content}


USER = {"role": "user", "content": "go on"}
REPLY = {"role": "assistant", "content": [{"type": "text", "text": "ok"}], "stopReason": "stop"}

#: What messages there are → first, last, kind, flaw of their atoms.
CASES = {
    "plain": ((USER, REPLY), [(0, 0, "user", None), (1, 1, "assistant", None)]),
    "one call": ((call("a"), result("a")), [(0, 1, "tool", None)]),
    "parallel calls": (
        (call("a", "b", "c"), result("a"), result("b"), result("c"), USER),
        [(0, 3, "tool", None), (4, 4, "user", None)],
    ),
    "parallel results in another order": (
        (call("a", "b"), result("b"), result("a")),
        [(0, 2, "tool", None)],
    ),
    "one of two unanswered": (
        (call("a", "b"), result("a"), USER),
        [(0, 1, "tool", "unanswered-call"), (2, 2, "user", None)],
    ),
    "call at the live end": (
        (USER, call("a")),
        [(0, 0, "user", None), (1, 1, "tool", "unanswered-call")],
    ),
    "results of two messages interleave": (
        (call("a"), call("b"), result("b"), result("a"), USER),
        [(0, 3, "tool", "interrupted-call"), (4, 4, "user", None)],
    ),
    "a user between call and result": (
        (call("a"), USER, result("a"), REPLY),
        [(0, 2, "tool", "interrupted-call"), (3, 3, "assistant", None)],
    ),
    "orphan result": ((USER, result("z")), [(0, 0, "user", None), (1, 1, "tool", "orphan-result")]),
    "orphan behind a whole turn": (
        (call("a"), result("a"), result("z")),
        [(0, 2, "tool", "orphan-result")],
    ),
    "duplicate result": (
        (call("a"), result("a"), result("a")),
        [(0, 2, "tool", "duplicate-result")],
    ),
    "duplicate after a user": (
        (call("a"), result("a"), USER, result("a")),
        [(0, 1, "tool", None), (2, 2, "user", None), (3, 3, "tool", "duplicate-result")],
    ),
    "an id used again pairs in its own turn": (
        (call("a"), result("a"), call("a"), result("a")),
        [(0, 1, "tool", None), (2, 3, "tool", None)],
    ),
    "one id twice in a message": (
        (call("a", "a"), result("a"), result("a")),
        [(0, 2, "tool", "call-id-twice")],
    ),
    "error": (
        ({**REPLY, "stopReason": "error"},),
        [(0, 0, "assistant", "reply-error")],
    ),
    "aborted with a call": (
        (call("a", stop="aborted"), USER),
        [(0, 0, "tool", "reply-aborted"), (1, 1, "user", None)],
    ),
    "aborted though answered": (
        (call("a", stop="aborted"), result("a")),
        [(0, 1, "tool", "reply-aborted")],
    ),
    "deferred": (({**REPLY, "stopReason": "deferred"},), [(0, 0, "assistant", "reply-deferred")]),
    "no content": (({"role": "user"},), [(0, 0, "user", "malformed-message")]),
    "unknown role": (({"role": "ghost", "content": "x"},), [(0, 0, "user", "malformed-message")]),
    "a call without an id": (
        ({**REPLY, "content": [{"type": "toolCall", "name": "x", "arguments": {}}]},),
        [(0, 0, "tool", "malformed-message")],
    ),
    "a result without an id": (
        ({**result("a"), "toolCallId": ""},),
        [(0, 0, "tool", "orphan-result")],
    ),
    "arguments that are no object": (
        (
            {**REPLY, "content": [{"type": "toolCall", "id": "a", "name": "x", "arguments": "{}"}]},
            result("a"),
        ),
        [(0, 1, "tool", "malformed-message")],
    ),
    "summaries and system": (
        (
            {"role": "compactionSummary", "summary": "s"},
            {"role": "branchSummary", "summary": "s"},
            {"role": "system", "content": "s"},
        ),
        [(0, 0, "summary", None), (1, 1, "summary", None), (2, 2, "system", None)],
    ),
    "bash and custom": (
        (
            {"role": "bashExecution", "command": "ls", "output": "a"},
            {"role": "custom", "customType": "x", "content": "note"},
        ),
        [(0, 0, "user", None), (1, 1, "user", None)],
    ),
    "nothing": ((), []),
}


@pytest.mark.parametrize("name", CASES)
def test_atoms_of(name):
    messages, expected = CASES[name]
    atoms = atoms_of(sources(*messages))
    assert [(a.first, a.last, a.kind, a.flaw) for a in atoms] == expected
    assert [a.index for a in atoms] == list(range(len(atoms)))


@given(logs())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_source_is_in_one_atom_and_no_pair_is_parted(log):
    branch = log.branch()
    atoms = atoms_of(branch.sources)
    covered = [index for atom in atoms for index in range(atom.first, atom.last + 1)]
    assert covered == list(range(len(branch.sources)))
    assert all(atom.flaw is None or atom.flaw in INCOMPLETE | MALFORMED for atom in atoms)
    owner = {index: atom for atom in atoms for index in range(atom.first, atom.last + 1)}
    history = decode({"messages": [source.message for source in branch.sources]})
    place = {m.id: history.origins[m.id].item for m in history.messages}
    for left, right in pair(history.messages).items():
        a, b = place[history.messages[left].id], place[history.messages[right].id]
        assert owner[a] is owner[b]


@given(logs())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_an_atom_without_flaw_is_protocol_a_provider_takes(log):
    from kernel.validity import check

    branch = log.branch()
    for atom in atoms_of(branch.sources):
        if atom.kind == "tool" and atom.flaw is None:
            view = [source.message for source in branch.sources[atom.first : atom.last + 1]]
            assert check("pi", view, had_input=False) == []


@pytest.mark.parametrize("seed", range(8))
def test_reading_one_by_one_equals_reading_at_once(seed):
    branch = random_log(seed, steps=50).branch()
    facts = [facts_of(source) for source in branch.sources]
    reader = AtomReader()
    before = []
    for count, one in enumerate(facts, 1):
        changed = reader.add(one)
        assert tuple(reader.atoms) == atoms_of((), facts[:count])
        assert reader.atoms[:changed] == before[:changed]
        before = list(reader.atoms)
    assert atoms_of(branch.sources) == tuple(reader.atoms)


def test_an_append_to_a_long_context_changes_the_last_atom_only():
    branch = chat_log(2000).branch()
    reader = AtomReader()
    for source in branch.sources:
        changed = reader.add(facts_of(source))
        assert changed >= len(reader.atoms) - 1


def test_an_omitted_result_leaves_its_call_unanswered():
    log = LogBuilder()
    log.user("read it")
    _, answer = log.turn(calls=[READ], results=["text"])
    log.edit(answer)
    assert shape(log) == [(0, 0, "user", None), (1, 1, "tool", "unanswered-call")]


def test_facts_are_remembered_for_equal_messages_only():
    log = LogBuilder()
    first = log.user("one two three")
    memory = FactsMemory(size=2)
    one = memory.of(log.branch().sources)
    assert memory.of(log.branch().sources)[0] is one[0]
    log.edit(first, "x" * 400)
    edited = memory.of(log.branch().sources)[0]
    assert edited.digest == one[0].digest
    assert edited.tokens > one[0].tokens
    assert edited == facts_of(log.branch().sources[0])


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "user", "content": [{"type": "image", "data": "x"}]}, {"binary": True}),
        ({"role": "user", "content": [{"type": "audio", "data": "x"}]}, {"binary": True}),
        ({"role": "user", "content": ["bare"]}, {"binary": True, "malformed": True}),
        ({"role": "user", "content": "a\x00b"}, {"binary": True}),
        ({"role": "user", "content": 7}, {"malformed": True}),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": 7}]},
            {"malformed": True},
        ),
        (
            {"role": "assistant", "content": [{"type": "thinking", "redacted": True}]},
            {"malformed": False},
        ),
        (
            {
                "role": "bashExecution",
                "command": "env",
                "output": "y" * 90,
                "excludeFromContext": True,
            },
            {"hidden": True, "tokens": 0},
        ),
        ({"role": "user", "content": "\ud800 alone"}, {"binary": False, "malformed": False}),
    ],
)
def test_facts_of_odd_messages(message, expected):
    facts = facts_of(sources(message)[0])
    assert {key: getattr(facts, key) for key in expected} == expected
