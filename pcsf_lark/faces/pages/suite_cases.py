"""A wrong answer as a page shows it: what was asked, what is right, what came instead."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.conformance.resting import sections
from pcsf_lark.faces.pages.suite_bytes import block
from pcsf_lark.faces.pages.wording import cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pcsf_lark.conformance.record import Evidence, Row
    from pcsf_lark.faces.pages.suite_bytes import Block

__all__ = ["WORDS", "WrongCase", "wrong_case"]

#: Characters of a line of words.
WORDS = 400
#: Bytes of an input and of a right answer, of standard output, and of standard error.
_INPUT, _OUTPUT, _ERRORS = 1_300, 1_300, 1_000
#: Files that a case names, and rules that it links to.
_FILES, _RULES = 4, 12


@frozen
class WrongCase:
    """A case that failed, or broke the command.

    ``why`` says what is wrong; ``call`` is what the command was given as arguments.
    ``place`` is where its input has a fault.
    ``expected`` and ``answered`` are words and blocks beside them. ``rules`` are the
    names of productions and the anchors of their diagrams.
    """

    anchor: str
    name: str
    result: str
    why: str
    spec: str
    call: str
    place: str
    given: tuple[Block, ...]
    expected: tuple[str, tuple[Block, ...]]
    answered: tuple[str, tuple[Block, ...]]
    rules: tuple[tuple[str, str], ...]


def wrong_case(row: Row, anchor: str, rules: Mapping[str, str]) -> WrongCase:
    """A row of a record as it is shown; ``rules`` are productions with their anchors."""
    found = row.evidence
    return WrongCase(
        anchor=anchor,
        name=cut(row.name, WORDS),
        result=row.result,
        why=cut(row.detail, WORDS),
        spec=cut(row.spec or ", ".join(sections(row.name)), WORDS),
        call=cut(" ".join(found.arguments), WORDS) if found else "",
        place=_place(found.lines) if found and found.lines else "",
        given=tuple(_given(found)) if found else (),
        expected=_expected(found) if found else ("", ()),
        answered=_answered(found) if found else ("", ()),
        rules=tuple(rules.items())[:_RULES],
    )


def _place(lines: tuple[int, int]) -> str:
    first, last = lines
    return f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"


def _given(found: Evidence) -> Iterator[Block]:
    if found.stdin or not found.files:
        yield block("standard input", found.stdin, _INPUT, marked=found.lines)
    for name, data in found.files[:_FILES]:
        yield block(cut(name, WORDS), data, _INPUT)


def _expected(found: Evidence) -> tuple[str, tuple[Block, ...]]:
    right = found.expected
    words = ("accepted" if right.exit == 0 else "refused") + f": exit code {right.exit}"
    if right.codes is not None:
        words += f", codes {', '.join(sorted(right.codes))}"
    blocks = []
    if right.output is not None:
        marked = _difference(found)
        blocks.append(block("standard output", right.output, _INPUT, marked=marked))
    if right.tree is not None:
        tree = json.dumps(right.tree, indent=1).encode("ascii")
        blocks.append(block("standard output, as JSON", tree, _OUTPUT))
    return cut(words, WORDS), tuple(blocks)


def _answered(found: Evidence) -> tuple[str, tuple[Block, ...]]:
    blocks = []
    output, errors = found.output, found.errors
    if output.size:
        marked = _difference(found)
        title = "standard output"
        blocks.append(block(title, output.data, _OUTPUT, size=output.size, marked=marked))
    if errors.size:
        title = "standard error"
        blocks.append(block(title, errors.data, _ERRORS, size=errors.size, words=True))
    return _ended(found.exit), tuple(blocks)


def _difference(found: Evidence) -> tuple[int, int] | None:
    """The first line of standard output that is not the right one, where bytes are compared."""
    right, said = found.expected.output, found.output.data
    if right is None or not said:
        return None
    pairs = zip_longest(right.split(b"\n"), said.split(b"\n"))
    line = next((number for number, (a, b) in enumerate(pairs, start=1) if a != b), None)
    return None if line is None else (line, line)


def _ended(code: int | None) -> str:
    if code is None:
        return "had to be stopped"
    if code < 0:
        return f"killed by signal {-code}"
    return {0: "accepted: ", 1: "refused: "}.get(code, "") + f"exit code {code}"
