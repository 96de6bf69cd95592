r"""Characters and classes as they must stand in a regular expression, plain or in Lark.

Laws: Lark undoes `\x`, `\u` and `\n` before `re` sees the text, so whatever
means something to `re` is escaped with a backslash, never by its number; what
Lark undoes for the rest is the character itself, which is what we mean. The
same text is right for `re` alone. `/` is escaped for Lark's own literals, and
`"` is written by its number, as Lark eats a backslash that stands before it.
"""

from pcsf_lark.abnf.expressions.charset import END, MAX_CODE_POINT, CharSet
from pcsf_lark.abnf.expressions.expr import Chars

__all__ = ["ahead", "char_class", "char_text", "count", "letters"]

_ANY = CharSet.span(0, MAX_CODE_POINT)
_SPECIAL = frozenset("\\^$.|?*+()[]{}/")
_SPECIAL_IN_CLASS = frozenset("\\^[]-/")


def _escape(point: int, special: frozenset[str]) -> str:
    char = chr(point)
    if char in special:
        return f"\\{char}"
    if 0x20 <= point < 0x7F and char != '"':
        return char
    if point == 0x0A:
        return "\\n"
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def char_text(point: int) -> str:
    """Return a code point as itself, outside a class."""
    return _escape(point, _SPECIAL)


def char_class(chars: CharSet | Chars, *, negated: bool = False) -> str:
    """Return a class: one character as itself, more in square brackets."""
    ranges = (chars.set if isinstance(chars, Chars) else chars).ranges
    if ranges and ranges[0][0] == END:
        raise ValueError("the end of the text is no character")
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1] and not negated:
        return char_text(ranges[0][0])
    if ranges == _ANY.ranges:
        return "[^\\s\\S]" if negated else "[\\s\\S]"
    if not negated and ranges[-1][1] == MAX_CODE_POINT:
        # Readers that spell classes out would spell out a million characters.
        return char_class(_ANY - CharSet(ranges), negated=True)
    return ("[^" if negated else "[") + "".join(map(_range, ranges)) + "]"


def _range(bounds: tuple[int, int]) -> str:
    first, last = (_escape(point, _SPECIAL_IN_CLASS) for point in bounds)
    gap = bounds[1] - bounds[0]
    return first if not gap else f"{first}{last}" if gap == 1 else f"{first}-{last}"


def ahead(chars: CharSet) -> str:
    """Return a look-ahead for one of the characters, or the end of the text if END is among them."""
    real = chars - CharSet.of(END)
    if END not in chars:
        return f"(?={char_class(real)})"
    return f"(?!{char_class(real, negated=True)})" if real else r"\Z"


def count(least: int, most: int | None) -> str:
    """Return the quantifier of a repetition."""
    short = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((least, most))
    if short:
        return short
    return f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"


def letters(chars: Chars) -> str | None:
    """Return the letter when the class is both cases of one ASCII letter, in upper case."""
    points = chars.set.ranges
    if len(points) == 2 and points[0][0] == points[0][1] == points[1][0] - 32 == points[1][1] - 32:
        char = chr(points[0][0])
        return char if char.isascii() and char.isupper() else None
    return None
