"""What the projection of a long Pi log costs: built cold, grown by an entry, asked for refs.

A synthetic session (user, call, result, reply; 20 to 60 words each). Times are milliseconds
of the processor, so that other work on the machine counts less, the best of the repeats;
of appends the median. What the tests hold the code to is the work, which is counted here
as well: entries touched, scans. The log's lines are parsed before, and the garbage
collector rests.
"""

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from attrs import evolve

from kernel.projection.index import BranchIndex, Indexes
from kernel.projection.log.branch import SessionTree, read_tree
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import take

BUILD, STEP, LOOKUPS = 400, 1, 150
#: Entries that are appended one by one.
GROWTH = 1000
_WORDS = ("alpha", "parser", "token", "branch", "src/app.py", "fails", "summary", "never", "42")


def entries(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the entries of the synthetic session."""
    rng = random.Random(seed)  # noqa: S311 - a benchmark, not a secret
    parent = None
    for number in range(count):
        kind, turn = number % 4, number // 4
        said = {"type": "text", "text": " ".join(rng.choices(_WORDS, k=rng.randint(20, 60)))}
        call = {"type": "toolCall", "id": f"c{turn}", "name": "read", "arguments": {"n": turn}}
        shapes: dict[int, dict[str, Any]] = {
            0: {"role": "user", "content": [said]},
            1: {"role": "assistant", "content": [said, call], "stopReason": "toolUse"},
            2: {"role": "toolResult", "toolCallId": f"c{turn}", "toolName": "read"}
            | {"content": [said], "isError": False},
            3: {"role": "assistant", "content": [said], "stopReason": "stop"},
        }
        head = {"type": "message", "id": f"{number:08x}", "parentId": parent}
        yield head | {"timestamp": "2026-01-01T00:00:00.000Z", "message": shapes[kind]}
        parent = head["id"]


def tree_of(count: int) -> SessionTree:
    """Return the session, read from its lines."""
    header = {"type": "session", "version": 3, "id": "bench", "cwd": "/"}
    lines = [json.dumps(value).encode() + b"\n" for value in (header, *entries(count))]
    return read_tree(lines)


def best(action: Callable[[], Any], repeats: int) -> float:
    """Return the fewest milliseconds an action took."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def row(name: str, value: float, target: float | None = None, unit: str = "ms") -> None:
    """Print one figure beside its target."""
    goal = f"{target:>10,.0f}" if target is not None else " " * 10
    verdict = "" if target is None else "ok" if value <= target else "OVER"
    print(f"{name:<54}{value:>10,.2f} {unit:<4}{goal} {verdict}".rstrip())


def building(tree: SessionTree, repeats: int) -> None:
    """Time a cold index, and a cold snapshot with its catalog and view."""
    count = len(tree.entries)
    # A copy has found no digest yet.
    row(f"cold build, {count:,} messages", best(lambda: BranchIndex(evolve(tree)), repeats), BUILD)
    index = BranchIndex(evolve(tree))
    row("entries touched by it", index.counters.visited, count, "")
    config = Config(context_window=200_000)
    row(f"cold snapshot, {count:,}", best(lambda: take(evolve(tree), None, config), repeats))


def growing(tree: SessionTree, whole: SessionTree) -> None:
    """Time the next entries of a branch, one by one, and the snapshot behind some of them."""
    size = len(tree.entries)
    index = BranchIndex(evolve(tree))
    before = index.counters.visited
    times = [best(partial(index.append, item), 1) for item in whole.entries[size:]]
    row(f"append, {size:,} messages", statistics.median(times), STEP)
    row("entries touched by each", (index.counters.visited - before) / len(times), 1, "")
    row("scans of what was there", index.counters.scans, 0, "")
    indexes, config = Indexes(), Config(context_window=200_000)
    indexes.snapshot(tree, None, config, path="bench")
    again = []
    for end in range(size + 1, size + 10):
        seen = evolve(whole, entries=whole.entries[:end])
        seen.digests.update(tree.digests)
        snapshot = partial(indexes.snapshot, seen, None, config, path="bench")
        again.append(best(snapshot, 1))
    row("snapshot behind an append", statistics.median(again))


def asking(tree: SessionTree, count: int) -> None:
    """Time look-ups of refs in their scope."""
    index = BranchIndex(evolve(tree))
    rng = random.Random(2)  # noqa: S311 - likewise
    refs = [f"m{rng.randrange(len(tree.entries)) + 1:06d}" for _ in range(count)]
    scope, source = index.scope, index.source
    found = best(lambda: [source(scope, ref) for ref in refs], 3)
    row(f"{count:,} look-ups of refs", found, LOOKUPS)
    row("scans among them", index.counters.scans, 0, "")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=10_000, help="how long the log is")
    parser.add_argument("--repeats", type=int, default=5, help="cold builds")
    given = parser.parse_args()
    print(f"{'':<54}{'measured':>10}     {'at most':>10}")
    whole = tree_of(given.messages + GROWTH)
    tree = evolve(whole, entries=whole.entries[: given.messages])
    gc.collect()
    gc.disable()
    building(tree, given.repeats)
    growing(tree, whole)
    asking(tree, 100_000)
