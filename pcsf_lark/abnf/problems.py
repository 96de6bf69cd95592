"""What can be wrong with ABNF text, as values.

Laws: a problem says where it is, what was expected and how to mend it.
Problems are collected; `AbnfError` carries all of them at once.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import frozen

from pcsf_lark.abnf.nodes import Position

__all__ = ["AbnfError", "Problem", "Severity", "problem"]

Severity: TypeAlias = Literal["error", "warning", "note"]


@frozen(order=False)
class Problem:
    """One finding about a grammar.

    `line` and `column` count from 1, `offset` from 0, in characters; all three
    are 0 where the finding has no place. `rule` is the rule it is in, or "".
    `kind` is a kebab-case name that never changes for the same fault.

    Attributes:
        message: What was found.
        help: How to mend it.
        severity: How bad it is.
    """

    line: int
    column: int
    offset: int
    rule: str
    kind: str
    message: str
    help: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        rule = f" (rule {self.rule})" if self.rule else ""
        hint = f"; {self.help}" if self.help else ""
        return f"{place}{self.severity}[{self.kind}]: {self.message}{rule}{hint}"


def problem(
    at: Position | None,
    rule: str,
    kind: str,
    message: str,
    help: str = "",  # noqa: A002 - the field's name
    *,
    severity: Severity = "error",
) -> Problem:
    """Return a problem at this position."""
    line, column, offset = (at.line, at.column, at.offset) if at else (0, 0, 0)
    return Problem(line, column, offset, rule, kind, message, help, severity)


class AbnfError(ValueError):
    """A grammar cannot be used; `problems` lists every reason."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(found) for found in self.problems))
