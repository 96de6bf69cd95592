"""What is known of a provider's cache, in two sections that never mix.

    totals = session_totals(tree)                    # usage the log holds, summed
    seen = Stability().after(identities, usage)      # requests this process saw
    cache_report(totals, seen)

Laws: a hit is what a provider reported and nothing else; equal identities without usage are
stable requests, not hits; where nothing was reported or seen the word is `Unverified`.
"""

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve, frozen

from kernel.projection.log.branch import SessionTree
from kernel.projection.provider.identity import Identities

__all__ = ["UNVERIFIED", "SessionTotals", "Stability", "cache_report", "session_totals"]

UNVERIFIED: Final = "Unverified"
_COUNTS: Final[Mapping[str, str]] = {
    "input": "input",
    "output": "output",
    "cache_read": "cacheRead",
    "cache_write": "cacheWrite",
}
_SAME: Final[Mapping[str, str]] = {
    "same_static": "sameStaticSurface",
    "same_prefix": "sameLogicalPrefix",
    "same_suffix": "sameSuffix",
    "same_full": "sameFullInput",
}


@frozen
class SessionTotals:
    """The usage a log holds: answers, those of them with usage, and tokens summed.

    `hits` counts answers whose usage reports tokens read from a cache.
    """

    requests: int = 0
    reported: int = 0
    hits: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


@frozen
class Stability:
    """How alike the requests of this process were, each compared with the one before.

    `reported` counts those whose provider said what it read from its cache, `hits` those
    of them that read anything.
    """

    requests: int = 0
    same_static: int = 0
    same_prefix: int = 0
    same_suffix: int = 0
    same_full: int = 0
    reported: int = 0
    hits: int = 0
    last: Identities | None = None

    def after(self, now: Identities, usage: Mapping[str, Any] | None = None) -> "Stability":
        """Return what is known after one more request; `usage` is its provider's report."""
        old = self.last
        read = _count(usage, "cacheRead")
        return evolve(
            self,
            requests=self.requests + 1,
            same_static=self.same_static + _alike(old, now, "static_surface"),
            same_prefix=self.same_prefix + _alike(old, now, "logical_prefix"),
            same_suffix=self.same_suffix + _alike(old, now, "suffix"),
            same_full=self.same_full + _alike(old, now, "full_input"),
            reported=self.reported + (read is not None),
            hits=self.hits + bool(read),
            last=now,
        )


def _alike(old: Identities | None, now: Identities, name: str) -> bool:
    return old is not None and getattr(old, name) == getattr(now, name)


def _count(usage: Any, name: str) -> int | None:
    """Return a count of a usage report, None where it says nothing."""
    value = usage.get(name) if isinstance(usage, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**53:
        return None
    return int(value)


def session_totals(tree: SessionTree) -> SessionTotals:
    """Sum the usage of all answers a log holds, of every branch."""
    requests = reported = hits = 0
    sums = dict.fromkeys(_COUNTS, 0)
    for item in tree.by_id.values():
        message = item.value.get("message")
        if item.value.get("type") != "message" or not isinstance(message, Mapping):
            continue
        if message.get("role") != "assistant":
            continue
        requests += 1
        counts = {name: _count(message.get("usage"), key) for name, key in _COUNTS.items()}
        reported += any(value is not None for value in counts.values())
        hits += bool(counts["cache_read"])
        for name, value in counts.items():
            sums[name] += value or 0
    return SessionTotals(requests, reported, hits, **sums)


def cache_report(totals: SessionTotals, seen: Stability) -> dict[str, dict[str, Any]]:
    """Return the two sections: the session's totals, and the stability of requests."""
    session: dict[str, Any] = {"requests": totals.requests, "reported": totals.reported}
    for name, key in _COUNTS.items():
        session[key] = getattr(totals, name) if totals.reported else UNVERIFIED
    session["hits"] = totals.hits if totals.reported else UNVERIFIED
    stability: dict[str, Any] = {"requests": seen.requests, "reported": seen.reported}
    compared = seen.requests > 1
    for name, key in _SAME.items():
        stability[key] = getattr(seen, name) if compared else UNVERIFIED
    stability["hits"] = seen.hits if seen.reported else UNVERIFIED
    return {"session": session, "stability": stability}
