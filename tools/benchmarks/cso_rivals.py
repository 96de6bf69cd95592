"""Writers on one branch: every relay lands or gets a conflict, and the chain stays whole."""

from __future__ import annotations

import multiprocessing
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import cso_store
from cso import ConflictError
from cso.store import Store

FORK = multiprocessing.get_context("fork")
SESSION = cso_store.SESSION


def rivals(target: str, relays: int, writers: int = 2) -> Counter[str]:
    """Let writers relay on one branch; raise if a relay neither landed nor conflicted."""
    with Store(target) as store:
        store.append(SESSION, cso_store.genesis())
    results: Any = FORK.SimpleQueue()
    running = [
        FORK.Process(target=_rival, args=(target, n, relays, results)) for n in range(writers)
    ]
    for process in running:
        process.start()
    outcome: Counter[str] = Counter()
    for _ in running:
        outcome.update(results.get())
    for process in running:
        process.join()
    if outcome["landed"] + outcome["conflicts"] != relays * writers:
        raise AssertionError(f"relays unaccounted for: {outcome}")
    if cso_store.whole(target, 1) != outcome["landed"] + 1:
        raise AssertionError("landed relays are missing")
    return outcome


def _rival(target: str, who: int, relays: int, results: Any) -> None:
    outcome: Counter[str] = Counter()
    with Store(target) as store:
        for number in range(relays):
            head = store.head(SESSION)
            if head is None:
                break
            try:
                cso_store.follow(store, head, f"{who}.{number}")
                outcome["landed"] += 1
            except ConflictError as error:
                outcome["conflicts"] += error.code == "conflict"
    results.put(outcome)


def report(*, kills: int, relays: int) -> None:
    """Print what became of the kills, the cuts and the rivals."""
    folder = Path(tempfile.mkdtemp(prefix="cso-bench"))
    try:
        start = time.perf_counter()
        found = cso_store.kills(kills, lambda n: str(folder / f"kill{n}.db"))
        print(f"SQLite, {time.perf_counter() - start:.0f} s: {_shown(found)}; lost 0")
        inner = folder / "cuts"
        inner.mkdir()
        found = cso_store.cuts(kills // 4, inner)
        print(f"SQLite, {found.total():,} copies cut: {_shown(found)}; silently short 0")
        _contend("SQLite", str(folder / "rivals.db"), relays)
    finally:
        shutil.rmtree(folder)
    _postgres(kills // 10, relays)


def _contend(name: str, target: str, relays: int) -> None:
    start = time.perf_counter()
    found = rivals(target, relays)
    spent = time.perf_counter() - start
    print(
        f"{name}, two writers, {relays:,} relays each, {spent:.0f} s: {_shown(found)}; chain VALID"
    )


def _postgres(count: int, relays: int) -> None:
    # The server is a helper of the tests.
    sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "tests"))
    import cso_postgres  # type: ignore[import-not-found] # noqa: PLC0415

    if cso_postgres.binaries() is None:
        print("PostgreSQL is not installed; on Debian: apt-get install postgresql")
        return
    with cso_postgres.server() as url:
        found = cso_store.kills(count, lambda n: cso_postgres.fresh_database(url, f"kill{n}"))
        print(f"PostgreSQL: {_shown(found)}; lost 0")
        _contend("PostgreSQL", cso_postgres.fresh_database(url, "rivals"), relays)


def _shown(found: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(found.items()))
