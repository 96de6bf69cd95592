"""Calls about the canonical form of scalars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cso import jcs
from cso.call.request import Earlier, InputError, listed
from cso.errors import ContentError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["HANDLERS"]

Output = dict[str, Any]


def jcs_number(given: dict[str, Any], _: Earlier) -> Output:
    """Write numbers as RFC 8785 does."""
    found: list[str] = []
    for number, value in enumerate(listed(given, "floats")):
        try:
            found.append(jcs.number(float(value)))
        except (TypeError, ValueError, OverflowError):
            raise InputError("expected a finite number", at=f"floats[{number}]") from None
    return {"text": found}


_DESCRIBED: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = (
    (re.compile(r"lone surrogate U\+([0-9A-Fa-f]{4})"), lambda digits: chr(int(digits, 16))),
    (re.compile(r"integer (-?[0-9]{1,40})(?: or more)?"), int),
    (re.compile(r"(NaN|[-+]?Infinity|[-+.0-9eE]{1,40})"), float),
)


def jcs_reject(given: dict[str, Any], _: Earlier) -> Output:
    """Tell whether each value described has no canonical form."""
    refused = []
    for number, value in enumerate(listed(given, "values")):
        refused.append(_refused(_described(value, f"values[{number}]")))
    return {"error": all(refused), "rejected": refused}


def _described(value: Any, at: str) -> Any:
    if not isinstance(value, str):
        return value
    for pattern, read in _DESCRIBED:
        match = pattern.fullmatch(value)
        if match:
            try:
                return read(match[1])
            except ValueError:
                break
    raise InputError(f"unknown description {value!r:.60}", at=at)


def _refused(value: Any) -> bool:
    try:
        jcs.canonical(value)
    except ContentError:
        return True
    return False


HANDLERS = {"jcs_number": jcs_number, "jcs_reject": jcs_reject}
"""Handlers by kind."""
