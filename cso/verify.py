"""Verification of one relay step: whether a new object preserves its prior (S30 §5).

Six questions in a fixed order, each PASSED, FAILED or NOT_CHECKED; what was not
checked never counts as passed. Nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import frozen

from cso import references
from cso.chain import ChainStatus, verify_chain
from cso.check import check
from cso.errors import Finding
from cso.losses import Losses, losses
from cso.model import CognitiveStateObject
from cso.seal import parents_of

if TYPE_CHECKING:
    from cso.keys import KeyRing

__all__ = ["Capture", "Outcome", "RelayReport", "Step", "verify_relay"]

Capture = Callable[[str, CognitiveStateObject], Iterable[str]]
"""Given a window's output and its object: the facts in the output not captured."""


class Outcome(StrEnum):
    """What a step found."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    NOT_CHECKED = "NOT_CHECKED"


@frozen
class Step:
    """One question of verification, with what speaks against it.

    Attributes:
        name: What was asked.
        outcome: The answer.
        findings: What speaks against it.
    """

    name: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()


@frozen
class RelayReport:
    """The steps in order, and the exact losses.

    Attributes:
        steps: Every question, in order.
        losses: What was lost, by kind.
    """

    steps: tuple[Step, ...]
    losses: Losses

    @property
    def failed(self) -> tuple[Step, ...]:
        """The steps that failed."""
        return tuple(step for step in self.steps if step.outcome is Outcome.FAILED)

    @property
    def complete(self) -> bool:
        """Whether nothing failed."""
        return not self.failed


def _step(name: str, findings: Iterable[Finding]) -> Step:
    found = tuple(findings)
    return Step(name, Outcome.FAILED if found else Outcome.PASSED, found)


def verify_relay(
    prior: CognitiveStateObject,
    new: CognitiveStateObject,
    output: str | None = None,
    *,
    keys: KeyRing = (),
    session: str = "",
    capture: Capture | None = None,
) -> RelayReport:
    """Check a draft against its prior (R19), in this order.

    `prior-tag` (not checked without keys), `structure`, `facts`, `dependencies`,
    `output` (not checked without `output` and `capture`), `carried`, `statuses`.
    """
    found = losses(prior, new)
    steps = (
        _prior_tag(prior, keys, session),
        _step("structure", _structure(prior, new)),
        _step("facts", _facts(found)),
        _step("dependencies", _dependencies(new)),
        _output(output, new, capture),
        _step("carried", _carried(found)),
        _step("statuses", _statuses(found)),
    )
    return RelayReport(steps, found)


def _prior_tag(prior: CognitiveStateObject, keys: KeyRing, session: str) -> Step:
    if not keys:
        return Step("prior-tag", Outcome.NOT_CHECKED)
    # Asked is the tag alone: what an import follows lies outside of any chain.
    anchor = prior.prior_cso_hash or prior.cso_id
    verdict = verify_chain([prior], keys, session, anchor=anchor)
    if verdict.status is ChainStatus.BROKEN:
        return _step("prior-tag", [Finding("prior-tag", prior.cso_id, verdict.reason)])
    return Step("prior-tag", Outcome.PASSED)


def _structure(prior: CognitiveStateObject, new: CognitiveStateObject) -> Iterable[Finding]:
    if 0 < new.window_number < prior.window_number:
        what = f"window {new.window_number} after window {prior.window_number}"
        yield Finding("window", "window_number", what)
    parents = parents_of(new)
    if parents and prior.cso_hmac not in parents:
        yield Finding("link", "prior_cso_hash", "is not the tag of the prior")
    yield from (finding for finding in check(new) if finding.code == "link")


def _facts(found: Losses) -> Iterable[Finding]:
    for name in found.preservation.dropped:
        yield Finding("dropped", name, "a valid fact of the prior is missing")
    for name in found.preservation.drifted:
        yield Finding("drifted", name, "same id, but not the fact that was relayed")


def _dependencies(new: CognitiveStateObject) -> Iterable[Finding]:
    for name in references.dangling(new):
        yield Finding("dangling", name, "referenced, but no such item")
    for dependent, name in references.broken(new):
        yield Finding("dead-support", dependent, f"holds, but rests on {name}, which does not")


def _output(output: str | None, new: CognitiveStateObject, capture: Capture | None) -> Step:
    if output is None or capture is None:
        return Step("output", Outcome.NOT_CHECKED)
    missed = capture(output, new)
    return _step("output", (Finding("not-captured", "output", fact) for fact in missed))


def _carried(found: Losses) -> Iterable[Finding]:
    for name, carried in found.carried().items():
        for entry in carried.lost:
            yield Finding("lost", name, f"{entry} was not carried")
    for name in found.goal:
        yield Finding("lost", f"goal_state.{name}", "changed or emptied without a record")


def _statuses(found: Losses) -> Iterable[Finding]:
    for name in found.statuses:
        yield Finding("status", name, "its status changed without a record that names it")
