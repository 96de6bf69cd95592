"""`pcsf check` on many files and in its modes: mending, diffs, processes, the terminal, completion."""

import json
import os
import pty
import select
import shutil
import subprocess
import sys
from pathlib import Path

import forks
import pytest

from pcsf_lark.rules._rule import BASE

PCSF = [sys.executable, "-m", "pcsf_lark"]
MESSY = BASE.replace("HIGH", "high").replace("replica's", "replica\u2019s")
SAFE = MESSY.replace("high", "HIGH")


def pcsf(*arguments, stdin=b"", cwd=None, **environment):
    env = {**os.environ, "COLUMNS": "100", **environment}
    done = forks.run(map(str, arguments), input=stdin, cwd=cwd, env=env, timeout=120)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.pcsf").write_text(BASE)
    (tmp_path / "messy.pcsf").write_text(MESSY)
    return tmp_path


def test_fix_mends_in_place_and_tells_what_is_left(folder):
    code, out, err = pcsf("check", "--fix", "--format", "concise", ".", cwd=folder)
    assert code == 1
    assert [line.split(" ")[1] for line in out.splitlines() if "C" in line.split(" ")[1]] == ["C1"]
    assert err == "mended 1 finding in 1 file\n"
    assert (folder / "messy.pcsf").read_text() == SAFE
    assert (folder / "good.pcsf").read_text() == BASE
    code, _, err = pcsf("check", "--fix", "--unsafe-fixes", ".", cwd=folder)
    assert (code, err) == (0, "mended 1 finding in 1 file\n")
    assert (folder / "messy.pcsf").read_text() == BASE
    assert pcsf("check", "--fix", "--unsafe-fixes", ".", cwd=folder)[2] == ""
    assert sorted(path.name for path in folder.iterdir()) == ["good.pcsf", "messy.pcsf"]


def test_diff_writes_nothing(folder):
    code, out, err = pcsf("check", "--diff", "messy.pcsf", "good.pcsf", cwd=folder)
    assert code == 1
    assert err == "would mend 1 finding in 1 file\n"
    assert (folder / "messy.pcsf").read_text() == MESSY
    assert (
        "\n-INCOMPLETE_TASK | measure replica lag | high\n+INCOMPLETE_TASK | measure replica lag | HIGH\n"
        in out
    )
    shutil.copy(folder / "messy.pcsf", folder / "patched.pcsf")
    _, out, _ = pcsf("check", "--diff", "--unsafe-fixes", "patched.pcsf", cwd=folder)
    subprocess.run(
        ["patch", "-p0"], input=out.encode(), cwd=folder, check=True, capture_output=True
    )
    assert (folder / "patched.pcsf").read_text() == BASE
    assert pcsf("check", "--diff", "good.pcsf", cwd=folder) == (0, "", "")


def test_diff_of_bytes_that_are_no_text(folder):
    (folder / "x.pcsf").write_bytes(BASE.replace("HIGH", "high").encode() + b"\r\n\xff")
    code, out, _ = pcsf("check", "--diff", "--unsafe-fixes", "x.pcsf", cwd=folder)
    assert code == 1
    assert "+INCOMPLETE_TASK" in out


def test_standard_input_is_mended_to_standard_output():
    code, out, err = pcsf("check", "--fix", "-", stdin=MESSY)
    assert (code, out) == (1, SAFE)
    assert "C1 illegal-byte" in err
    code, out, err = pcsf("check", "--fix", "--unsafe-fixes", "-", stdin=MESSY)
    assert (code, out) == (0, BASE)
    assert pcsf("check", "--fix", "-", stdin=BASE)[:2] == (0, BASE)


def test_standard_input_beside_files(folder):
    _, out, _ = pcsf("check", "--fix", "messy.pcsf", "-", stdin=BASE, cwd=folder)
    assert out == BASE
    assert (folder / "messy.pcsf").read_text() == SAFE


