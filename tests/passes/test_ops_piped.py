"""fit, stamp and unstamp without a path read the pipe that feeds them, and no terminal."""

import os
import subprocess
import sys

import pytest

import pcsf_lark
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.rules._rule import BASE

VERBS = ("fit", "stamp", "unstamp")
STAMPED = verbatim(pcsf_lark.stamp(BASE))


def pcsf(*arguments, stdin):
    return subprocess.run(
        [sys.executable, "-m", "pcsf_lark", *arguments],
        stdin=stdin if isinstance(stdin, int) else None,
        input=None if isinstance(stdin, int) else stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("path", [[], ["-"]])
def test_the_pipe_is_read(verb, path):
    given = STAMPED if verb == "unstamp" else BASE.encode()
    done = pcsf(verb, *path, stdin=given)
    wanted = STAMPED if verb == "stamp" else BASE.encode()
    assert (done.returncode, done.stdout, done.stderr) == (0, wanted, b"")


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_piped_may_be_refused(verb):
    done = pcsf(verb, stdin=b"no capsule\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"-:1:1: error")


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_is_read_though_something_is_piped(verb, tmp_path):
    path = tmp_path / "a.pcsf"
    path.write_bytes(BASE.encode())
    assert pcsf(verb, str(path), stdin=b"no capsule\n").returncode == 0


@pytest.mark.parametrize("verb", VERBS)
def test_no_terminal_is_waited_for(verb):
    pty = pytest.importorskip("pty")
    master, terminal = pty.openpty()
    try:
        done = pcsf(verb, stdin=terminal)
    finally:
        os.close(master)
        os.close(terminal)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"name a capsule file" in done.stderr
