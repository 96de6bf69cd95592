"""Fair timing in one process: every contestant in every round, medians and ratios."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Rounds a contestant is timed in, and how long one round of one contestant lasts.
ROUNDS = 9
SECONDS = 0.03


def medians(contestants: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds a call, the median over interleaved rounds, for each contestant."""
    counts = {name: _calls(call) for name, call in contestants.items()}
    found: dict[str, list[float]] = {name: [] for name in contestants}
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for name, call in contestants.items():
                found[name].append(_time(call, counts[name]) / counts[name])
    finally:
        gc.enable()
    return {name: statistics.median(times) for name, times in found.items()}


def _calls(call: Callable[[], object]) -> int:
    count = 1
    while (took := _time(call, count)) < SECONDS:
        count = max(count * 2, int(count * SECONDS / max(took, 1e-9)) + 1)
    return count


def _time(call: Callable[[], object], count: int) -> float:
    repeat = range(count)
    start = time.perf_counter()
    for _ in repeat:
        call()
    return time.perf_counter() - start


def table(title: str, times: Mapping[str, float], yardstick: str) -> str:
    """A line a contestant: microseconds, and how many times the yardstick's."""
    base = times[yardstick]
    rows = [title, f"{'':34}{'median us':>12}{'x ' + yardstick:>16}"]
    rows += [f"{name:34}{took * 1e6:12,.1f}{took / base:16.2f}" for name, took in times.items()]
    return "\n".join(rows)
