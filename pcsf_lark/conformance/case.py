"""One case: what a command is given, and what it must answer."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

__all__ = ["Case", "Expected"]


@frozen
class Expected:
    """The right answer.

    ``exit``: 0 or 1. ``output``: the exact bytes of standard output, None for
    any. ``tree``: the JSON of standard output when it is compared as JSON,
    ``codes`` the set of codes in its ``codes`` when that is compared.
    """

    exit: int
    output: bytes | None = field(default=None, repr=False)
    tree: Any = field(default=None, repr=False)
    codes: frozenset[str] | None = None


@frozen
class Case:
    """A case by name, such as ``invalid/c7/l1-type-in-lower-case``.

    The command is called with ``arguments`` and ``stdin``. ``spec`` is the
    section or decision that the answer rests on.

    Attributes:
        name: Its folder and name.
        expected: The right answer.
        lines: The first and the last line that a finding may name; None where any may be.
    """

    name: str
    arguments: tuple[str, ...]
    stdin: bytes = field(repr=False)
    expected: Expected
    spec: str = ""
    lines: tuple[int, int] | None = None
