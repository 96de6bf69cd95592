"""The formats by name; each is a module, imported when it is asked for.

A format is a function ``render(results, *, colour, summary)`` that takes
``(path, Report)`` pairs and yields chunks of text, each to be followed by a
line end. ``colour`` and ``summary`` are for people at a terminal; formats for
programs ignore them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.report import Report

__all__ = ["FORMATS", "Render", "load"]

#: Format name to the module of this package that renders it.
FORMATS = {name: name for name in ("human", "concise", "json", "jsonl", "sarif", "github", "agent")}


class Render(Protocol):
    """What a format's module calls ``render``."""

    def __call__(
        self, results: Iterable[tuple[str, Report]], *, colour: bool, summary: bool
    ) -> Iterator[str]:
        """Yield the results as chunks of text."""


def load(name: str) -> Render:
    """The renderer of a format; KeyError for one there is not."""
    render: Render = import_module(f"pcsf_lark.report.{FORMATS[name]}").render
    return render
