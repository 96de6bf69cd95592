"""The grammar a model may write capsules under: all of the rules that a grammar can hold.

The normal grammar says what a capsule looks like; this one adds what the
specification layers on top and a grammar can still count: the caps of the
layers (§2.5-§2.9, C6) and dates that exist (§2.4, C4, C12). Left to the
writer's care are the size (C2), the stamp's values (C11) and how many
sentences SEED holds (C9).
"""

from __future__ import annotations

from attrs import evolve

from pcsf_lark import abnf
from pcsf_lark.resources import grammar
from pcsf_lark.spec import LAYERS

__all__ = ["LAYOUTS", "TERMINALS", "generation", "normal"]

#: Which layouts a grammar admits.
LAYOUTS = ("any", "spaced", "compact")

#: What a lexer reads as one piece. Words, not fields: see `abnf.to_llguidance`.
TERMINALS = (
    "open", "close", "depth", "timestamp", "l1-type", "l3-type", "dimension", "l5-type",
    "priority", "SEP", "word",
)  # fmt: skip

# Real dates of the years 0001 to 9999, leap years of the Gregorian calendar, and times of day.
_CALENDAR = """
timestamp  = date %s"T" hour %s":" sixtieth %s"Z"
date       = year %s"-" day-of-year / leap-year %s"-02-29"
day-of-year = (%s"01" / %s"03" / %s"05" / %s"07" / %s"08" / %s"10" / %s"12") %s"-" day31
            / (%s"04" / %s"06" / %s"09" / %s"11") %s"-" day30
            / %s"02-" day28
day28      = %s"0" %x31-39 / %s"1" DIGIT / %s"2" %x30-38
day30      = day28 / %s"29" / %s"30"
day31      = day30 / %s"31"
year       = %x31-39 3DIGIT / %s"0" %x31-39 2DIGIT / %s"00" %x31-39 DIGIT / %s"000" %x31-39
leap-year  = 2DIGIT fourth / fourth %s"00"
fourth     = %s"0" (%s"4" / %s"8") / (%s"2" / %s"4" / %s"6" / %s"8") (%s"0" / %s"4" / %s"8")
            / (%s"1" / %s"3" / %s"5" / %s"7" / %s"9") (%s"2" / %s"6")
hour       = (%s"0" / %s"1") DIGIT / %s"2" %x30-33
sixtieth   = %x30-35 DIGIT
"""


def normal(layout: str = "any") -> abnf.Grammar:
    """The grammar of ``grammar/pcsf.normal.abnf``, in one layout or in any.

    Raises ValueError for an unknown layout.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"unknown layout {layout!r}; known are {', '.join(LAYOUTS)}")
    whole = abnf.load(grammar("pcsf.normal.abnf"), start="capsule")
    if layout == "any":
        return whole
    parts = (abnf.Reference("header"), abnf.Reference(layout))
    return whole.amend([abnf.Rule("capsule", abnf.Concatenation(parts))])


def generation(layout: str = "any") -> abnf.Grammar:
    """The grammar to write capsules under, in one layout or in any; raises as ``normal`` does."""
    base = normal(layout)
    capped = [
        evolve(rule, definition=_capped(rule.definition, layer.cap))
        for layer in LAYERS
        for rule in (base[f"layer{layer.number}"],)
    ]
    strict = base.amend([*capped, *abnf.read(_CALENDAR).rules])
    return evolve(abnf.whole(strict, "capsule"), start="capsule")


def _capped(node: abnf.Node, cap: int) -> abnf.Node:
    """The layer's definition with its one loop limited."""
    match node:
        case abnf.Concatenation(items):
            return evolve(node, items=tuple(_capped(item, cap) for item in items))
        case abnf.Repetition(_, 0, None):
            return evolve(node, max=cap)
        case _:
            return node
