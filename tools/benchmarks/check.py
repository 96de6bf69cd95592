"""`pcsf check` as it is called: its start against a bare typer app, and what a file costs.

The extra `secrets` is left out by hand, so that the figure is that of a plain
install. Arguments: how many rounds (default 15).
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pcsf_lark import resources
from pcsf_lark.rules._rule import BASE

__all__ = ["main"]

_FILES = 1000
_BARE = """\
from pathlib import Path

import typer

app = typer.Typer()


@app.command()
def one(path: Path) -> None:
    print(path)


@app.command()
def two(path: Path) -> None:
    print(path)


app()
"""
_PCSF = """\
import sys
sys.modules["detect_secrets"] = None
from pcsf_lark.__main__ import main
main()
"""


def main() -> None:
    """Print the medians and the two figures that are promised."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one, many = _capsules(folder)
        (folder / "bare.py").write_text(_BARE, "utf-8")
        (folder / "pcsf.py").write_text(_PCSF, "utf-8")
        bare = [sys.executable, str(folder / "bare.py"), "one", str(one)]
        pcsf = [sys.executable, str(folder / "pcsf.py"), "check", "--format", "concise"]
        calls = {
            "a typer app of two commands": bare,
            "pcsf check, one file": [*pcsf, str(one)],
            f"pcsf check, {_FILES:,} files": [*pcsf, str(many)],
            f"pcsf check --jobs 2, {_FILES:,} files": [*pcsf, "--jobs", "2", str(many)],
        }
        took: dict[str, list[float]] = {call: [] for call in calls}
        for _ in range(rounds):
            for call, command in calls.items():
                took[call].append(_time(command))
    medians = [statistics.median(times) for times in took.values()]
    for call, median in zip(took, medians, strict=True):
        print(f"{call:34}{median * 1e3:10.1f} ms")
    print(f"start: {medians[1] / medians[0]:.2f} x the typer app (promised: 1.5)")
    each = (medians[2] - medians[1]) / (_FILES - 1)
    print(f"each further file: {each * 1e3:.3f} ms (promised: 0.25)")


def _capsules(folder: Path) -> tuple[Path, Path]:
    """A clean capsule, and a folder of a thousand: the realistic ones of the corpus in turn."""
    known = sorted((resources.corpus() / "valid/realistic").glob("*.pcsf"))
    many = folder / "many"
    many.mkdir()
    for number in range(_FILES):
        shutil.copy(known[number % len(known)], many / f"{number:04}.pcsf")
    one = folder / "one.pcsf"
    one.write_text(BASE, "utf-8")
    return one, many


def _time(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start
