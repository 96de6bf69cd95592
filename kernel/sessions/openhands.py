"""OpenHands events: actions and observations, paired by cause.

Actions of one model response are one assistant message with all its calls; their
observations follow together. Events that are neither a message nor a call are left out.
Evaluation output holds one run a line, older runs without ids are paired by order.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kernel.model import evolve
from kernel.sessions.lines import Diagnostic
from kernel.sessions.log import Entry, Log
from kernel.sessions.times import last_of
from kernel.wire import openai as wire
from kernel.wire.source import compact

__all__ = ["read", "read_runs"]

FORMAT = "openhands"
_SILENT = frozenset({"system", "change_agent_state", "recall", "null", "condensation"})


def read_runs(runs: Sequence[Mapping[str, Any]], run: int = 0) -> Log:
    """Read one run of evaluation output."""
    notes: list[Diagnostic] = []
    if len(runs) > 1:
        notes.append(
            Diagnostic("MORE_RUNS", 0, f"{len(runs)} runs in the file, this is number {run}")
        )
    chosen = runs[run]
    events = chosen.get("history")
    flat = _flattened(events if isinstance(events, list) else [])
    log = read(flat)
    notes.extend(log.diagnostics)
    return evolve(log, diagnostics=notes, session_id=str(chosen.get("instance_id")), leaf=None)


def _flattened(events: Sequence[Any]) -> list[Any]:
    """Return events, pairs of action and observation spread out."""
    out: list[Any] = []
    for event in events:
        out.extend(event if isinstance(event, list) else [event])
    return out


class _Turns:
    """The chat messages the events make."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.names: dict[str, str] = {}
        self.response: Any = None
        self.last_call: str | None = None

    def say(self, role: str, text: str, name: str) -> None:
        """Add a text."""
        self.response = None
        self.messages.append({"role": role, "content": text})
        self.ids.append(name)

    def call(self, event: Mapping[str, Any], name: str) -> None:
        """Add a call, to the reply it belongs to."""
        meta = event.get("tool_call_metadata")
        meta = meta if isinstance(meta, Mapping) else {}
        reply = meta.get("model_response")
        response = reply.get("id") if isinstance(reply, Mapping) else None
        call_id = str(meta.get("tool_call_id") or f"event_{name}")
        args = event.get("args")
        args = dict(args) if isinstance(args, Mapping) else {}
        thought = args.pop("thought", None)
        function = {
            "name": str(meta.get("function_name") or event.get("action")),
            "arguments": compact(args),
        }
        entry = {"id": call_id, "type": "function", "function": function}
        if response is not None and response == self.response:
            owner = next(m for m in reversed(self.messages) if m["role"] == "assistant")
            owner["tool_calls"].append(entry)
        else:
            text = thought if isinstance(thought, str) and thought else None
            self.messages.append({"role": "assistant", "content": text, "tool_calls": [entry]})
            self.ids.append(name)
        self.response = response
        self.names[str(event.get("id"))] = call_id
        self.last_call = call_id

    def answer(self, event: Mapping[str, Any], name: str) -> None:
        """Add an observation."""
        meta = event.get("tool_call_metadata")
        named = meta.get("tool_call_id") if isinstance(meta, Mapping) else None
        call_id = str(named) if named else None
        if call_id is None:
            cause = event.get("cause")
            call_id = self.names.get(str(cause)) if cause is not None else self.last_call
        content = event.get("content")
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        if call_id is None:
            self.say("user", text, name)
            return
        self.messages.append({"role": "tool", "tool_call_id": call_id, "content": text})
        self.ids.append(name)
        self.last_call = None


def read(events: Sequence[Any]) -> Log:
    """Read a list of events."""
    notes: list[Diagnostic] = []
    turns = _Turns()
    entries: list[Entry] = []
    for index, event in enumerate(events):
        if not isinstance(event, Mapping):
            notes.append(Diagnostic("BAD_EVENT", index + 1, "no object; skipped"))
            continue
        name = str(event.get("id", f"e{index}"))
        kind = str(event.get("action") or event.get("observation"))
        entries.append(Entry(name, kind))
        if kind in _SILENT:
            continue
        if "observation" in event:
            turns.answer(event, name)
        elif kind == "message":
            role = "user" if event.get("source") == "user" else "assistant"
            args = event.get("args")
            content = args.get("content") if isinstance(args, Mapping) else event.get("message")
            turns.say(role, str(content or ""), name)
        elif event.get("source") == "user":
            turns.say("user", str(event.get("message") or kind), name)
        elif kind == "finish":
            turns.say("assistant", str(event.get("message") or "Finished."), name)
        else:
            turns.call(event, name)
    ordered, ids = _together(turns)
    return Log(
        FORMAT,
        wire.decode({"messages": ordered}, ids.__getitem__),
        notes,
        entries=entries,
        last_time=last_of(e.get("timestamp") for e in events if isinstance(e, Mapping)),
    )


def _together(turns: _Turns) -> tuple[list[dict[str, Any]], list[str]]:
    """Move each observation up behind the reply whose call it answers."""
    answers: dict[str, list[int]] = {}
    for index, message in enumerate(turns.messages):
        if message["role"] == "tool":
            answers.setdefault(message["tool_call_id"], []).append(index)
    order: list[int] = []
    placed: set[int] = set()
    for index, message in enumerate(turns.messages):
        if index in placed:
            continue
        order.append(index)
        for call in message.get("tool_calls") or ():
            later = [i for i in answers.get(call["id"], ()) if i > index and i not in placed][:1]
            order.extend(later)
            placed.update(later)
    return [turns.messages[i] for i in order], [turns.ids[i] for i in order]
