"""Text made such that what is there is what is seen.

Controls, bidirectional controls, blanks that are no plain space, what is invisible, what
is private and what is no character are named in angle brackets, as `⟨U+202E⟩`: a terminal
or a browser would obey or hide them, or draw what another one does not. Of the marks
stacked on one letter a few stay, and the rest are counted. Line ends, tabs and the wide
space of East Asia stay. So do joiners and variation selectors where scripts and emoji
need them; behind ASCII and behind one another, where they only hide, they are named.
"""

from __future__ import annotations

import re

__all__ = ["visible"]

#: The last two places of each plane are no characters.
_LAST = "".join(chr(plane << 16 | last) for plane in range(15) for last in (0xFFFE, 0xFFFF))
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and line feed
    "\xa0\u1680\u2000-\u200a\u202f\u205f\u2800"  # blanks
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # invisible ones
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ue000-\uf8ff"  # private ones
    f"\ufdd0-\ufdef{_LAST}"  # no characters
    "\ud800-\udfff"  # halves
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\U000f0000-\U0010ffff"  # private planes
    "]"
    # Joiners at the beginning, behind ASCII and behind another.
    "|(?<![^\x00-\x7f\u200c\u200d])[\u200c\u200d]"
    # Variation selectors likewise; of ASCII the keys of a telephone have one.
    "|(?<![^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f\ufe00-\ufe0f])[\ufe00-\ufe0f]"
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
