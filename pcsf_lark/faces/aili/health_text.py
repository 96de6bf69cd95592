"""The doctor's report for a person: a line a part, then what nothing here proves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["health_text"]


def health_text(report: Mapping[str, Any]) -> str:
    """A line for each part: its status, and what of it is a plain value or a short list."""
    parts = {name: part for name, part in report.items() if isinstance(part, dict)}
    width = max(map(len, parts))
    rows = [f"{'session':<{width}}  {report['session']}, leaf {report['leaf'] or 'none'}"]
    for name, part in parts.items():
        told = [
            f"{key} {_value(value)}"
            for key, value in part.items()
            if key != "status" and value not in (None, [], {}, ())
        ]
        status = part.get("status")
        rows.append(f"{name:<{width}}  {': '.join(filter(None, (status, ', '.join(told))))}")
    rows.append(f"{'Unverified':<{width}}  {', '.join(report['unverified'])}")
    return "\n".join(rows)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, dict):
        found = [f"{key} {_value(one)}" for key, one in value.items() if one not in (None, 0)]
        return f"({', '.join(found)})"
    if isinstance(value, list):
        return "[" + " ".join(map(_value, value[:8])) + (" …]" if len(value) > 8 else "]")
    text = str(value)
    return text if len(text) <= 40 else f"{text[:24]}…"
