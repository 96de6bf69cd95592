"""From a view back to host messages: grouping, tags, call names, closing open calls.

Laws: what was not changed goes back as its slice; a tag is written only into user and
assistant text and into tool-result text; parts of one host message stay one message, a
message with open calls is joined by what follows of its turn; a call still open at the
end is closed with a result that says so.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from attrs import field, frozen

from kernel.model import CoreMessage
from kernel.pairs import pair
from kernel.text import repair
from kernel.wire.history import History, Origin
from kernel.wire.names import Names, called, nameless
from kernel.wire.source import Slice

__all__ = [
    "BLANK",
    "OPEN_RESULT",
    "Group",
    "Member",
    "grouped",
    "members_of",
    "split_tag",
    "untouched",
]

OPEN_RESULT: Final = "[No result yet: the call is still running.]"
BLANK: Final = "(empty)"
TAG = re.compile(r'<acp tokens="[0-9.]+K?" type="[^"\n]*">m[0-9]{5,}</acp>\n')


@frozen
class Member:
    """A message of the view: its text without tag, its tag, its origin, its call name."""

    message: CoreMessage
    origin: Origin | None
    text: str
    tag: str
    changed: bool
    call_id: str | None
    renamed: bool
    silent: bool = False

    @property
    def kind(self) -> str:
        """Return the content type."""
        return self.message.content_type

    @property
    def shown(self) -> str:
        """Return the text with its tag."""
        return self.tag + self.text

    @property
    def intact(self) -> bool:
        """Tell whether the slice can go back as it is."""
        return not (self.changed or self.tag or self.renamed) and self.origin is not None


@frozen
class Group:
    """Messages that become one host message; `item` is the source item they all stem from."""

    role: str
    item: int | None
    members: list[Member] = field(factory=list)

    def has_open_calls(self) -> bool:
        """Tell whether results must follow."""
        return any(member.kind == "tool-call" and member.call_id for member in self.members)


def split_tag(text: str) -> tuple[str, str]:
    """Return the leading tag of a rendered text and the rest."""
    found = TAG.match(text) if text.startswith("<acp ") else None
    return (found[0], text[found.end() :]) if found else ("", text)


def members_of(
    view: Sequence[CoreMessage], history: History | None, names: Names, *, same: bool
) -> list[Member]:
    """Read a view against its history, giving each call the name the wire accepts."""
    if same:
        # The provider itself made these ids; only a repeat can be wrong with them.
        names = Names(unique=names.unique)
    partner = pair(view)
    partner.update(nameless(view))
    if not same:
        view = called(view, partner)
    given: dict[int, str] = {}
    used: set[str] = set()
    answered = False
    out = []
    for index, message in enumerate(view):
        origin = history.origins.get(message.id) if history is not None else None
        text, tag = _parted(message, origin)
        if answered and message.content_type != "tool-result" and not names.unique:
            used.clear()
        answered = message.content_type == "tool-result"
        call_id = message.tool_call_id
        if message.content_type == "tool-call" and (call_id or index in partner):
            call_id = names.given(call_id or f"call_{index}", used)
            given[index] = call_id
            used.add(call_id)
        elif message.content_type == "tool-result":
            call_id = given.get(partner.get(index, -1), call_id)
        renamed = call_id != message.tool_call_id
        out.append(
            Member(
                message,
                origin if same else None,
                text,
                tag,
                origin is None or text != origin.text,
                call_id,
                renamed,
            )
        )
    return out


def _parted(message: CoreMessage, origin: Origin | None) -> tuple[str, str]:
    text = repair(message.text or "")
    tag = ""
    if origin is None or text != origin.text:
        tag, rest = split_tag(text)
        if tag and (origin is None or rest != text):
            text = rest
    if message.content_type in ("tool-call", "reasoning"):
        tag = ""
    return text, tag


def grouped(members: Sequence[Member], history: History | None, *, same: bool) -> list[Group]:
    """Gather members into host messages, in order."""
    groups: list[Group] = []
    for member in members:
        message = member.message
        role = "tool" if member.kind == "tool-result" else message.role
        origin = history.origins.get(message.id) if history is not None else None
        item = origin.item if origin is not None else None
        last = groups[-1] if groups else None
        if last is not None and _joins(last, role, item, same=same):
            if last.item != item:
                groups[-1] = last = Group(last.role, None, last.members)
            last.members.append(member)
        else:
            groups.append(Group(role, item, [member]))
    return groups


def _joins(last: Group, role: str, item: int | None, *, same: bool) -> bool:
    if item is not None and item == last.item and role == last.role:
        return True
    if role != "assistant" or last.role != "assistant":
        return False
    # A thought leads to what follows it, in whichever message that came.
    return not same or last.has_open_calls() or last.members[-1].kind == "reasoning"


def untouched(group: Group, history: History | None, counts: dict[int, int]) -> Slice | None:
    """Return the source item of a group that holds all of it, unchanged."""
    if history is None or group.item is None:
        return None
    if len(group.members) != counts.get(group.item) or not all(m.intact for m in group.members):
        return None
    return history.source.items[group.item]


def part_counts(history: History | None) -> dict[int, int]:
    """Return how many core messages each item gave."""
    counts: dict[int, int] = {}
    for origin in history.origins.values() if history is not None else ():
        counts[origin.item] = counts.get(origin.item, 0) + 1
    return counts


def last_open(groups: Sequence[Group]) -> list[Member]:
    """Return the calls of the last turn that no result answers."""
    open_calls: dict[str, Member] = {}
    for group in groups:
        if group.role in ("user", "system"):
            open_calls.clear()
        for member in group.members:
            if member.kind == "tool-call" and member.call_id:
                open_calls[member.call_id] = member
            elif member.kind == "tool-result" and member.call_id:
                open_calls.pop(member.call_id, None)
    return list(open_calls.values())


def as_object(text: str) -> Any:
    """Return call arguments as an object, whatever their text is."""
    import json  # noqa: PLC0415 - only foreign calls come here

    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {"input": text}
    return value if isinstance(value, dict) else {"input": value}
