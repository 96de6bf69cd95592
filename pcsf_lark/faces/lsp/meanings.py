"""What the words of a capsule mean, for whoever points at one.

Laws of this file: data and look-ups only; every field of every layer and every
token of ``pcsf_lark.spec`` has a meaning (a test compares).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.outline import Kind
from pcsf_lark.protocols.words import DEPTH_WORDS, DIMENSION_WORDS, LAYER_WORDS, TOKEN_WORDS
from pcsf_lark.spec import LAYERS, LIMIT, VERSIONS

if TYPE_CHECKING:
    from pcsf_lark.spec import Layer

__all__ = [
    "FIELD_WORDS",
    "LINE_WORDS",
    "PRIORITY_WORDS",
    "field_words",
    "header_words",
    "token_words",
]

#: What a line is for, with its section of the specification.
LINE_WORDS = {
    Kind.OPEN: ("The version token; " + ", ".join(VERSIONS) + " are known, no other.", "2.2"),
    Kind.META: ("What the session was about, how deep it went, and when it ended.", "2.4"),
    Kind.CHAIN: (
        "How many capsules were stitched into this one, and when the first began.",
        "2.10b",
    ),
    Kind.INTEGRITY: (
        "CRC-32 and length of the file: they show damage, not who wrote it; see `pcsf stamp`.",
        "2.10a",
    ),
    Kind.SEED: ("The one sentence to start from, for a reader who sees nothing else.", "2.10"),
    Kind.CLOSE: (f"The last line. The whole file may have {LIMIT:,} bytes.", "2.2"),
}

#: What a field is for, by layer (or META) and name.
FIELD_WORDS = {
    ("META", "topic"): "What the session was about, in a few words.",
    ("META", "domain"): "The field of work it belongs to.",
    ("META", "depth"): "How deep the session went.",
    ("META", "timestamp"): "When it ended, in UTC to the minute: 2026-05-04T09:30Z.",
    ("L1", "type"): "What kind of turn this was.",
    ("L1", "fact"): "What was decided, found or fixed.",
    ("L1", "reason"): "The cause that makes it more than obvious.",
    ("L2", "option"): "The path that was given up.",
    ("L2", "reason"): "Why it failed here.",
    ("L2", "lesson"): "What that teaches elsewhere.",
    ("L3", "type"): "What was held back.",
    ("L3", "content"): "What you held, in the first person.",
    ("L4", "dimension"): "One axis of working together; capitals and underscores.",
    ("L4", "state"): "Where it stands now.",
    ("L5", "type"): "What kind of thread is open.",
    ("L5", "description"): "What is still to be done or known.",
    ("L5", "priority"): "How urgent it is; the most urgent stand first.",
}

#: How urgent a loop is (§2.9).
PRIORITY_WORDS = {
    "HIGH": "the next session should begin with it",
    "MED": "due soon, blocks nothing now",
    "LOW": "may wait",
}


def token_words(section: str, field: str) -> dict[str, str]:
    """The tokens that a field may hold and what each means; empty for free text."""
    if field == "depth":
        return DEPTH_WORDS
    if field == "priority":
        return PRIORITY_WORDS
    if field == "dimension":
        return DIMENSION_WORDS
    return TOKEN_WORDS.get(section, {}) if field == "type" else {}


def field_words(section: str, field: str, value: str) -> str:
    """What a field is for and, where it holds a token, what that means; as Markdown."""
    tokens = token_words(section, field)
    lines = [f"**{section} {field}**: {FIELD_WORDS[section, field]}"]
    if value in tokens:
        lines.append(f"`{value}`: {tokens[value]}.")
    elif tokens:
        known = "One of" if field != "dimension" else "Recommended are"
        lines.append(f"{known} " + ", ".join(f"`{token}`" for token in tokens) + ".")
    return "\n\n".join(lines)


def header_words(number: int) -> str:
    """What a layer is for and how its entries are written; as Markdown."""
    layer: Layer = LAYERS[number - 1]
    return (
        f"**{layer.header}**: {LAYER_WORDS[layer.key]}\n\n"
        f"Up to {layer.cap} entries: `{layer.shape}` (specification section {layer.section})"
    )
