"""`pcsf draft` and `pcsf prompt compress --draft`, as users call them."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import cso
import pcsf_lark
from pcsf_lark.faces.cli import app

ROOT = Path(__file__).parent.parent.parent
LOG = ROOT / "tests/draft/logs/harbour.jsonl"
TIMELESS = ROOT / "tests/draft/logs/crane.traj"


def pcsf(*args, stdin=b""):
    """A call in this process: one import serves all."""
    done = CliRunner().invoke(app, [str(one) for one in args], input=stdin)
    fault = done.exception
    if fault is not None and not isinstance(fault, SystemExit):
        raise fault
    return SimpleNamespace(
        returncode=done.exit_code, stdout=done.stdout_bytes, stderr=done.stderr_bytes
    )


def test_a_whole_process():
    done = subprocess.run(
        [sys.executable, "-m", "pcsf_lark", "draft", str(LOG)],
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    again = pcsf("draft", LOG)
    assert (done.stdout, done.stderr) == (again.stdout, again.stderr)


def test_everything_to_files(tmp_path):
    done = pcsf(
        "draft",
        LOG,
        "-o",
        tmp_path / "a.pcsf",
        "--cso",
        tmp_path / "a.json",
        "--sources",
        tmp_path / "s.json",
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"a person or a model should finish it" in done.stderr
    assert b"withheld a home folder (1)" in done.stderr
    text = (tmp_path / "a.pcsf").read_bytes()
    assert pcsf_lark.conformant(text)
    state = cso.loads((tmp_path / "a.json").read_bytes())
    assert "should finish it" in state.ext["draft"]["finish"]
    assert state.constraints == ("never touch the billing module, and keep answers short.",)
    sources = json.loads((tmp_path / "s.json").read_bytes())
    assert [row["line"] for row in sources["capsule"] if row["layer"] == "L4"] == [
        "BOUNDARY: never touch the billing module, and keep answers short"
    ]
    assert pcsf("check", tmp_path / "a.pcsf").returncode == 0
    assert pcsf("cso", "check", tmp_path / "a.json").returncode == 0


def test_the_capsule_goes_to_stdout_unless_something_else_does():
    assert pcsf_lark.conformant(pcsf("draft", LOG).stdout)
    assert cso.loads(pcsf("draft", LOG, "--cso", "-").stdout).goal_state.objective
    assert json.loads(pcsf("draft", LOG, "--sources", "-").stdout)["capsule"]


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (["no.jsonl"], 2, "no.jsonl: No such file"),
        ([LOG, "--since", "h999"], 2, "no entry has the id 'h999'"),
        ([LOG, "--leaf", "h999"], 2, "no entry has the id 'h999'"),
        ([LOG, "--now", "soon"], 2, "expected a time such as"),
        ([LOG, "-o", "x", "--cso", "x"], 2, "a place each"),
        ([ROOT], 2, "is a folder"),
        ([LOG, "--log-format", "chat"], 2, "cannot be read as a session"),
        ([], 2, "Missing argument"),
    ],
)
def test_trouble(args, code, told):
    done = pcsf("draft", *args)
    assert (done.returncode, done.stdout) == (code, b"")
    assert told in done.stderr.decode()


def test_a_log_without_times_takes_the_given_one_or_its_files(tmp_path):
    assert b"| 2030-05-06T07:08Z" in pcsf("draft", TIMELESS, "--now", "2030-05-06T07:08Z").stdout
    copy = tmp_path / "crane.traj"
    copy.write_bytes(TIMELESS.read_bytes())
    import os

    os.utime(copy, (0, 1_700_000_000))
    assert b"| 2023-11-14T22:13Z" in pcsf("draft", copy).stdout


def test_a_branch_and_a_start():
    assert b"pytest" not in pcsf("draft", LOG, "--leaf", "h003", "--cso", "-").stdout
    late = pcsf("draft", LOG, "--since", "h013").stdout.decode()
    assert "L1:SKELETON\n\nL2:NEGATIVE\n\n" in late


def test_a_draft_is_handed_to_a_model(tmp_path):
    path = tmp_path / "a.pcsf"
    text = pcsf("draft", LOG).stdout
    path.write_bytes(text)
    prompt = pcsf("prompt", "compress", "--draft", path).stdout
    assert text.rstrip(b"\n") in prompt
    assert b"made from the session's log" in prompt
    assert prompt.startswith(pcsf("prompt", "compress").stdout)
    assert pcsf("prompt", "compress", "--draft", "-", stdin=text).stdout == prompt
    both = pcsf("prompt", "compress", "--draft", path, "--session", LOG)
    assert both.returncode == 0
    assert both.stdout.startswith(prompt)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--draft", LOG], "is no conformant capsule"),
        (["--draft", "no.pcsf"], "No such file"),
        (["--draft", "-", "--session", "-"], "a file each"),
    ],
)
def test_what_is_no_draft_is_refused(args, told):
    done = pcsf("prompt", "compress", *args, stdin=b"")
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in done.stderr.decode()


@pytest.mark.parametrize("option", ["-o", "--cso", "--sources"])
@pytest.mark.parametrize("name", ["log.jsonl", "./log.jsonl", "link.jsonl"])
def test_the_log_is_never_written_over(tmp_path, monkeypatch, option, name):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOG.read_bytes())
    (tmp_path / "link.jsonl").hardlink_to(log)
    done = pcsf("draft", "log.jsonl", option, name)
    assert done.returncode == 2
    assert b"never written over" in done.stderr
    assert log.read_bytes() == LOG.read_bytes()