def test_restamp(folder):
    path = folder / "stale.pcsf"
    path.write_text(BASE)
    assert pcsf("stamp", path)[0] in (0, 2)
    from pcsf_lark import integrity

    at = BASE.index("\n\nL1") + 1
    stamped = integrity.insert(BASE.encode(), at).replace(b"four hours", b"five hours")
    path.write_bytes(stamped)
    assert pcsf("check", "--fix", "--unsafe-fixes", path)[0] == 1
    assert path.read_bytes() == stamped
    assert pcsf("check", "--fix", "--restamp", path)[0] == 0
    assert pcsf("check", path)[0] == 0


def many(folder, count=120):
    texts = [BASE, MESSY, BASE.replace("STYLE", "TONE"), BASE.replace("CHOICE", "DECISION")]
    for number in range(count):
        path = folder / f"many/{number % 7}/{number:03}.pcsf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[number % len(texts)])


@pytest.mark.parametrize("output", ["human", "jsonl", "sarif", "agent"])
def test_processes_change_nothing(folder, output):
    many(folder)
    one = pcsf("check", "--format", output, "many", "nothing", cwd=folder)
    assert one[0] == 2
    for jobs in ("2", "0"):
        assert pcsf("check", "-j", jobs, "--format", output, "many", "nothing", cwd=folder) == one


def test_processes_mend_alike(folder):
    many(folder)
    code, out, err = pcsf("check", "--fix", "--jobs", "2", "--format", "jsonl", "many", cwd=folder)
    assert code == 1
    assert err == "mended 30 findings in 30 files\n"
    assert [json.loads(line)["path"] for line in out.splitlines()] == sorted(
        str(path.relative_to(folder)) for path in (folder / "many").rglob("*.pcsf")
    )


def on_terminal(*arguments, cwd):
    """What a person sees: stdout and stderr on one pseudo-terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PCSF, *arguments], cwd=cwd, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL
    )
    os.close(theirs)
    seen = b""
    while True:
        ready, _, _ = select.select([ours], [], [], 60)
        try:
            chunk = os.read(ours, 65536) if ready else b""
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        seen += chunk
    process.wait(60)
    os.close(ours)
    return process.returncode, seen.decode()


def test_a_summary_on_a_terminal(folder):
    code, seen = on_terminal("check", ".", cwd=folder)
    assert code == 1
    assert "2 files checked: 1 conformant, 1 not; 2 findings" in seen
    assert "1 can be mended with --fix, 1 with --fix --unsafe-fixes" in seen


HOOKS = Path(__file__).parent.parent / ".pre-commit-hooks.yaml"


def test_hooks_name_what_there_is():
    text = HOOKS.read_text()
    assert "id: pcsf-check" in text
    assert "id: pcsf-fmt" in text
    assert text.count("\\.pcsf$") == 2


@pytest.fixture
def repository(tmp_path):
    """A repository that uses both hooks, run with the package under test, not an installed one."""
    hooks = HOOKS.read_text().replace("language: python", "language: system")
    hooks = hooks.replace("entry: pcsf", f"entry: {' '.join(PCSF)}")
    indented = "".join(f"  {line}" for line in hooks.splitlines(keepends=True))
    config = "repos:\n- repo: local\n  hooks:\n" + indented
    (tmp_path / ".pre-commit-config.yaml").write_text(config)
    (tmp_path / "good.pcsf").write_text(BASE)
    (tmp_path / "notes.txt").write_text("no capsule")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def hook(repository, name):
    environment = {**os.environ, "PRE_COMMIT_HOME": str(repository / ".git/pre-commit")}
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", name, "--all-files"],
        cwd=repository, env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout


def test_hooks_in_a_repository(repository):
    assert hook(repository, "pcsf-check")[0] == 0
    assert hook(repository, "pcsf-fmt")[0] == 0
    (repository / "bad.pcsf").write_text(BASE.replace("HIGH", "URGENT"))
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    code, out = hook(repository, "pcsf-check")
    assert code == 1
    assert "C7 malformed-entry" in out
    (repository / "bad.pcsf").write_text(BASE[:-1])
    code, out = hook(repository, "pcsf-fmt")
    assert code == 1
    assert "files were modified by this hook" in out
    assert (repository / "bad.pcsf").read_text() == BASE
    assert hook(repository, "pcsf-fmt")[0] == 0
