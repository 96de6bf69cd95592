"""Appending by Pi's rules: nothing lost, nothing changed, nobody surprised; and forks."""

import json
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from projection_journals import Journal
from projection_logs import LogBuilder, random_log

from kernel.projection.journal.codec import encode, transaction
from kernel.projection.log import storage
from kernel.projection.log.inheritance import is_journal
from kernel.projection.log.logfile import LogLockedError, locked
from kernel.projection.log.storage import (
    DEPTH,
    LeafMovedError,
    LogReplacedError,
    ReadOnlyLogError,
    TornWriteError,
    append,
    appender,
    load,
)
from kernel.projection.model import Control
from kernel.projection.replaying.reducer import replay
from kernel.projection.view.projector import project
from kernel.sessions import read_session

ROOT = Path(__file__).resolve().parents[2]
TRANSCRIPTS = ROOT.parent / "shared" / "cases" / "transcripts"
NOW = datetime(2026, 5, 1, 12, 0, 0, 5000, tzinfo=UTC)
TX = "aili.compact.tx.v3"


def small():
    log = LogBuilder()
    log.user("hello, 日本語")
    log.turn("listing", calls=[("bash", {"command": "ls"})])
    return log


def put(path, data=None, *, leaf=None, name=None, now=NOW):
    tree = load(path)
    end = leaf or tree.leaf
    return append(path, end, TX, data or {"n": 1}, expected_leaf=tree.leaf, now=now, entry_id=name)


def codes(tree):
    return [note.code for note in tree.diagnostics]


# One append


def test_an_entry_is_as_pi_writes_it(tmp_path):
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    before = path.read_bytes()
    moment = NOW.astimezone(timezone(timedelta(hours=2)))
    name = put(path, {"cost": 0.000005, "whole": 3.0, "far": 1e21, "text": "日\ud800"}, now=moment)
    after = path.read_bytes()
    assert after.startswith(before)
    line = after[len(before) :].decode()
    assert line == (
        '{"type":"custom","customType":"aili.compact.tx.v3","data":{"cost":0.000005,"whole":3,'
        f'"far":1e+21,"text":"日\\ud800"}},"id":"{name}","parentId":"{log.leaf}",'
        '"timestamp":"2026-05-01T12:00:00.005Z"}\n'
    )
    assert len(name) == 8
    assert set(name) <= set("0123456789abcdef")
    tree = load(path)
    assert (tree.leaf, tree.by_id[name].parent) == (name, log.leaf)
    assert tree.diagnostics == ()


def test_it_is_on_the_disk_when_append_returns(tmp_path, monkeypatch):
    path = small().write(tmp_path / "s.jsonl")
    done = []
    real_write, real_sync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda fd, data: done.append("write") or real_write(fd, data))
    monkeypatch.setattr(os, "fsync", lambda fd: done.append("fsync") or real_sync(fd))
    put(path)
    assert done == ["write", "fsync"]


def test_ids_are_used_once(tmp_path, monkeypatch):
    from kernel.projection.log import logfile

    log = small()
    path = log.write(tmp_path / "s.jsonl")
    with pytest.raises(ValueError, match="is used in this log"):
        put(path, name=log.ids[0])
    names = iter([log.ids[0], log.ids[1], "0badcafe"])
    monkeypatch.setattr(logfile.secrets, "token_hex", lambda _: next(names))
    assert put(path) == "0badcafe"
    assert put(path, name="feedf00d") == "feedf00d"


def test_an_older_branch_can_be_continued(tmp_path):
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    name = put(path, leaf=log.ids[0])
    tree = load(path)
    assert [item.id for item in tree.branch().path] == [log.ids[0], name]
    with pytest.raises(ValueError, match="no entry has the id"):
        put(path, leaf="nowhere")


@pytest.mark.parametrize("seed", range(8))
def test_the_leaf_is_the_readers_leaf(tmp_path, seed):
    """The writer looks at the end of the file alone; what it finds is what a reader finds."""
    path = random_log(seed, 20).write(tmp_path / "s.jsonl")
    for number in range(3):
        before = path.read_bytes()
        put(path, {"n": number})
        assert path.read_bytes().startswith(before)
    assert [item.value.get("data") for item in load(path).entries[-3:]] == [
        {"n": 0},
        {"n": 1},
        {"n": 2},
    ]


