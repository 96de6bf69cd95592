"""JSON lines: one object a file, a line each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pcsf_lark.report.json import as_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.report import Report

__all__ = ["render"]


def render(
    results: Iterable[tuple[str, Report]],
    *,
    colour: bool,  # noqa: ARG001 - formats for programs have none
    summary: bool,  # noqa: ARG001 - likewise
) -> Iterator[str]:
    """A line a file."""
    for path, report in results:
        yield json.dumps(as_object(path, report), separators=(",", ":"))
