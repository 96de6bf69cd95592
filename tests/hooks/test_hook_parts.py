"""The parts of a hook: its log, its deadline, what it reads, where it acts, what it leaves behind."""

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pcsf_lark.hooks import background, journal, saving
from pcsf_lark.hooks.deadline import Deadline
from pcsf_lark.hooks.journal import Journal
from pcsf_lark.hooks.scene import scene_of
from pcsf_lark.hooks.stdin import LARGEST, BadInput, read_object, text_of

# The log


@pytest.fixture
def noted(tmp_path, monkeypatch):
    monkeypatch.delenv(journal.VARIABLE, raising=False)
    found = Journal("test")
    found.folder = tmp_path
    return found


def test_a_line_says_when_who_and_what(noted, tmp_path):
    noted.note("SessionEnd: window 2")
    noted.failed("SessionEnd", ValueError("first\nsecond"))
    first, second = (tmp_path / journal.NAME).read_text("utf-8").splitlines()
    assert first[10] == "T"
    assert first[20:] == " test SessionEnd: window 2"
    assert second.endswith(" test SessionEnd: ValueError: first")
    assert stat.S_IMODE((tmp_path / journal.NAME).stat().st_mode) == 0o600


def test_a_line_is_one_line_short_and_printable(noted, tmp_path):
    noted.note("a\nb\r\x1b[31m\u202e\ud800\x00" + "long " * 999)
    data = (tmp_path / journal.NAME).read_bytes()
    assert data.count(b"\n") == 1
    assert len(data) < 500
    assert data.decode("utf-8").strip().isprintable()


def test_the_log_is_bounded_and_turned_once(noted, tmp_path):
    for number in range(3000):
        noted.note(f"{number} " + "x" * 100)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [journal.NAME, journal.OLD]
    for name in files:
        assert (tmp_path / name).stat().st_size <= journal.LARGEST
    assert " 2999 " in (tmp_path / journal.NAME).read_text("utf-8").splitlines()[-1]


def test_what_is_no_file_of_ours_is_left_alone(noted, tmp_path):
    other = tmp_path / "other"
    other.write_text("mine\n", "utf-8")
    (tmp_path / journal.NAME).symlink_to(other)
    noted.note("x")
    assert other.read_text("utf-8") == "mine\n"
    (tmp_path / journal.NAME).unlink()
    os.mkfifo(tmp_path / journal.NAME)
    noted.note("x")
    (tmp_path / journal.NAME).unlink()
    (tmp_path / journal.NAME).mkdir()
    noted.note("x")
    assert list((tmp_path / journal.NAME).iterdir()) == []


def test_without_a_folder_nothing_is_made(tmp_path, monkeypatch):
    monkeypatch.delenv(journal.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    Journal("test").note("x")
    gone = Journal("test")
    gone.folder = tmp_path / "gone"
    gone.note("x")
    assert list(tmp_path.iterdir()) == []


# The deadline

SLOW = """
import sys, time
from pathlib import Path
from pcsf_lark.hooks.deadline import Deadline
from pcsf_lark.hooks.journal import Journal
journal = Journal("test")
journal.folder = Path(sys.argv[1])
with Deadline(0.3, journal) as deadline:
    if sys.argv[2] == "moved":
        deadline.move(30)
        time.sleep(0.6)
    if sys.argv[2] == "answered":
        deadline.last(lambda: print("whole"))
        time.sleep(0.6)
    if sys.argv[2] == "hung":
        while True: pass
print("done")
"""


@pytest.mark.parametrize(
    ("how", "out", "lines"),
    [("hung", "", 1), ("moved", "done\n", 0), ("answered", "whole\ndone\n", 0)],
)
def test_time_is_up_once(desk, how, out, lines):
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", SLOW, str(desk.base), how],
        capture_output=True,
        text=True,
        env=desk.env,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, out, "")
    assert time.monotonic() - start < 20
    path = desk.base / journal.NAME
    assert len(path.read_text("utf-8").splitlines() if path.exists() else []) == lines


# Standard input


def read(*chunks, close=True):
    reading, writing = os.pipe()
    try:
        for chunk in chunks:
            os.write(writing, chunk)
        if close:
            os.close(writing)
        return read_object(reading)
    finally:
        os.close(reading)
        if not close:
            os.close(writing)


@pytest.mark.parametrize("close", [True, False])
def test_an_object_is_read_whole(close):
    assert read(b'{"a": {"b": "}"}}', close=close) == {"a": {"b": "}"}}
    assert read(b'\xef\xbb\xbf{"a": 1}\r\n', close=close) == {"a": 1}


@pytest.mark.parametrize("data", [b"", b"  ", b"[1]", b'"}"', b"{}}", b"}", b'{"a": 1} {"b": 2}'])
def test_what_is_no_object_is_refused(data):
    with pytest.raises(BadInput):
        read(data)


