"""Building host messages whose roles alternate and whose contents are lists of parts.

Laws: neighbours of one role become one message, except where the source itself had them
apart; a message that holds all of its source item, unchanged, is that item's slice; a
summary is user text and joins the user text beside it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import field, frozen

from kernel.wire.assemble import Member
from kernel.wire.history import History
from kernel.wire.source import Slice

__all__ = ["Entry", "Shape", "entries_of", "first_role_fixed", "rendered"]


@frozen
class Shape:
    """What differs between wires: roles, the parts of a member, the message around parts."""

    role: Callable[[Member], str]
    parts: Callable[[Member, History | None], list[Any]]
    message: Callable[[str, list[Any], Slice | None, Sequence[Member]], Any]
    apart: Callable[[Member], bool] = lambda member: False  # noqa: ARG005


@frozen
class Entry:
    """A host message in the making; `items` are the source items of its members."""

    role: str
    members: list[Member] = field(factory=list)
    items: list[int | None] = field(factory=list)


def entries_of(members: Sequence[Member], shape: Shape) -> list[Entry]:
    """Gather members into entries."""
    entries: list[Entry] = []
    for member in members:
        role = shape.role(member)
        item = member.origin.item if member.origin is not None else None
        last = entries[-1] if entries else None
        if last is not None and last.role == role and not _stays_apart(last, member, item, shape):
            last.members.append(member)
            last.items.append(item)
        else:
            entries.append(Entry(role, [member], [item]))
    return entries


def _stays_apart(last: Entry, member: Member, item: int | None, shape: Shape) -> bool:
    if shape.apart(member) or shape.apart(last.members[-1]):
        return last.items[-1] is None or last.items[-1] != item
    before = last.items[-1]
    if item is None or before is None or item == before:
        return False
    if any(other.kind == "tool-call" for other in last.members) and last.role == shape.role(member):
        return False
    if last.members[-1].kind == "reasoning":
        # A thought leads to what follows it, in whichever message that came.
        return False
    # Consecutive messages of one role in the source itself: the provider took them.
    return item == before + 1


def rendered(
    entries: Sequence[Entry], history: History | None, counts: dict[int, int], shape: Shape
) -> list[Any]:
    """Return the host messages of entries: slices where nothing changed, trees elsewhere."""
    out: list[Any] = []
    for entry in entries:
        items = set(entry.items)
        only = next(iter(items)) if len(items) == 1 else None
        source = history.source.items[only] if history is not None and only is not None else None
        if (
            source is not None
            and only is not None
            and len(entry.members) == counts.get(only)
            and all(member.intact for member in entry.members)
        ):
            out.append(source)
            continue
        parts = [part for member in entry.members for part in shape.parts(member, history)]
        tree = shape.message(entry.role, parts, source, entry.members)
        if tree is not None:
            out.append(tree)
    return out


def first_role_fixed(items: list[Any], role: Callable[[Any], Any], opening: Any) -> list[Any]:
    """Put an opening user message before a list that starts with the assistant."""
    if items and role(items[0]) not in ("user", None):
        return [opening, *items]
    return items
