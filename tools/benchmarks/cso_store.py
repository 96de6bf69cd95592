"""The store under kills and cuts; tests run it in small, `tools/bench cso` in full.

Kills: a child appends without end and says after each append that it landed; it
is killed at a random moment. Whatever was said to have landed must be there. Cuts:
a copy of what the kill left, database and journal, is cut at random bytes; it
must be told as damaged, or hold everything all the same.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from cso import (
    ChainStatus,
    CognitiveStateObject,
    Fact,
    GoalState,
    StoreDamagedError,
    relay,
    verify_chain,
    verify_events,
)
from cso.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = b"a key of thirty-two bytes, or more"
SESSION = "crp_sess_store"

# A store is begun anew after so many kills, so that checking it stays cheap.
_PER_STORE = 20


def genesis() -> CognitiveStateObject:
    """Begin a chain with a few facts."""
    facts = [
        Fact(
            fact_id=f"f{i}",
            statement="What was found out stands here. " * 12,
            provenance="USER",
            confidence=1.0,
            window_origin=1,
        )
        for i in range(10)
    ]
    goal = GoalState(mode="AGENTIC", objective="survive")
    draft = CognitiveStateObject(
        cso_id="c", window_number=0, goal_state=goal, established_facts=facts
    )
    return relay(None, draft, KEY, SESSION).cso


def follow(store: Store, prior: CognitiveStateObject, mark: str) -> CognitiveStateObject:
    """Relay once and store it; raise `ConflictError` if another was first."""
    done = relay(prior, evolve(prior, ext={"bench": mark}), KEY, SESSION)
    store.append(SESSION, done.cso, events=done.events, key=KEY)
    return done.cso


def _append_forever(target: str, said: int) -> None:
    with Store(target) as store:
        head = store.head(SESSION)
        while head is not None:
            head = follow(store, head, "x")
            os.write(said, b".")


def _killed(target: str, chance: random.Random) -> int:
    """Run a child on the store and kill it; give how many appends it said had landed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            _append_forever(target, write)
        finally:
            os._exit(1)
    os.close(write)
    # Wait for the first append, so that the kill falls into a write and not into the start.
    landed = len(os.read(read, 1))
    time.sleep(chance.uniform(0, 0.02))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(read, 4096):
        landed += len(more)
    os.close(read)
    return landed


def whole(target: str, least: int) -> int:
    """Check a store that must hold `least` objects; give how many it holds."""
    with Store(target) as store:
        chain = store.chain(SESSION)
        trail = store.events(SESSION)
        damage = store.check()
    if damage or len(chain) < least or len(trail) != len(chain) - 1:
        raise AssertionError(f"{len(chain)} objects of {least}, {len(trail)} events, {damage}")
    if verify_chain(chain, KEY, SESSION).status not in (ChainStatus.VALID, ChainStatus.UNVERIFIED):
        raise AssertionError("the chain is broken")
    if trail and verify_events(trail, KEY).status is not ChainStatus.VALID:
        raise AssertionError("the trail is broken")
    return len(chain)


def kills(count: int, fresh: Callable[[int], str], seed: int = 0) -> Counter[str]:
    """Kill `count` children; raise if anything that landed is lost."""
    chance = random.Random(seed)  # noqa: S311 - when to kill is no secret
    outcome: Counter[str] = Counter()
    target, held = "", 0
    for number in range(count):
        if number % _PER_STORE == 0:
            target = fresh(number // _PER_STORE)
            with Store(target) as store:
                store.append(SESSION, genesis())
            held = 1
        landed = _killed(target, chance)
        journal = Path(f"{target}-journal")
        outcome["journals left"] += "://" not in target and journal.exists()
        before, held = held, whole(target, held + landed)
        outcome["kills"] += 1
        outcome["landed"] += landed
        outcome["landed unsaid"] += held - before - landed
    return outcome


def cuts(count: int, folder: Path, seed: int = 0) -> Counter[str]:
    """Cut copies of killed stores at random bytes; raise if a loss is not told."""
    chance = random.Random(seed)  # noqa: S311 - when to kill is no secret
    outcome: Counter[str] = Counter()
    target, held = folder / "cut.db", 0
    for number in range(count):
        if number % _PER_STORE == 0:
            for path in folder.iterdir():
                path.unlink()
            with Store(target) as store:
                store.append(SESSION, genesis())
            held = 1
        held += _killed(str(target), chance)
        for _ in range(4):
            outcome[_cut(target, folder / "copy.db", held, chance)] += 1
        held = whole(str(target), held)
    return outcome


def _cut(target: Path, copy: Path, held: int, chance: random.Random) -> str:
    """Copy a store with its journal, cut one or both, and say what opening it gave."""
    pairs = []
    for suffix in ("", "-journal"):
        source, to = Path(f"{target}{suffix}"), Path(f"{copy}{suffix}")
        to.unlink(missing_ok=True)
        if source.exists():
            shutil.copyfile(source, to)
            pairs.append(to)
    hot = len(pairs) > 1
    chosen = [path for path in pairs if chance.random() < 0.6] or [chance.choice(pairs)]
    for path in chosen:
        os.truncate(path, chance.randint(0, path.stat().st_size))
    kind = "with a journal" if hot else "without a journal"
    try:
        whole(str(copy), held)
    except StoreDamagedError:
        return f"{kind}: told"
    return f"{kind}: whole"
