"""What is told of a command that takes long: on terminals alone, wiped, never in the way."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from terminals import Terminal, plain, screen

from pcsf_lark.faces.progress import DELAY
from pcsf_lark.rules._rule import BASE

#: The command, with a shorter second.
QUICK = (
    "import sys; from pcsf_lark.faces import progress; progress.DELAY, progress.EVERY = {delay}, 0.02;"
    "from pcsf_lark.__main__ import main; main()"
)
WIPE = "\r\x1b[2K"


def command(*words, delay=0.02):
    return [sys.executable, "-c", QUICK.format(delay=delay), *map(str, words)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("progress")
    (here / "many").mkdir()
    for number in range(1500):
        (here / f"many/{number:04}.pcsf").write_text(
            BASE if number % 100 else BASE.replace("HIGH", "X")
        )
    (here / "good.pcsf").write_text(BASE)
    with (here / "long.jsonl").open("w") as log:
        log.write(
            json.dumps(
                {
                    "type": "session",
                    "id": "s",
                    "version": 3,
                    "timestamp": "2026-05-04T09:30:00Z",
                    "cwd": "/",
                }
            )
            + "\n"
        )
        parent = None
        for number in range(6000):
            role = "user" if number % 2 == 0 else "assistant"
            message = {
                "role": role,
                "content": [{"type": "text", "text": f"turn {number} " * 20}],
                "timestamp": number,
            }
            line = {
                "type": "message",
                "id": f"{number:08x}",
                "parentId": parent,
                "timestamp": "2026-05-04T09:30:00Z",
                "message": message,
            }
            parent = line["id"]
            log.write(json.dumps(line) + "\n")
    lines = (here / "long.jsonl").read_text().splitlines(keepends=True)
    (here / "short.jsonl").write_text("".join(lines[:300]))
    slow = here / "slow"
    slow.write_text("#!/bin/sh\nsleep 0.02\ncat >/dev/null\nexit 1\n")
    slow.chmod(0o755)
    return here


#: What takes a while, and what is told of it.
LONG = [
    (["check", "many"], r"checking: \[[#.]{20}\] [\d,]+ of 1,500 files, \d+ s"),
    (["check", "--jobs", "2", "many"], r"checking: \[[#.]{20}\] [\d,]+ of 1,500 files, \d+ s"),
    (["session", "status", "long.jsonl"], r"reading long.jsonl: \[[#.]{20}\] [\d,]+ of [\d,]+ bytes, \d+ s"),
    (["conformance", "run", "--run", "valid/chain/*", "--", "./slow"], r"asking: \[[#.]{20}\] [\d,]+ of [\d,]+ cases, \d+ s"),
    (["draft", "short.jsonl"], r"pcsf draft: \d+ s"),
    (["grammar", "check", "big.abnf"], r"pcsf grammar check: \d+ s"),
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _big_grammar(folder):
    rules = [f'r{n} = "a{n}" / ( "b" r{n + 1} ) / *( "c" [ r{n + 2} ] )' for n in range(40)]
    rules += ['r40 = "x"', 'r41 = "y"']
    (folder / "big.abnf").write_text("\r\n".join(rules) + "\r\n")


@pytest.mark.parametrize(
    ("words", "told"), LONG, ids=lambda x: " ".join(x) if isinstance(x, list) else ""
)
def test_it_is_told_on_a_terminal_and_wiped(folder, words, told):
    with Terminal(command(*words), columns=120, cwd=folder) as terminal:
        code = terminal.end()
        text = terminal.text
    assert code in (0, 1), text
    assert re.search(told, text)
    # Each is wiped before anything else is written, and none stays.
    left = "\n".join(screen(text))
    assert not re.search(r"\[[#.]{20}\]|: \d+ s$", left, re.MULTILINE)
    piped = subprocess.run(command(*words), cwd=folder, capture_output=True, text=True, check=False)
    assert piped.returncode == code
    assert "\x1b" not in piped.stdout + piped.stderr
    assert not re.search(r"\[[#.]{20}\]", piped.stdout + piped.stderr)


def test_what_is_printed_is_all_there(folder):
    """With the line drawn as often as can be, nothing of the findings is lost or cut."""
    with Terminal(
        command("check", "--format", "concise", "many", delay=0), columns=200, cwd=folder
    ) as terminal:
        assert terminal.end() == 1
        shown = [line.rstrip() for line in screen(terminal.text)]
    piped = subprocess.run(
        command("check", "--format", "concise", "many"),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    kept = [line for line in shown if line]
    assert kept == [line for line in piped.stdout.splitlines() if line]


def test_output_into_a_file_leaves_the_line_on_the_terminal(folder, tmp_path):
    out = tmp_path / "out"
    code = QUICK.format(delay=0.02)
    script = f'"{sys.executable}" -c "$CODE" check many > "{out}"'
    with Terminal(["sh", "-c", script], columns=120, cwd=folder, CODE=code) as terminal:
        terminal.end()
        text = terminal.text
    assert "of 1,500 files" in text
    assert "".join(screen(text)).strip() == ""
    assert "\x1b" not in out.read_text()


def test_errors_into_a_file_have_no_line(folder, tmp_path):
    err = tmp_path / "err"
    code = QUICK.format(delay=0)
    script = f'"{sys.executable}" -c "$CODE" check many 2> "{err}"'
    with Terminal(["sh", "-c", script], columns=120, cwd=folder, CODE=code) as terminal:
        terminal.end()
        assert "of 1,500 files" not in terminal.text
    assert err.read_text() == ""


def test_a_dumb_terminal_has_none(folder):
    with Terminal(command("check", "many", delay=0), cwd=folder, TERM="dumb") as terminal:
        terminal.end()
        assert "of 1,500 files" not in terminal.text
        assert "\x1b" not in terminal.text


def test_under_a_second_there_is_none(folder):
    assert DELAY == 1.0
    with Terminal(
        [sys.executable, "-m", "pcsf_lark", "check", "good.pcsf"], cwd=folder
    ) as terminal:
        begun = time.monotonic()
        assert terminal.end() == 0
        if time.monotonic() - begun < 1:
            assert WIPE not in terminal.text


def test_interrupted_the_screen_is_clean(folder):
    with Terminal(command("session", "status", "long.jsonl"), columns=120, cwd=folder) as terminal:
        terminal.until("of ")
        terminal.send("\x03")
        assert terminal.end() == 130
        text = terminal.text.replace("^C", "")
    assert "".join(screen(text)).strip() == ""
    assert "Traceback" not in text


def test_nothing_is_drawn_while_the_user_types(folder):
    with Terminal(command("check", "-", delay=0), columns=120, cwd=folder) as terminal:
        for _ in range(50):  # until it reads
            terminal._read(0.02)
        terminal.raw = b""
        terminal.send(BASE.replace("\n", "\r"))
        time.sleep(0.3)
        terminal.send("\x04\x04")
        assert terminal.end() == 0
        typed = terminal.text.partition("conformant")[0]
    assert WIPE not in typed[: typed.rindex("===END===")]
    assert plain(terminal.text).count("-: conformant") == 1


def test_a_narrow_terminal_is_not_overrun(folder):
    with Terminal(command("check", "many"), columns=24, cwd=folder) as terminal:
        terminal.end()
        drawn = re.findall(r"\r\x1b\[2K([^\r\n\x1b]+)(?=\r\x1b\[2K)", terminal.text)
    assert drawn
    assert max(map(len, drawn)) < 24


def test_servers_are_left_alone(folder):
    """One that waits for its client is not at work."""
    with Terminal(
        ["sh", "-c", f'exec "{sys.executable}" -c "$CODE" kernel serve < "{folder / "fifo"}"'],
        cwd=folder,
        CODE=QUICK.format(delay=0),
    ) as terminal:
        os.mkfifo(folder / "fifo")
        with (folder / "fifo").open("w"):
            time.sleep(1)
        terminal.end()
        assert not re.search(r": \d+ s", terminal.text)
