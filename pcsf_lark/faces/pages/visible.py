"""Text made such that what is there is what is seen.

Controls, bidirectional controls, invisible and unassigned characters are named in
angle brackets, as `⟨U+202E⟩`: a terminal or a browser would obey or hide them. Line
ends and tabs stay, and so do the joiners that scripts and emoji need.
"""

from __future__ import annotations

import re

__all__ = ["visible"]

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and line feed
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"  # invisible ones
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\ufdd0-\ufdef\ufffe\uffff"  # no characters
    "\ud800-\udfff"  # halves
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\U000f0000-\U0010ffff"  # private planes, and the last two of them no characters
    "]"
)


def visible(text: str) -> str:
    """The text with every character named that one would not see, or that acts."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_name, text)


def _name(match: re.Match[str]) -> str:
    return f"\N{MATHEMATICAL LEFT ANGLE BRACKET}U+{ord(match[0]):04X}\N{MATHEMATICAL RIGHT ANGLE BRACKET}"
