"""Claude Code logs: one line a part, regrouped into Anthropic messages.

Lines of one reply share `message.id`; results of parallel calls hang on different lines,
so a result that answers a call on the path belongs to it wherever it hangs. Side chains
are left out. After a compaction the path starts at its boundary.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from kernel.model import CoreMessage
from kernel.sessions.lines import Diagnostic, read_lines
from kernel.sessions.log import Entry, Log
from kernel.sessions.times import last_of
from kernel.sessions.tree import Node, path_to, tree_notes
from kernel.wire import anthropic as wire
from kernel.wire.history import History

__all__ = ["read"]

FORMAT = "claude-code"


@frozen
class _Line:
    """A line of the tree."""

    id: str
    parent: str | None
    value: Mapping[str, Any]
    number: int

    @property
    def role(self) -> str | None:
        """Return the role of the message the line holds, if it holds one."""
        message = self.value.get("message")
        if self.value.get("type") not in ("user", "assistant") or not isinstance(message, Mapping):
            return None
        return str(message.get("role"))

    @property
    def reply(self) -> str | None:
        """Return the id that the lines of one reply share."""
        name = self.value["message"].get("id")
        return name if isinstance(name, str) and name else None

    @property
    def content(self) -> list[Any]:
        """Return the content as parts."""
        content = self.value["message"].get("content")
        if isinstance(content, str):
            return [{"type": "text", "text": content}]
        return list(content) if isinstance(content, list) else []


def read(raw: Iterable[bytes], leaf: str | None = None, *, earlier: bool = False) -> Log:
    """Read a log line by line; with `earlier`, also what its summaries stand for."""
    notes: list[Diagnostic] = []
    lines: list[_Line] = []
    session = None
    for line in read_lines(raw, notes):
        value = line.value
        if not isinstance(value, Mapping):
            notes.append(Diagnostic("BAD_LINE", line.number, "no object; skipped"))
            continue
        session = session or value.get("sessionId")
        if isinstance(value.get("uuid"), str) and not value.get("isSidechain"):
            parent = value.get("parentUuid")
            lines.append(
                _Line(
                    value["uuid"], parent if isinstance(parent, str) else None, value, line.number
                )
            )
    nodes = [
        Node(item.id, item.parent, item.number, str(item.value.get("timestamp", "")))
        for item in lines
    ]
    path_indices = path_to(nodes, leaf, notes)
    path = [lines[index] for index in path_indices]
    if leaf is None:
        # Results hang on their calls, so "newer" says nothing here; "longer" does.
        found: list[Diagnostic] = []
        tree_notes(nodes, path_indices, found)
        notes += [note for note in found if note.code == "LONGER_BRANCH"]
    chosen = _with_results([item for item in path if item.role is not None], lines)
    messages, ids = _regrouped(chosen)
    return Log(
        FORMAT,
        _told(wire.decode({"messages": messages}, ids.__getitem__), chosen),
        notes,
        session,
        path[-1].id if path else None,
        [Entry(item.id, str(item.value.get("type")), (str(item.role),)) for item in chosen],
        last_time=last_of(item.value.get("timestamp") for item in chosen),
        earlier=_earlier(path, lines, nodes) if earlier else (),
    )


def _earlier(
    path: Sequence[_Line], lines: Sequence[_Line], nodes: Sequence[Node]
) -> tuple[CoreMessage, ...]:
    """Return the messages before the boundaries that a path starts at, oldest first."""
    places = {item.id: at for at, item in enumerate(lines)}
    seen = {item.id for item in path}
    whole: list[_Line] = []
    root = path[0] if path else None
    while root is not None:
        name = root.value.get("logicalParentUuid")
        if root.parent is not None or name not in places or name in seen:
            break
        before = [lines[at] for at in path_to(nodes, name, [])]
        seen.update(item.id for item in before)
        whole = [*before, *whole]
        root = before[0]
    chosen = _with_results([item for item in whole if item.role is not None], lines)
    messages, ids = _regrouped([item for item in chosen if item not in path])
    return _told(wire.decode({"messages": messages}, ids.__getitem__), chosen).messages


def _told(history: History, lines: Iterable[_Line]) -> History:
    """Note in `extra["origin"]` what the log says no user wrote: notes and summaries."""
    origins = {
        item.id: "summary" if item.value.get("isCompactSummary") else "note"
        for item in lines
        if item.value.get("isMeta") or item.value.get("isCompactSummary")
    }
    if not origins:
        return history
    told = [
        evolve(message, extra={**message.extra, "origin": origins[message.id]})
        if message.role == "user" and message.id in origins
        else message
        for message in history.messages
    ]
    return evolve(history, messages=told)


def _calls(item: _Line) -> list[str]:
    return [
        str(p["id"])
        for p in item.content
        if isinstance(p, Mapping) and p.get("type") == "tool_use" and "id" in p
    ]


def _answers(item: _Line) -> list[str]:
    return [
        str(p.get("tool_use_id"))
        for p in item.content
        if isinstance(p, Mapping) and p.get("type") == "tool_result"
    ]


def _with_results(path: Sequence[_Line], lines: Sequence[_Line]) -> list[_Line]:
    """Add lines off the path that belong to it: sibling parts of a reply, and their results."""
    on_path = {item.id for item in path}
    replies = {item.reply for item in path if item.role == "assistant"} - {None}
    siblings = [
        item
        for item in lines
        if item.role == "assistant" and item.id not in on_path and item.reply in replies
    ]
    members = sorted([*path, *siblings], key=lambda item: item.number)
    calls = {call for item in members if item.role == "assistant" for call in _calls(item)}
    answered = {call for item in path if item.role == "user" for call in _answers(item)}
    for item in lines:
        if item.role != "user" or item.id in on_path:
            continue
        missing = [call for call in _answers(item) if call in calls and call not in answered]
        if missing:
            members.append(item)
            answered.update(missing)
    return sorted(members, key=lambda item: item.number)


class _Group:
    """A reply with the results of its calls, or a user's own message."""

    __slots__ = ("content", "id", "result_id", "results", "role")

    def __init__(self, role: str, name: str, content: list[Any]) -> None:
        self.role, self.id, self.content = role, name, content
        self.results: list[Any] = []
        self.result_id = ""


def _regrouped(lines: Sequence[_Line]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return one message a reply, its results in the message after it."""
    groups: list[_Group] = []
    replies: dict[str, _Group] = {}
    caller: dict[str, _Group] = {}
    for item in lines:
        if item.role == "assistant":
            reply = item.reply or item.id
            group = replies.get(reply)
            if group is None:
                group = replies[reply] = _Group("assistant", item.id, [])
                groups.append(group)
            group.content.extend(item.content)
            caller.update(dict.fromkeys(_calls(item), group))
            continue
        others = []
        for part in item.content:
            is_result = isinstance(part, Mapping) and part.get("type") == "tool_result"
            owner = caller.get(str(part.get("tool_use_id"))) if is_result else None
            if owner is None:
                others.append(part)
            else:
                owner.results.append(part)
                owner.result_id = owner.result_id or item.id
        if others:
            groups.append(_Group("user", item.id, others))
    return _flat(groups)


def _flat(groups: Sequence[_Group]) -> tuple[list[dict[str, Any]], list[str]]:
    messages: list[dict[str, Any]] = []
    ids: list[str] = []
    for group in groups:
        messages.append({"role": group.role, "content": group.content})
        ids.append(group.id)
        if group.results:
            messages.append({"role": "user", "content": group.results})
            ids.append(group.result_id)
    return messages, ids
