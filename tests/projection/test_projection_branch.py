"""Reading a log as a tree: Pi's context, digests of content, and every defect of a tree."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_logs import LogBuilder, chat_log, logs, random_log, text

from kernel.projection.log.branch import read_tree
from kernel.projection.log.digests import canonical, leaf_digest, short, source_digest
from kernel.projection.log.spelling import number, stringify
from kernel.projection.model import ROOT_EPOCH
from kernel.sessions.pi import read

TRANSCRIPTS = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "transcripts"
ORACLES = {
    "pi-v3-alltypes": {
        "": None,
        ".branch": "dc3e8131",
        ".keepnone": "ac255849",
        ".leaf-before-branch": "b3ceeaf4",
    },
    "pi-v3-migrated-two-compactions": {"": None},
}


def codes(found):
    return [note.code for note in found.diagnostics]


def raw(*entries, **header):
    head = {"type": "session", "version": 3, "id": "S", **header}
    return [json.dumps(entry).encode() + b"\n" for entry in (head, *entries)]


def message(name, parent, role="user", said=None, **more):
    body = {"role": role, "content": [text(said or name)]}
    return {"type": "message", "id": name, "parentId": parent, "message": body, **more}


def custom(name, parent):
    return {"type": "custom", "customType": "x", "id": name, "parentId": parent}


def ids(branch):
    return [item.id for item in branch.path]


# What Pi would show


@pytest.mark.parametrize(
    ("name", "which", "leaf"),
    [(name, which, leaf) for name, kinds in ORACLES.items() for which, leaf in kinds.items()],
)
def test_the_context_is_the_one_pi_builds(name, which, leaf):
    source = TRANSCRIPTS / f"{name}.jsonl"
    if not source.is_file():
        pytest.skip("the transcripts are not beside this checkout")
    want = json.loads((TRANSCRIPTS / f"{name}{which}.oracle.json").read_text("utf-8"))
    with source.open("rb") as file:
        branch = read_tree(file).branch(leaf)
    roles = {source.entry_id: [source.message["role"]] for source in branch.sources}
    assert branch.leaf == want["leafId"]
    assert len(branch.sources) == want["messageCount"]
    assert [
        {"id": item.id, "type": item.value["type"], "roles": roles.get(item.id, [])}
        for item in branch.context
    ] == want["entries"]
    assert [source.index for source in branch.sources] == list(range(len(branch.sources)))


@given(logs())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_sources_are_what_the_reader_of_sessions_sees(log):
    """Two readers of one format agree on every leaf of every log."""
    tree = log.tree()
    for leaf in dict.fromkeys(log.ids[-4:]):
        branch, other = tree.branch(leaf), read(log.lines(), leaf)
        assert [item.id for item in branch.context] == [entry.id for entry in other.entries]
        seen = [entry.id for entry in other.entries if entry.roles]
        assert [source.entry_id for source in branch.sources] == seen


@given(logs(min_steps=1))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_an_epoch_is_the_last_compaction_of_the_path(log):
    branch = log.branch()
    marks = [item.id for item in branch.path if item.value["type"] == "compaction"]
    assert branch.epoch == (marks[-1] if marks else ROOT_EPOCH)
    if marks:
        assert branch.sources[0].message["role"] == "compactionSummary"


def test_edits_change_the_message_and_not_the_digest():
    log = LogBuilder()
    first = log.user("one")
    (second, result) = log.turn("two", calls=[("bash", {})], results=["long output"])
    before = {s.entry_id: s.digest for s in log.branch().sources}
    log.edit(result, "(trimmed)")
    log.edit(second, [text("two, shorter")])
    log.edit(first)
    after = log.branch().sources
    assert [s.entry_id for s in after] == [second, result]
    assert after[1].message["content"] == [text("(trimmed)")]
    assert {s.entry_id: s.digest for s in after} == {k: before[k] for k in (second, result)}
    log.edit(first, "one again")
    assert log.branch().sources[0].message["content"] == "one again"


# Defects of trees: each with what is read and what is said

DEFECTS = {
    "ids used twice": (
        [
            custom("A", None),
            custom("B", "A"),
            custom("A", None),
            custom("B", "A"),
            custom("C", "B"),
        ],
        ["A", "B", "C"],
        ["DUPLICATE_ID", "DUPLICATE_ID"],
    ),
    "an id used twice and its own ancestor": (
        [custom("A", None), custom("B", "A"), custom("A", "B")],
        ["B", "A"],
        ["DUPLICATE_ID", "CYCLE"],
    ),
    "its own parent": ([message("a", "a")], ["a"], ["CYCLE"]),
    "a ghost parent": (
        [message("m1", None), message("m2", "m1"), message("m3", "ghost"), message("m4", "m3")],
        ["m3", "m4"],
        ["GHOST_PARENT"],
    ),
    "a stale leaf": (
        [message("m1", None), message("m2", "m1"), message("m3", "m2"), custom("exit", "m1")],
        ["m1", "exit"],
        ["STALE_LEAF"],
    ),
    "a compaction under a stale leaf": (
        [
            message("m1", None),
            {"type": "compaction", "id": "c1", "parentId": "m1", "firstKeptEntryId": "m1"},
            message("m2", "c1"),
            {"type": "compaction", "id": "c2", "parentId": "m1", "firstKeptEntryId": "m1"},
        ],
        ["m1", "c2"],
        ["STALE_COMPACTION", "STALE_LEAF"],
    ),
    "a second root": ([message("a", None), message("b", None)], ["b"], []),
    "a branch left with a summary": (
        [
            message("a", None),
            message("b", "a"),
            {"type": "branch_summary", "id": "s", "parentId": "a", "fromId": "b", "summary": "x"},
        ],
        ["a", "s"],
        [],
    ),
    "a parent of another type": (
        [message("a", None), message("b", 7)],
        ["b"],
        [],
    ),
}


@pytest.mark.parametrize("label", DEFECTS)
def test_defects_are_read_past_and_named(label):
    entries, path, want = DEFECTS[label]
    branch = read_tree(raw(*entries)).branch()
    assert ids(branch) == path
    assert codes(branch) == want


def test_what_a_ghost_parent_hides_is_counted():
    entries, *_ = DEFECTS["a ghost parent"]
    (note,) = read_tree(raw(*entries)).branch().diagnostics
    assert (note.line, note.message.rsplit("; ", 1)[1]) == (4, "unreachable=2")


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from([*"abcdefxy", None])), min_size=1)
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_tangle_of_parents_ends(pairs):
    tree = read_tree(raw(*(message(name, parent) for name, parent in pairs)))
    for leaf in tree.by_id:
        branch = tree.branch(leaf)
        assert ids(branch)[-1] == leaf
        assert len(set(ids(branch))) == len(branch.path)
        hidden = [n for n in branch.diagnostics if n.code == "GHOST_PARENT"]
        for note in hidden:
            assert 0 <= int(note.message.rsplit("=", 1)[1]) < len(tree.by_id)


BYTES = {
    "a run of NUL bytes": (lambda lines: [lines[0], lines[1], b"\0" * 300 + b"\n", *lines[2:]], 3),
    "NUL bytes before an entry": (lambda lines: [lines[0], b"\0" * 99 + lines[1], *lines[2:]], 3),
    "a bad middle line": (lambda lines: [*lines[:2], b"{oops\n", *lines[2:]], 3),
    "a torn tail": (lambda lines: [*lines, b'{"type":"mess'], 3),
    "a tail torn inside a character": (
        lambda lines: [*lines, b'{"type":"message","x":"\xe6\x97'],
        3,
    ),
}


@pytest.mark.parametrize("label", BYTES)
def test_bad_bytes_cost_no_other_line(label):
    damage, count = BYTES[label]
    lines = raw(message("a", None), message("b", "a"), message("c", "b"))
    branch = read_tree(damage(lines)).branch()
    assert ids(branch) == ["a", "b", "c"][:count]
    assert len(branch.diagnostics) == 1


def test_a_file_without_entries_is_an_empty_branch():
    for lines in ([], raw(), [b"\n"]):
        branch = read_tree(lines).branch()
        assert (branch.leaf, branch.path, branch.sources, branch.epoch) == (
            None,
            (),
            (),
            ROOT_EPOCH,
        )
    assert codes(read_tree([])) == ["NO_HEADER"]


def test_an_unknown_leaf_is_the_callers_mistake():
    with pytest.raises(KeyError, match="nowhere"):
        LogBuilder().tree().branch("nowhere")


def test_versions():
    assert read_tree(raw(version=2)).version == 2
    assert read_tree([b'{"type":"session","id":"S"}\n']).version == 1
    assert read_tree(raw(version="3")).version == 0


# Usage: what counts, and what is older than the context


def usage_log(*, edit=False, compact=False, after=None, stop="stop"):
    log = LogBuilder()
    first = log.user("u1")
    log.assistant("a1", tokens=190_000, stop=stop)
    if compact:
        log.compaction("short", first)
    if edit:
        log.edit(first, "less")
    log.custom_message()
    log.user("u2")
    if after is not None:
        log.assistant("a2", tokens=after)
    return log.branch()


def test_usage_older_than_the_context_is_ignored():
    assert usage_log().usage.tokens == 190_000
    assert usage_log(compact=True).usage is None
    assert usage_log(edit=True).usage is None
    assert usage_log(compact=True, edit=True, after=700).usage.tokens == 700
    assert usage_log(after=900).usage.position == 4
    for stop in ("error", "aborted", "deferred"):
        assert usage_log(stop=stop).usage is None


def test_usage_sent_before_a_compaction_and_written_after_it_is_ignored():
    log = LogBuilder()
    log.user("u1")
    log.compaction("short")
    log.assistant("late", tokens=150_000)
    log.entries[-1]["message"]["timestamp"] -= 60_000
    assert log.branch().usage is None
    log.assistant("on time", tokens=80)
    assert log.branch().usage.tokens == 80


def test_usage_without_a_total_is_summed():
    log = LogBuilder()
    log.assistant("a")
    usage = log.entries[-1]["message"]["usage"]
    del usage["totalTokens"]
    usage["cacheRead"] = 100
    assert log.branch().usage.tokens == 115
    log.entries[-1]["message"]["usage"] = {"input": "many", "output": None, "totalTokens": -4}
    assert log.branch().usage is None


def test_a_compaction_is_read_whatever_the_settings_of_the_host_were():
    """An overflow compacts where the threshold was switched off, too."""
    log = LogBuilder()
    first = log.user("u1")
    log.assistant("", stop="error", error="prompt is too long")
    made = log.compaction("short", first)
    branch = log.branch()
    assert branch.epoch == made
    assert [source.entry_id for source in branch.sources] == [made, *log.ids[:2]]
    assert branch.diagnostics == ()


def test_settled_turns_are_counted_along_the_path():
    log = LogBuilder()
    log.user()
    kept = log.turn(calls=[("read", {})])[1]
    log.assistant("failed", stop="error")
    log.assistant("gone", stop="aborted")
    log.assistant("well")
    log.user()
    branch = log.branch()
    assert branch.settled == (0, 0, 1, 1, 1, 1, 2, 2)
    assert branch.settled_after(kept) == 1


# Digests and spelling


def test_a_fork_keeps_every_digest():
    """A copy has new parents and times, other spellings of numbers, other key order."""
    rng = random.Random(3)
    for seed in range(12):
        log = random_log(seed, version=3)
        copy = log.fork(leaf=log.ids[-1])
        for entry in copy.entries:
            entry["timestamp"] = "2027-01-01T00:00:00.000Z"
            body = entry.get("message")
            if body is not None:
                items = list(body.items())
                rng.shuffle(items)
                entry["message"] = {**dict(items), "timestamp": 1}
        ours = {s.entry_id: s.digest for s in log.branch().sources}
        assert {s.entry_id: s.digest for s in copy.branch().sources} == ours


def test_content_and_only_content_counts():
    base = {
        "role": "toolResult",
        "toolCallId": "c",
        "toolName": "t",
        "content": [],
        "isError": False,
    }
    known = source_digest(base)
    assert source_digest({**base, "details": {"a": 1}, "timestamp": 4, "usage": {}}) == known
    for key, other in (("isError", True), ("toolCallId", "d"), ("content", [text("x")])):
        assert source_digest({**base, key: other}) != known
    assert source_digest({"role": "hookMessage", "content": "x"}) == source_digest(
        {"role": "custom", "content": "x"}
    )
    for odd in ({}, {"role": 7}, {"role": ["x"], "content": {"a": 1.5}}, {"role": "new"}):
        assert len(source_digest(odd)) == 64


NUMBERS = [
    0.000005, 5e-7, 1e21, 1e20, 123456789012345678901234, 2**53 + 1, 1.0, -0.0, 0.1, -3e-9,
    1e-6, 1.25e-6, 1.5e300, 5e-324, 100.25, -1e21, 12345.678, 9007199254740993, 0, -7,
]  # fmt: skip
SPELLED = (
    "[0.000005,5e-7,1e+21,100000000000000000000,1.2345678901234569e+23,9007199254740992,1,0,0.1,"
    "-3e-9,0.000001,0.00000125,1.5e+300,5e-324,100.25,-1e+21,12345.678,9007199254740992,0,-7]"
)


def test_numbers_are_spelled_as_javascript_spells_them():
    assert stringify(NUMBERS) == SPELLED
    assert canonical(NUMBERS) == SPELLED
    assert [number(value) for value in (float("inf"), float("nan"), 10**400)] == ["null"] * 3
    for one, other in (({"n": 1.0}, {"n": 1}), ({"n": 5e-06}, json.loads('{"n":0.000005}'))):
        assert canonical(one) == canonical(other)


def test_spelling_agrees_with_node():
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    rng = random.Random(5)
    values = [rng.uniform(-1, 1) * 10 ** rng.randint(-30, 30) for _ in range(2000)]
    values += [rng.randint(-(10**22), 10**22) for _ in range(500)]
    values += ['\u2028 \x00\x1f\x7f/\\"', "\ud800x", "\U0001f525é", [[], {}], {"b": 1, "a": None}]
    script = 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0,"utf8"))))'
    done = subprocess.run(
        [node, "-e", script], input=json.dumps(values).encode(), capture_output=True, check=True
    )
    assert stringify(values) == done.stdout.decode().rstrip("\n")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(json_values)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_canonical_text_has_one_form(value):
    spelled = canonical(value)
    assert spelled == stringify(value, ordered=True)
    assert canonical(json.loads(spelled)) == spelled
    assert stringify(json.loads(stringify(value))) == stringify(value)
    spelled.encode()


def test_any_depth_is_spelled():
    value = []
    for _ in range(5000):
        value = [value]
    assert canonical(value) == stringify(value) == "[" * 5001 + "]" * 5001


def test_leaf_digests_depend_on_order_and_content():
    pairs = [("a", "1"), ("b", "2")]
    assert leaf_digest(pairs) == leaf_digest(iter(pairs))
    assert len({leaf_digest(p) for p in ([], pairs, pairs[::-1], pairs[:1], [("a", "2")])}) == 5
    assert short("blk_", {"a": 1.0}, 16) == short("blk_", {"a": 1}, 16)
    assert len(short("tx_", [], 24)) == 27


def test_every_entry_is_digested_once(monkeypatch):
    from kernel.projection.log import branch

    log = chat_log(400)
    tree = log.tree()
    seen = []
    monkeypatch.setattr(branch, "source_digest", lambda m: seen.append(m) or source_digest(m))
    first = tree.branch()
    assert len(seen) == 400
    assert tree.branch(log.ids[-10]).sources == first.sources[:391]
    assert tree.branch().sources == first.sources
    assert len(seen) == 400
