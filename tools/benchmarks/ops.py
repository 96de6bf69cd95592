"""Operations on capsules: a hop of a long chain in one process, and `pcsf stitch` as a command.

Prints the time of a hop in a chain of 200 stitches, through the public verb
(which judges both trees) and through the pass alone, beside one `parse` of the
same texts; then the whole process `pcsf stitch A B` beside `pcsf check A`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import reduce
from pathlib import Path

import pcsf_lark
from benchmarks import rounds
from benchmarks.parse import TYPICAL
from pcsf_lark.passes.stitch import stitch as stitch_pass

HOPS = 200
#: How many times each command is run, the two taking turns.
PROCESSES = 25


def session(number: int) -> str:
    """A session's capsule: some threads of its own, some that every session touches."""
    text = TYPICAL.decode().replace("2026-06-26T20:17Z", f"2026-07-{1 + number % 28:02}T10:00Z")
    text = text.replace("3 of 41 jobs", f"{number} of 41 jobs")
    text = text.replace("one big worker", f"worker layout {number % 9}")
    return text.replace("replay last month's jobs", f"replay the jobs of week {number % 30}")


def main() -> None:
    """Print the two tables."""
    texts = [session(number) for number in range(HOPS + 1)]
    trees = [pcsf_lark.parse(text) for text in texts]
    times = rounds.medians(
        {
            "parse (a capsule)": lambda: [pcsf_lark.parse(text) for text in texts],
            "stitch, the public verb (a hop)": lambda: reduce(
                lambda old, new: pcsf_lark.stitch(old, new).capsule, trees
            ),
            "stitch, the pass alone (a hop)": lambda: reduce(
                lambda old, new: stitch_pass(old, new).capsule, trees
            ),
        }
    )
    hops = {name: took / HOPS for name, took in times.items()}
    print(rounds.table(f"a chain of {HOPS} hops", hops, "parse (a capsule)"))
    print("\nwhole process, median of", PROCESSES)
    took = processes(texts[0], texts[1])
    for name, seconds in took.items():
        print(f"{name:34}{seconds * 1e3:9.1f} ms{seconds / took['pcsf check A']:9.2f}")


def processes(old: str, new: str) -> dict[str, float]:
    """Seconds of each command, start to end, as a user runs it."""
    with tempfile.TemporaryDirectory() as folder:
        a, b = Path(folder, "a.pcsf"), Path(folder, "b.pcsf")
        a.write_text(old)
        b.write_text(new)
        commands = {
            "pcsf check A": ["check", str(a)],
            "pcsf stitch A B": ["stitch", str(a), str(b)],
            "pcsf stitch A B -o OUT": ["stitch", str(a), str(b), "-o", str(Path(folder, "out"))],
        }
        found: dict[str, list[float]] = {name: [] for name in commands}
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        for _ in range(PROCESSES):
            for name, arguments in commands.items():
                start = time.perf_counter()
                subprocess.run(
                    [sys.executable, "-m", "pcsf_lark", *arguments],
                    check=True,
                    capture_output=True,
                    env=environment,
                )
                found[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in found.items()}
