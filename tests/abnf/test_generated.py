"""What tools/generate writes is what stands in the repository."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = "python tools/generate"


def _generate(*arguments):
    command = [sys.executable, str(ROOT / "tools" / "generate"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_generated_files_are_up_to_date():
    done = _generate("--check")
    assert done.returncode == 0, f"mend with `{COMMAND}`:\n{done.stdout}{done.stderr}"


def test_generated_files_name_their_sources_and_the_command():
    names = ("grammar/pcsf.normal.abnf", "grammar/pcsf.lark", "grammar/pcsf.repaired.lark")
    for name in (*names, "pcsf_lark/syntax/_generated.py"):
        head = (ROOT / name).read_text("utf-8")[:1000]
        assert "enerated by tools/generate, do not edit" in head
        assert "grammar/pcsf.abnf" in head
        assert "grammar/errata.toml" in head


def test_a_difference_is_shown_with_the_command_that_mends_it(tmp_path):
    for name in ("grammar", "pcsf_lark", "cso", "kernel", "tools"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    spoiled = tmp_path / "grammar" / "pcsf.lark"
    fresh = spoiled.read_text("utf-8")
    spoiled.write_text(fresh.replace("_SEED: ", "_SOWN: "), "utf-8")
    generate = [sys.executable, str(tmp_path / "tools" / "generate")]
    # The second can be made only once the first is right.
    command = [*generate, "grammar/pcsf.lark", "pcsf_lark/rules/README.md"]
    done = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "-_SOWN: /SEED: /\n+_SEED: /SEED: /\n" in done.stdout
    assert COMMAND in done.stdout
    subprocess.run(command, check=True)
    assert spoiled.read_text("utf-8") == fresh


def test_a_name_that_is_not_generated_is_told():
    done = _generate("--check", "grammar/pcsf.abnf")
    assert done.returncode == 2
    assert "not generated: grammar/pcsf.abnf" in done.stderr
