"""What a TAB costs: the whole process that a shell starts for an answer, medians of rounds.

On a busy machine the time it takes is that of the others, too; the processor's is its own,
and what is promised is held against it. Arguments: how many rounds (default 9).
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from pcsf_lark.rules._rule import BASE

__all__ = ["main"]

_PCSF = (sys.executable, "-P", "-m", "pcsf_lark")
#: What stands before the cursor.
_LINES = (
    [""], ["che"], ["check", "--"], ["check", "--select", ""], ["explain", ""], ["cso", ""],
    ["cso", "sign", "--"], ["relay", "push", "--branch", ""], ["session", "view", "--format", ""],
    ["aili", ""], ["conformance", "list", "--run", "valid/"], ["grammar", "export", "--to", ""],
    ["mcp", "--"], ["draft", "--"],
)  # fmt: skip
_PROMISED = 0.25


def main() -> int:
    """Print the median of each; exit 1 where one is over what is promised."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    took: dict[str, list[tuple[float, float]]] = {
        " ".join(["pcsf", *words]): [] for words in _LINES
    }
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PCSF_RELAY_KEY": "5b" * 32}
        for words, given in ((["relay", "init"], ""), (["relay", "push", "-"], BASE)):
            subprocess.run(
                [*_PCSF, *words], cwd=folder, env=environment, input=given, text=True,
                capture_output=True, check=True,
            )  # fmt: skip
        for _ in range(rounds):
            for line, words in zip(took, _LINES, strict=True):
                asks = {"_PCSF_COMPLETE": "complete_bash", "_PCSF_WORDS": "\x1f".join(words)}
                begun, spent = time.perf_counter(), _spent()
                done = subprocess.run(
                    _PCSF, cwd=folder, env={**environment, **asks}, capture_output=True, check=True
                )
                took[line].append((time.perf_counter() - begun, _spent() - spent))
                if done.stdout.count(b"\n") < 2:
                    raise SystemExit(f"{line}: nothing came")
    print(f"{'':40}{'took':>10}{'processor':>12}")
    worst = 0.0
    for line, times in took.items():
        lasted, spent = (statistics.median(column) for column in zip(*times, strict=True))
        worst = max(worst, spent)
        print(f"{line:40}{lasted * 1e3:7.0f} ms{spent * 1e3:9.0f} ms")
    print(f"slowest: {worst * 1e3:.0f} ms of the processor (promised: {_PROMISED * 1e3:.0f})")
    return int(worst > _PROMISED)


def _spent() -> float:
    """Seconds of the processor that ended processes took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
