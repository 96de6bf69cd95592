"""The language server in Emacs, without a screen.

Skipped where there is no Emacs with eglot: `apt-get install emacs-nox elpa-eglot` brings both.
"""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import pcsf_lark
from pcsf_lark.rules._rule import BASE

ROOT = Path(__file__).parents[2]
COMPACT = BASE[: BASE.index("L1:")] + BASE[BASE.index("L1:") :].replace("\n\n", "\n")
BAD = COMPACT.replace("HIGH", "high")
GRAMMAR = "; 😀 é: what it means\nname = Other / <OTHER> ; 😀 other\nother = 2DIGIT missing\n"


@cache
def _has_eglot():
    if shutil.which("emacs") is None:
        return False
    tried = subprocess.run(
        ["emacs", "-q", "--batch", "--eval", "(require 'eglot)"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    return tried.returncode == 0


def test_a_capsule_is_mended_and_a_rule_renamed(tmp_path):
    if not _has_eglot():
        pytest.skip("needs Emacs with eglot: apt-get install emacs-nox elpa-eglot")
    (tmp_path / "bad.pcsf").write_text(BAD, "utf-8")
    (tmp_path / "names.abnf").write_text(GRAMMAR, "utf-8")
    done = subprocess.run(
        ["emacs", "-q", "--batch", "-l", Path(__file__).parent / "emacs.el"],
        cwd=tmp_path,
        env={
            **os.environ,
            "HOME": str(tmp_path),
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "PCSF_PYTHON": sys.executable,
            "PCSF_LISP": str(ROOT / "tools/editors/emacs/pcsf.el"),
            "PCSF_CAPSULE": str(tmp_path / "bad.pcsf"),
            "PCSF_GRAMMAR": str(tmp_path / "names.abnf"),
            "PCSF_OUTCOME": str(tmp_path / "outcome.json"),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert (tmp_path / "outcome.json").exists(), done.stdout + done.stderr
    outcome = json.loads((tmp_path / "outcome.json").read_text("utf-8"))
    assert set(outcome["findings"]) == {one.code for one in pcsf_lark.check(BAD).findings}
    assert outcome["fixed"].encode() == pcsf_lark.fix(BAD)
    assert outcome["formatted"] == BASE
    assert "G101" in outcome["grammar"]
    assert outcome["renamed"] == GRAMMAR.replace("Other", "thing").replace(
        "OTHER", "thing"
    ).replace("\nother", "\nthing")
