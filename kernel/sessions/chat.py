"""Plain chat documents: any wire's body, a bare list of messages, tau-bench runs."""

from collections.abc import Mapping
from typing import Any

from kernel.sessions.lines import Diagnostic
from kernel.sessions.log import Log
from kernel.wire import decode, detect

__all__ = ["read", "runs_of"]

FORMAT = "chat"


def runs_of(document: Any) -> list[Any] | None:
    """Return the conversations of a list of runs, None where the document is one itself."""
    if (
        isinstance(document, list)
        and document
        and all(isinstance(run, Mapping) and isinstance(run.get("traj"), list) for run in document)
    ):
        return [run["traj"] for run in document]
    return None


def read(document: Any, run: int = 0, text: str | None = None) -> Log:
    """Read one conversation of a document; its text, where given, keeps its spelling."""
    notes: list[Diagnostic] = []
    runs = runs_of(document)
    body = document
    if runs is not None:
        body = runs[run]
        if len(runs) > 1:
            notes.append(
                Diagnostic("MORE_RUNS", 0, f"{len(runs)} runs in the file, this is number {run}")
            )
    wire = detect(body)
    if wire is None:
        if isinstance(body, Mapping) and isinstance(body.get("input"), str):
            wire = "responses"
        else:
            notes.append(Diagnostic("NO_MESSAGES", 0, "the document holds no messages"))
            body, wire = [], "openai"
    if isinstance(body, Mapping) and "messages" not in body and wire in ("openai", "anthropic"):
        body = {**body, "messages": []}
    return Log(FORMAT, decode(wire, body if body is not document or text is None else text), notes)
