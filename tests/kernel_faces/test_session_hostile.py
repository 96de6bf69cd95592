"""Bad input of every kind: told clearly, exit 2 or read as far as it goes, never a traceback."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = {
    "view": [],
    "status": [],
    "search": ["word"],
    "plan": [],
    "undo": [],
    "decompress": ["b1"],
    "convert": ["--to", "openai"],
    "compress": ["--range", "m1..m2", "--summary-file", os.devnull],
}

UNREADABLE = {
    "empty": b"",
    "blank": b"\n \n\n",
    "binary": bytes(range(256)) * 40,
    "nul": b"\0" * 5000,
    "words": b"no log at all\n" * 5,
    "a number": b"17",
    "null": b"null",
    "an empty list": b"[]",
    "an empty object": b"{}",
    "no messages": b'{"messages": []}',
    "odd messages": b'{"messages": [1, null, [], true]}',
    "deep": b"[" * 200_000,
    "deep in a line": b'{"type":"session","id":"a","x":' + b"[" * 200_000 + b"\n",
    "half a document": b'{"messages": [{"role": "user", "content": "hi"}, ',
    "a header alone": b'{"type":"session","version":3,"id":"a"}\n',
    "latin-1": "é".encode("latin-1") * 100,
}


@pytest.mark.parametrize("name", ["log.jsonl", "log.json"])
@pytest.mark.parametrize("label", UNREADABLE)
def test_what_is_no_log_is_told_so(pcsf, label, name):
    (pcsf.folder / name).write_bytes(UNREADABLE[label])
    for command, more in COMMANDS.items():
        code, out, err = pcsf.session(command, name, *more)
        assert (code, out) == (2, ""), (command, out)
        assert name in err
        assert len(err) < 1000


def test_what_is_no_file_is_told_so(pcsf):
    folder = pcsf.folder
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    cases = {
        "gone.jsonl": "No such file",
        "pipe.jsonl": "no regular file",
        "folder.jsonl": "is a folder",
        "loop.jsonl": "symbolic links",
        "x" * 300: "too long",
        "a\0b": "null byte",
    }
    for name, words in cases.items():
        for command, more in COMMANDS.items():
            code, out, err = pcsf.session(command, name, *more)
            assert (code, out) == (2, ""), (name, command)
            assert words in err, (name, command, err)


def test_a_torn_log_is_read_as_far_as_it_goes(pcsf):
    path = pcsf.folder / "tide.jsonl"
    raw = path.read_bytes()
    middle = raw[: len(raw) // 2]
    for change in (
        raw[:-20],
        b"\xef\xbb\xbf" + raw,
        raw + b"\0" * 500,
        b"\xff\xfe\n" + raw,
        middle,
    ):
        path.write_bytes(change)
        code, out, err = pcsf.session("view", "tide.jsonl")
        assert code == 0
        assert "Repair the tide importer" in out
        assert "note: " in err


@pytest.mark.parametrize("log", ["tide.jsonl", "claude-code.jsonl", "codex.jsonl", "openai.json"])
def test_broken_bytes_never_end_in_a_traceback(pcsf, log):
    """Cut, flipped, doubled and emptied logs; what is shown is still a view."""
    path = pcsf.folder / log
    raw = path.read_bytes()
    rng = random.Random(log)
    for number in range(60):
        data = bytearray(raw)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(data))
            data[at : at + rng.randint(0, 40)] = rng.choice(
                [b"", b"\0", b"{", b"}", b'"', b"null", b"[]", b"17", b"\n", b"\xff", b"{}"]
            )
        path.write_bytes(bytes(data))
        for command, more in (("view", ["--format", "anthropic"]), ("plan", [])):
            code, out, err = pcsf.session(command, log, *more)
            assert code in (0, 2), (number, err)
            assert (code == 0) == bool(out), (number, err)


SWAPS = (None, 0, -1, 1.5, True, "", "x", [], {}, [None], {"a": 1}, [[]], "\ud800")


def places(value, path=()):
    """Every member and element of a JSON value."""
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))
    if path:
        yield path


def swapped(value, path, other):
    value = json.loads(json.dumps(value))
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = other
    return value


@pytest.mark.parametrize(
    "log",
    [
        *(
            "tide.jsonl",
            "pi-v1.jsonl",
            "claude-code.jsonl",
            "codex.jsonl",
            "openhands-output.jsonl",
        ),
        *("openai.json", "anthropic.json", "gemini.json", "responses.json", "openhands.json"),
        *("sweagent.traj", "runs.json"),
    ],
)
def test_a_value_of_another_kind_never_ends_in_a_traceback(pcsf, log):
    path = pcsf.folder / log
    text = path.read_text("utf-8")
    by_line = log.endswith(".jsonl")
    values = [json.loads(line) for line in (text.splitlines() if by_line else [text])]
    spots = [(index, spot) for index, value in enumerate(values) for spot in places(value)]
    rng = random.Random(log)
    for number, (index, spot) in enumerate(rng.sample(spots, min(90, len(spots)))):
        other = SWAPS[number % len(SWAPS)]
        changed = [*values]
        changed[index] = swapped(values[index], spot, other)
        path.write_text("\n".join(map(json.dumps, changed)) + "\n", "utf-8")
        wire = ("openai", "anthropic", "responses", "gemini", "pi")[number % 5]
        code, out, err = pcsf.session("view", log, "--format", wire)
        assert code in (0, 2), (spot, other, err)
        # Only a first line that no format has makes a log unreadable.
        assert code == 0 or index == 0 or not by_line, (spot, other, err)
        if code == 0:
            json.loads(out)


@pytest.mark.parametrize("depth", [100, 400, 900, 1500])
def test_arguments_nested_deeply(pcsf, depth):
    inner = '{"a":' * depth + "1" + "}" * depth
    call = '{"type":"toolCall","id":"c","name":"f","arguments":' + inner + "}"
    lines = ['{"type":"session","version":3,"id":"s"}']
    said = '{"type":"message","id":"%s","parentId":%s,"message":%s}'
    ask = '{"role":"user","content":"go"}'
    result = '{"role":"toolResult","toolCallId":"c","content":"done"}'
    lines.append(said % ("a", "null", ask))
    lines.append(said % ("b", '"a"', '{"role":"assistant","content":[' + call + "]}"))
    lines.append(said % ("c", '"b"', result))
    (pcsf.folder / "deep.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    for wire in ("openai", "anthropic", "pi", "text"):
        code, out, err = pcsf.session("view", "deep.jsonl", "--format", wire)
        assert code in (0, 2)
        assert (code == 0) == bool(out)
        assert code == 0 or depth > 300, err


def test_a_log_cannot_steer_the_terminal(pcsf):
    path = pcsf.folder / "evil.jsonl"
    lines = [{"type": "session", "version": 3, "id": "\x1b]0;owned\x07"}]
    text = "red \x1b[31m and a bell \x07"
    message = {"role": "user", "content": [{"type": "text", "text": text}]}
    lines.append({"type": "message", "id": "a", "parentId": "\x1b[2J", "message": message})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    code, _, err = pcsf.session("status", "evil.jsonl")
    assert code == 0
    assert "\x1b" not in err
    assert text in pcsf.session("view", "evil.jsonl")[1]
    from pcsf_lark.faces.session.text import harmless

    assert harmless(text + "\n\t") == "red \\x1b[31m and a bell \\x07\n\t"


def test_a_huge_line_is_passed_over(pcsf, monkeypatch):
    from kernel.sessions import lines

    monkeypatch.setattr(lines, "_LONGEST", 6000)
    code, out, err = pcsf.session("view", "tide.jsonl")
    assert code == 0
    assert "BAD_LINE" in err
    assert "station 00" not in out
    assert "Repair the tide importer" not in out or "m00001" in out


def test_a_huge_document_is_refused(pcsf, monkeypatch):
    import kernel.sessions

    monkeypatch.setattr(kernel.sessions, "_LARGEST", 1000)
    code, _, err = pcsf.session("view", "openai.json")
    assert code == 2
    assert "larger than" in err


def test_a_full_disk_and_a_closed_pipe_are_no_fault(pcsf):
    command = [sys.executable, "-m", "pcsf_lark", "session", "view", "tide.jsonl"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, cwd=pcsf.folder, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    piped = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m pcsf_lark session view tide.jsonl | head -c 1"],
        cwd=pcsf.folder,
        capture_output=True,
        check=False,
    )
    assert piped.stderr == b""


def test_a_folder_nobody_may_write_to(pcsf):
    if os.geteuid() == 0:
        target = "/proc/self/status"
        code, _, err = pcsf(
            "session", "compress", target, "--range", "m1..m2", "--summary-file", "-"
        )
        assert (code, "cannot be read as a session" in err) == (2, True)
        return
    pcsf.folder.chmod(0o500)
    try:
        code, _, err = pcsf.fold("tide.jsonl", "m2..m16")
        assert (code, "not written" in err) == (2, True)
    finally:
        pcsf.folder.chmod(0o700)
