"""What the gate answers.

Laws: a verdict holds versions, codes of one fixed set, counts and the caller's own ids,
never a word of the source or of the summary; it is accepted only if no refusal stands in
it and the gate was on.
"""

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from kernel.model import NOTHING, as_tuple
from kernel.projection.journal.versions import EVALUATOR_VERSION
from kernel.projection.model import Quality

__all__ = ["EVALUATOR_VERSION", "MOST_REFS", "REFUSALS", "WARNINGS", "Verdict"]

#: How many source ids a verdict names at most.
MOST_REFS: Final = 16

REFUSALS: Final[Mapping[str, str]] = {
    "quality-hard-fact-lost": "a hard fact is not in the summary",
    "quality-completion-contradicted": "the summary says done or passing of what is not",
    "quality-stale-ref": "the summary cites an m or b ref that is not current",
    "quality-stale-durable-ref": "the summary cites a task or hub id that its source does not hold",
    "quality-summary-empty": "the summary has no text",
    "quality-summary-malformed": "the summary holds a lone surrogate",
    "quality-source-malformed": "a source message holds a lone surrogate",
    "quality-unknown-version": "the manifest is of a version this gate does not know",
    "quality-extractor-error": "the manifest could not be built",
    "quality-evaluator-error": "the summary could not be judged",
    "quality-warnings-rejected": "there are warnings, and the policy refuses them",
}
WARNINGS: Final[Mapping[str, str]] = {
    "quality-soft-fact-lost": "a soft fact is not in the summary",
    "quality-completion-unproved": "the summary says passing of a run whose outcome is unknown",
    "quality-completion-doubtful": "the summary says failing of a run that passed last",
}


@frozen
class Verdict:
    """The gate's answer: `counts` by code, `lost` by kind of fact, `refs` of source ids.

    With `enabled` False nothing was judged: the summary may be used, but it is no accepted
    evidence.
    """

    accepted: bool
    manifest_version: int
    evaluator_version: int
    manifest_digest: str
    codes: tuple[str, ...] = field(default=(), converter=as_tuple)
    warnings: tuple[str, ...] = field(default=(), converter=as_tuple)
    counts: Mapping[str, int] = NOTHING
    lost: Mapping[str, int] = NOTHING
    refs: tuple[str, ...] = field(default=(), converter=as_tuple)
    enabled: bool = True

    @property
    def refused(self) -> bool:
        """Tell whether the summary may not be used."""
        return self.enabled and not self.accepted

    def quality(self) -> Quality:
        """Return the verdict as a block records it."""
        return Quality(
            self.manifest_version,
            self.evaluator_version,
            self.manifest_digest,
            accepted=self.accepted,
            enabled=self.enabled,
            warnings=self.warnings,
        )
