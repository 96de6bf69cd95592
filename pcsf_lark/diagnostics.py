"""Findings as data: what is wrong, where, and how to mend it.

Laws of this file: values only. A ``Diagnostic`` is the one currency between
rules, reports, editors and exceptions; nobody parses its message.
"""

from __future__ import annotations

import enum

from attrs import field, frozen

from pcsf_lark.source import Span

__all__ = ["Diagnostic", "Edit", "Fix", "Severity", "Span"]


class Severity(enum.Enum):
    """How bad a finding is; errors fail a check unless it is told otherwise."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return _RANKS[self]


_RANKS = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@frozen
class Edit:
    """Replace the bytes of ``span`` by ``text``."""

    span: Span
    text: str


@frozen
class Fix:
    """A mend: edits that do not overlap; ``safe`` ones keep the meaning.

    Attributes:
        title: What it does, in words.
        edits: The changes, in file order.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool


@frozen
class Diagnostic:
    """One finding: rule, place, what was found, what was expected, the mend.

    Attributes:
        code: The rule's code, such as `C7`.
        name: The rule's name, such as `malformed-entry`.
        severity: How bad it is.
        message: What was found.
        help: What to write instead.
        span: Where.
        fix: A mend, where there is one.
    """

    code: str
    name: str
    severity: Severity
    message: str
    help: str
    span: Span
    fix: Fix | None = field(default=None)

    def __str__(self) -> str:
        """``line:column: CODE name: message``."""
        return f"{self.span.line}:{self.span.column}: {self.code} {self.name}: {self.message}"
