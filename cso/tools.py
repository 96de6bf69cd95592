"""Tool results in the state: freshness, refresh, staleness (S30 §8, SPEC-029).

An item of provenance TOOL rests on the node `tool:<provenance_ref>`. A result
that only grew old makes its facts STALE; only another value invalidates. The
clock is the caller's: ages come in as seconds.
"""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING

from attrs import frozen

from cso import graph, jcs, model, references
from cso.altered import altered
from cso.errors import ContentError, UnknownIdError
from cso.headers import Header
from cso.invalidate import Invalidation, affected_by, mark_dependents, report_of
from cso.marks import opened
from cso.model import CognitiveStateObject, Record, RecordKind, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "TTL",
    "Freshness",
    "ToolChange",
    "Volatility",
    "freshness",
    "on_tool_refresh",
    "on_tool_stale",
    "output_hash",
]


class Volatility(StrEnum):
    """How fast a tool's answers change (SPEC-029 §4.1)."""

    REALTIME = "REALTIME"
    VOLATILE = "VOLATILE"
    STABLE = "STABLE"
    STATIC = "STATIC"


TTL: dict[Volatility, int | None] = {
    Volatility.REALTIME: 30,
    Volatility.VOLATILE: 300,
    Volatility.STABLE: 3600,
    Volatility.STATIC: None,
}
"""Seconds a result stays fresh; None: as long as the session."""


@frozen
class Freshness:
    """Whether a result is fresh, at which age, and what is odd about it.

    Attributes:
        fresh: Whether it may be relied on.
        age: In seconds.
        volatility: The class it was judged by.
        warnings: What was odd, in words.
    """

    fresh: bool
    age: float
    volatility: Volatility
    warnings: tuple[str, ...] = ()

    @property
    def header(self) -> Header:
        """The header CRP-Context-Scratch-Freshness; age in whole seconds."""
        age = f"stale; age={int(self.age)}s; class={self.volatility.value}"
        return Header("CRP-Context-Scratch-Freshness", "fresh" if self.fresh else age)


def freshness(age: float, volatility: Volatility, *, pinned: bool = False) -> Freshness:
    """Judge an age in seconds: fresh up to and including the TTL (R41).

    A negative age is a clock out of step: fresh, with a warning. Pinning keeps a
    result from eviction, not from growing stale. Raises `ContentError` for an age
    that is no number of seconds.
    """
    if not isfinite(age):
        raise ContentError(f"expected seconds, got {age}", at="age")
    ttl = TTL[volatility]
    warnings: tuple[str, ...] = ("negative age: clocks differ",) if age < 0 else ()
    if pinned and ttl is not None and age > ttl:
        warnings += ("pinned: kept, but stale",)
    return Freshness(ttl is None or age <= ttl, age, volatility, warnings)


def output_hash(output: str | bytes) -> str:
    """Give the hash of a raw tool output: `sha256:` over its UTF-8 bytes."""
    return jcs.digest(output.encode() if isinstance(output, str) else output)


@frozen
class ToolChange:
    """What a refresh or staleness did.

    `facts` are the facts of the result itself, `affected` those and all that rests
    on the result, by distance. `needs_review` lists what to look at again though
    it keeps its status.

    Attributes:
        report: The walk that marked them.
    """

    facts: tuple[str, ...]
    affected: tuple[str, ...]
    needs_review: tuple[str, ...]
    report: Invalidation


def _of(cso: CognitiveStateObject, scratch_id: str) -> tuple[model.Fact, ...]:
    tool = model.Provenance.TOOL
    return tuple(
        fact
        for fact in cso.established_facts
        if fact.provenance is tool and fact.provenance_ref == scratch_id
    )


def _reached(cso: CognitiveStateObject, scratch_id: str) -> Invalidation:
    node = graph.tool_node(scratch_id)
    found = affected_by(cso, node)
    if not found.affected:
        raise UnknownIdError(f"nothing rests on tool result {scratch_id!r:.140}", at=scratch_id)
    return report_of(cso, found, graph.dependents(cso))


def on_tool_refresh(
    cso: CognitiveStateObject, scratch_id: str, old_hash: str, new_hash: str
) -> tuple[CognitiveStateObject, ToolChange]:
    """Take in a result fetched anew (R40); hashes are those of `output_hash`.

    Another value invalidates the result's facts and marks all else that rests on
    it. The same value makes its STALE facts VALID again and touches nothing else.
    Raises `UnknownIdError` if nothing rests on the result.
    """
    report = _reached(cso, scratch_id)
    facts = _of(cso, scratch_id)
    if old_hash == new_hash:
        stale = tuple(fact.fact_id for fact in facts if fact.status is Status.STALE)
        done = ToolChange((), (), (), report)
        return _recorded(cso, scratch_id, stale, Status.VALID, RecordKind.REFRESH), done
    names = tuple(fact.fact_id for fact in facts if fact.status in model.LIVE)
    change = ToolChange(names, report.affected, (), report)
    draft = mark_dependents(cso, names, Status.INVALIDATED, model.LIVE)
    others = tuple(name for name in report.affected if name not in set(names))
    draft = mark_dependents(draft, others)
    if draft is cso:
        return cso, change
    draft = opened(draft)
    because = f"tool result {scratch_id} changed to {new_hash}"
    ends = tuple(
        Record(
            target=name,
            because=because,
            window=draft.window_number,
            # Who waits is the same for all: one record tells it, each fact needs its end.
            affected=others if number == 0 else (),
            kind=RecordKind.INVALIDATION,
        )
        for number, name in enumerate(names or (graph.tool_node(scratch_id),))
    )
    return references.completed(altered(draft, revisions=(*draft.revisions, *ends))), change


def on_tool_stale(
    cso: CognitiveStateObject, scratch_id: str
) -> tuple[CognitiveStateObject, ToolChange]:
    """Note that a result grew old or was evicted: flag, but invalidate nothing (R40).

    Raises `UnknownIdError` for a result that nothing rests on.
    """
    report = _reached(cso, scratch_id)
    names = tuple(f.fact_id for f in _of(cso, scratch_id) if f.status is Status.VALID)
    own = {fact.fact_id for fact in _of(cso, scratch_id)}
    review = tuple(name for name in report.affected if name not in own)
    change = ToolChange(names, report.affected, review, report)
    return _recorded(cso, scratch_id, names, Status.STALE, RecordKind.STALE), change


def _recorded(
    cso: CognitiveStateObject,
    scratch_id: str,
    names: Sequence[str],
    status: Status,
    kind: RecordKind,
) -> CognitiveStateObject:
    """Set the status of the named facts and record why."""
    draft = mark_dependents(cso, names, status, frozenset({Status.VALID, Status.STALE}))
    if draft is cso:
        return cso
    draft = opened(draft)
    record = Record(
        target=graph.tool_node(scratch_id),
        window=draft.window_number,
        affected=tuple(names),
        kind=kind,
    )
    return altered(draft, revisions=(*draft.revisions, record))