@pytest.mark.parametrize("size", [10, 60_000, 65_536, 70_000, 300_000])
def test_the_last_entry_may_be_of_any_size(tmp_path, size):
    log = small()
    log.user("é" * size)
    path = log.write(tmp_path / "s.jsonl")
    name = put(path)
    assert load(path).by_id[name].parent == log.leaf


# What stood at the end of the file before

TAILS = {
    "whole": b"",
    "inside a character": b'{"type":"message","id":"x","message":"\xe6\x97',
    "inside an object": b'{"type":"mess',
    "a NUL run": b"\0" * 300,
    "a NUL run and a line end": b"\0" * 300 + b"\n",
    "a bad row": b"{oops}\n",
    "a carriage return": b"\r",
    "blank lines": b"\n\n \n",
    "no object": b"[1]\n",
}


@pytest.mark.parametrize("label", TAILS)
def test_a_torn_tail_is_closed_and_never_glued(tmp_path, label):
    tail = TAILS[label]
    log = small()
    path = tmp_path / "s.jsonl"
    path.write_bytes(log.raw() + tail)
    count = len(load(path).entries)
    name = put(path)
    assert path.read_bytes().startswith(log.raw() + tail)
    tree = load(path)
    assert len(tree.entries) == count + 1
    assert (tree.leaf, tree.by_id[name].parent) == (name, log.leaf)
    assert tree.by_id[name].value["data"] == {"n": 1}


def test_a_last_line_without_its_end_is_an_entry(tmp_path):
    log = small()
    path = tmp_path / "s.jsonl"
    path.write_bytes(log.raw().rstrip(b"\n"))
    name = put(path)
    tree = load(path)
    assert tree.by_id[name].parent == log.leaf
    assert len(tree.entries) == len(log.entries) + 1


def test_a_bad_row_in_the_middle_stays(tmp_path):
    log = small()
    lines = log.lines()
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join([*lines[:2], b"{oops\n", *lines[2:]]))
    before = path.read_bytes()
    put(path)
    assert path.read_bytes().startswith(before)
    assert codes(load(path)) == ["BAD_LINE"]


@pytest.mark.parametrize("torn", [b"", b'{"type":"mess', b'{"x":"\xe6\x97'])
def test_a_kill_at_every_byte_loses_nothing(tmp_path, torn):
    log = small()
    path = tmp_path / "s.jsonl"
    path.write_bytes(log.raw() + torn)
    put(path, {"said": "日本 🔥", "n": 0.000005}, name="aaaaaaaa")
    whole = path.read_bytes()
    known = [item.id for item in log.tree().entries]
    for end in range(len(log.raw() + torn), len(whole) + 1):
        path.write_bytes(whole[:end])
        landed = end >= len(whole) - 1  # the object is whole without its line end
        assert [item.id for item in load(path).entries] == known + ["aaaaaaaa"] * landed
        name = put(path)
        assert path.read_bytes().startswith(whole[:end])
        tree = load(path)
        assert [item.id for item in tree.entries] == [*known, *["aaaaaaaa"] * landed, name]
        assert tree.by_id[name].parent == ("aaaaaaaa" if landed else log.leaf)


def test_a_full_disk_is_said_and_leaves_a_readable_log(tmp_path, monkeypatch):
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: real(fd, data[:20]))
        with pytest.raises(OSError, match="only a part"):
            put(path)
    assert path.read_bytes().startswith(log.raw())
    name = put(path)
    assert load(path).by_id[name].parent == log.leaf


def test_a_disk_that_takes_a_part_says_whether_the_entry_is_in_the_log(tmp_path, monkeypatch):
    """Whatever the part: what is told is what a reader finds."""
    log = small()
    real = os.write
    whole = put(log.write(tmp_path / "whole.jsonl"), name="aaaaaaaa") and (
        (tmp_path / "whole.jsonl").stat().st_size - len(log.raw())
    )
    for torn in (False, True):
        path = tmp_path / f"{torn}.jsonl"
        for size in (*range(3), *range(whole - 4, whole + torn)):
            path.write_bytes(log.raw()[:-1] if torn else log.raw())
            with monkeypatch.context() as patch:
                patch.setattr(os, "write", lambda fd, data, size=size: real(fd, data[:size]))
                with pytest.raises(TornWriteError) as told:
                    put(path, name="aaaaaaaa")
            assert told.value.written == ("aaaaaaaa" in load(path).by_id)
            assert ("repeat" in str(told.value)) != told.value.written
            name = put(path)
            behind = "aaaaaaaa" if told.value.written else log.leaf
            assert load(path).by_id[name].parent == behind


