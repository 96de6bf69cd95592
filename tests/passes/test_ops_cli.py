"""The commands of the operations: streams, exit codes, files."""

import json
import os
import stat
import subprocess
from pathlib import Path

import forks
import pytest
from typer.testing import CliRunner

import pcsf_lark
from pcsf_lark.faces.cli import app
from pcsf_lark.rules._rule import BASE, STAMP

CHAIN = "CHAIN: hops=1 origin=2026-05-01T08:00Z\n"
LATER = BASE.replace("2026-05-04", "2026-05-06").replace(CHAIN, "").replace("HIGH", "MED")
STAMPED = BASE.replace(CHAIN, CHAIN + STAMP)
STALE = STAMPED.replace("short answers", "long answers!")
BROKEN = BASE.replace("HIGH", "URGENT")


def pcsf(*arguments, stdin=None):
    done = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path):
    texts = {"a": BASE, "b": LATER, "stamped": STAMPED, "stale": STALE, "broken": BROKEN}
    for name, text in texts.items():
        (tmp_path / f"{name}.pcsf").write_bytes(text.encode())
    return tmp_path


VERDICTS = [
    (["fit", "a.pcsf"], 0),
    (["fit", "a.pcsf", "--budget", "300"], 1),
    (["fit", "stale.pcsf"], 0),
    (["fit", "broken.pcsf"], 1),
    (["fit", "absent.pcsf"], 2),
    (["fit", "a.pcsf", "--budget", "many"], 2),
    (["fit", "a.pcsf", "--budget", "-1"], 2),
    (["fit", "a.pcsf", "--log", "xml"], 2),
    (["stitch", "a.pcsf", "b.pcsf"], 0),
    (["stitch", "a.pcsf"], 2),
    (["stitch", "a.pcsf", "broken.pcsf"], 1),
    (["stitch", "stale.pcsf", "b.pcsf"], 1),
    (["stitch", "a.pcsf", "absent.pcsf"], 2),
    (["stitch", "a.pcsf", "b.pcsf", "-o", "no/such/folder.pcsf"], 2),
    (["stitch", "a.pcsf", "b.pcsf", "-o", ""], 2),
    (["stamp", "a.pcsf"], 0),
    (["stamp", "stale.pcsf"], 1),
    (["unstamp", "stamped.pcsf"], 0),
    (["unstamp", "a.pcsf"], 0),
    (["unstamp", "stale.pcsf"], 1),
    (["verify", "stamped.pcsf"], 0),
    (["verify", "a.pcsf"], 1),
    (["verify", "stale.pcsf"], 1),
    (["verify", "broken.pcsf"], 1),
    (["verify", "absent.pcsf"], 2),
    (["verify", ""], 2),
    (["diff", "a.pcsf", "a.pcsf"], 0),
    (["diff", "a.pcsf", "b.pcsf"], 1),
    (["diff", "a.pcsf", "broken.pcsf"], 1),
    (["diff", "a.pcsf", "absent.pcsf"], 2),
    (["resume", "a.pcsf"], 0),
    (["resume", "broken.pcsf"], 1),
    (["resume", "a.pcsf", "--now", "yesterday"], 2),
    (["resume", "a.pcsf", "--context-time", "2026-02-30T00:00Z"], 2),
    (["prompt", "compress"], 0),
    (["prompt", "compress", "--session", "absent.txt"], 2),
    (["prompt", "resume", "a.pcsf"], 0),
    (["prompt", "resume", "broken.pcsf"], 1),
    (["prompt", "nonsense"], 2),
    (["new"], 0),
    (["new", "--from-json", "a.pcsf"], 1),
]


@pytest.mark.parametrize(("arguments", "code"), VERDICTS, ids=[" ".join(v[0]) for v in VERDICTS])
def test_exit_codes(folder, monkeypatch, arguments, code):
    monkeypatch.chdir(folder)
    found, out, err = pcsf(*arguments)
    assert found == code
    if code and arguments[0] not in ("verify", "diff"):
        assert out == ""
    if (code and arguments[0] not in ("verify", "diff")) or code == 2:
        assert err


