"""The findings as a capsule: quotations trimmed, within 1,200 bytes, most telling first.

Laws: the capsule is conformant; what does not fit is left out, later choices first, never
squeezed; an empty layer stays empty; META and SEED are of the log, or say that it holds
none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from pcsf_lark.draft.directives import relation
from pcsf_lark.draft.held import internal
from pcsf_lark.draft.live import goal, subject_of, topic
from pcsf_lark.draft.loops import loops
from pcsf_lark.draft.phrases import clause, field, sentence
from pcsf_lark.draft.reasons import skeleton
from pcsf_lark.draft.ruled_out import negative
from pcsf_lark.emit import canonical
from pcsf_lark.model import (
    Capsule,
    InternalEntry,
    LoopEntry,
    Meta,
    NegativeEntry,
    RelationEntry,
    Seed,
    SkeletonEntry,
)
from pcsf_lark.passes.canonical import canonical as settled
from pcsf_lark.spec import LAYERS, LIMIT, VERSIONS
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pcsf_lark.draft.finding import Finding
    from pcsf_lark.draft.live import Request
    from pcsf_lark.draft.record import Record
    from pcsf_lark.draft.withholding import Veil
    from pcsf_lark.model import Entry

__all__ = ["EPOCH", "Row", "all_findings", "capsule_of", "time_of"]

#: The time of a log that has none, where the caller knows none either.
EPOCH: Final = "1970-01-01T00:00Z"
_TOPIC, _SEED = 60, 170
#: The most characters of each field, where there is room; 0 for a token.
_WIDTHS: Final[Mapping[str, tuple[int, ...]]] = {
    "L1": (0, 110, 110), "L2": (90, 110, 90), "L3": (0, 120), "L4": (0, 240), "L5": (0, 110, 0),
}  # fmt: skip
#: What of that is tried in turn until all lines fit; the last is taken in any case.
_SHARES: Final = (1.0, 0.8, 0.6)
_ENTRIES: Final[Mapping[str, Callable[..., Entry]]] = {
    "L1": SkeletonEntry, "L2": NegativeEntry, "L3": InternalEntry, "L4": RelationEntry, "L5": LoopEntry,
}  # fmt: skip
_MEMBERS: Final = {
    "L1": "skeleton",
    "L2": "negative",
    "L3": "internal",
    "L4": "relation",
    "L5": "loops",
}
_FINDERS: Final = (skeleton, negative, internal, relation, loops)
#: Bytes left for the lines that stitching and stamping add.
_SPARE: Final = 80
#: Layers take turns in this order while there is room.
_TURNS: Final = ("L5", "L1", "L4", "L2", "L3")
_NO_TOPIC, _NO_SEED = "session without a request", "The log of this session holds no request."
_HIDDEN: Final = "The request of this session is withheld from its draft."
_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z")


@frozen
class Row:
    """A line of the capsule and the messages it was drafted from."""

    layer: str
    entry: Entry
    at: tuple[int, ...]


def all_findings(record: Record) -> list[Finding]:
    """What the drafters found, layer by layer."""
    return [item for find in _FINDERS for item in find(record)]


def time_of(text: str | None) -> str | None:
    """A time as META writes it, None for what is none."""
    match = _TIME.fullmatch(text or "")
    shown = f"{match[1]}Z" if match else ""
    return shown if is_timestamp(shown) and is_real_time(shown) else None


def capsule_of(
    record: Record, findings: Sequence[Finding], veil: Veil, now: str | None
) -> tuple[Capsule, list[Row], dict[str, tuple[int, ...]]]:
    """The capsule, its rows, and the messages behind META and SEED."""
    subject, live = _said(topic(record), veil), _said(goal(record), veil)
    about = field(veil.hide(subject_of(subject.text)), _TOPIC) if subject else ""
    seed = sentence(veil.hide(clause(live.text)), _SEED) if live else ""
    meta = Meta(
        about or _NO_TOPIC,
        _domain(record),
        _depth(record),
        time_of(record.log.last_time) or now or EPOCH,
    )
    frame = Capsule(
        version=VERSIONS[-1], meta=meta, seed=Seed(seed or (_HIDDEN if goal(record) else _NO_SEED))
    )
    rows: list[Row] = []
    for share in _SHARES:
        offered = _rows(findings, veil, share)
        rows = _fitted(frame, offered)
        if len(rows) == sum(map(len, offered.values())):
            break
    frames = {"META": subject.at if subject else (), "SEED": live.at if live else ()}
    return settled(_with(frame, rows)), rows, frames


def _said(request: Request | None, veil: Veil) -> Request | None:
    """A request, unless it orders the reader about."""
    return None if request is None or veil.orders(request.text) else request


def _domain(record: Record) -> str:
    hands_on = any(a.files or a.purpose == "shell" for a in record.actions)
    return "software" if hands_on else "general"


def _depth(record: Record) -> str:
    """By size: SURFACE below 20 messages, DEEP from 250 or behind a summary."""
    count = sum(record.new(at) for at in range(len(record.messages)))
    if count >= 250 or "summary" in record.reading.origins:
        return "DEEP"
    return "WORKING" if count >= 20 else "SURFACE"


def _rows(findings: Sequence[Finding], veil: Veil, share: float) -> dict[str, list[Row]]:
    """The rows of each layer, the most telling first."""
    rows: dict[str, list[Row]] = {layer.key: [] for layer in LAYERS}
    ranked = sorted(findings, key=lambda item: (item.value, item.place), reverse=True)
    for item in ranked:
        if any(veil.orders(text) for text in item.fields):
            continue
        widths = _WIDTHS[item.layer]
        shown = [
            text if not most else field(veil.hide(text), round(most * share))
            for text, most in zip(item.fields, widths, strict=True)
        ]
        if all(shown) and len(set(shown)) == len(shown):
            rows[item.layer].append(Row(item.layer, _ENTRIES[item.layer](*shown), item.at))
    order = {"HIGH": 0, "MED": 1, "LOW": 2}
    rows["L5"].sort(key=lambda row: order[row.entry.values[2]])
    return rows


def _fitted(frame: Capsule, rows: Mapping[str, list[Row]]) -> list[Row]:
    """The rows that fit, layers taking turns; in each layer as a capsule orders them."""
    caps = {layer.key: layer.cap for layer in LAYERS}
    chosen: list[Row] = []
    size = len(canonical(frame))
    for turn in range(max(caps.values())):
        for layer in _TURNS:
            if turn >= min(len(rows[layer]), caps[layer]):
                continue
            row = rows[layer][turn]
            room = len(row.entry.line) + 1
            if size + room <= LIMIT - _SPARE:
                chosen.append(row)
                size += room
    return sorted(chosen, key=lambda row: (row.layer, _rank(row), max(row.at)))


def _rank(row: Row) -> int:
    return ("HIGH", "MED", "LOW").index(row.entry.values[2]) if row.layer == "L5" else 0


def _with(frame: Capsule, rows: Sequence[Row]) -> Capsule:
    members: dict[str, Any] = {
        name: tuple(row.entry for row in rows if row.layer == layer)
        for layer, name in _MEMBERS.items()
    }
    return evolve(frame, **members)
