"""`python -m pcsf_lark` is `pcsf`, and what lies about in a folder is not taken for a part of it."""

import functools
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from pcsf_lark import resources
from pcsf_lark.rules._rule import BASE

SCRIPT = Path(sysconfig.get_path("scripts")) / "pcsf"
MODULE = [sys.executable, "-m", "pcsf_lark"]
#: Names of what is imported on the way; a file of that name must not be.
NAMES = (
    "pcsf_lark", "lark", "attrs", "attr", "json", "typer", "gc", "signal", "types", "enum",
    "pathlib", "difflib", "re", "cso", "kernel", "regex", "inspect", "typing", "ast", "click",
    "shellingham", "rich", "sqlite3", "tomllib", "hashlib", "secrets",
)  # fmt: skip

needs_script = pytest.mark.skipif(not SCRIPT.exists(), reason="pcsf is not installed as a script")


def run(*command, cwd, **environment):
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def capsules(folder):
    (folder / "good.pcsf").write_text(BASE)
    (folder / "bad.pcsf").write_text(BASE.replace("HIGH", "URGENT"))


@pytest.fixture
def folder(tmp_path):
    capsules(tmp_path)
    return tmp_path


@needs_script
@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--help"],
        ["-h"],
        ["--version"],
        ["check", "--help"],
        ["cso", "--help"],
        ["relay", "push", "--help"],
        ["check", "good.pcsf"],
        ["check", "bad.pcsf"],
        ["check", "gone.pcsf"],
        ["check", "--nothing"],
        ["check", "--format", "nothing"],
        ["chekc"],
        ["cso", "nothing"],
        ["explain", "C7"],
        ["explain"],
        ["show", "good.pcsf"],
        ["--show-completion", "zsh"],
        ["--show-completion", "tcsh"],
        ["ast", "bad.pcsf"],
    ],
    ids=" ".join,
)
def test_both_say_the_same(folder, words):
    asked = run(*MODULE, *words, cwd=folder)
    assert asked == run(SCRIPT, *words, cwd=folder)
    assert "__main__" not in asked[1] + asked[2]
    assert "python" not in asked[1].partition("\n")[0]


@needs_script
def test_both_complete_the_same(folder):
    asks = {"_PCSF_COMPLETE": "complete_bash", "_PCSF_WORDS": "che"}
    asked = run(*MODULE, cwd=folder, **asks)
    assert asked == run(SCRIPT, cwd=folder, **asks)
    assert "value\tcheck\t" in asked[1]


def hostile(folder):
    for name in NAMES:
        (folder / f"{name}.py").write_text(f"raise SystemExit('{name} was hijacked')\n")


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """What a call comes to where nothing lies about; asked once each."""
    folder = tmp_path_factory.mktemp("sound")
    capsules(folder)
    return functools.cache(lambda *words: run(*MODULE, *words, cwd=folder))


CALLS = (["check", "good.pcsf"], ["check", "bad.pcsf"], ["--help"], ["explain", "C7"], ["show", "good.pcsf"],
         ["ast", "good.pcsf"], ["check", "--jobs", "2", "."], ["--show-completion", "bash"])  # fmt: skip


@needs_script
@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_the_script_takes_nothing_from_the_folder(folder, words, sound):
    hostile(folder)
    assert run(SCRIPT, *words, cwd=folder) == sound(*words)


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
@pytest.mark.parametrize("safe", ["-P", "PYTHONSAFEPATH"])
def test_the_module_takes_nothing_where_python_is_told_not_to(folder, words, safe, sound):
    command, environment = list(MODULE), {}
    if safe == "-P":
        command.insert(1, "-P")
    else:
        environment[safe] = "1"
    place = {"PYTHONPATH": str(Path(resources.__file__).parents[1])}
    assert sound(*words)[0] in (0, 1)
    hostile(folder)
    assert run(*command, *words, cwd=folder, **environment, **place) == sound(*words)


@pytest.mark.parametrize(
    "name", ["a b", "it's", "dollar$HOME", "ünï", "new\nline", "-dash", "a:b", "per%cent", "[x]"]
)
def test_folders_of_any_name(tmp_path, name):
    here = tmp_path / name
    here.mkdir()
    (here / "good.pcsf").write_text(BASE)
    code, out, err = run(*MODULE, "check", cwd=here)
    assert (code, err) == (0, "")
    assert "good.pcsf: conformant" in out


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be removed there")
def test_a_folder_that_is_gone(tmp_path):
    here = tmp_path / "gone"
    here.mkdir()
    good = tmp_path / "good.pcsf"
    good.write_text(BASE)
    code = (
        "import os, sys; os.chdir(sys.argv[1]); os.rmdir(sys.argv[1]);"
        "os.execv(sys.executable, [sys.executable, '-m', 'pcsf_lark', 'check', sys.argv[2]])"
    )
    done = run(sys.executable, "-c", code, here, good, cwd=tmp_path)
    assert (done[0], done[2]) == (0, "")


def test_from_an_archive(tmp_path):
    """As zipapp and shiv ship a program: the packages lie in a zip file."""
    root = Path(resources.__file__).parents[1]
    archive = tmp_path / "pcsf.pyz"
    with zipfile.ZipFile(archive, "w") as packed:
        for package in ("pcsf_lark", "cso", "kernel"):
            for path in (root / package).rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    packed.write(path, path.relative_to(root))
        packed.writestr("__main__.py", "from pcsf_lark.__main__ import main\nmain()\n")
    (tmp_path / "good.pcsf").write_text(BASE)
    (tmp_path / "bad.pcsf").write_text(BASE.replace("HIGH", "URGENT"))
    # Isolated: neither the checkout nor the folder is on the path; what it needs is.
    command = [sys.executable, "-P", archive]
    code, out, err = run(*command, "check", "good.pcsf", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert "good.pcsf: conformant" in out
    code, out, err = run(*command, "check", "bad.pcsf", cwd=tmp_path)
    assert (code, err) == (1, "")
    assert "C7" in out
    code, out, _ = run(*command, "--help", cwd=tmp_path)
    assert code == 0
    assert out.startswith("Usage: pcsf ")
    code, out, _ = run(*command, "--show-completion", "fish", cwd=tmp_path)
    assert code == 0
    assert "complete -c pcsf" in out


def test_a_checkout_needs_no_installation(tmp_path):
    """From its own folder, by `-m` alone."""
    root = Path(resources.__file__).parents[1]
    copied = tmp_path / "checkout"
    for package in ("pcsf_lark", "cso", "kernel"):
        shutil.copytree(
            root / package, copied / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    code, out, err = run(*MODULE, "check", "-", cwd=copied)
    assert code in (0, 1), err
    code, out, err = run(
        sys.executable, "-c", "import pcsf_lark; print(pcsf_lark.__file__)", cwd=copied
    )
    assert out.startswith(str(copied))
