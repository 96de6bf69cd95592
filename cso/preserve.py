"""The preservation score: valid prior facts that the new object keeps (S30 §5.2).

Exact integers; content counts, not ids alone, and a loss that a record accounts
for leaves the denominator (R20).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import frozen

from cso import model
from cso.records import Records

if TYPE_CHECKING:
    from cso.model import CognitiveStateObject

__all__ = ["Preservation", "preservation"]


@frozen
class Preservation:
    """Facts kept of those valid in the prior (S30 §5.2), as exact integers.

    Attributes:
        kept: How many were kept.
        valid_prior: How many there were to keep.
        dropped: The ids that are gone.
        drifted: The ids that say something else, without a record.
    """

    kept: int
    valid_prior: int
    dropped: tuple[str, ...] = ()
    drifted: tuple[str, ...] = ()

    @property
    def score(self) -> Fraction:
        """The fraction kept; 1 where there was nothing to keep."""
        return Fraction(self.kept, self.valid_prior) if self.valid_prior else Fraction(1)


def preservation(prior: CognitiveStateObject, new: CognitiveStateObject) -> Preservation:
    """Score the facts: same id, statement, source and still live (R20).

    A fact that an added record ends leaves the denominator.
    """
    present = {fact.fact_id: fact for fact in new.established_facts}
    live = model.LIVE
    kept = 0
    rest: list[tuple[model.Fact, model.Fact | None]] = []
    for old in prior.established_facts:
        if old.status not in live:
            continue
        fact = present.get(old.fact_id)
        if fact is old or (
            fact is not None
            and fact.statement == old.statement
            and fact.provenance is old.provenance
            and fact.provenance_ref == old.provenance_ref
            and fact.status in live
        ):
            kept += 1
        else:
            rest.append((old, fact))
    if not rest:
        return Preservation(kept, kept)
    records = Records(prior, new)
    lost = [(old.fact_id, fact) for old, fact in rest if not records.ends(old.fact_id)]
    return Preservation(
        kept,
        kept + len(lost),
        tuple(name for name, fact in lost if fact is None),
        tuple(name for name, fact in lost if fact is not None),
    )
