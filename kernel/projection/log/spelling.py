"""JSON as JavaScript spells it, so that a log keeps one spelling whoever wrote the line.

Laws: `stringify` gives what `JSON.stringify` gives for the same value: no blanks, plain
decimals down to 0.000001, integers without a fraction, integers no double can hold as the
nearest double, lone surrogates escaped; any depth of nesting is spelled.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

__all__ = ["number", "stringify"]

_TEXT: Final = json.JSONEncoder(ensure_ascii=False).encode
_LONE: Final = re.compile("[\ud800-\udfff]")
_SAFE: Final = 2**53
# Where JavaScript turns to exponents: from 1e21 upwards, below 1e-6.
_LARGEST_PLACE: Final = 21
_SMALLEST_PLACE: Final = -6


def number(value: float) -> str:
    """Return a number as JavaScript prints it; what is no finite number is null."""
    if isinstance(value, int) and -_SAFE <= value <= _SAFE:
        return str(int(value))
    try:
        value = float(value)
    except OverflowError:
        return "null"
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    sign, figures, exponent = Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, figures))
    place = len(digits) + int(exponent)
    return ("-" if sign else "") + _placed(digits.rstrip("0"), place)


def _placed(digits: str, place: int) -> str:
    """Put the point after `place` digits, or write an exponent where it lies far away."""
    if len(digits) <= place <= _LARGEST_PLACE:
        return digits.ljust(place, "0")
    if 0 < place <= _LARGEST_PLACE:
        return f"{digits[:place]}.{digits[place:]}"
    if _SMALLEST_PLACE < place <= 0:
        return f"0.{'0' * -place}{digits}"
    head = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{head}e{place - 1:+d}"


class _Token(str):
    """A piece of the text itself, among values still to be spelled."""

    __slots__ = ()


def stringify(value: Any, *, ordered: bool = False) -> str:
    """Return the compact JSON text of a value; `ordered` sorts the keys of its objects."""
    out: list[str] = []
    todo = [value]
    while todo:
        item = todo.pop()
        if type(item) is _Token:
            out.append(item)
        elif isinstance(item, Mapping):
            todo += reversed(list(_members(item, ordered=ordered)))
        elif isinstance(item, Sequence) and not isinstance(item, str):
            todo += reversed(list(_elements(item)))
        else:
            out.append(_scalar(item))
    return "".join(out)


def _members(value: Mapping[str, Any], *, ordered: bool) -> Iterator[Any]:
    pairs = sorted(value.items()) if ordered else list(value.items())
    yield _Token("{")
    for at, (key, item) in enumerate(pairs):
        yield _Token(f"{',' if at else ''}{_scalar(key)}:")
        yield item
    yield _Token("}")


def _elements(value: Sequence[Any]) -> Iterator[Any]:
    yield _Token("[")
    for at, item in enumerate(value):
        if at:
            yield _Token(",")
        yield item
    yield _Token("]")


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        text = _TEXT(value)
        return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int | float):
        return number(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")
