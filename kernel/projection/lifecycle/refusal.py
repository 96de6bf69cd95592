"""Refusals: why nothing was planned, said in bounded codes.

Laws: a refusal is a value, never an exception; its message comes from the table below or is
a count, so that no text of a source, no secret and no summary is ever echoed; `refs` are
refs the caller may be shown (m…, b…), at most 16 of them. A faulted journal refuses every
mutator with the fault's own code; the gate and the economics bring codes of their own.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.model import Fault

__all__ = ["MAX_REFS", "REFUSALS", "Refusal", "faulted", "refuse"]

MAX_REFS: Final = 16
#: What is spelled otherwise is somebody's text and is not repeated.
_REF: Final = re.compile(r"[mb][0-9]{6,9}")

#: Every refusal of the lifecycle and the surfaces: what it means and how to mend it.
REFUSALS: Final[Mapping[str, str]] = {
    "aili-off": "AILI is off for this branch; switch it on first.",
    "already-in-force": "The switch already stands like that; nothing to append.",
    "bad-input": "The input does not fit the schema of this surface.",
    "below-break-even": "The saving would pay back too late for the present pressure.",
    "below-minimum-ratio": "The saving is too small a share of the source.",
    "below-minimum-savings": "The guaranteed saving is below the minimum of this tier.",
    "block-not-active": "Only a block that is shown can be opened or promoted.",
    "block-not-decompressed": "Only a block its user opened can be closed again.",
    "checkpoint-required": "The window is nearly full: no semantic step starts; use a checkpoint.",
    "children-count": "A block of a higher tier takes 2 to 16 children.",
    "children-not-contiguous": "The children must follow one another without a gap.",
    "children-tier-mismatch": "The children must all be of the tier the new block is made from.",
    "closure-too-large": "Opening these roots to the raw messages would touch over 256 blocks.",
    "cooling-durable-ref": "A durable ref of a task or hub hangs on the result.",
    "cooling-newest-equal": "Of several equal results the newest stays raw.",
    "cooling-no-saving": "A stub would not be smaller for certain.",
    "cooling-not-a-result": "Only the result of a tool can be cooled.",
    "cooling-not-shown": "The result is not in the view: covered, omitted or cooled already.",
    "cooling-off": "Automatic cooling is off.",
    "cooling-open-failure": "The result is an error that no later success of the same call resolved.",
    "cooling-profile": "Results of this tool stay raw.",
    "cooling-unobserved": "Too few settled answers have seen the exact result.",
    "duplicate-ref": "A ref is named twice.",
    "empty-log": "The branch has no entry yet to append under.",
    "epoch-query-only": "The block is of an older epoch and can only be read.",
    "legacy-child": "A block of version 1 or 2 is never a child; open it and summarise anew.",
    "legacy-recompress": "A block of version 1 or 2 cannot be closed again.",
    "lineage-changed": "The block's lineage is not what it was when it was opened.",
    "manual-mode": "Manual mode is on: a semantic step needs the user's permit.",
    "not-current-call": "The call is not one of the current assistant message.",
    "not-sole-call": "This call must be the only tool call of its assistant message.",
    "nothing-to-cool": "Nothing is eligible for cooling now.",
    "overflow-recovery": "The window has overflowed: no semantic step starts; recovery comes first.",
    "overlapping-parent": "Closing this block would overlap a block that is shown.",
    "permit-mismatch": "The permit is for another session, branch or epoch.",
    "planning-disabled": "Planning is off: nothing is folded unasked, no block promoted without a permit.",
    "protected-result": "A result of this selection is protected.",
    "read-only-version": "Only logs of version 3 can be written; migrate the session in Pi first.",
    "replay-failed": "The planned transaction does not replay; nothing is changed.",
    "restill-disabled": "Restill is off in the settings.",
    "restill-ineligible": "The restill thresholds are not met.",
    "restored": "The user restored everything; only the user's own word folds anything again.",
    "roots-overlap": "The roots must not contain one another.",
    "source-edited": "A source of the block was edited since: its summary never comes back.",
    "source-summary-scope-mismatch": "The selection is not exactly one recommendation of the catalog.",
    "stale-catalog": "The catalogId is not the current one; read the status again.",
    "tiers-disabled": "Tiers are off in the settings.",
    "too-many-refs": "Too many refs in one call.",
    "unknown-ref": "A ref does not name anything in the scope of this branch and epoch.",
    "view-refused": "The view after this change would be refused by a provider; nothing is changed.",
}


@frozen
class Refusal:
    """A bounded code, what it means, and the refs it concerns.

    Attributes:
        code: A stable word for a program.
        message: What it means, and how to mend it.
        refs: What it concerns.
    """

    code: str
    message: str
    refs: tuple[str, ...] = field(default=(), converter=as_tuple)


def refuse(code: str, refs: Iterable[str] = (), detail: str = "") -> Refusal:
    """Return the refusal of a code; `detail` is a bounded addition: a count or a path.

    A code of the gate or the economics is no key of the table and explains itself.
    """
    message = REFUSALS.get(code, f"Refused: {code}.")
    shown = [ref for ref in refs if _REF.fullmatch(ref)]
    return Refusal(code, f"{message} {detail}".rstrip(), shown[:MAX_REFS])


def faulted(fault: Fault) -> Refusal:
    """Return the refusal of every mutator while the journal cannot be followed."""
    message = (
        "The journal of this branch cannot be followed, so the raw history is shown; "
        "restore-all or a new epoch leaves that behind."
    )
    return Refusal(fault.code, message)
