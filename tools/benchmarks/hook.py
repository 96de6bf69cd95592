"""How long an agent waits for its hook: whole processes, as the agent starts them.

A project with a pushed state of a thousand facts; in each round, in turn: a start (the
head as context), a start for which the store is opened, since it changed, a start without
a relay, an end (a transcript drafted and pushed), and, as the yardstick, an interpreter
that does nothing. Wall time is what the agent waits; processor time is what is left of it
on a machine that does nothing else.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cso import CognitiveStateObject, Fact, GoalState, Mode, Provenance
from pcsf_lark.hooks.recall import NAME as KEPT
from pcsf_lark.relay import Repository, of_object

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 9
FACTS = 1_000
#: The most that a start may take, whole process, in milliseconds.
MOST = 600
_OPENED = "start, store opened"
_HOOK = ("-m", "pcsf_lark", "hook", "claude-code")


def main() -> int:
    """Print medians; exit code 1 where a start takes more processor time than it may."""
    with tempfile.TemporaryDirectory() as base:
        calls = _calls(Path(base))
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
        for _ in range(ROUNDS):
            for name, call in calls.items():
                found[name].append(_timed(**call))
    print(f"{'median of ' + str(ROUNDS):28}{'wall ms':>10}{'best ms':>10}{'processor ms':>14}")
    for name, times in found.items():
        walls, used = ([1e3 * one[at] for one in times] for at in (0, 1))
        print(
            f"{name:28}{statistics.median(walls):10,.0f}{min(walls):10,.0f}"
            f"{statistics.median(used):14,.0f}"
        )
    wall, spent = (1e3 * statistics.median(one[at] for one in found[_OPENED]) for at in (0, 1))
    for what, took in (("wall", wall), ("processor", spent)):
        told = "kept" if took <= MOST else "NOT kept"
        print(f"a start is to take at most {MOST} ms: {told} in {what} time ({took:,.0f} ms)")
    return int(spent > MOST)


def _calls(base: Path) -> dict[str, dict[str, Any]]:
    for name in ("project", "bare"):
        (base / name).mkdir()
    with Repository.init(base / "project", environ={})[0] as relay:
        relay.push(of_object(_state()), now="2026-05-04T09:30Z")
    source = ROOT / "tests" / "hooks" / "transcripts" / "claude-code.jsonl"
    log = base / "session.jsonl"
    log.write_bytes(source.read_bytes())
    event = {"session_id": "s", "transcript_path": str(log)}
    start = {**event, "hook_event_name": "SessionStart", "source": "startup"}
    end = {**event, "hook_event_name": "SessionEnd", "reason": "other"}
    project, bare = base / "project", base / "bare"
    begun = {"args": _HOOK, "given": {**start, "cwd": str(project)}, "cwd": project}
    return {
        "interpreter": {"args": ("-c", "pass"), "given": {}, "cwd": bare},
        _OPENED: {**begun, "gone": project / ".pcsf" / KEPT},
        "start": begun,
        "start without a relay": {"args": _HOOK, "given": {**start, "cwd": str(bare)}, "cwd": bare},
        "end (push, or again)": {
            "args": _HOOK,
            "given": {**end, "cwd": str(project)},
            "cwd": project,
        },
    }


def _state() -> CognitiveStateObject:
    facts = tuple(
        Fact(
            fact_id=f"f{n}",
            statement=f"station {n} is read",
            provenance=Provenance.TOOL,
            confidence=1,
            window_origin=1,
        )
        for n in range(FACTS)
    )
    goal = GoalState(mode=Mode.CONVERSATION, objective="The tide importer")
    return CognitiveStateObject(
        cso_id="x", window_number=1, goal_state=goal, established_facts=facts
    )


def _timed(
    args: tuple[str, ...], given: dict[str, Any], cwd: Path, gone: Path | None = None
) -> tuple[float, float]:
    if gone is not None:
        gone.unlink(missing_ok=True)
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("PCSF", "CLAUDE"))}
    environ["PYTHONPATH"] = str(ROOT)
    before, start = _busy(), time.perf_counter()
    subprocess.run(
        [sys.executable, *args],
        input=json.dumps(given).encode(),
        stdout=subprocess.DEVNULL,
        cwd=cwd,
        env=environ,
        check=True,
    )
    return time.perf_counter() - start, _busy() - before


def _busy() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
