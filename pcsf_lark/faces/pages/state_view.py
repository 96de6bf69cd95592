"""A state object as it is shown: goal, grounds, what waits for revision, and the signature.

Laws of this module: pure; however many items an object has, a view has at most
``ITEMS`` of a kind, in the object's order: first those that are marked, then what
decisions rest on, then the newest. What is left out is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

import cso
from cso import graph, model
from pcsf_lark.faces.pages.state_graph import state_drawing
from pcsf_lark.faces.pages.wording import cut, tag
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cso import CognitiveStateObject, Decision, Fact, Finding
    from pcsf_lark.faces.pages.graph_view import Drawing

__all__ = [
    "ITEMS",
    "NOTE",
    "ItemView",
    "Listed",
    "Signature",
    "StateView",
    "signature",
    "state_view",
]

#: The most items of a kind, and characters of a text, that a view holds.
ITEMS, _TEXT, _NAMES = 100, 1_000, 24
#: How codes of findings begin that are no faults.
NOTE = "note-"


@frozen
class ItemView:
    """A fact or decision: its id, its status where it is not VALID, and its texts by role."""

    id: str
    status: str
    says: str
    more: tuple[tuple[str, str], ...]


@frozen
class Listed:
    """Texts or items, and how many there are in all."""

    rows: tuple[ItemView, ...] | tuple[str, ...]
    count: int

    @property
    def left_out(self) -> int:
        """How many the view does not hold."""
        return self.count - len(self.rows)


@frozen
class Signature:
    """What is known of a tag: ``state`` is unsigned, unchecked, verified or broken."""

    state: str
    tag: str = ""
    reason: str = ""


@frozen(kw_only=True)
class StateView:
    """All that is shown of a state object."""

    name: str
    topic: str
    about: tuple[tuple[str, str], ...]
    success: str
    signature: Signature
    preserved: bool
    constraints: Listed
    decisions: Listed
    facts: Listed
    questions: Listed
    remaining: Listed
    answered: Listed
    records: Listed
    drawing: Drawing | None
    unlinked: int
    findings: tuple[Finding, ...]
    more_findings: int
    faults: int

    kind: str = "state object"

    @property
    def sound(self) -> bool:
        """Whether the exit code is 0."""
        return not self.faults and self.signature.state != "broken"


@frozen(kw_only=True)
class Unreadable:
    """A file that is neither capsule, state object nor chain, and what is wrong with it."""

    name: str
    topic: str
    findings: tuple[Finding, ...]
    more_findings: int = 0

    kind: str = "unreadable"

    @property
    def sound(self) -> bool:
        """Never: the exit code is 1."""
        return False


def signature(
    value: CognitiveStateObject, keys: Sequence[cso.Key] = (), session: str = ""
) -> Signature:
    """What is known of an object's own tag; without keys it stays unchecked."""
    if not value.cso_hmac:
        return Signature("unsigned")
    if not keys:
        return Signature("unchecked", value.cso_hmac)
    # Asked is the tag alone: what comes before lies outside of this object.
    anchor = value.prior_cso_hash or value.cso_id
    verdict = cso.verify_chain([value], keys, session, anchor=anchor)
    if verdict.status is cso.ChainStatus.BROKEN:
        return Signature("broken", value.cso_hmac, verdict.reason)
    return Signature("verified", value.cso_hmac)


def state_view(
    name: str, value: CognitiveStateObject, signed: Signature | None = None
) -> StateView:
    """What is shown of an object; ``signed`` is what is known of its tag."""
    found = sorted(cso.check(value), key=lambda finding: finding.code.startswith(NOTE))
    rests = graph.supports(value)
    drawn, unlinked = state_drawing(value, rests)
    goal = value.goal_state
    supporting = {name for names in rests.values() for name in names}
    return StateView(
        name=name,
        topic=cut(goal.objective, _TEXT) or f"State object {cut(value.cso_id, _TEXT)}",
        about=_about(value),
        success=cut(goal.success_test, _TEXT),
        signature=signed or signature(value),
        preserved=value.verified,
        constraints=_texts(value.constraints),
        decisions=_items([(d, _decision(d, rests)) for d in value.decisions], supporting),
        facts=_items([(f, _fact(f)) for f in value.established_facts], supporting),
        questions=_texts(value.open_questions),
        remaining=_texts(goal.remaining),
        answered=_texts([f"{one.question} → {one.answer_ref}" for one in value.resolved_questions]),
        records=_texts([_record(one) for one in value.revisions], newest=True),
        drawing=drawn,
        unlinked=unlinked,
        findings=tuple(found[:_NAMES]),
        more_findings=max(len(found) - _NAMES, 0),
        faults=sum(not finding.code.startswith(NOTE) for finding in found),
    )


def _about(value: CognitiveStateObject) -> tuple[tuple[str, str], ...]:
    goal = value.goal_state
    window = str(value.window_number) if value.window_number else "none yet: a draft"
    rows = [("object", cut(value.cso_id, _TEXT)), ("window", window), ("mode", goal.mode.value)]
    if goal.completion or goal.total:
        of = f" of {counted(goal.total, 'step')}" if goal.total else ""
        rows.append(("done", f"{goal.completion:.0%}{of}"))
    rows.append(("follows", tag(value.prior_cso_hash) or "nothing"))
    return tuple(rows)


def _texts(texts: Sequence[str], *, newest: bool = False) -> Listed:
    shown = texts[-ITEMS:] if newest else texts[:ITEMS]
    return Listed(tuple(cut(text, _TEXT) for text in shown), len(texts))


def _items(rows: Sequence[tuple[model.Item, ItemView]], supporting: set[str]) -> Listed:
    if len(rows) <= ITEMS:
        return Listed(tuple(view for _, view in rows), len(rows))
    last = len(rows)

    def order(index: int) -> tuple[bool, bool, int]:
        item = rows[index][0]
        return item.status is model.Status.VALID, item.id not in supporting, last - index

    kept = sorted(sorted(range(last), key=order)[:ITEMS])
    return Listed(tuple(rows[index][1] for index in kept), last)


def _status(item: model.Item) -> str:
    return "" if item.status is model.Status.VALID else item.status.value


def _decision(item: Decision, rests: Mapping[str, Sequence[str]]) -> ItemView:
    on = rests.get(item.decision_id, ())
    more = [
        ("because", item.rationale),
        ("instead of", "; ".join(item.alternatives[:_NAMES])),
        ("rests on", _named(on)),
        ("superseded by", item.superseded_by or ""),
        ("may be revised", "" if item.revisable else "no"),
        ("window", str(item.window_origin)),
    ]
    return ItemView(item.decision_id, _status(item), cut(item.choice, _TEXT), _kept(more))


def _fact(item: Fact) -> ItemView:
    source = item.provenance.value + (f" {item.provenance_ref}" if item.provenance_ref else "")
    more = [
        ("source", source),
        ("confidence", f"{item.confidence:g}"),
        ("superseded by", item.superseded_by or ""),
        ("window", str(item.window_origin)),
    ]
    return ItemView(item.fact_id, _status(item), cut(item.statement, _TEXT), _kept(more))


def _named(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + rest


def _kept(more: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((role, cut(text, _TEXT)) for role, text in more if text)


def _record(record: cso.Record) -> str:
    by = f", now {record.superseded_by}" if record.superseded_by else ""
    why = f": {record.because}" if record.because else ""
    return f"window {record.window}: {record.kind.value} of {record.target}{by}{why}"
