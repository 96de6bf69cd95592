"""What is forked does what is begun: the same streams, codes and files."""

import contextlib
import os
import subprocess
import time

import forks
import pytest

from pcsf_lark.rules._rule import BASE

BROKEN = BASE.replace("HIGH", "URGENT")
#: Arguments, standard input, environment.
CALLS = [
    (["check", "a.pcsf"], b"", {}),
    (["check", "--format", "json", "."], b"", {}),
    (["check", "--format", "concise", "-"], BROKEN.encode() + b"\xff\x98", {}),
    (["check", "--diff", "-"], BASE.replace("HIGH", "high").encode(), {}),
    (["check", "missing.pcsf", b"\xff.pcsf"], b"", {}),
    (["check", "--fix", "b.pcsf"], b"", {"COLUMNS": "40"}),
    (["fmt", "-"], BASE[:-1].encode(), {}),
    (["show", "a.pcsf"], b"", {"FORCE_COLOR": "1", "COLUMNS": "60"}),
    (["show", "a.pcsf"], b"", {"NO_COLOR": "1"}),
    (["explain", "C7"], b"", {}),
    (["--help"], b"", {"COLUMNS": "70"}),
    (["session", "--help"], b"", {"TERMINAL_WIDTH": "50"}),
    (["--version"], b"", {}),
    (["nonsense"], b"", {}),
    (["check", "--nonsense"], b"", {}),
    ([], b"", {"_PCSF_COMPLETE": "complete_bash", "COMP_WORDS": "pcsf ch", "COMP_CWORD": "1"}),
    (["grammar", "check", "-"], b'a = b "x"\n', {}),
    (["cso", "call"], b'{"id": 1, "op": "nonsense"}\nno JSON\n', {}),
    (["hook", "claude-code"], b"no JSON", {}),
]


@pytest.mark.parametrize(("arguments", "given", "environment"), CALLS, ids=str)
def test_a_fork_does_what_a_process_does(arguments, given, environment, tmp_path):
    found = []
    for begin in (_begun, forks.run, _started):
        folder = tmp_path / begin.__name__ / "here"
        folder.mkdir(parents=True)
        (folder / "a.pcsf").write_text(BASE)
        (folder / "b.pcsf").write_text(BROKEN.replace("URGENT", "high"))
        env = {**os.environ, "HOME": str(folder), **environment}
        done = begin(arguments, input=given, cwd=folder, env=env)
        files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        found.append((done.returncode, done.stdout, done.stderr, files))
    assert found[1] == found[0]
    assert found[2] == found[0]


def _begun(arguments, **more):
    return subprocess.run([*forks.COMMAND, *arguments], capture_output=True, check=False, **more)


def test_what_is_said_comes_before_what_is_printed_at_the_end():
    """As in a process: where both streams lead to one place."""
    cases = forks.ROOT / "tests/ops/stitch/update-in-place-l5"
    calls = ([*forks.COMMAND, "stitch"], [*forks.command(), "stitch"])
    pair = (cases / "old.pcsf", cases / "new.pcsf")
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    said = [subprocess.run([*call, *pair], check=False, **both).stdout for call in calls]
    assert said[1] == said[0]
    assert said[0].startswith(b"merge: ")


def _started(arguments, **more):
    command = [*forks.command(), *arguments]
    return subprocess.run(command, capture_output=True, check=False, **more)


def _filled(writer):
    """Write for a minute, whether there is room or not."""
    for _ in range(6000):
        with contextlib.suppress(BlockingIOError):
            os.write(writer, b"x")
        time.sleep(0.01)


def test_a_module_of_the_folder_and_of_the_path_is_found(tmp_path):
    """As `python -m` has it: the folder first, then PYTHONPATH, then what is installed."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "probe-1.0.dist-info").mkdir()
    (site / "probe-1.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: p\nVersion: 1\n"
    )
    (site / "probe-1.0.dist-info/entry_points.txt").write_text("[pcsf.rules]\np = probe_rule\n")
    done = forks.run(
        ["check", "-"], input=BASE, env={**os.environ, "PYTHONPATH": str(site)}, text=True
    )
    assert (done.returncode, "probe_rule" in done.stderr) == (2, True)


def test_what_is_settled_as_python_begins_is_not_the_server_s(tmp_path):
    (tmp_path / "b.pcsf").write_text(BROKEN)
    env = {**os.environ, "PYTHONIOENCODING": "utf-16"}
    calls = (_begun, forks.run, _started)
    said = [one(["check", "b.pcsf"], cwd=tmp_path, env=env).stdout for one in calls]
    assert said[1:] == [said[0]] * 2


def test_what_was_started_is_waited_for_ends_alone_and_is_ended_with_its_caller():
    """Two at a time, each as long as its streams or its caller are."""
    starting = [*forks.command(), "cso", "call"]
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(starting, **piped) as one, subprocess.Popen(starting, **piped) as other:
        one.kill()
        assert one.stdout.read() == b""
        other.stdin.write(b"no JSON\n")
        other.stdin.close()
        assert other.stdout.read()
        assert other.wait(60) == 0
    reader, writer = os.pipe()
    with subprocess.Popen([*forks.command(), "check", "-"], stdin=reader) as held:
        os.close(reader)
        os.set_blocking(writer, False)
        held.kill()
        # Nobody reads any more, although nobody has closed what is read from.
        with pytest.raises(BrokenPipeError):
            _filled(writer)
    os.close(writer)
