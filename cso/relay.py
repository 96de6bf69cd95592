"""The relay: verify, repair, verify again, sign (S30 §5.1).

Only what was checked is called verified, and nothing is relayed on top of a prior
whose tag does not hold. What cannot be repaired halts the relay, or comes back
unsigned and flagged for another try, as the policy says.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import field, frozen

from cso.altered import altered
from cso.audit import EventDraft
from cso.check import check
from cso.codec import minted
from cso.errors import ChainError, Finding, PreservationError
from cso.headers import Header, relay_headers
from cso.keys import Key, key_ring
from cso.marks import crp, with_crp
from cso.model import CognitiveStateObject, RecordKind
from cso.references import completed
from cso.repair import Repair, repair
from cso.seal import bind, sign
from cso.verify import Capture, Outcome, RelayReport, verify_relay

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Policy", "Relayed", "relay"]


class Policy(StrEnum):
    """What to do with a draft that repair cannot complete."""

    HALT = "HALT"
    FLAG = "FLAG"


@frozen
class Relayed:
    """The outcome: the object, signed unless `flagged`; what was found and done.

    `report` is None at genesis; it and the score in `headers` are from before the
    repair. `events` are for the audit trail.

    Attributes:
        cso: The object.
        repair: What was put back.
    """

    cso: CognitiveStateObject
    report: RelayReport | None
    repair: Repair
    headers: tuple[Header, ...]
    events: tuple[EventDraft, ...] = field(default=())
    flagged: tuple[Finding, ...] = ()


def relay(
    prior: CognitiveStateObject | None,
    draft: CognitiveStateObject,
    key: Key | bytes,
    session: str,
    *,
    keys: Key | bytes | Mapping[str, Key | bytes] | Iterable[Key | bytes] | None = None,
    output: str | None = None,
    capture: Capture | None = None,
    policy: Policy = Policy.HALT,
    timestamp: str = "",
) -> Relayed:
    """Relay a draft after its prior; without a prior, as genesis.

    A draft that is no later than its prior is bound to the next window. `keys` is
    the ring for the prior's tag, by default `key` alone. Raises `ChainError` if
    that tag is wrong, `PreservationError` if the policy halts.

    >>> from attrs import evolve
    >>> from cso import CognitiveStateObject, GoalState, relay, verify_chain
    >>> key = b"thirty-two bytes of key material"
    >>> goal = GoalState(mode="AGENTIC", objective="size the cluster")
    >>> draft = CognitiveStateObject(
    ...     cso_id="draft", window_number=0, goal_state=goal, constraints=["no downtime"]
    ... )
    >>> first = relay(None, draft, key, "session").cso
    >>> done = relay(first, evolve(first, constraints=[]), key, "session")
    >>> done.repair.restored
    {'constraints': ('no downtime',)}
    >>> verify_chain([first, done.cso], key, "session").status.value
    'VALID'
    """
    if crp(draft).get("slice_of"):
        raise ChainError("a slice is for one task and never relayed", at="ext.crp.slice_of")
    place = _placed(prior, draft)
    if prior is None:
        report, fixed, done = None, completed(place), Repair(0, {})
        short = tuple(f for f in check(fixed) if f.code in ("dangling", "dead-support", "link"))
    else:
        ring = key_ring(key if keys is None else keys)
        report = verify_relay(prior, place, output, keys=ring, session=session, capture=capture)
        _trusted(report)
        fixed, done = repair(prior, completed(place))
        # Where nothing was lost there is nothing new to verify.
        again = report
        if fixed is not place:
            again = verify_relay(prior, fixed, output, keys=ring, session=session, capture=capture)
        short = tuple(finding for step in again.failed for finding in step.findings)
    if short and policy is Policy.HALT:
        shown = "; ".join(str(finding) for finding in short[:3])
        raise PreservationError(f"not relayed: {shown}", findings=short)
    if not short:
        fixed = sign(altered(_named(fixed, prior, session), verified=True), key, session)
    preserved = None if report is None else report.losses.preservation
    heads = relay_headers(fixed, preserved, done.facts, prior=prior)
    events = () if short else _events(prior, fixed, done, timestamp)
    return Relayed(fixed, report, done, heads, events, short)


def _placed(
    prior: CognitiveStateObject | None, draft: CognitiveStateObject
) -> CognitiveStateObject:
    """Give the draft its window; records it added move with it."""
    if prior is None:
        return bind(altered(draft, verified=False))
    if not prior.cso_hmac:
        raise ChainError("the prior is unsigned; sign it first", at=prior.cso_id)
    if 0 < draft.window_number < prior.window_number:
        what = f"window {draft.window_number} cannot follow window {prior.window_number}"
        raise ChainError(what, at="window_number")
    parents = crp(draft).get("parents")
    if isinstance(parents, list) and prior.cso_hmac in parents and not draft.cso_hmac:
        return altered(draft, verified=False)
    bound = bind(altered(draft, verified=False), prior)
    known = set(prior.revisions)
    records = tuple(
        record
        if record in known or record.window == bound.window_number
        else altered(record, window=bound.window_number)
        for record in bound.revisions
    )
    clean = altered(bound, revisions=records)
    return with_crp(clean, merged=None) if "merged" in crp(clean) else clean


def _named(
    cso: CognitiveStateObject, prior: CognitiveStateObject | None, session: str
) -> CognitiveStateObject:
    """Mint an id for a draft that has its prior's, or one minted without a session."""
    draft = altered(cso, window_number=0, prior_cso_hash="")
    inherited = prior is not None and cso.cso_id == prior.cso_id
    return minted(cso, session) if inherited or minted(draft).cso_id == cso.cso_id else cso


def _trusted(report: RelayReport) -> None:
    """Stop before anything is built on a prior whose tag is wrong."""
    for step in report.steps:
        if step.name == "prior-tag" and step.outcome is Outcome.FAILED:
            raise ChainError(f"the prior is BROKEN: {step.findings[0].message}", at="prior-tag")


def _events(
    prior: CognitiveStateObject | None, sealed: CognitiveStateObject, done: Repair, timestamp: str
) -> tuple[EventDraft, ...]:
    """Tell the trail what this window revised, invalidated, escalated and repaired."""
    known = set(prior.revisions) if prior else set()
    kinds = {
        RecordKind.REVISION: "REVISION",
        RecordKind.INVALIDATION: "ITEM_INVALIDATED",
        RecordKind.ESCALATION: "OVERSIGHT_TRIGGERED",
    }
    window = sealed.cso_id
    found = [
        EventDraft(
            kinds[record.kind],
            timestamp,
            window,
            {
                "target": record.target,
                "because": record.because,
                "superseded_by": record.superseded_by,
                "affected": len(record.affected),
            },
        )
        for record in sealed.revisions
        if record not in known and record.kind in kinds
    ]
    if done.restored:
        counts = {name: len(entries) for name, entries in done.restored.items()}
        found.append(EventDraft("CSO_REPAIRED", timestamp, window, counts))
    data = {"tag": sealed.cso_hmac, "window_number": sealed.window_number}
    return (*found, EventDraft("CSO_RELAYED", timestamp, window, data))
