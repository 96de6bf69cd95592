"""The host's compaction as values: what its hook is told, what it may be answered.

    event = read_event(json)            # any JSON: what is missing has the host's default
    result.as_json()                    # summary, firstKeptEntryId, tokensBefore, details

Laws: reading never fails; a result is whole or there is none, no cancel and no error
exists for it.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

from attrs import field, frozen

from kernel.model import NOTHING

__all__ = ["KEEP_RECENT_TOKENS", "CompactEvent", "CompactionResult", "Reason", "read_event"]

Reason = Literal["manual", "threshold", "overflow"]
_REASONS: Final[Mapping[str, Reason]] = {
    "manual": "manual",
    "threshold": "threshold",
    "overflow": "overflow",
}
#: What Pi keeps of the newest messages where its settings say nothing else.
KEEP_RECENT_TOKENS: Final = 20_000
_MOST: Final = 2**53


@frozen
class CompactEvent:
    """What the hook is told.

    `request` is the coordinator's, where it called for the compaction; `tokens_before` the
    host's own count. The reason changes nothing in what is answered.

    Attributes:
        reason: Why the host compacts.
        keep_recent_tokens: How many tokens at the end it keeps.
    """

    reason: Reason = "manual"
    request: str | None = None
    tokens_before: int | None = None
    keep_recent_tokens: int = KEEP_RECENT_TOKENS


@frozen
class CompactionResult:
    """A whole checkpoint: the summary, the first entry that stays, the tokens before.

    Attributes:
        summary: The text.
        first_kept_entry_id: The first entry that stays.
        tokens_before: The size before.
        details: What the entry holds besides.
    """

    summary: str = field(repr=False)
    first_kept_entry_id: str
    tokens_before: int
    details: Mapping[str, Any] = NOTHING

    def as_json(self) -> dict[str, Any]:
        """Return it under the names of the host."""
        return {
            "summary": self.summary,
            "firstKeptEntryId": self.first_kept_entry_id,
            "tokensBefore": self.tokens_before,
            "details": dict(self.details),
        }


def read_event(value: Any) -> CompactEvent:
    """Return the event of a JSON value shaped like the host's."""
    told = value if isinstance(value, Mapping) else NOTHING
    preparation = told.get("preparation")
    prepared = preparation if isinstance(preparation, Mapping) else told
    settings = prepared.get("settings")
    wanted = settings if isinstance(settings, Mapping) else prepared
    reason, request = told.get("reason"), told.get("request")
    keep = _count(wanted.get("keepRecentTokens"))
    return CompactEvent(
        _REASONS.get(reason, "manual") if isinstance(reason, str) else "manual",
        request if isinstance(request, str) else None,
        _count(prepared.get("tokensBefore")),
        KEEP_RECENT_TOKENS if keep is None else keep,
    )


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST:
        return None
    return int(value)
