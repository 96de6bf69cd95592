"""Codex rollouts: the response items of the log, as Responses input.

Written from descriptions of the format and untried on real logs; a diagnostic says so.
Event messages repeat what items say and are left out; a compaction replaces what came
before it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kernel.sessions.lines import Diagnostic, read_lines
from kernel.sessions.log import Log
from kernel.sessions.times import last_of
from kernel.wire import responses as wire

__all__ = ["read"]

FORMAT = "codex"


def read(raw: Iterable[bytes], leaf: str | None = None) -> Log:
    """Read a rollout line by line; it has no branches, so no leaf can be named."""
    if leaf is not None:
        raise ValueError("a codex rollout has no branches: leave the leaf out")
    notes = [
        Diagnostic(
            "UNTRIED_FORMAT", 0, "this reader was written from descriptions; check what it shows"
        )
    ]
    items: list[Any] = []
    ids: list[str] = []
    times: list[Any] = []
    session = None
    for line in read_lines(raw, notes):
        value = line.value if isinstance(line.value, Mapping) else {}
        payload = value.get("payload")
        payload = payload if isinstance(payload, Mapping) else {}
        kind = value.get("type")
        if kind == "session_meta":
            session = payload.get("id", session)
        elif kind == "response_item":
            items.append(payload)
            times.append(value.get("timestamp"))
            ids.append(f"line{line.number}.{line.place}" if line.place else f"line{line.number}")
        elif kind == "compacted":
            replacement = payload.get("replacement_history")
            if isinstance(replacement, list):
                items = [item for item in replacement if isinstance(item, Mapping)]
                ids = [f"line{line.number}.{n}" for n in range(len(items))]
            elif payload.get("message"):
                items = [{"type": "message", "role": "user", "content": str(payload["message"])}]
                ids = [f"line{line.number}"]
    history = wire.decode({"input": items}, ids.__getitem__)
    return Log(FORMAT, history, notes, session, last_time=last_of(times))
