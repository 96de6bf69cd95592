"""The values inside ABNF tokens: counts, strings, prose and numbers (RFC 5234 §2.3, §3.6).

Laws: each reader takes the token's text and the offset it stands at, and
raises `FaultError` with a fault there. Digit strings of any length are judged
without ever being turned into a huge integer.
"""

import re

from pcsf_lark.abnf.expressions.charset import MAX_CODE_POINT
from pcsf_lark.abnf.nodes import Literal, NumRange, NumVal, Position, Prose
from pcsf_lark.abnf.reading.mistakes import Fault

__all__ = ["MAX_COUNT", "FaultError", "read_count", "read_number", "read_prose", "read_string"]

MAX_COUNT = 1_000_000

_ALIEN = re.compile(r"[^\x20-\x7e]")
_BASES = {"b": (2, "binary"), "d": (10, "decimal"), "x": (16, "hexadecimal")}
# More digits than any code point or count needs, in any base.
_MAX_DIGITS = 21
_SHOWN = 40


class FaultError(Exception):
    """Carries the fault of a token out of the reader of its rule."""

    def __init__(self, offset: int, kind: str, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(offset, kind, message, mend)


def read_count(text: str, offset: int) -> tuple[int, int | None]:
    """Return minimum and maximum of `<a>*<b>` or `<n>`; None is without end."""
    least, star, most = text.partition("*")
    low, high = _count(least, offset), _count(most, offset)
    if not star:
        return low, low
    if most and low > high:
        message = f"`{text[:_SHOWN]}` asks for at least {low} and at most {high}"
        raise FaultError(offset, "empty-count", message, "write the smaller number first")
    return low, high if most else None


def _count(text: str, offset: int) -> int:
    digits = text.lstrip("0") or "0"
    if len(digits) > _MAX_DIGITS or int(digits) > MAX_COUNT:
        message = f"a repetition of more than {MAX_COUNT:,} times"
        raise FaultError(offset, "count-limit", message, "leave the count out: `*`")
    return int(digits)


def read_string(text: str, offset: int, at: Position) -> Literal:
    """Return the literal of a quoted string with or without `%s` or `%i`."""
    head, _, rest = text.partition('"')
    _check_plain(rest, offset + len(head) + 1, "a string")
    return Literal(rest[:-1], head.lower() == "%s", at=at)


def read_prose(text: str, offset: int, at: Position) -> Prose:
    """Return the prose of `<...>`."""
    _check_plain(text, offset, "prose")
    return Prose(text[1:-1], at=at)


def _check_plain(text: str, offset: int, what: str) -> None:
    alien = _ALIEN.search(text)
    if alien:
        point, place = ord(alien.group()), offset + alien.start()
        if 0xDC80 <= point <= 0xDCFF:
            message = f"byte 0x{point - 0xDC00:02X} in {what} is not UTF-8"
            raise FaultError(place, "illegal-character", message, "save the file as UTF-8")
        message = f"{alien.group()!a} cannot stand in {what}"
        raise FaultError(place, "illegal-character", message, f"write it as %x{point:02X}")


def read_number(text: str, offset: int, at: Position) -> NumVal | NumRange:
    """Return the value, the values in a row, or the range of `%b`, `%d` or `%x`."""
    base, name = _BASES.get(text[1:2].lower(), (0, ""))
    if not base:
        message = f"`{text[:_SHOWN]}` has no base"
        raise FaultError(offset, "illegal-value", message, 'write %x, %d or %b, or %s"text"')
    first, dash, last = text[2:].partition("-")
    digits = [first, last] if dash else text[2:].split(".")
    points = tuple(_point(text, part, base, name, offset) for part in digits)
    if not dash:
        return NumVal(points, at=at)
    if points[0] > points[1]:
        message = f"the range `{text[:_SHOWN]}` runs downward"
        raise FaultError(offset, "empty-range", message, "write the smaller value first")
    return NumRange(points[0], points[1], at=at)


def _point(text: str, part: str, base: int, name: str, offset: int) -> int:
    digits = "0123456789abcdef"[:base]
    if not part or not set(part.lower()) <= set(digits):
        message = f"`{text[:_SHOWN]}` is no {name} value"
        mend = "write digits, joined by `.` or as one range with `-`"
        raise FaultError(offset, "illegal-value", message, mend)
    short = part.lstrip("0") or "0"
    if len(short) > _MAX_DIGITS or int(short, base) > MAX_CODE_POINT:
        message = f"`{text[:_SHOWN]}` lies beyond the last code point"
        raise FaultError(offset, "illegal-value", message, "the last one is %x10FFFF")
    return int(short, base)
