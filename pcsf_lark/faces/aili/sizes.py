"""How large a view is, and the raw history behind it, by the one counter; estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.ports import count_tokens
from kernel.projection.planning.facts import facts_of
from kernel.projection.view.projector import RawItem
from kernel.wire.history import flat_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kernel.projection.planning.facts import Facts
    from kernel.projection.snapshot import Snapshot

__all__ = ["facts_in", "sizes"]


def facts_in(snapshot: Snapshot) -> Sequence[Facts]:
    """The facts of every source; a snapshot with AILI off, or behind a fault, has none."""
    return snapshot.facts or tuple(map(facts_of, snapshot.branch.sources))


def sizes(snapshot: Snapshot) -> tuple[list[int], int]:
    """Estimated tokens of each message of the view, and of the whole raw history."""
    facts = facts_in(snapshot)
    view = snapshot.projection
    shown = [
        facts[item.source.index].tokens
        if isinstance(item, RawItem)
        else count_tokens(flat_text(message.get("content")))
        for item, message in zip(view.items, view.messages, strict=True)
    ]
    return shown, sum(one.tokens for one in facts)
