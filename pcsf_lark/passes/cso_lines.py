"""The lines that an object's contents would be in a capsule, before any must go.

`Draft` collects them layer by layer. What came from a capsule goes back to its
place (`cso_returned`); what is new is projected behind it (`cso_projected`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from cso import LIVE, Decision, Status
from cso.lineage import head
from pcsf_lark.model import (
    InternalEntry,
    LoopEntry,
    NegativeEntry,
    RelationEntry,
    SkeletonEntry,
)
from pcsf_lark.passes.cso_text import escaped
from pcsf_lark.spec import LAYERS

if TYPE_CHECKING:
    from cso import CognitiveStateObject
    from cso.model import Item
    from pcsf_lark.model import Entry

__all__ = ["Draft", "Dropped", "Line"]

_ENTRIES: dict[str, Any] = dict(
    zip(
        [layer.key for layer in LAYERS],
        (SkeletonEntry, NegativeEntry, InternalEntry, RelationEntry, LoopEntry),
        strict=True,
    )
)
_TEXTS = {layer.key: layer.fields for layer in LAYERS}
_TOKENS = ("type", "dimension", "priority")


@frozen
class Dropped:
    """What is not in the capsule: the item's id or the text, its layer, line and why.

    Attributes:
        id: The item's id, or its text where it has none.
        layer: The layer it would have stood in.
        entry: The line it would have been.
        reason: Why it is not there.
    """

    id: str
    layer: str
    entry: str
    reason: str


@frozen
class Line:
    """A line that may stand in the capsule.

    ``id`` names what it shows; ``texts`` are the texts of the object that it
    holds verbatim, ``altered`` whether an escape changed one. ``authored`` lines
    came from a capsule as they are; ``fixed`` ones are constraints and never go.
    """

    layer: str
    entry: Entry
    id: str
    texts: tuple[str, ...]
    altered: bool = False
    authored: bool = False
    fixed: bool = False

    @property
    def kind(self) -> str:
        """The entry's type; empty in L2, the dimension in L4."""
        return "" if isinstance(self.entry, NegativeEntry) else self.entry.values[0]


def _doubt(item: Item) -> str:
    """Why an item is shown as an uncertainty."""
    words = {Status.STALE: "stale", Status.ESCALATED: "awaits a human"}
    return words.get(item.status, "needs revision")


@define
class Draft:
    """The lines so far, what left with its reason, and what needs no line any more."""

    cso: CognitiveStateObject
    items: dict[str, Item]
    lines: dict[str, list[Line]] = field(factory=lambda: {layer.key: [] for layer in LAYERS})
    left: list[Dropped] = field(factory=list)
    #: Ids that have a line, or whose end is told.
    done: set[str] = field(factory=set)
    #: Texts of arrays that have a line, or whose end is told, each with its array.
    said: set[tuple[str, str]] = field(factory=set)

    def add(
        self, layer: str, name: str, *values: str, authored: bool = False, fixed: bool = False
    ) -> None:
        """Add a line: the fields as the object has them, escaped here."""
        fields = [escaped(value) for value in values]
        pairs = zip(_TEXTS[layer], values, fields, strict=True)
        texts = [(was, now) for known, was, now in pairs if known not in _TOKENS]
        self.lines[layer].append(
            Line(
                layer,
                _ENTRIES[layer](*fields),
                name,
                tuple(was for was, now in texts if was == now),
                altered=any(was != now for was, now in texts),
                authored=authored,
                fixed=fixed,
            )
        )

    def doubt(self, item: Item, *, fixed: bool = False) -> None:
        """Show an item that does not plainly hold as an uncertainty (L3)."""
        said = item.choice if isinstance(item, Decision) else item.statement
        text = escaped(said)
        entry = InternalEntry("UNCERTAINTY", f"{_doubt(item)}: {text}")
        kept = (said,) if text == said else ()
        self.lines["L3"].append(Line("L3", entry, item.id, kept, altered=text != said, fixed=fixed))
        self.done.add(item.id)

    def leave(self, layer: str, name: str, entry: str, reason: str) -> None:
        """Tell that something of the capsule is not in it any more."""
        self.left.append(Dropped(name, layer, entry, reason))

    def standing(self, layer: str, name: str, *, fixed: bool = False) -> Item | None:
        """What stands for an id today, if it plainly holds; else tells what became of it."""
        stands = head(self.items, name)
        item = self.items.get(stands)
        self.done.update((name, stands))
        if item is None:
            self.leave(layer, name, "", "no longer in the object")
        elif item.status is Status.VALID:
            return item
        elif item.status in LIVE or item.status is Status.ESCALATED:
            self.doubt(item, fixed=fixed)
        else:
            said = item.choice if isinstance(item, Decision) else item.statement
            self.leave(layer, name, said, item.status.value)
        return None
