"""What a command imports: only what it runs, and other commands nothing of it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CAPSULE = next((ROOT / "tests/corpus/valid/realistic").glob("*.pcsf"))
CODE = """
import sys
from pcsf_lark.faces.cli import app
try:
    app(sys.argv[1:], prog_name="pcsf")
except SystemExit:
    pass
sys.stderr.write("\\n" + " ".join(sys.modules))
"""
GATE = "kernel.projection.quality.gate"
COORDINATOR = "kernel.projection.recovery.coordinator"
SURFACES = "kernel.projection.surfaces"
INDEX = "kernel.projection.index"
NOT_NEEDED = {
    "view": (GATE, COORDINATOR, SURFACES, INDEX, "kernel.projection.provider.suffix"),
    "context": (GATE, COORDINATOR, SURFACES, INDEX),
    "manual": (GATE, COORDINATOR, SURFACES, INDEX),
    "prompt": (COORDINATOR, INDEX),
    "rescue": (INDEX,),
}


def modules(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, "-c", CODE, *map(str, arguments)],
        cwd=cwd, capture_output=True, check=True, env={"PYTHONPATH": str(ROOT), "HOME": str(cwd)},
    )  # fmt: skip
    return set(done.stderr.split(b"\n")[-1].decode().split())


def test_a_check_imports_nothing_of_the_kernel(tmp_path):
    loaded = modules("check", CAPSULE, cwd=tmp_path)
    assert "pcsf_lark.faces.cli.check_command" in loaded
    assert not [name for name in loaded if name.split(".")[0] == "kernel" or "aili" in name]


@pytest.mark.parametrize("words", [("aili", "--help"), ("aili",), ("aili", "nothing")])
def test_the_page_of_help_imports_no_verb(tmp_path, words):
    loaded = modules(*words, cwd=tmp_path)
    assert "pcsf_lark.faces.cli.aili_command" in loaded
    assert not [name for name in loaded if name.split(".")[0] == "kernel"]


@pytest.mark.parametrize("verb", NOT_NEEDED)
def test_a_verb_imports_what_it_runs(aili, verb):
    loaded = modules("aili", verb, aili.path("folded"), cwd=aili.folder)
    assert "kernel.projection.snapshot" in loaded
    assert not loaded & set(NOT_NEEDED[verb])
    verbs = [name for name in loaded if name.startswith("pcsf_lark.faces.cli.aili.")]
    assert len(verbs) == 1, verbs
