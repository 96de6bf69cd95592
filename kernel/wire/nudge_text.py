"""The words of a reminder, and the rules a model should know; all of it data.

Law: the kernel decides, these texts only say it. A host may replace a rule text, but
only by saying that it takes the risk: a model that misreads the rules folds badly.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kernel.nudge import NudgeDecision
from kernel.text import short_count

__all__ = ["RULES", "render_nudge", "rules_text"]

#: What a reminder says besides its figures: a topic to its words.
RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "philosophy": (
            "Folding replaces a stretch of this conversation by a summary you write. Nothing is "
            "lost: folded messages can be opened again. Fold what is settled, keep what you work on."
        ),
        "how-to": (
            "Each message begins with its ref, such as m00012. Call `compress` with "
            '{"content": [{"startRef": "m00012", "endRef": "m00040", "topic": "…", "summary": "…"}]}. '
            "Several ranges may go in one call; they must not overlap. Write down names, paths, "
            "numbers, decisions with their reasons, and what is still open. Do not repeat an earlier "
            "summary inside a new one. A refused range is told why; do not send it again unchanged."
        ),
        "tier-2": (
            "Several summaries may be folded into one: name the first and the last block, such as "
            "b1 and b4, and write what all of them say together, without repetition."
        ),
        "tier-3": (
            "Summaries of summaries may be folded once more: keep the decisions, the facts later "
            "work rests on and the open ends, in the order they arose."
        ),
    }
)


def rules_text(overrides: Mapping[str, object] | None = None, *, accept_risk: bool = False) -> str:
    """Return the rules for a system prompt; replacements count only with `accept_risk`."""
    texts = dict(RULES)
    for name, text in (overrides or {}).items():
        if accept_risk and name in texts and isinstance(text, str):
            texts[name] = text
    return "\n\n".join(texts.values())


def render_nudge(decision: NudgeDecision) -> str:
    """Return the text of a reminder, empty where none is due."""
    if not decision.should_inject:
        return ""
    usage = f"{100 * decision.context_usage:.0f} %"
    pressing = decision.breakdown["overLimit"] or decision.breakdown["emergencyOverride"]
    lines = [
        f"The context is {usage} full: fold now, before anything else."
        if pressing
        else f"The context has grown to {usage} of the window. Fold what is settled when it suits."
    ]
    lines += _blocks(decision) if (decision.tier or 1) > 1 else _ranges(decision)
    return "\n".join(lines)


def _blocks(decision: NudgeDecision) -> list[str]:
    targets = decision.tier_target_blocks
    if not targets:
        return []
    lines = [RULES[f"tier-{decision.tier}"], "Blocks:"]
    for block in targets:
        size = short_count(int(block.compressed_tokens or 0))
        topic = f", {block.topic}" if block.topic else ""
        count = len(block.effective_message_ids)
        lines.append(f"- {block.block_id}: {count} messages, {size} tokens before{topic}")
    first, last = targets[0].block_id, targets[-1].block_id
    lines.append(
        f'Example: {{"content": [{{"startRef": "{first}", "endRef": "{last}", "summary": "…"}}]}}'
    )
    return lines


def _ranges(decision: NudgeDecision) -> list[str]:
    """List what may be folded, oldest first; protected spans between are named, not offered."""
    spans = [
        (item.start_ref, item.end_ref, item.count, item.tokens, "")
        for item in decision.compressible_ranges
    ]
    spans += [
        (item.start_ref, item.end_ref, item.count, item.tokens, " (stays: protected)")
        for item in decision.protected_ranges
    ]
    lines = ["Ranges, oldest first:"]
    for start, end, count, tokens, note in sorted(spans, key=lambda span: (len(span[0]), span[0])):
        lines.append(f"- {start}..{end}: {count} messages, {short_count(tokens)} tokens{note}")
    return lines
