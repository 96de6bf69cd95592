"""Bounds: how many tokens something is at least, and at most.

    bounds(weight, family)                     # of a weight: texts, messages, parts
    source_bounds(messages, family)            # of Pi messages, by the family's wires
    upper(text, family, messages=1)            # of something we will write, at most

Laws: lower never exceeds upper; both grow with every byte; the lower bound counts a run
of one character as nothing and a first message as joined to its neighbour; over several
wires the lowest and the highest hold.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from kernel.projection.metering.families import Family
from kernel.projection.metering.surfaces import surfaces_of
from kernel.projection.metering.weight import Weight, weigh
from kernel.wire.source import compact

__all__ = ["Bounds", "bounds", "message_upper", "source_bounds", "upper"]


@frozen
class Bounds:
    """Tokens: at least `lower`, at most `upper`."""

    lower: int = 0
    upper: int = 0


def bounds(weight: Weight, family: Family, *, loose: bool = False) -> Bounds:
    """Return the bounds of a weight for a family.

    `loose` takes no message for sure: one that was not seen on a wire may join another.
    """
    dense = max(0, weight.narrow - weight.idle)
    lower = dense // family.narrow[1] + (weight.wide - weight.idle_wide) // family.wide[1]
    lower += family.part[0] * weight.parts
    if not loose:
        lower += family.message[0] * max(0, weight.messages - 1)
    upper = _ceil(weight.narrow, family.narrow[0]) + _ceil(weight.wide, family.wide[0])
    upper += _ceil(weight.thought, family.wide[0])
    upper += family.message[1] * weight.messages + family.part[1] * weight.parts
    return Bounds(lower, upper)


def source_bounds(messages: Sequence[Mapping[str, Any]], family: Family) -> Bounds:
    """Return the bounds of Pi messages as the family's wires serialize them."""
    surfaces = surfaces_of(messages, family.wires)
    found = [bounds(surface.text, family) for surface in surfaces]
    whole = [
        _ceil(surface.serialized - surface.text.wide, family.narrow[0])
        + _ceil(surface.text.wide, family.wide[0])
        + family.message[1] * max(len(messages), surface.text.messages)
        + family.part[1] * surface.text.parts
        for surface in surfaces
    ]
    return Bounds(min(one.lower for one in found), max([*(one.upper for one in found), *whole]))


def message_upper(message: Mapping[str, Any], family: Family) -> int:
    """Return the most tokens one Pi message can be, its JSON spelling included."""
    return source_bounds((message,), family).upper


def upper(text: str, family: Family, *, messages: int = 0, parts: int = 0) -> int:
    """Return the most tokens a text we write can be, escaped as JSON spells it."""
    spelled = compact(text)[1:-1]
    return bounds(weigh(spelled, messages, parts), family).upper


def _ceil(value: int, by: int) -> int:
    return -(-value // by)
