"""What `pcsf aili` reports of a branch, as JSON values; `aili_text` puts them into words.

Law: a snapshot goes in, a value comes out; nothing is read, written or remembered. What a
secret's message says is never quoted in a preview.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.projection.lifecycle.sealing import fault_of
from kernel.projection.view.projector import BlockItem, CooledItem
from kernel.text import head
from pcsf_lark.faces.aili.sizes import facts_in, sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kernel.projection.lifecycle.sealing import Permit
    from kernel.projection.planning.facts import Facts
    from kernel.projection.snapshot import Snapshot
    from kernel.projection.view.projector import Item

__all__ = ["context", "standing", "stats", "status"]

#: UTF-16 units of a message that a list shows.
_PREVIEW = 72


def standing(snapshot: Snapshot) -> dict[str, Any]:
    """Where a snapshot stands: what every report begins with."""
    fault = fault_of(snapshot)
    return {
        "session": snapshot.branch.session_id,
        "version": snapshot.tree.version,
        "leaf": snapshot.leaf,
        "epoch": snapshot.branch.epoch,
        "enabled": snapshot.enabled,
        "fault": None if fault is None else fault.code,
    }


def status(snapshot: Snapshot, permit: Permit | None = None, limit: int = 64) -> Mapping[str, Any]:
    """The catalog and how things stand, as the model's own surface says it."""
    # The surfaces bring the quality gate with them, which a list needs not.
    from kernel.projection.surfaces import SURFACES, Answer, Call  # noqa: PLC0415

    given = {"limit": limit}
    answer = SURFACES["aili_compact_status"].run(snapshot, given, Call(permit=permit))
    return answer.output if isinstance(answer, Answer) else {}


def context(snapshot: Snapshot, offset: int, limit: int) -> dict[str, Any]:
    """The messages of the view, some of them: refs, sizes, and why they are protected."""
    items = snapshot.projection.items
    tokens, _ = sizes(snapshot)
    facts = facts_in(snapshot)
    reasons = _reasons(snapshot)
    rows = [
        {**_row(item, facts, reasons), "tokens": tokens[offset + at]}
        for at, item in enumerate(items[offset : offset + limit])
    ]
    return {
        **standing(snapshot),
        "catalogId": snapshot.catalog.catalog_id,
        "total": len(items),
        "offset": offset,
        "limit": limit,
        "raw": snapshot.projection.raw,
        "items": rows,
    }


def _reasons(snapshot: Snapshot) -> dict[int, str]:
    """Why sources are protected, by index."""
    found: dict[int, str] = {}
    for atom, reason in zip(snapshot.atoms, snapshot.protection.reasons, strict=False):
        if reason is not None:
            found.update(dict.fromkeys(range(atom.first, atom.last + 1), reason))
    return found


def _row(item: Item, facts: Sequence[Facts], reasons: Mapping[int, str]) -> dict[str, Any]:
    if isinstance(item, BlockItem):
        block = item.block
        return {
            "kind": "block",
            "ref": block.ref,
            "tier": block.tier,
            "version": block.version,
            "messages": len(block.source_ids),
            "first": item.sources[0].ref,
            "last": item.sources[-1].ref,
            "preview": _line(block.topic or block.summary),
        }
    source = item.source
    known = facts[source.index]
    preview = "(a secret)" if known.secret else _line(_said(source.message))
    return {
        "kind": "cooled" if isinstance(item, CooledItem) else "message",
        "ref": source.ref,
        "entryId": source.entry_id,
        "role": str(source.message.get("role")),
        "tools": list(known.tools),
        "protected": reasons.get(source.index),
        "preview": preview,
    }


def _said(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return " ".join(part for part in parts if isinstance(part, str))
    said = (content, message.get("summary"), message.get("command"))
    return next((text for text in said if isinstance(text, str)), "")


def _line(text: str) -> str:
    return head(" ".join(text[:1000].split()), _PREVIEW)


def stats(snapshot: Snapshot) -> dict[str, Any]:
    """What the projection does to a branch, in numbers."""
    shown, raw = sizes(snapshot)
    state = snapshot.state
    active = state.active() if fault_of(snapshot) is None and snapshot.enabled else ()
    told = status(snapshot)
    statuses: dict[str, int] = {}
    for what in state.status.values():
        statuses[what] = statuses.get(what, 0) + 1
    return {
        **standing(snapshot),
        "messages": {"raw": len(snapshot.branch.sources), "view": len(shown)},
        "tokens": {"raw": raw, "view": sum(shown), "saved": raw - sum(shown), "estimated": True},
        "blocks": {
            "total": len(state.blocks),
            "shown": {f"T{tier}": sum(one.tier == tier for one in active) for tier in (1, 2, 3)},
            "legacy": sum(one.version != 3 for one in active),
            "status": statuses,
        },
        "cooled": len(state.cooled),
        "transactions": len(state.transactions),
        "repaired": len(state.repaired),
        "pressure": told["pressure"],
        "manual": told["manual"],
        "planning": told["planning"],
        "autoCooling": told["autoCooling"],
        "restored": told["restored"],
        "ranges": told["rangesTotal"],
        "promotions": told["promotionsTotal"],
        "prunable": told["cooling"]["prunableTotal"],
        "excluded": told["excluded"],
    }
