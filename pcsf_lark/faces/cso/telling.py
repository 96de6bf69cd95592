"""What is told of state objects: an explanation as JSON and as text, a chain's known start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import asdict

import cso
from cso.draw import seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["explained", "explanation", "known_anchor"]

#: The place that an import with windows behind it is known to follow.
_IMPORT = "ext.pcsf"


def known_anchor(entries: Sequence[Any]) -> str | None:
    """The place that a chain's first entry is known to follow: that of an import, or none."""
    first = entries[0] if entries else None
    if not isinstance(first, cso.CognitiveStateObject):
        return None
    imported = "pcsf" in first.ext and not first.prior_cso_hash
    return _IMPORT if imported and first.window_number > 1 else None


def explained(found: cso.Explanation) -> dict[str, Any]:
    """An explanation as JSON."""
    return {
        "id": found.id,
        "grounds": [asdict(ground) for ground in found.grounds],
        "records": [cso.members_of(record) for record in found.records],
        "dangling": list(found.dangling),
    }


def explanation(found: cso.Explanation) -> Iterator[str]:
    """An explanation as lines, what is further down set further in."""
    for ground in found.grounds:
        said = " ".join((ground.says or ground.scratch).split())
        status = f" [{ground.status}]" if ground.status not in ("", "VALID") else ""
        why = f" ({ground.why})" if ground.why else ""
        yield seen(f"{'  ' * ground.distance}{ground.kind} {ground.id}{status}: {said}{why}")
    for record in found.records:
        told = f"{record.kind.value} of {record.target}: {record.because}"
        yield seen(f"record: window {record.window}: {told}")
    for missing in found.dangling:
        yield seen(f"missing: {missing}")
