"""What the editor is told, before it takes the protocol's form.

Laws of this file: values only; ``start`` and ``end`` count bytes of the
document's UTF-8, ``end`` exclusive.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Action", "Change", "Fold", "Hover", "Item", "Lens", "Symbol"]


class Change(NamedTuple):
    """Replace the bytes from ``start`` to ``end`` by ``text``."""

    start: int
    end: int
    text: str


class Hover(NamedTuple):
    """What is said of a stretch, as Markdown."""

    start: int
    end: int
    text: str


class Item(NamedTuple):
    """One completion; ``kind`` is ``keyword``, ``value``, ``line`` or ``rule``."""

    label: str
    kind: str
    detail: str
    change: Change


class Lens(NamedTuple):
    """A remark above the line of an offset."""

    start: int
    title: str


class Symbol(NamedTuple):
    """A part of the document; its name stands from ``name_start`` to ``name_end``.

    ``kind`` is ``layer``, ``entry``, ``field`` or ``rule``.
    """

    name: str
    detail: str
    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: tuple[Symbol, ...] = ()


class Fold(NamedTuple):
    """A stretch that can be closed; ``comment`` tells the kind."""

    start: int
    end: int
    comment: bool = False


class Action(NamedTuple):
    """A mend on offer: its kind in the protocol's words, and the finding that it mends.

    ``finding`` is the number of that finding in the report, None for an action
    on the whole document.
    """

    title: str
    kind: str
    changes: tuple[Change, ...]
    finding: int | None = None
    safe: bool = True
