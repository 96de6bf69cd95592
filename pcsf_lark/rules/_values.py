"""Judgements of single values that more than one rule needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix
from pcsf_lark.rules._rule import Finding
from pcsf_lark.rules._words import choice, nearest
from pcsf_lark.source import Span
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from pcsf_lark.outline import Line
    from pcsf_lark.syntax.entry import Field

__all__ = ["field_span", "timestamp_fault", "timestamp_fix", "token_fault"]

_FORM = "write UTC to the minute as YYYY-MM-DDThh:mmZ"


def field_span(line: Line, field: Field) -> Span:
    """Where a field of a line stands; an empty field's span is empty."""
    start, end = field.at, field.at + len(field.text)
    span = line.span
    return Span(span.offset + start, span.offset + end, span.line, start + 1, span.line, end + 1)


def token_fault(
    line: Line,
    field: Field,
    tokens: tuple[str, ...],
    kind: str,
    *,
    ignore_case: bool,
    piped: bool = True,
) -> Finding | None:
    """A finding where a field is none of ``tokens`` (D13), with the nearest one (D2).

    Between pipes an edge space and an empty field are C8's, save in profile
    abnf, where tokens have no edges.
    """
    found = field.text.upper() if ignore_case else field.text
    if piped and not ignore_case:
        found = found.strip(" ")
    if found in tokens or (piped and not found):
        return None
    near = nearest(found, tokens)
    span = field_span(line, field)
    exact = near and found.upper() == near
    fix = Fix(f"write {near}", (Edit(span, near),), safe=True) if exact else None
    hint = f"; did you mean {near}?" if near else ""
    what = f"`{field.text}` is not {kind}" if found else f"{kind} is missing"
    return Finding(span, what, f"write {choice(tokens)}{hint}", fix)


def timestamp_fault(text: str, profile: str) -> tuple[str, str] | None:
    """Message and help where ``text`` is not a timestamp of the profile (§2.4, D9)."""
    form = text.upper() if profile == "abnf" else text.strip(" ")  # edge spaces are C8's
    if not form:
        return None
    if not is_timestamp(form):
        return f"`{text}` is no timestamp", f"{_FORM}, such as 2026-05-04T09:30Z"
    if profile != "abnf" and not is_real_time(form):
        return (
            f"`{text}` names no minute that exists",
            f"{_FORM}, with a real date and a time up to 23:59",
        )
    return None


def timestamp_fix(span: Span, text: str) -> Fix | None:
    """The exact case of a timestamp that differs in nothing else (D2)."""
    exact = text.upper()
    if exact == text or timestamp_fault(exact, "interop"):
        return None
    return Fix(f"write {exact}", (Edit(span, exact),), safe=True)