def test_another_session_in_the_file_is_not_written_to(tmp_path):
    """Its last entry may have the very id: the header is looked at under the lock."""
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    tree = load(path)
    log.header["id"] = "S-7"
    other = log.write(path).read_bytes()
    with pytest.raises(LogReplacedError, match="another session") as told:
        append(path, tree.leaf, TX, {}, expected_leaf=tree.leaf, now=NOW, session_id="S-1")
    assert not told.value.written
    assert appender(path, lambda: NOW)(tree, tree.leaf, TX, {}) is None
    assert path.read_bytes() == other
    assert appender(path, lambda: NOW)(load(path), tree.leaf, TX, {}) == load(path).leaf


# What is not written to


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "session header"),
        (b'{"type":"message","id":"a"}\n', "session header"),
        (b'{"type":"session","version":3}\n', "session header"),
        (b"\xef\xbb\xbf" + small().raw(), "session header"),
        (LogBuilder(version=2).raw(), "version 2.*Pi.*migrates"),
        (b'{"type":"session","id":"S"}\n', "version 1.*Pi.*migrates"),
        (LogBuilder(version=4).raw(), "version 4.*release"),
        (LogBuilder(version="3").raw(), "version '3'.*release"),
    ],
)
def test_only_logs_of_version_3_are_written_to(tmp_path, content, said):
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    with pytest.raises(ReadOnlyLogError, match=said):
        append(path, None, TX, {}, expected_leaf=load(path).leaf, now=NOW)
    assert path.read_bytes() == content


def test_what_is_not_there_does_not_come_to_be(tmp_path):
    path = tmp_path / "none.jsonl"
    for call in (
        lambda: load(path),
        lambda: append(path, None, TX, {}, expected_leaf=None, now=NOW),
    ):
        with pytest.raises(FileNotFoundError):
            call()
    assert not path.exists()
    with pytest.raises(OSError, match="directory"):
        load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        load(tmp_path / "pipe")


def test_a_time_needs_a_zone(tmp_path):
    path = small().write(tmp_path / "s.jsonl")
    with pytest.raises(ValueError, match="zone"):
        put(path, now=datetime(2026, 1, 1))  # noqa: DTZ001 - the mistake itself


# Others who write


def test_a_moved_leaf_is_told_and_nothing_written(tmp_path):
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    tree = load(path)
    log.user("meanwhile")
    log.write(path)
    with pytest.raises(LeafMovedError) as told:
        append(path, tree.leaf, TX, {}, expected_leaf=tree.leaf, now=NOW)
    assert (told.value.expected, told.value.found) == (tree.leaf, log.leaf)
    assert not told.value.written
    assert path.read_bytes() == log.raw()


def test_a_writer_without_a_lock_is_noticed(tmp_path, monkeypatch):
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    other = json.dumps({"type": "custom", "id": "pi", "parentId": log.leaf}).encode() + b"\n"
    real = storage.new_id

    def slow(seen, wanted):
        with path.open("ab") as file:
            file.write(other)
        return real(seen, wanted)

    monkeypatch.setattr(storage, "new_id", slow)
    with pytest.raises(LeafMovedError) as told:
        put(path)
    assert told.value.written
    assert path.read_bytes().startswith(log.raw() + other)
    assert len(load(path).entries) == len(log.entries) + 2


RACE = """
import sys, json
from datetime import UTC, datetime
from pathlib import Path
from kernel.projection.log.storage import LeafMovedError, append
path, leaf, name = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
print("ready", flush=True)
sys.stdin.readline()
try:
    append(path, leaf, "aili.compact.tx.v3", {"by": name}, expected_leaf=leaf, now=datetime.now(UTC))
    print("won")
except LeafMovedError as error:
    print("told", error.found)
"""


def test_of_two_writers_one_wins_and_the_other_is_told(tmp_path):
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, path, log.leaf, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )
        for name in "abc"
    ]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("\n")
        racer.stdin.flush()
    said = [racer.communicate(timeout=60)[0].split() for racer in racers]
    tree = load(path)
    assert len(tree.entries) == len(log.entries) + 1
    assert sorted(words[0] for words in said) == ["told", "told", "won"]
    assert {words[1] for words in said if words[0] == "told"} == {tree.leaf}
    assert path.read_bytes().startswith(log.raw())


