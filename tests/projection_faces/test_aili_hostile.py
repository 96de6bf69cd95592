"""Logs in any condition, files of any kind, writers at the same time: told, never lost."""

import errno
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kernel.projection.log import logfile, storage
from kernel.projection.log.branch import read_tree
from kernel.projection.log.storage import load
from kernel.projection.snapshot import take

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "view": (),
    "context": (),
    "stats": (),
    "sweep": (),
    "manual": ("on",),
    "compress": ("focus",),
    "rescue": (),
    "decompress": ("b1",),
    "recompress": ("b1",),
    "cache": (),
    "prompt": (),
    "on": (),
    "off": (),
    "restore-all": (),
    "doctor": (),
}
UNREADABLE = {
    "empty": b"",
    "blank": b"\n \n\n",
    "binary": bytes(range(256)) * 40,
    "nul": b"\0" * 5000,
    "words": b"no log at all\n" * 5,
    "a number": b"17",
    "an empty object": b"{}",
    "another format": b'{"type":"user","uuid":"a","message":{"role":"user","content":"hi"}}\n',
    "a chat": b'{"messages": [{"role": "user", "content": "hi"}]}',
    "a header without an id": b'{"type":"session","version":3}\n',
    "deep": b"[" * 200_000,
    "latin-1": "é".encode("latin-1") * 100,
}


@pytest.mark.parametrize("label", UNREADABLE)
def test_what_is_no_session_is_told_so_by_every_verb(aili, label):
    path = aili.path("bad")
    path.write_bytes(UNREADABLE[label])
    for verb, more in COMMANDS.items():
        code, out, err = aili(verb, "bad", *more)
        assert (code, out) == (2, ""), verb
        assert "bad.jsonl" in err
        assert len(err) < 1000
    assert path.read_bytes() == UNREADABLE[label]


def test_what_is_no_file_is_told_so(aili):
    folder = aili.folder
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    for name in ("gone.jsonl", "pipe.jsonl", "folder.jsonl", "loop.jsonl", "gone/x.jsonl"):
        for verb, more in COMMANDS.items():
            code, out, err = aili(verb, name, *more)
            assert (code, out) == (2, ""), (name, verb)
            assert name in err
    assert aili.run("aili", "view", "a\0b")[0] == 2
    assert not (folder / "gone.jsonl").exists()


def damaged(data):
    """Return a log in every condition a crash or an editor leaves it in."""
    lines = data.splitlines(keepends=True)
    at = len(lines) // 2
    return {
        "torn": data + b'{"type":"message","id":"zz',
        "torn in a character": data + b'{"type":"message","x":"\xe4\xbc',
        "no line end": data.removesuffix(b"\n"),
        "nul run": b"".join([*lines[:at], b"\0" * 300 + b"\n", *lines[at:]]),
        "nul tail": data + b"\0" * 300,
        "two on a line": data.replace(lines[at], lines[at].rstrip(b"\n"), 1),
        "bad line": b"".join([*lines[:at], b"{oops\n", *lines[at:]]),
        "crlf": data.replace(b"\n", b"\r\n"),
        "ghost parent": data + b'{"type":"message","id":"q1","parentId":"ghost","timestamp":"",'
        b'"message":{"role":"user","content":"lost"}}\n',
        "doubled": b"".join([*lines, *lines[-2:]]),
    }


@pytest.mark.parametrize("label", damaged(b"{}\n" * 9))
@pytest.mark.parametrize("log", ["folded", "lifted"])
def test_a_damaged_log_is_read_and_written_without_loss(aili, log, label):
    data = damaged(aili.bytes(log))[label]
    path = aili.path(log)
    path.write_bytes(data)
    shown = take(read_tree(data.splitlines(keepends=True)))
    code, out, _ = aili("view", log, "--format", "pi", easy=False)
    assert code == 0
    assert json.loads(out)["messages"] == list(shown.projection.messages)
    for verb, more in COMMANDS.items():
        before = path.read_bytes()
        code, out, err = aili(verb, log, *more)
        assert code in (0, 1), (verb, err)
        assert path.read_bytes().startswith(before)
    code, out, _ = aili("off", log, "--json")
    entries = load(path).by_id
    if code == 0:
        assert json.loads(out)["append"][0]["entryId"] in entries
    assert entries.keys() >= {item.id for item in shown.tree.entries}


def test_any_cut_of_a_log_takes_the_next_entry(aili):
    data = aili.bytes("folded")
    first = data.index(b"\n") + 1
    rng = random.Random(3)
    for at in sorted({first, len(data) - 1, *(rng.randrange(first, len(data)) for _ in range(12))}):
        path = aili.path("folded")
        path.write_bytes(data[:at])
        leaf = load(path).leaf
        code, out, err = aili("off", "folded", "--json")
        assert path.read_bytes().startswith(data[:at])
        if leaf is None:
            assert code == 1
            continue
        assert code == 0, err
        entry = load(path).entries[-1]
        assert (entry.id, entry.parent) == (json.loads(out)["append"][0]["entryId"], leaf)


def test_a_link_is_written_through(aili):
    link = aili.folder / "link.jsonl"
    link.symlink_to(aili.path("folded"))
    before = aili.bytes("folded")
    assert aili("decompress", "link", "b1")[0] == 0
    assert link.is_symlink()
    assert aili.bytes("folded").startswith(before)
    assert len(aili.bytes("folded")) > len(before)


def refusing(code):
    def write(*_):
        raise OSError(code, os.strerror(code))

    return write