@pytest.mark.parametrize("verb", ["fit", "stamp", "unstamp", "resume", "prompt resume"])
@pytest.mark.parametrize("text", ["", "x" * 70_000], ids=["empty", "huge"])
def test_a_refusal_tells_the_size_of_what_was_read(folder, verb, text):
    path = folder / "read.pcsf"
    path.write_text(text)
    code, out, err = pcsf(*verb.split(), path)
    assert (code, out) == (1, "")
    assert f"not conformant, {len(text):,} of 1,200 bytes" in err


def test_stdin_is_read_once(folder):
    assert pcsf("stitch", "-", folder / "b.pcsf", stdin=BASE)[:2] == (
        0,
        pcsf_lark.stitch(BASE, LATER).text.decode(),
    )
    for arguments in (["stitch", "-", "-"], ["diff", "-", "-"]):
        code, out, err = pcsf(*arguments, stdin=BASE)
        assert (code, out) == (2, "")
        assert "once" in err


def test_the_log_is_lines_or_one_json_array(folder):
    _, out, err = pcsf("stitch", folder / "a.pcsf", folder / "b.pcsf")
    assert out == pcsf_lark.stitch(BASE, LATER).text.decode()
    lines = err.splitlines()
    assert lines[-1].startswith("merge: L5: INCOMPLETE_TASK | measure replica lag | HIGH (")
    _, _, err = pcsf("stitch", folder / "a.pcsf", folder / "b.pcsf", "--log", "json")
    assert json.loads(err) == list(pcsf_lark.stitch(BASE, LATER).log)
    _, _, err = pcsf("stitch", folder / "b.pcsf", folder / "a.pcsf")
    warnings = [line for line in err.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 2
    assert "older than" in warnings[0]
    assert "CHAIN" in warnings[1]
    assert json.loads(pcsf("fit", folder / "a.pcsf", "--log", "json")[2]) == []


def test_an_unfittable_capsule_says_what_it_needs(folder):
    code, out, err = pcsf("fit", folder / "a.pcsf", "--budget", "300")
    assert (code, out) == (1, "")
    assert "needs 348 bytes of 300" in err
    failure = json.loads(pcsf("fit", folder / "a.pcsf", "--budget", "300", "--log", "json")[2])
    assert failure["needed"] == sum(failure["obstacles"].values()) == 348


def test_a_fold_is_left_and_stamped_once(folder):
    a, b, c = folder / "a.pcsf", folder / "b.pcsf", folder / "c.pcsf"
    third = LATER.replace("2026-05-06", "2026-05-07").replace("SEED: The", "SEED: This")
    c.write_text(third)
    step = pcsf_lark.stitch(BASE, LATER).capsule
    expected = pcsf_lark.stitch(step, third, stamp=True)
    code, out, err = pcsf("stitch", a, b, c, "--stamp", "--log", "json")
    assert (code, out) == (0, expected.text.decode())
    assert json.loads(err) == [*pcsf_lark.stitch(BASE, LATER).log, *expected.log]
    assert "CHAIN: hops=3 " in out
    assert out.count("INTEGRITY") == 1


def test_output_files(folder):
    out = folder / "out.pcsf"
    assert pcsf("stitch", folder / "a.pcsf", folder / "b.pcsf", "-o", out)[:2] == (0, "")
    assert out.read_bytes() == pcsf_lark.stitch(BASE, LATER).text
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~umask
    out.chmod(0o640)
    assert pcsf("stamp", folder / "a.pcsf", "-o", out)[0] == 0
    assert out.read_text() == STAMPED
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert pcsf("fit", out, "-o", out)[0] == 0
    assert out.read_text() == STAMPED
    link = folder / "link.pcsf"
    link.symlink_to(out)
    assert pcsf("unstamp", out, "-o", link)[0] == 0
    assert link.is_symlink()
    assert out.read_text() == BASE
    assert pcsf("verify", out, "-o", folder / "verdict")[:2] == (1, "")
    assert (folder / "verdict").read_text() == f"{out}: no stamp\n"
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_a_device_is_written_to_not_replaced(folder):
    assert pcsf("stamp", folder / "a.pcsf", "-o", "/dev/null")[:2] == (0, "")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert pcsf("stamp", folder / "a.pcsf", "-o", "-")[:2] == (0, STAMPED)
    code, _, err = pcsf("stamp", folder / "a.pcsf", "-o", folder)
    assert code == 2
    assert "folder" in err


def test_a_refused_result_leaves_the_file_alone(folder):
    out = folder / "out.pcsf"
    out.write_text("precious")
    assert pcsf("stitch", folder / "a.pcsf", folder / "broken.pcsf", "-o", out)[0] == 1
    assert pcsf("fit", folder / "a.pcsf", "--budget", "10", "-o", out)[0] == 1
    assert out.read_text() == "precious"


def test_two_processes_may_write_the_same_file(folder):
    """Whoever is last wins, and a reader never sees less than a whole capsule."""
    out = folder / "out.pcsf"
    results = {
        name: pcsf_lark.stitch(BASE, (folder / name).read_text()).text
        for name in ("b.pcsf", "c.pcsf")
        if (folder / "c.pcsf").write_text(LATER.replace("is known", "was seen " * 60 + "is known"))
    }
    seen = set()
    for _ in range(3):
        running = [
            subprocess.Popen(
                [*forks.command(), "stitch", "a.pcsf", name, "-o", "out.pcsf"],
                cwd=folder,
                stderr=subprocess.DEVNULL,
            )
            for name in results
        ]
        while any(process.poll() is None for process in running):
            if out.exists():
                seen.add(out.read_bytes())
        assert [process.wait() for process in running] == [0, 0]
        seen.add(out.read_bytes())
    assert seen <= set(results.values())
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


VERDICTS_OF_STAMPS = [
    (STAMPED, 0, "the stamp matches, crc32="),
    (BASE, 1, "no stamp"),
    (STALE, 1, "the stamp does not match: crc32="),
    (STAMPED[:-1], 1, "the stamp does not match: crc32="),
    (BROKEN, 1, "not conformant"),
    ("", 1, "not conformant"),
]


@pytest.mark.parametrize(("text", "code", "verdict"), VERDICTS_OF_STAMPS)
def test_verify_says_why(text, code, verdict):
    found, out, err = pcsf("verify", "-", stdin=text)
    assert (found, err) == (code, "")
    assert out.startswith(f"-: {verdict}")


def test_diff_for_programs_and_for_people(folder):
    code, out, _ = pcsf("diff", "--format", "json", folder / "a.pcsf", folder / "b.pcsf")
    found = json.loads(out)
    assert code == 1
    assert found == {"equal": False, "changes": pcsf_lark.diff(BASE, LATER)}
    members = {"kind", "layer", "key", "old", "new", "from", "to"}
    assert all(set(change) == members for change in found["changes"])
    assert pcsf("diff", "--format", "json", folder / "a.pcsf", folder / "a.pcsf")[:2] == (
        0,
        '{\n "equal": true,\n "changes": []\n}\n',
    )
    out = pcsf("diff", folder / "a.pcsf", folder / "b.pcsf")[1]
    assert (
        "L5 changed: measure replica lag\n  - INCOMPLETE_TASK | measure replica lag | HIGH\n" in out
    )
    assert pcsf("diff", folder / "a.pcsf", folder / "stamped.pcsf")[1].startswith("INTEGRITY added")


def test_help_of_every_command():
    for command in (
        "fit",
        "stitch",
        "stamp",
        "unstamp",
        "verify",
        "diff",
        "prompt",
        "resume",
        "new",
    ):
        assert pcsf(command, "--help")[0] == 0
    for command in ("compress", "resume"):
        assert pcsf("prompt", command, "--help")[0] == 0
