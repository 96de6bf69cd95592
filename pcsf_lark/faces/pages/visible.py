"""Text made such that what is there is what is seen.

Controls, bidirectional controls, invisible and unassigned characters are named in
angle brackets, as `⟨U+202E⟩`: a terminal or a browser would obey or hide them. Of the
marks stacked on one letter a few stay, and the rest are counted. Line ends and tabs
stay, and so do the joiners that scripts and emoji need.
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
_MARK = (
    "[\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
#: More marks than any script stacks; they would be painted over the lines around.
_STACK = re.compile(f"({_MARK}{{4}})({_MARK}+)")
_LEFT, _RIGHT = "\N{MATHEMATICAL LEFT ANGLE BRACKET}", "\N{MATHEMATICAL RIGHT ANGLE BRACKET}"


def visible(text: str) -> str:
    """The text with every character named that one would not see, or that acts."""
    if text.isascii() and text.isprintable():
        return text
    return _STACK.sub(_counted, _HIDDEN.sub(_name, text))


def _name(match: re.Match[str]) -> str:
    return f"{_LEFT}U+{ord(match[0]):04X}{_RIGHT}"


def _counted(match: re.Match[str]) -> str:
    return f"{match[1]}{_LEFT}{len(match[2]):,} more marks{_RIGHT}"
