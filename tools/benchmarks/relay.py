"""The relay: a push by size of head, and pushes of many processes at once.

`tools/bench relay` prints it all; `tools/bench relay quick` with a tenth of the
pushes. Every push of the many must have landed or have been told, each landed one
must be in the chain once, and the chain VALID.
"""

from __future__ import annotations

import contextlib
import cProfile
import gc
import multiprocessing
import pstats
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from cso import ConflictError, Fact
from cso.altered import altered
from cso.store import Store
from pcsf_lark.relay import Repository, of_capsule, of_object

if TYPE_CHECKING:
    from pcsf_lark.relay.incoming import Incoming

SESSION = "bench"
NOW = "2026-05-04T09:30Z"
KEY = {"PCSF_RELAY_KEY": "5b" * 32}
FORK = multiprocessing.get_context("fork")

_TEXT = """\
===PCSF:v1.2===
META: Search index | software | WORKING | 2026-05-04T09:30Z

L1:SKELETON
CONSTRAINT | no writes may stop | the shop is open all night
CHOICE | build the index online | {fact}

L2:NEGATIVE
dump and reload | four hours of downtime | size the window first

L3:INTERNAL
DIRECTION: I was going to measure the lag first.

L4:RELATION
STYLE: short answers, numbers first

L5:LOOPS
INCOMPLETE_TASK | {loop} | HIGH

SEED: The index is built online once replica lag is known.
===END===
"""


def capsule(number: int, who: int = 0) -> Incoming:
    """A capsule that adds one decision and one loop to what others like it say."""
    fact = f"run {who}.{number} took less than the window"
    return of_capsule(_TEXT.format(fact=fact, loop=f"measure replica lag, part {number % 4}"))


def begun(folder: Path, facts: int, store: str | None = None) -> Repository:
    """A repository whose head has so many facts."""
    relay, _ = Repository.init(folder, store=store, session=SESSION, environ=KEY)
    first = capsule(0).cso
    made = [
        Fact(
            fact_id=f"f{n}",
            statement=f"Statement number {n} of the state that is pushed to here.",
            provenance="TOOL",
            provenance_ref=f"entry_{n}",
            confidence=0.9,
            window_origin=1,
        )
        for n in range(max(facts - len(first.established_facts), 0))
    ]
    whole = altered(first, established_facts=(*first.established_facts, *made))
    relay.push(evolve(of_object(whole), capsule=capsule(0).capsule), now=NOW)
    return relay


def push_times(facts: int, pushes: int) -> dict[str, list[float]]:
    """Milliseconds of pushes onto a head of so many facts: the head in hand, and read anew."""
    found: dict[str, list[float]] = {"head in hand": [], "head read": [], "opened anew": []}
    with tempfile.TemporaryDirectory(prefix="pcsf-bench") as name:
        folder = Path(name)
        with begun(folder, facts) as relay:
            for number in range(1, pushes + 1):
                for title, times in found.items():
                    incoming = capsule(number, list(found).index(title))
                    gc.collect()
                    if title == "opened anew":
                        start = time.perf_counter()
                        with Repository.open(folder, environ=KEY) as again:
                            again.push(incoming, now=NOW)
                    else:
                        if title == "head read":
                            relay.forget()
                        else:
                            relay.head()
                        start = time.perf_counter()
                        relay.push(incoming, now=NOW)
                    times.append((time.perf_counter() - start) * 1e3)
    return found


def growth(pushes: int) -> None:
    """Print the times of a push by size of head."""
    print("push on SQLite, in process, milliseconds: median (fastest)   <= 60 at 1,000 facts")
    print(f"{'facts':>8}{'head in hand':>22}{'head read':>22}{'opened anew':>22}")
    for facts in (10, 100, 1_000, 3_000):
        found = push_times(facts, pushes)
        cells = [f"{statistics.median(t):.1f} ({min(t):.1f})" for t in found.values()]
        print(f"{facts:8,}" + "".join(f"{cell:>22}" for cell in cells))
    print()


def slow() -> None:
    """Print what a push spends its time on."""
    with (
        tempfile.TemporaryDirectory(prefix="pcsf-bench") as name,
        begun(Path(name), 1_000) as relay,
    ):
        profile = cProfile.Profile()
        for number in range(1, 11):
            relay.forget()
            incoming = capsule(number)
            profile.enable()
            relay.push(incoming, now=NOW)
            profile.disable()
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


