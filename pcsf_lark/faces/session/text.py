"""What `pcsf session` says: outcomes of folds, plans and hits in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kernel import Applied, Plan, Problem
    from kernel.searching import SearchResult
    from kernel.sessions import Diagnostic

__all__ = ["applied_text", "harmless", "notes_text", "plan_text", "problem_text", "results_text"]

_MOST_NOTES = 20
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_PROBLEMS: Final[Mapping[str, str]] = {
    "INVALID_REF": "a boundary is no ref: write m00012 or b3, as `pcsf session view` shows them",
    "UNKNOWN_REF": "no message or block has the ref {ref} here; `pcsf session view` shows which there are",
    "CONSUMED_REF": "{ref} is folded already; name the block that holds it",
    "GATE_ALL_UNKNOWN": "no boundary is known here; `pcsf session view` shows the refs",
    "GATE_ALREADY_COMPRESSED": "what the range holds is folded already",
    "GATE_TOO_SMALL": "the range holds {chars} characters, a fold takes {min} at least "
    "(compress.minCompressRange): widen it",
    "ALL_PROTECTED": "all of the range is recent, and recent messages stay "
    "(preserveRecentMessages, preserveRecentTokens)",
    "EMPTY_REWRAP": "the range is just {blocks}; name blocks to fold blocks again",
    "IN_FLIGHT": "the range holds only a call whose result is still to come",
    "NOTHING_COMPRESSIBLE": "nothing in the range may be folded",
    "SUMMARY_EMPTY": "the summary is empty",
    "SUMMARY_TOO_SHORT": "the summary has {len} characters, {min} are the least "
    "(compress.minSummaryLength)",
    "SUMMARY_TOO_LONG": "the summary has {len} characters, {max} are the most "
    "(compress.maxSummaryLength)",
    "SUMMARY_IS_ERROR": "the summary is an error message: {start}",
    "WARN_CONSUMED_SKIPPED": "{start}..{end} is folded already",
    "WARN_OVERLAP_SKIPPED": "{start}..{end} overlaps another range",
    "WARN_PROTECTED_EXCLUDED": "{count} recent messages stay as they are: {refs}",
    "WARN_IN_FLIGHT_EXCLUDED": "{count} messages of a call in flight stay as they are",
    "SNAPPED": "the {endpoint} moved to the block that holds {ref}",
    "NOTE_PINNED_ONLY": "only the first user message is folded, and a view shows it anyway",
    "NOTE_SUMMARY_REPEATS": "the summary repeats those of {blocks}",
}
_REASONS: Final[Mapping[str, str]] = {
    "T1_READY": "the context has grown and enough of it is settled",
    "T2_READY": "enough summaries have gathered to fold them into one",
    "T3_READY": "enough summaries of summaries have gathered to fold them once more",
    "OVER-LIMIT_INJECT": "the window is nearly full",
    "EMERGENCY_INJECT": "the window is full",
    "OVER-LIMIT_SUPPRESSED": "the window is nearly full, but nothing more may be folded",
    "EMERGENCY_SUPPRESSED": "the window is full, but nothing more may be folded",
    "IRREDUCIBLE": "the first message alone exceeds the window, and it is never cut",
    "IDLE": "nothing presses; fold what is settled when it suits",
}

_NOTHING = (
    "nothing: no stretch is both older than the recent messages (preserveRecentMessages, "
    "preserveRecentTokens) and long enough (compress.minCompressRange)"
)


def harmless(text: str) -> str:
    """Text for a terminal: whatever would steer it is spelled out."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def notes_text(notes: Sequence[Diagnostic]) -> str:
    """What was odd about a log, a line each."""
    lines = [
        f"note: {f'line {note.line}: ' if note.line else ''}{note.message} ({note.code})"
        for note in notes[:_MOST_NOTES]
    ]
    if len(notes) > _MOST_NOTES:
        lines.append(f"note: and {len(notes) - _MOST_NOTES} more")
    return harmless("\n".join(lines))


def problem_text(problem: Problem) -> str:
    """A problem in words, with its code."""
    values = {key: _spelled(value) for key, value in problem.params.items()}
    words = _PROBLEMS.get(problem.code, "{}").format_map(_Known(values))
    return f"{words} ({problem.code})"


class _Known(dict[str, str]):
    """Parameters by name; one that is not there is a question mark."""

    def __missing__(self, key: str) -> str:
        return "?"


def _spelled(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value[:5])) + (", …" if len(value) > 5 else "")
    return str(value)


def applied_text(applied: Applied, *, dry: bool) -> str:
    """What a fold did, or would do."""
    block = applied.state.blocks[-1]
    count = len(block.effective_message_ids)
    would = "would become" if dry else "became"
    return (
        f"{block.block_id}: {count} messages, {applied.result.tokens_compressed:,} tokens, "
        f"{would} a summary of tier {block.tier}"
    )


def plan_text(found: Plan, limit: float, command: str) -> str:
    """What to fold now, why, and the command for the first of it."""
    due = "yes" if found.due else "no"
    lines = [
        f"due      {due}: {_REASONS.get(found.reason, 'no reason given')} ({found.reason})",
        f"context  {100 * found.context_usage:.0f} % of {limit:,.0f} tokens ({found.token_count:,.0f})",
    ]
    lines += [
        f"fold     {item.start_ref}..{item.end_ref}: {item.count} messages, {item.tokens:,} tokens, "
        f"{item.tool_pct} % of tools"
        for item in found.ranges
    ]
    if found.blocks:
        lines.append(f"fold     {found.blocks[0]}..{found.blocks[-1]}: {len(found.blocks)} blocks")
    if found.ranges:
        lines.append(f"saves    {found.savings:,.0f} tokens at most, less the summaries")
    ends = _first(found)
    if ends:
        lines.append(f"next     {command} --range {ends[0]}..{ends[1]} --summary-file SUMMARY")
    else:
        lines.append(f"fold     {_NOTHING}")
    return "\n".join(lines)


def _first(found: Plan) -> tuple[str, str] | None:
    if (found.tier or 1) > 1 and found.blocks:
        return found.blocks[0], found.blocks[-1]
    if found.ranges:
        return found.ranges[0].start_ref, found.ranges[0].end_ref
    return None


def results_text(results: Sequence[SearchResult], folded: Mapping[str, str]) -> str:
    """Hits, best first: ref, score, the block that holds it, and a line of its text."""
    lines = []
    for hit in results:
        where = f" in {folded[hit.ref]}" if hit.ref in folded else ""
        who = f" {hit.role or hit.kind}"
        line = " ".join(hit.preview.split())
        lines.append(f"{hit.ref:<7} {hit.score:.2f}{who}{where}: {line}")
    return "\n".join(lines)
