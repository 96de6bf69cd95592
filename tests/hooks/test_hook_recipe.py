"""The recipe for other agents, done by hand: a log of any known format goes on."""

import json
from pathlib import Path

import pytest

from pcsf_lark.hooks.plain import RECIPE

LOGS = sorted((Path(__file__).parent / "transcripts").iterdir())
CHAT = [
    {"role": "user", "content": "Add a retry to the uploader. Never upload a file twice."},
    {
        "role": "assistant",
        "content": "I'll retry three times, because the server drops one in ten.",
    },
]


@pytest.fixture
def logs(desk):
    chat = desk.base / "chat.json"
    chat.write_text(json.dumps(CHAT), "utf-8")
    return [*LOGS, chat]


def test_the_three_steps(desk, logs):
    for words in ("pcsf relay init", "pcsf hook start", "pcsf hook save LOG"):
        assert words in RECIPE
    assert desk.run("relay", "init").returncode == 0
    assert desk.run("hook", "start").stdout == b""
    for number, log in enumerate(logs, 1):
        done = desk.run("hook", "save", str(log))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert desk.windows() == number
    told = desk.run("hook", "start").stdout.decode()
    for rule in ("Never change the raw CSV files", "never drop a row without a warning"):
        assert rule in told
    assert "Never upload a file twice" in told


def test_options_before_a_log_that_looks_like_one(desk):
    desk.begin()
    done = desk.run("hook", "save", "--cwd", str(desk.project), "--agent", "x", "--", "--wait")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert desk.log()[-1].split(" ", 1)[1].startswith("x save: BadLog")


def test_no_call_ends_as_a_usage_error(desk):
    """Exit code 2 of a hook would block its agent."""
    desk.begin()
    for args in (("start", "--bogus", "x"), ("save",), ("save", "--bogus"), ("save", "a", "b")):
        done = desk.run("hook", *args)
        assert (done.returncode, done.stderr) == (0, b""), args


def test_a_push_leaves_the_next_start_its_text(desk):
    desk.begin(pushed=False).with_transcript()
    assert desk.run("relay", "push", str(desk.transcript)).returncode == 0
    from pcsf_lark.hooks.recall import recalled

    assert (desk.project / ".pcsf/.pcsf-head").is_file()
    assert desk.run("hook", "start").stdout.decode() == recalled(desk.project / ".pcsf")