def crowd(
    folder: Path, store: str | None, pushes: int, writers: int = 8, *, turns: bool = True
) -> Counter[str]:
    """Let writers push at once; raise if a push is neither in the chain nor told.

    Without ``turns`` nothing but the compare-and-set keeps them apart.
    """
    begun(folder, 0, store).close()
    results: Any = FORK.SimpleQueue()
    running = [
        FORK.Process(target=_writer, args=(folder, n, range(n, pushes, writers), turns, results))
        for n in range(writers)
    ]
    for process in running:
        process.start()
    landed: list[str] = []
    outcome: Counter[str] = Counter()
    for _ in running:
        tags, counts = results.get()
        landed += tags
        outcome.update(counts)
    for process in running:
        process.join()
    if outcome["landed"] + outcome["told"] != pushes:
        raise AssertionError(f"pushes unaccounted for: {outcome}")
    with Repository.open(folder, store=store, environ=KEY) as relay:
        chain = [row.tag for row in relay.log()]
        if len(chain) != len(set(chain)) or set(chain[:-1]) != set(landed):
            raise AssertionError(f"{len(chain)} windows for {len(landed)} landed pushes")
        found = relay.verify()
        if not found.valid or found.branches[0].capsules != len(chain):
            raise AssertionError(f"not whole: {found}")
        head = relay.head()
    said = {one.rationale for one in head.decisions} if head is not None else set[str]()
    outcome["decisions"] = sum(text.startswith("run ") for text in said) - 1
    if outcome["decisions"] != outcome["landed"]:
        raise AssertionError(f"a landed push is not in the head: {outcome}")
    return outcome


def _writer(folder: Path, who: int, numbers: range, turns: bool, results: Any) -> None:  # noqa: FBT001 - a process's arguments
    if not turns:
        Store.turn = lambda *_: contextlib.nullcontext()  # type: ignore[method-assign]
    tags: list[str] = []
    counts: Counter[str] = Counter()
    with Repository.open(folder, environ=KEY) as relay:
        for number in numbers:
            try:
                window = relay.push(capsule(number, who + 1), now=NOW)
            except ConflictError:
                counts["told"] += 1
                continue
            tags.append(window.cso.cso_hmac)
            counts["landed"] += 1
            counts["attempts"] += window.attempts
            counts["most attempts"] = max(counts["most attempts"], window.attempts)
    most = counts.pop("most attempts", 0)
    results.put((tags, counts + Counter({f"most attempts of writer {who}": most})))


def report(pushes: int) -> None:
    """Print what became of pushes of eight processes, on each backend."""
    for turns in (True, False):
        with tempfile.TemporaryDirectory(prefix="pcsf-bench") as name:
            _crowded("SQLite", Path(name), None, pushes, turns=turns)
    # The server is a helper of the tests.
    sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "tests"))
    import cso_postgres  # type: ignore[import-not-found] # noqa: PLC0415

    if cso_postgres.binaries() is None:
        print("PostgreSQL is not installed; on Debian: apt-get install postgresql")
        return
    with cso_postgres.server() as url:
        for turns in (True, False):
            base = cso_postgres.fresh_database(url, f"crowd{int(turns)}")
            with tempfile.TemporaryDirectory(prefix="pcsf-bench") as name:
                _crowded("PostgreSQL", Path(name), base, pushes, turns=turns)


def _crowded(title: str, folder: Path, store: str | None, pushes: int, *, turns: bool) -> None:
    start = time.perf_counter()
    found = crowd(folder, store, pushes, turns=turns)
    spent = time.perf_counter() - start
    most = max(count for name, count in found.items() if name.startswith("most"))
    print(
        f"{title}, {'in turns' if turns else 'without turns'}: {pushes:,} pushes of 8 "
        f"processes, {spent:.0f} s with verifying: landed {found['landed']:,}, told "
        f"{found['told']:,}; attempts {found['attempts']:,}, at most {most}; chain VALID, "
        "head capsules alike"
    )


def main() -> None:
    """Print everything; `profile` prints where a push spends its time."""
    if "profile" in sys.argv[1:]:
        slow()
        return
    quick = "quick" in sys.argv[1:]
    growth(5 if quick else 20)
    report(100 if quick else 1_000)