CROWD = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from kernel.projection.log.storage import LeafMovedError, append, load
path, name = Path(sys.argv[1]), sys.argv[2]
told = 0
for number in range(int(sys.argv[3])):
    while True:
        leaf = load(path).leaf
        try:
            append(path, leaf, "x", [name, number], expected_leaf=leaf, now=datetime.now(UTC))
            break
        except LeafMovedError:
            told += 1
print(told)
"""


def test_a_crowd_of_writers_makes_one_line(tmp_path):
    log = small()
    path = log.write(tmp_path / "s.jsonl")
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", CROWD, path, name, "12"],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )
        for name in "abc"
    ]
    for one in crowd:
        one.communicate(timeout=120)
        assert one.returncode == 0
    tree = load(path)
    assert len(tree.branch().path) == len(log.entries) + 36
    assert tree.diagnostics == ()
    said = [item.value["data"] for item in tree.entries if item.value["type"] == "custom"]
    assert sorted(said) == [[name, number] for name in "abc" for number in range(12)]
    for name in "abc":
        assert [number for by, number in said if by == name] == list(range(12))


def pi_append(path, parent):
    """Append as Pi does: no lock, a line end where the last byte is none."""
    before = path.read_bytes()
    name = f"p{len(before):07d}"
    line = json.dumps({"type": "message", "id": name, "parentId": parent, "message": {}})
    path.write_bytes(before + b"\n" * (not before.endswith(b"\n")) + line.encode() + b"\n")
    return name


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ours", "killed", "pi", "torn", "no line end"]), st.integers(0, 400)
        ),
        max_size=12,
    )
)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_happens_between_appends_no_entry_is_lost(tmp_path, steps):
    path = small().write(tmp_path / "s.jsonl")
    known = [item.id for item in load(path).entries]
    for what, size in steps:
        before = path.read_bytes()
        if what == "pi":
            known.append(pi_append(path, known[-1]))
        elif what == "torn":
            path.write_bytes(
                before + b'{"type":"custom","id":"t","data":"\xe6\x97\xa5'[: size % 38]
            )
        elif what == "no line end":
            path.write_bytes(before.rstrip(b"\n"))
            continue
        else:
            name = put(path, {"said": "日本", "size": size})
            whole = path.read_bytes()
            end = len(whole) if what == "ours" else max(len(before), len(whole) - 1 - size)
            path.write_bytes(whole[:end])
            known += [name] * (end >= len(whole) - 1)
        assert path.read_bytes().startswith(before)
        tree = load(path)
        assert [item.id for item in tree.entries] == known
        assert [item.id for item in tree.branch().path] == known


def test_a_lock_is_waited_for_but_not_for_ever(tmp_path, monkeypatch):
    from kernel.projection.log import logfile

    path = small().write(tmp_path / "s.jsonl")
    with locked(path):
        monkeypatch.setattr(logfile, "_TRIES", 3)
        with pytest.raises(LogLockedError, match=r"s\.jsonl"):
            put(path)
        monkeypatch.setattr(logfile, "_TRIES", 400)
        names = []
        late = threading.Thread(target=lambda: names.append(put(path)))
        late.start()
    late.join(30)
    assert load(path).leaf == names[0]


# Forks


def family(tmp_path, **drop):
    """A parent with a journal entry between two messages, and a copy of its branch."""
    parent = small()
    parent.label(parent.ids[0])
    mark = parent.custom(TX, {"version": 3, "n": 1})
    parent.user("after")
    parent.custom(TX, {"version": 3, "n": 2})
    parent.write(tmp_path / "parent.jsonl")
    leaf = parent.ids[-2]
    fork = parent.fork(leaf=leaf, parent_session="parent.jsonl", **drop)
    return parent, mark, fork, fork.write(tmp_path / "fork.jsonl")


def test_a_fork_that_copied_its_journal_inherits_nothing(tmp_path):
    _parent, mark, fork, path = family(tmp_path)
    tree = load(path)
    assert not tree.inherited
    assert [item.id for item in tree.branch().path] == fork.path()
    assert mark in fork.path()
    assert tree.ancestors == ("S-1",)
    item = tree.entries[0]
    assert tree.knows("S-1", item)
    assert tree.knows("S-2", item)
    assert not tree.knows("S-3", item)


def test_journal_entries_a_fork_lacks_are_found_in_its_parent(tmp_path):
    parent, mark, fork, path = family(tmp_path, drop=("label", "custom"))
    assert mark not in fork.path()
    tree = load(path)
    branch = tree.branch()
    assert [item.id for item in branch.path if is_journal(item)] == [mark]
    assert branch.path[-2].id == mark
    assert branch.path[-1].value["message"]["content"][0]["text"] == "after"
    assert branch.sources == parent.branch(parent.ids[-2]).sources
    assert put(path) not in parent.ids
    assert len([item for item in load(path).branch().path if is_journal(item)]) == 2


@pytest.mark.parametrize("drop", [("label",), ("label", "custom"), ("custom",), ()])
def test_a_fork_shows_what_its_parent_showed(tmp_path, drop):
    """Copied with its labels or without, with its journal or without."""
    log = LogBuilder()
    log.user("one")
    first = log.turn("two", calls=[("bash", {})])
    log.assistant("done")
    log.label(log.ids[0])
    journal = Journal(log)
    block = journal.fold(first)
    log.label(log.ids[0], "there")
    journal.switch("manual-on")
    log.user("three")
    log.write(tmp_path / "parent.jsonl")
    fork = log.fork(parent_session="parent.jsonl", drop=drop)
    found = load(fork.write(tmp_path / "fork.jsonl")).branch()
    state, before = replay(found), replay(log.branch())
    assert state.fault is None
    assert [b.block_id for b in state.active()] == [b.block_id for b in before.active()] != []
    assert block in state.blocks
    assert state.controls == before.controls
    assert project(found, state).messages == project(log.branch(), before).messages
    fork.header.pop("parentSession")
    stranger = load(fork.write(tmp_path / "stranger.jsonl")).branch()
    shown = project(stranger, replay(stranger))
    assert shown.raw, "a journal of a session the log does not descend from is not followed"


def test_a_fork_whose_parent_is_gone_keeps_the_journal_it_copied(tmp_path):
    log = LogBuilder()
    first = log.user("one")
    log.assistant("done")
    log.user("two")
    Journal(log).fold([first])
    fork = log.fork(parent_session="gone.jsonl")
    tree = load(fork.write(tmp_path / "fork.jsonl"))
    assert codes(tree) == ["PARENT_SESSION_MISSING"]
    assert len(replay(tree.branch()).active()) == 1


@pytest.mark.parametrize("session", ["S-1", "S-0", "ELSE"])
@pytest.mark.parametrize("parent", ["/gone/S-1.jsonl", "gone_S-1.jsonl", r"C:\gone\gone.jsonl"])
@pytest.mark.parametrize("late", [False, True])
def test_of_a_parent_that_is_gone_only_copies_and_its_own_word_are_followed(
    tmp_path, session, parent, late
):
    """A copy is older than the file; else the name of the parent's file must tell its session."""
    log = LogBuilder(session)
    first = log.user("one")
    log.assistant("done")
    log.user("two")
    Journal(log).fold([first])
    fork = log.fork(parent_session=parent)
    if late:
        fork.entries[-1]["timestamp"] = "2027-01-01T00:00:00.000Z"
    state = replay(load(fork.write(tmp_path / "fork.jsonl")).branch())
    named = session == "S-1" and "S-1" in parent
    assert (state.fault is None) == (named or not late)
    if state.fault is not None:
        assert state.fault.code == "replay-foreign-session"


