"""Cognitive State Objects: operations by size, against `crprotocol`, and the store.

`tools/bench cso` prints it all; `tools/bench cso quick` with a tenth of the kills
and relays. Times are medians, garbage collection on; targets stand beside them.
"""

from __future__ import annotations

import gc
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import cso_rivals
from cso import (
    CognitiveStateObject,
    Edge,
    Fact,
    GoalState,
    affected_by,
    dumps,
    invalidate,
    loads,
    preservation,
    sign,
    verify_chain,
)

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = b"a key of thirty-two bytes, or more"
SESSION = "crp_sess_bench"
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def tree(count: int) -> list[tuple[int, int]]:
    """Edges of a binary tree: each fact rests on the one at half its number."""
    return [(i, (i - 1) // 2) for i in range(1, count)]


def chain(count: int) -> list[tuple[int, int]]:
    """Edges of a line: each fact rests on the one before."""
    return [(i, i - 1) for i in range(1, count)]


def ours(count: int, edges: list[tuple[int, int]]) -> CognitiveStateObject:
    """Build a state of `count` facts."""
    return CognitiveStateObject(
        cso_id="cso_bench",
        window_number=1,
        goal_state=GoalState(mode="AGENTIC", objective="measure"),
        established_facts=[
            Fact(
                fact_id=f"f{i}",
                statement=f"Statement number {i} of the state that is measured here.",
                provenance="CONVERSATION",
                provenance_ref=f"turn_{i}",
                confidence=0.85,
                window_origin=1,
            )
            for i in range(count)
        ],
        dependency_graph=[Edge(f"f{a}", f"f{b}") for a, b in edges],
    )


def theirs(count: int, edges: list[tuple[int, int]]) -> Any:
    """Build the same state with `crprotocol`; None where it is not installed."""
    try:
        from crp.state import cso as peer  # type: ignore[import-untyped] # noqa: PLC0415 - optional
    except ImportError:
        return None
    state = peer.CognitiveStateObject()
    state.established_facts = [
        peer.EstablishedFact(
            fact_id=f"f{i}",
            statement=f"Statement number {i} of the state that is measured here.",
            provenance=peer.ProvenanceKind.CONVERSATION,
            provenance_ref=f"turn_{i}",
            confidence=0.85,
            window_origin=1,
        )
        for i in range(count)
    ]
    state.dependency_graph = [
        peer.DependencyEdge(dependent=f"f{a}", depends_on=f"f{b}") for a, b in edges
    ]
    return state


def took(call: Callable[[], object], runs: int = 7) -> float:
    """Milliseconds a call, the median of `runs`."""
    times = []
    for _ in range(runs):
        gc.collect()
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def operations(state: CognitiveStateObject) -> dict[str, Callable[[], object]]:
    """Name the operations that are measured on a state."""
    data = dumps(state)
    copy = loads(data)
    signed = sign(state, KEY, SESSION)
    return {
        "affected set": lambda: affected_by(state, "f0"),
        "invalidate": lambda: invalidate(state, "f0", "bench"),
        "preservation": lambda: preservation(state, copy),
        "sign": lambda: sign(state, KEY, SESSION),
        "verify": lambda: verify_chain([signed], KEY, SESSION),
        "dumps": lambda: dumps(state),
        "loads": lambda: loads(data),
    }


def growth() -> None:
    """Print milliseconds by size, root of a binary tree."""
    rows: dict[str, list[float]] = {}
    for count in SIZES:
        for name, call in operations(ours(count, tree(count))).items():
            rows.setdefault(name, []).append(took(call, 5))
    print("milliseconds by number of facts (binary tree, from the root)")
    print(f"{'':14}" + "".join(f"{count:>11,}" for count in SIZES) + "   x facts -> x time")
    for name, times in rows.items():
        ratio = f"{SIZES[-1] // SIZES[0]} -> {times[-1] / times[0]:.0f}"
        print(f"{name:14}" + "".join(f"{value:11.2f}" for value in times) + f"{ratio:>20}")
    print("targets at 100,000: affected set 200, invalidate 500, sign 700; at 10,000: sign and")
    print("verify 60\n")


def duel(count: int = 10_000) -> None:
    """Print the comparison with `crprotocol`, in this one run."""
    if theirs(1, []) is None:
        print("crprotocol is not installed: pip install crprotocol\n")
        return
    print(f"against crprotocol, {count:,} facts, milliseconds")
    print(f"{'':34}{'ours':>9}{'theirs':>11}{'ratio':>9}   target")
    for shape in (tree, chain):
        _invalidate(count, shape)
    _preserve(count)
    other = theirs(count, [])
    mine = ours(count, [])
    theirs_ms = took(lambda: other.compute_hmac(KEY))
    for name, call in operations(mine).items():
        if name in ("sign", "verify"):
            note = "   <= 60 ms; theirs signs ids only" if name == "sign" else "   <= 60 ms"
            shown = f"{theirs_ms:11.1f}" if name == "sign" else f"{'none':>11}"
            print(f"{name + ', whole object':34}{took(call):9.2f}{shown}{'':9}{note}")
    print()


def _invalidate(count: int, shape: Callable[[int], list[tuple[int, int]]]) -> None:
    """Compare invalidation from the root; theirs changes its object, ours makes one."""
    mine, other = ours(count, shape(count)), theirs(count, shape(count))
    slow = took(lambda: other.invalidate_fact("f0"), 3)
    for name, call, least in (
        ("affected set", affected_by, 300),
        ("with the new object", lambda state, root: invalidate(state, root, "bench"), 100),
    ):
        fast = took(lambda call=call: call(mine, "f0"), 15)  # type: ignore[misc]
        line = f"{name}, {shape.__name__}"
        print(f"{line:34}{fast:9.2f}{slow:11.1f}{slow / fast:8.0f}x   >= {least}x")


def _preserve(count: int) -> None:
    """Compare preservation by id and content with theirs by id, on separate copies."""
    mine, other = ours(count, []), theirs(count, [])
    copy, twin = loads(dumps(mine)), theirs(count, [])
    fast = took(lambda: preservation(mine, copy), 15)
    slow = took(lambda: twin.preservation_score(other), 15)
    line = "preservation, content (ids alone)"
    print(f"{line:34}{fast:9.2f}{slow:11.2f}{fast / slow:8.2f}x   <= 2x the time")


def memory() -> None:
    """Print, as JSON, the peak memory of a process that handles 100,000 facts."""
    state = ours(100_000, tree(100_000))
    invalidate(state, "f0", "bench")
    signed = sign(state, KEY, SESSION)
    verify_chain([signed], KEY, SESSION)
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def peak() -> None:
    """Print what `memory` finds in a process of its own."""
    root = Path(__file__).resolve().parent.parent
    code = (
        f"import sys; sys.path.insert(0, {str(root)!r}); from benchmarks import cso; cso.memory()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, cwd=root.parent
    )
    mebibytes = json.loads(done.stdout) / 1024
    print("100,000 facts built, invalidated, signed and verified in one process:")
    print(f"peak memory {mebibytes:.0f} MiB   <= 400 MiB\n")


def main() -> None:
    """Print everything."""
    quick = "quick" in sys.argv[1:]
    growth()
    duel()
    peak()
    cso_rivals.report(kills=200 if quick else 2_000, relays=100 if quick else 1_000)
