"""Judgements of single values that more than one rule needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix
from pcsf_lark.source import Span
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from pcsf_lark.outline import Line
    from pcsf_lark.syntax.entry import Field

__all__ = ["field_span", "timestamp_fault", "timestamp_fix"]

_FORM = "write UTC to the minute as YYYY-MM-DDThh:mmZ"


def field_span(line: Line, field: Field) -> Span:
    """Where a field of a line stands; an empty field's span is empty."""
    start, end = field.at, field.at + len(field.text)
    span = line.span
    return Span(span.offset + start, span.offset + end, span.line, start + 1, span.line, end + 1)


def timestamp_fault(text: str, profile: str) -> tuple[str, str] | None:
    """Message and help where ``text`` is no timestamp of the profile (§2.4, D9)."""
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