@pytest.mark.parametrize("bare", [False, True])
def test_what_a_fork_writes_itself_hangs_where_it_says(bare):
    """Only copies may have lost the entry they were planned on."""
    log = LogBuilder("S-2", parent_session="gone.jsonl")
    first = log.user("one")
    log.user("two")
    journal = Journal(log)
    made = journal.made(Control("manual-on"))
    if bare:
        made = transaction("S-2", "root", "deadbeef", "user", Control("manual-on"))
    log.custom(TX, encode(made))
    fault = journal.state().fault
    assert (fault and fault.code) == ("replay-stale-base" if bare else None)
    assert first in log.ids


def test_what_is_no_copy_inherits_nothing(tmp_path):
    parent, _mark, fork, path = family(tmp_path, drop=("custom",))
    fork.entries[-1]["message"]["content"] = [{"type": "text", "text": "something else"}]
    fork.write(path)
    assert not load(path).inherited
    stranger = LogBuilder("S-9", seed=5, parent_session=tmp_path / "parent.jsonl")
    stranger.user("new")
    tree = load(stranger.write(tmp_path / "new.jsonl"))
    assert (tree.inherited, tree.ancestors) == ({}, (parent.header["id"],))


def test_grandparents_are_inherited_from(tmp_path):
    _parent, mark, _fork, path = family(tmp_path, drop=("label", "custom"))
    again = LogBuilder("S-3", parent_session=path.name)
    again.entries = [json.loads(line) for line in path.read_bytes().splitlines()[1:]]
    tree = load(again.write(tmp_path / "again.jsonl"))
    assert [item.id for item in tree.branch().path if is_journal(item)] == [mark]
    assert tree.ancestors == ("S-2", "S-1")


