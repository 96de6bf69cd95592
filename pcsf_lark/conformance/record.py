"""A run on record: what was scored, what of the suite was asked, and what became of it.

Laws: a record holds no more of a command's output than an excerpt, and evidence
for wrong answers alone. Files that a case names are held by their names in the
suite and their bytes, never by a path of the machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from pcsf_lark import resources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.conformance.answer import Excerpt
    from pcsf_lark.conformance.case import Case, Expected
    from pcsf_lark.conformance.judging import Outcome

__all__ = ["PATIENCE", "RESULTS", "Evidence", "Row", "Run", "Selection", "recorded"]

#: What may become of a case.
RESULTS = ("passed", "failed", "broken", "skipped")
#: The seconds that a case may take where no others were asked for.
PATIENCE = 10.0
_WRONG = ("failed", "broken")


@frozen
class Evidence:
    """What was asked, what is right, and what was answered.

    ``files`` are the names and bytes of what ``arguments`` name; ``exit`` is None
    where the command had to be stopped; ``lines`` are those of the case.
    """

    arguments: tuple[str, ...]
    stdin: bytes = field(repr=False)
    files: tuple[tuple[str, bytes], ...] = field(repr=False)
    expected: Expected
    exit: int | None
    output: Excerpt
    errors: Excerpt
    lines: tuple[int, int] | None = None


@frozen
class Row:
    """A case by name, what became of it and why; evidence where the answer was wrong."""

    name: str
    result: str
    detail: str = ""
    spec: str = ""
    seconds: float = field(default=0.0, eq=False)
    evidence: Evidence | None = None

    @property
    def wrong(self) -> bool:
        """Whether the case failed or the command is broken."""
        return self.result in _WRONG


@frozen
class Selection:
    """The globs and indices that cases were chosen by; none of them: all.

    Attributes:
        run: Globs of cases to be run.
        skip: Globs of cases to be left out.
        index: Indices that a case must be in.
        must_fail: Whether those left out were asked too, and had to fail.
    """

    run: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    index: tuple[str, ...] = ()
    must_fail: bool = False


@frozen
class Run:
    """A whole run; ``title`` names it on one line.

    ``version`` is that of the package whose suite it is, ``suite`` how many cases
    that has for the role and the level; both may be unknown of an old record.

    Attributes:
        rows: What became of each case.
        command: The command and its arguments.
        role: What the command is: decoder, encoder or formatter.
        level: What a decoder is held to.
        selection: Which cases were asked for.
        timeout: The seconds that a case might take; None where the record does not say.
    """

    title: str
    rows: tuple[Row, ...] = field(repr=False)
    command: tuple[str, ...] = ()
    role: str = ""
    level: str = ""
    version: str = ""
    suite: int | None = None
    selection: Selection = Selection()
    timeout: float | None = None

    @property
    def clean(self) -> bool:
        """Whether nothing failed and nothing is broken."""
        return not any(row.wrong for row in self.rows)

    def count(self, result: str) -> int:
        """How many cases came to a result."""
        return sum(row.result == result for row in self.rows)


def recorded(outcomes: Iterable[Outcome]) -> tuple[Row, ...]:
    """Outcomes as rows of a record."""
    return tuple(map(_row, outcomes))


def _row(outcome: Outcome) -> Row:
    case = outcome.case
    evidence = None
    if outcome.result in _WRONG:
        arguments, files = _named(case)
        evidence = Evidence(
            arguments,
            case.stdin,
            files,
            case.expected,
            outcome.exit,
            outcome.output,
            outcome.errors,
            case.lines,
        )
    return Row(case.name, outcome.result, outcome.detail, case.spec, outcome.seconds, evidence)


def _named(case: Case) -> tuple[tuple[str, ...], tuple[tuple[str, bytes], ...]]:
    """The arguments with the suite's files by their names in it, and those files."""
    arguments, files = [], []
    roots = {"ops": resources.operations(), "corpus": resources.corpus()}
    for argument in case.arguments:
        path = Path(argument)
        name = next(
            (
                f"{root}/{path.relative_to(place).as_posix()}"
                for root, place in roots.items()
                if path.is_relative_to(place)
            ),
            argument,
        )
        if name != argument:
            files.append((name, path.read_bytes()))
        arguments.append(name)
    return tuple(arguments), tuple(files)
