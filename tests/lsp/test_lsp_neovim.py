"""The language server in a real editor: Debian's neovim, without a screen.

Skipped where there is no `nvim` (0.7 or newer): `apt-get install neovim` brings it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pcsf_lark
from pcsf_lark.rules._rule import BASE

pytestmark = pytest.mark.skipif(
    shutil.which("nvim") is None, reason="needs Neovim: apt-get install neovim"
)

ROOT = Path(__file__).parents[2]
COMPACT = BASE[: BASE.index("L1:")] + BASE[BASE.index("L1:") :].replace("\n\n", "\n")
BAD = COMPACT.replace("HIGH", "high").replace("online once", "“online” 😀 once")
GRAMMAR = "; 😀 é: what it means\nname = Other / <OTHER> ; 😀 other\nother = 2DIGIT missing\n"


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """What the script made of it; see neovim.lua for what it does."""
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "bad.pcsf").write_text(BAD, "utf-8")
    (folder / "names.abnf").write_text(GRAMMAR, "utf-8")
    lua = folder / "runtime" / "lua"
    lua.mkdir(parents=True)
    shutil.copy(ROOT / "tools/editors/neovim/pcsf.lua", lua)
    script = Path(__file__).parent / "neovim.lua"
    done = subprocess.run(
        [
            *("nvim", "--clean", "--headless", "-n", "-i", "NONE"),
            *("--cmd", f"set runtimepath^={folder / 'runtime'}", "-c", f"luafile {script}"),
        ],
        cwd=folder,
        env={
            **os.environ,
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder),
            "XDG_CACHE_HOME": str(folder),
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "PCSF_PYTHON": sys.executable,
            "PCSF_CAPSULE": str(folder / "bad.pcsf"),
            "PCSF_GRAMMAR": str(folder / "names.abnf"),
            "PCSF_OUTCOME": str(folder / "outcome.json"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    told = done.stdout + done.stderr
    assert (folder / "outcome.json").exists(), told
    found = json.loads((folder / "outcome.json").read_text("utf-8"))
    assert "error" not in found, f"{found['error']}\n{told}"
    return {**found, "written": (folder / "bad.pcsf").read_bytes()}


def test_findings_stand_at_their_bytes(outcome):
    report = pcsf_lark.check(BAD)
    wanted = {
        (f.code, f.span.line - 1, f.span.column - 1, f.span.end_column - 1) for f in report.findings
    }
    found = {(o["code"], o["line"], o["column"], o["upto"]) for o in outcome["findings"]}
    assert found == wanted
    assert outcome["filetype"] == "pcsf"


def test_what_is_asked_is_answered(outcome):
    assert "L1 type" in outcome["hover"] or "L1" in outcome["hover"]
    assert outcome["symbols"] >= 8
    assert outcome["lenses"].startswith(f"{len(BAD.encode())} of 1,200 bytes")


def test_fix_all_mends_what_is_safe_to_mend(outcome):
    fixed = "\n".join(outcome["fixed"]) + "\n"
    assert fixed.encode() == pcsf_lark.fix(BAD)
    left = pcsf_lark.check(fixed).findings
    assert {one["code"] for one in outcome["left"]} == {one.code for one in left}


def test_the_buffer_is_formatted_and_mended_when_it_is_written(outcome):
    wanted = BASE.replace("online once", '"online" once')
    assert "\n".join(outcome["formatted"]) + "\n" == wanted
    assert outcome["written"] == wanted.encode()
    assert pcsf_lark.conformant(outcome["written"])


def test_a_rule_is_found_and_renamed_in_all_its_spellings(outcome):
    assert "G101" in {one["code"] for one in outcome["grammar_findings"]}
    (missing,) = [one for one in outcome["grammar_findings"] if one["code"] == "G101"]
    assert (missing["line"], missing["column"]) == (2, GRAMMAR.split("\n")[2].index("missing"))
    assert outcome["definition"] == 2
    assert outcome["renamed"] == [
        "; 😀 é: what it means",
        "name = thing / <thing> ; 😀 other",
        "thing = 2DIGIT missing",
    ]
