"""How long each command takes to show its help, as a process of its own.

The best of a few runs of each, with warm bytecode. On a busy machine the time that passes
is that of the others, too; the processor's is its own, and is held against the bound.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import typer

from pcsf_lark.faces.cli import app
from pcsf_lark.faces.cli.lazy import Group

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["main"]

_BOUND = 250.0
_RUNS = 3
_SHOWN = 10


def _paths(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command behind `pcsf`."""
    yield path
    if isinstance(command, Group):
        for name in command.list_commands():
            yield from _paths(command.load(name), (*path, name))


def _took(path: tuple[str, ...]) -> tuple[float, float]:
    """Milliseconds of a whole process, the best of the runs: passed, and worked."""
    call = [sys.executable, "-m", "pcsf_lark", *path, "--help"]
    subprocess.run(call, stdout=subprocess.DEVNULL, check=True)  # warms
    times = []
    for _ in range(_RUNS):
        start, worked = time.perf_counter(), _worked()
        subprocess.run(call, stdout=subprocess.DEVNULL, check=True)
        times.append((1000 * (time.perf_counter() - start), 1000 * (_worked() - worked)))
    return min(times)


def _worked() -> float:
    """Seconds of the processor that ended children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Measure every page and print the slowest; exit 1 where one is over the bound."""
    found = {path: _took(path) for path in _paths(typer.main.get_command(app))}
    slowest = sorted(found.items(), key=lambda row: row[1], reverse=True)
    for path, (passed, worked) in slowest[:_SHOWN]:
        name = " ".join(("pcsf", *path, "--help"))
        print(f"{passed:6.0f} ms, {worked:4.0f} ms of the processor  {name}")
    worst = max(worked for _, worked in found.values())
    print(
        f"{len(found)} pages; the worst {slowest[0][1][0]:.0f} ms, {worst:.0f} ms of the processor"
    )
    print(f"at most {_BOUND:.0f} of the processor wanted")
    return int(worst > _BOUND)
