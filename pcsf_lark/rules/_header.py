"""Mends of the header lines: their order, and the exact form of CHAIN and INTEGRITY."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix
from pcsf_lark.outline import Kind

if TYPE_CHECKING:
    from pcsf_lark.outline import Line, Outline

__all__ = ["exact", "reorder"]

_ORDER = (Kind.META, Kind.CHAIN, Kind.INTEGRITY)
_FORMS = {
    Kind.CHAIN: (
        re.compile(r"CHAIN: *HOPS=([0-9]+) +ORIGIN=([0-9-]{10}T[0-9:]{5}Z)", re.IGNORECASE),
        "CHAIN: hops={0} origin={1}",
        str.upper,
    ),
    Kind.INTEGRITY: (
        re.compile(r"INTEGRITY: *CRC32=([0-9a-f]{8}) +CHARS=([0-9]+)", re.IGNORECASE),
        "INTEGRITY: crc32={0} chars={1}",
        str.lower,
    ),
}


def reorder(outline: Outline) -> Fix | None:
    """META, CHAIN, INTEGRITY in this order, where they stand together, each once.

    Safe: a checksum leaves the stamp's own line out, so that a stamp stays true
    wherever it stands.
    """
    lines = list(outline.clean(*_ORDER))
    kinds = [line.kind for line in lines]
    together = all(b.index == a.index + 1 for a, b in pairwise(lines))
    if not together or len(set(kinds)) != len(kinds):
        return None
    right = sorted(lines, key=lambda line: _ORDER.index(line.kind))
    edits = tuple(
        Edit(old.span, new.text) for old, new in zip(lines, right, strict=True) if old is not new
    )
    return Fix("put the header lines in order", edits, safe=True) if edits else None


def exact(line: Line) -> Fix | None:
    """The line in its exact form, where case and spaces alone are wrong (D2)."""
    pattern, form, case = _FORMS[line.kind]
    found = pattern.fullmatch(line.text)
    if found is None:
        return None
    text = form.format(*map(case, found.groups()))
    return (
        Fix(f"write `{text}`", (Edit(line.span, text),), safe=True) if text != line.text else None
    )
