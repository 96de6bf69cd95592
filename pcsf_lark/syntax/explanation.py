"""Why one line is not what its place wants, in the format's own words.

The line is parsed alone by the Lark parser, started at the production of its
kind; where that parser stops and what it would have taken becomes a sentence.
The parser is loaded only here: a clean capsule never pays for it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.model import Chain, Integrity
from pcsf_lark.source import Span
from pcsf_lark.syntax import _generated

if TYPE_CHECKING:
    from pcsf_lark.outline import Line

__all__ = ["Expectation", "chain_node", "explain", "integrity_node"]

_TIME = len("YYYY-MM-DDThh:mmZ")


@frozen
class Expectation:
    """Where a line leaves its production, and what would have been taken there."""

    span: Span
    message: str


def explain(production: str, line: Line, profile: str) -> Expectation | None:
    """What the grammar expects in a line, None where it accepts it."""
    from pcsf_lark.syntax import lark_parser  # noqa: PLC0415 - brings lark

    fault = lark_parser.fault(production, line.text, profile)
    if fault is None:
        return None
    at, end = min(fault.at, len(line.text)), len(line.text)
    span = line.span
    place = Span(span.offset + at, span.end, span.line, at + 1, span.line, end + 1)
    return Expectation(place, f"expected {fault.expected} {_place(line.text, at)}")


def _place(text: str, at: int) -> str:
    if at >= len(text):
        return "before the end of the line"
    return f"at `{text[at : at + 20]}`" + ("..." if len(text) > at + 20 else "")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(getattr(_generated, name), re.ASCII)


def chain_node(line: Line, profile: str) -> Chain | None:
    """The node of a CHAIN line that has its form, else None."""
    if not _matches("CHAIN", line.text, profile):
        return None
    text = line.text
    hops = text[len(Chain.PREFIX) : -_TIME - len(" origin=")]
    return Chain(hops, text[-_TIME:], at=(line.span.offset, line.span.line))


def integrity_node(line: Line, profile: str) -> Integrity | None:
    """The node of an INTEGRITY line that has its form, else None."""
    if not _matches("INTEGRITY", line.text, profile):
        return None
    start = len(Integrity.PREFIX)
    crc, chars = line.text[start : start + 8], line.text[start + 8 + len(" chars=") :]
    return Integrity(crc, chars, at=(line.span.offset, line.span.line))


def _matches(name: str, text: str, profile: str) -> bool:
    return _pattern(f"REPAIRED_{name}" if profile == "abnf" else name).fullmatch(text) is not None