@pytest.mark.parametrize(
    ("name", "code"), [("write", errno.ENOSPC), ("write", errno.EIO), ("open", errno.EACCES)]
)
def test_a_log_that_takes_nothing_is_told_and_is_as_it_was(aili, monkeypatch, name, code):
    before = aili.bytes("folded")
    monkeypatch.setattr(logfile.os, name, refusing(code))
    found, out, err = aili("off", "folded")
    monkeypatch.undo()
    assert (found, out) == (2, "")
    assert os.strerror(code) in err
    assert aili.bytes("folded") == before


def test_a_disk_that_takes_a_part_is_told_and_the_next_entry_is_whole(aili, monkeypatch):
    before = aili.bytes("folded")
    write = os.write
    monkeypatch.setattr(logfile.os, "write", lambda handle, data: write(handle, data[:100]))
    found, out, err = aili("off", "folded")
    monkeypatch.setattr(logfile.os, "write", write)
    assert (found, out) == (2, "")
    assert "only a part" in err
    assert aili.bytes("folded")[: len(before)] == before
    assert aili("decompress", "folded", "b1")[0] == 0
    assert aili.json("stats", "folded")["transactions"] == 5


def test_a_log_that_moved_since_it_was_read_is_told(aili, monkeypatch):
    path = aili.path("folded")
    line = b'{"type":"label","id":"f00d0001","parentId":null,"targetId":"x","timestamp":""}\n'
    append = storage.append

    def late(*given, **more):
        with path.open("ab") as log:
            log.write(line)
        return append(*given, **more)

    monkeypatch.setattr("pcsf_lark.faces.aili.writing.append", late)
    before = path.read_bytes()
    told = aili.json("off", "folded", code=1)
    assert told["error"]["code"] == "leaf-moved"
    assert path.read_bytes() == before + line
    (status,) = aili.call({"op": "aili_compact_status", "log": str(path), "input": {}})
    given = {"catalogId": status["catalogId"], "refs": ["m000001"]}
    request = {"op": "aili_prune", "log": str(path), "input": given, "write": True}
    assert "error" in aili.call(request)[0]


def test_a_change_that_ends_early_says_how_far_it_came(aili, monkeypatch):
    append = storage.append
    calls = []

    def once(*given, **more):
        calls.append(given)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return append(*given, **more)

    monkeypatch.setattr("pcsf_lark.faces.aili.writing.append", once)
    before = aili.bytes("opened")
    code, out, err = aili("recompress", "opened", "b1", "b2")
    assert (code, out) == (2, "")
    assert "note: 1 of 2 entries were appended" in err
    assert aili.bytes("opened")[len(before) :].count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("more", [(), ("--json",), ("--dry-run",)])
@pytest.mark.parametrize("verb", ["off", "view", "recompress"])
def test_an_answer_that_cannot_be_printed_is_not_a_log_that_was_not_written(
    aili, verb, more, unbuffered
):
    if verb == "view" and "--dry-run" in more:
        return
    path = aili.path("opened")
    before = path.read_bytes()
    refs = ("b1", "b2") if verb == "recompress" else ()
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pcsf_lark", "aili", verb, str(path), *refs, *more],
            stdout=full, stderr=subprocess.PIPE, check=False, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip
    count = path.read_bytes()[len(before) :].count(b"\n")
    expected = 0 if verb == "view" or "--dry-run" in more else max(1, len(refs))
    assert (done.returncode, count) == (2, expected)
    assert done.stderr.count("standard output: No space left on device\n") == 1
    assert "not written" not in done.stderr
    words = {0: "", 1: "1 transaction appended", 2: "2 transactions appended"}[count]
    assert ("appended" in done.stderr) is bool(count)
    assert words in done.stderr


def test_of_writers_at_once_each_is_done_or_told(aili):
    path = aili.path("plain")
    before = path.read_bytes()
    command = [sys.executable, "-m", "pcsf_lark", "aili", "manual", str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(
            [*command, way], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        for way in ("on", "on", "on")
    ]
    done = [(one.communicate(timeout=60), one.returncode) for one in started]
    after = path.read_bytes()
    assert after.startswith(before)
    added = [json.loads(line) for line in after[len(before) :].splitlines()]
    codes = [code for _, code in done]
    assert codes.count(0) == len(added) >= 1
    for (_, err), code in done:
        assert code in (0, 1)
        assert code == 0 or b"leaf-moved" in err or b"already-in-force" in err
    assert take(load(path)).state.fault is None


def test_a_log_another_writer_holds_is_told(aili, monkeypatch):
    monkeypatch.setattr(logfile, "_TRIES", 2)
    path = aili.path("folded")
    held, ready = threading.Event(), threading.Event()

    def hold():
        with logfile.locked(path):
            ready.set()
            held.wait(20)

    holder = threading.Thread(target=hold)
    holder.start()
    ready.wait(20)
    try:
        code, out, err = aili("off", "folded")
    finally:
        held.set()
        holder.join()
    assert (code, out) == (2, "")
    assert "another writer holds" in err


def test_controls_in_a_log_do_not_steer_a_terminal(aili):
    path = aili.path("plain")
    text = path.read_bytes().replace(b"question 0", b"question \\u001b[2J0 \\ud800 \\u0007")
    path.write_bytes(text)
    for verb in ("view", "context", "stats"):
        assert aili(verb, "plain")[0] == 0
    rows = aili.json("context", "plain")["items"]
    assert rows[0]["role"] == "user"


def test_a_parent_session_that_is_gone_is_a_note(aili):
    path = aili.path("folded")
    header = b'"cwd":"/w"'
    assert header in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(header, header + b',"parentSession":"/gone.jsonl"'))
    code, _, err = aili("view", "folded")
    assert code == 0
    assert "PARENT_SESSION_MISSING" in err
