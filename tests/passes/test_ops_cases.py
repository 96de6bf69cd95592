"""The cases of tests/ops: an operation on given bytes gives these bytes and this log.

A case is a folder: inputs, `out.pcsf` and `log.json` where it succeeds, and
`case.toml` with its arguments, exit code, warnings, the bytes an unfittable
capsule needs, or the codes for which an input is refused.
"""

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pcsf_lark
from pcsf_lark.faces.cli import app

OPS = Path(__file__).parent.parent / "ops"
CASES = sorted(path.parent for path in OPS.glob("*/*/case.toml"))
INPUTS = {"stitch": ["old.pcsf", "new.pcsf", "more-1.pcsf", "more-2.pcsf"]}


STITCHED = [folder for folder in CASES if folder.parent.name == "stitch"]


def load(folder):
    case = tomllib.loads((folder / "case.toml").read_text("utf-8"))
    names = INPUTS.get(folder.parent.name, ["in.pcsf"])
    return case, [folder / name for name in names if (folder / name).exists()]


def ids(folder):
    return f"{folder.parent.name}/{folder.name}"


def test_there_are_cases_of_every_kind():
    kinds = [folder.parent.name for folder in CASES]
    assert {kind: kinds.count(kind) >= 15 for kind in ("fit", "stitch", "stamp")} == {
        "fit": True,
        "stitch": True,
        "stamp": True,
    }


@pytest.mark.parametrize("folder", CASES, ids=ids)
def test_the_command_gives_the_bytes_and_the_log(folder):
    case, inputs = load(folder)
    kind = folder.parent.name
    log = ["--log", "json"] if kind != "stamp" else []
    done = CliRunner().invoke(app, [kind, *map(str, inputs), *case["arguments"], *log])
    assert done.exit_code == case["exit"], done.stderr
    if done.exit_code:
        assert done.stdout_bytes == b""
        if "needed" in case and log:
            assert json.loads(done.stderr)["needed"] == case["needed"]
        elif "needed" in case:
            assert f"needs {case['needed']:,} bytes" in done.stderr
        for code in case.get("codes", []):
            assert f" {code} " in done.stderr
        return
    assert done.stdout_bytes == (folder / "out.pcsf").read_bytes()
    if log:
        assert json.loads(done.stderr) == json.loads((folder / "log.json").read_text("utf-8"))
    assert pcsf_lark.conformant(done.stdout_bytes)


@pytest.mark.parametrize("folder", [f for f in STITCHED if load(f)[0]["exit"] == 0], ids=ids)
def test_the_verb_warns(folder):
    case, inputs = load(folder)
    arguments = {"keep_skeleton": "--keep-skeleton" in case["arguments"]}
    old, *later = [path.read_bytes() for path in inputs]
    warnings = []
    for new in later:
        stamp = "--stamp" in case["arguments"] and new is later[-1]
        result = pcsf_lark.stitch(old, new, stamp=stamp, **arguments)
        warnings += result.warnings
        old = result.text
    assert warnings == case.get("warnings", [])
    assert old == (folder / "out.pcsf").read_bytes()