def test_a_parent_session_that_is_not_there_is_a_warning(tmp_path):
    log = LogBuilder(parent_session="/missing.jsonl")
    log.user("hello")
    path = log.write(tmp_path / "s.jsonl")
    tree = load(path)
    assert codes(tree) == ["PARENT_SESSION_MISSING"]
    assert len(tree.branch().sources) == 1
    item = tree.entries[0]
    assert tree.knows("S-1", item)
    assert tree.knows("missing", item)
    assert not tree.knows("whoever", item)
    assert "hello" in (read_session(path).messages[0].text or "")
    for odd in ("", ".", "\0", "x" * 5000, "../" * 50):
        log.header["parentSession"] = odd
        assert codes(load(log.write(path))) == ["PARENT_SESSION_MISSING"]
    log.header["parentSession"] = 7
    assert codes(load(log.write(path))) == []


def test_a_log_that_descends_from_itself_is_a_warning(tmp_path):
    one, two = LogBuilder("A", parent_session="b.jsonl"), LogBuilder("B", parent_session="a.jsonl")
    one.user()
    two.user()
    path = one.write(tmp_path / "a.jsonl")
    other = two.write(tmp_path / "b.jsonl")
    assert load(path).ancestors == ("B",)
    assert codes(load(other)) == []
    one.header["parentSession"] = "a.jsonl"
    assert codes(load(one.write(path))) == ["PARENT_SESSION_CYCLE"]


def test_a_row_of_parents_is_read_to_a_limit(tmp_path):
    for number in range(DEPTH + 3):
        log = LogBuilder(f"S{number}", parent_session=f"{number - 1}.jsonl" if number else None)
        log.user()
        log.write(tmp_path / f"{number}.jsonl")
    near, far = load(tmp_path / f"{DEPTH}.jsonl"), load(tmp_path / f"{DEPTH + 2}.jsonl")
    assert len(near.ancestors) == len(far.ancestors) == DEPTH
    assert (near.severed, far.severed) == (False, True)
    assert (codes(near), codes(far)) == ([], ["PARENT_SESSION_DEPTH"])
    (tmp_path / "3.jsonl").unlink()
    assert codes(load(tmp_path / "9.jsonl")) == ["PARENT_SESSION_MISSING"]


def test_parents_that_moved_along_are_found(tmp_path):
    _parent, mark, fork, path = family(tmp_path, drop=("label", "custom"))
    fork.header["parentSession"] = "/old/place/parent.jsonl"
    fork.write(path)
    assert mark in [item.id for item in load(path).branch().path]


# Real logs


@pytest.mark.parametrize("name", ["pi-v3-alltypes.jsonl", "pi-v3-migrated-two-compactions.jsonl"])
def test_real_logs_are_appended_to_without_a_change(tmp_path, name):
    source = TRANSCRIPTS / name
    if not source.is_file():
        pytest.skip("the transcripts are not beside this checkout")
    path = tmp_path / name
    path.write_bytes(source.read_bytes())
    before = load(path)
    added = put(path)
    assert path.read_bytes().startswith(source.read_bytes())
    after = load(path)
    assert after.entries[:-1] == before.entries
    assert after.branch().sources == before.branch().sources
    assert after.branch().path[-1].id == added


def test_a_real_log_of_version_1_is_read_and_not_written_to(tmp_path):
    source = TRANSCRIPTS / "pi-v1-two-compactions.jsonl"
    if not source.is_file():
        pytest.skip("the transcripts are not beside this checkout")
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes())
    assert len(load(path).branch().sources) > 100
    with pytest.raises(ReadOnlyLogError, match="Pi"):
        put(path)
    assert path.read_bytes() == source.read_bytes()