def test_what_is_read_is_bounded(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(b'{"a": "' + b"x" * LARGEST + b'"}')
    handle = os.open(path, os.O_RDONLY)
    try:
        with pytest.raises(BadInput, match="more than"):
            read_object(handle)
    finally:
        os.close(handle)


def test_a_text_is_fit_for_a_path():
    given = {"a": "x", "b": 1, "c": "\0", "d": "y" * 5000, "e": None}
    assert [text_of(given, name) for name in "abcdef"] == ["x", "", "", "", "", ""]


# Where


def test_the_nearest_folder_counts(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".pcsf").mkdir()
    assert scene_of([str(inner)]).folder == tmp_path / ".pcsf"
    (tmp_path / "a" / ".pcsf").mkdir()
    assert scene_of([str(inner)]).folder == tmp_path / "a" / ".pcsf"


def test_the_first_folder_with_a_relay_counts(tmp_path):
    for name in ("bare", "with"):
        (tmp_path / name).mkdir()
    (tmp_path / "with" / ".pcsf").mkdir()
    places = ["", "\0", str(tmp_path / "gone"), str(tmp_path / "bare"), str(tmp_path / "with")]
    assert scene_of(places).start == tmp_path / "with"
    assert scene_of(places[:4]).start == tmp_path / "bare"
    assert scene_of(places[:4]).silent


# A log that is saved


def test_a_log_that_was_just_written_is_waited_for(tmp_path, monkeypatch):
    path = tmp_path / "log"
    path.write_bytes(b"x")
    naps = []
    monkeypatch.setattr(
        saving.time, "sleep", lambda seconds: naps.append(seconds) or nap(path, naps)
    )

    def nap(path, naps):
        if len(naps) == 3:
            os.utime(path, (1, 1))

    saving._settled(path)
    assert len(naps) == 3


def test_a_log_without_an_end_is_not_waited_for_long(tmp_path, monkeypatch):
    path = tmp_path / "log"
    path.write_bytes(b"x")
    clock = iter(range(1000))
    monkeypatch.setattr(saving.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(saving.time, "sleep", lambda _: os.utime(path, (9e9, 9e9)))
    saving._settled(path)
    assert next(clock) < 10


@pytest.mark.parametrize("size", [0, saving.LARGEST + 1])
def test_a_log_s_size_is_bounded(tmp_path, size):
    path = tmp_path / "log"
    with path.open("wb") as stream:
        stream.truncate(size)
    with pytest.raises(saving.BadLog):
        saving._settled(path)


# Behind the agent's back


def test_the_work_goes_on_when_nobody_waits(desk):
    desk.begin().with_transcript()
    done = desk.run("hook", "save", "--agent", "test", "--wait", "0", str(desk.transcript))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert desk.reaches(2)


def test_the_work_outlives_a_hook_that_is_killed(desk):
    desk.begin().with_transcript()
    hook = subprocess.Popen(
        [sys.executable, "-m", "pcsf_lark", "hook", "claude-code"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=desk.project,
        env=desk.env,
        start_new_session=True,
    )
    with hook:
        hook.stdin.write(json.dumps(desk.event("session-end-other")).encode())
        hook.stdin.close()
        until = time.monotonic() + 30
        while not _children(hook.pid) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.1)
        os.killpg(hook.pid, 9)
    assert desk.reaches(2)


def _children(pid):
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        pytest.skip("no /proc here to see processes by")


def test_a_wait_has_an_end(desk, monkeypatch):
    desk.begin().with_transcript()
    monkeypatch.setattr(background, "_CODE", "import time; time.sleep(2)")
    folder = desk.project / ".pcsf"
    noted = Journal("test")
    noted.folder = folder
    start = time.monotonic()
    background.begin("save", str(desk.transcript), scene_of([str(desk.project)]), noted, 0.2)
    assert time.monotonic() - start < 2
    assert "left to finish" in (folder / journal.NAME).read_text("utf-8")


def test_two_ends_at_once_both_land(desk):
    desk.begin().with_transcript()
    other = desk.base / "other.jsonl"
    text = desk.transcript.read_text("utf-8")
    other.write_text(
        text.replace("Never change the raw CSV files", "Never touch the gauges"), "utf-8"
    )
    hooks = [
        subprocess.Popen(
            [sys.executable, "-m", "pcsf_lark", "hook", "save", str(path)],
            cwd=desk.project,
            env=desk.env,
        )
        for path in (desk.transcript, other)
    ]
    assert [hook.wait(60) for hook in hooks] == [0, 0]
    assert desk.reaches(3)
    told = " ".join(desk.head().constraints)
    assert "Never change the raw CSV files" in told
    assert "Never touch the gauges" in told


def test_start_prints_the_head_and_nothing_else(desk):
    done = desk.run("hook", "start")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    desk.begin(pushed=False)
    done = desk.run("hook", "start", "--agent", "mine")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert desk.log()[-1].endswith("mine start: nothing was pushed yet")


def test_start_gives_what_head_gives(desk):
    desk.begin()
    done = desk.run("hook", "start", "--cwd", str(desk.project), cwd=desk.base)
    head = desk.run("relay", "head", "--prompt")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == head.stdout != b""


@pytest.mark.parametrize("log", ["/no/such/log", "", "\udcff", "/dev/zero", "-"])
def test_save_says_nothing_whatever_it_is_given(desk, log):
    desk.begin()
    done = desk.run("hook", "save", "--", log)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert desk.windows() == 1
    assert len(desk.log()) == 1


def test_a_deadline_is_off_at_the_end(noted):
    with Deadline(0.05, noted):
        pass
    time.sleep(0.2)
