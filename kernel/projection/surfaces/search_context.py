"""aili_search_context: where an exact text stands on the current branch.

Laws: read-only; the text is looked for as it is spelled (case only where asked), in what a
model may see of every message of the branch, folded or of an older epoch as well; reasoning
and this surface's own calls are not searched; a secret's message is named, never quoted.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.planning.secrets import secret_in
from kernel.projection.snapshot import Snapshot
from kernel.projection.surfaces.answers import Answer, Call, Surface
from kernel.projection.surfaces.inputs import closed, text
from kernel.sessions.pi_entries import edits_of, message_of
from kernel.text import head, tail, units
from kernel.wire.pi import decode

__all__ = ["SURFACE"]

NAME: Final = "aili_search_context"
#: UTF-16 units of context on each side of a hit.
_AROUND: Final = 120


@frozen
class _Place:
    """A message of the branch: its ref where it has one, and who covers it."""

    entry_id: str
    ref: str | None
    block: str | None
    texts: tuple[tuple[str, str], ...]


def _texts(message: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what a model may read of a message, each part with its role."""
    parts = decode({"messages": [message]}).messages
    return tuple(
        (part.role, part.text)
        for part in parts
        if part.text and part.content_type != "reasoning" and part.tool_name != NAME
    )


def _places(snapshot: Snapshot) -> Iterator[_Place]:
    branch, state = snapshot.branch, snapshot.state
    covered = {
        name: block.ref
        for block in state.active()
        for name in block.source_ids
        if state.fault is None
    }
    edits = edits_of(branch.context)
    for item in branch.path:
        at = branch.index.get(item.id)
        source = None if at is None else branch.sources[at]
        message = message_of(item, edits) if source is None else source.message
        if message is not None:
            ref = None if source is None else source.ref
            texts = _texts(message)
            yield _Place(item.id, ref, covered.get(item.id), texts)


def _hits(place: _Place, wanted: re.Pattern[str]) -> Iterator[dict[str, Any]]:
    for role, body in place.texts:
        secret = secret_in(body) is not None
        for found in wanted.finditer(body):
            start, end = found.span()
            quoted = tail(body[:start], _AROUND) + body[start:end] + head(body[end:], _AROUND)
            yield {
                "ref": place.ref,
                "entryId": place.entry_id,
                "role": role,
                "offset": units(body[:start]),
                "block": place.block,
                "text": None if secret else quoted,
            }


def _work(snapshot: Snapshot, given: Mapping[str, Any], _call: Call) -> Answer | Refusal:
    offset, limit = int(given.get("offset", 0)), int(given.get("limit", 10))
    folding = re.IGNORECASE if given.get("ignoreCase", False) else 0
    wanted = re.compile(re.escape(given["query"]), folding)
    shown: list[dict[str, Any]] = []
    total = 0
    for place in _places(snapshot):
        for hit in _hits(place, wanted):
            if offset <= total < offset + limit:
                shown.append(hit)
            total += 1
    return Answer({"total": total, "offset": offset, "hits": shown})


SURFACE: Final = Surface(
    NAME,
    "Find an exact text in the messages of this branch, folded ones included. Reads only.",
    closed(
        {
            "query": text(500),
            "ignoreCase": {"type": "boolean", "default": False},
            "offset": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 0},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        },
        ["query"],
    ),
    _work,
)
