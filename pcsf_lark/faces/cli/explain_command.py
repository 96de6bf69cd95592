"""`pcsf explain`: a rule's manual page."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.api import check
from pcsf_lark.faces.cli.terminal import say, usage_error
from pcsf_lark.rules import find_rule, resolve
from pcsf_lark.rules._rule import BASE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules import Example, Rule

__all__ = ["command"]

_MOST, _ROOM = 3, 100
_FAMILY = re.compile(r"[Gg][0-9]*")


def command(
    rule: Annotated[
        str, typer.Argument(metavar="CODE|NAME", help="Such as C7, malformed-entry or G101.")
    ],
) -> None:
    """Explain a rule: what holds, why, what to write instead, examples.

    Findings of `pcsf grammar check` (G001 and on) have a page too.
    """
    found = find_rule(rule)
    if found is None and _of_grammars(rule):
        return
    if found is None:
        try:
            codes = sorted(resolve([rule]))
        except ValueError as error:
            usage_error(str(error))
        usage_error(f"{rule!r} stands for {len(codes)} rules: {', '.join(codes)}; name one")
    say(
        f"{found.code} {found.name} ({found.severity.value}, specification section {found.section})"
    )
    say(f"\n{found.doc}")
    good = ["\n".join(_change(example)) for example in found.good if example.text != BASE]
    bad = ["\n".join(_finding(found, example)) for example in found.bad]
    for title, shown in (("Good", good), ("Bad", bad)):
        if shown:
            say(f"\n{title}:\n" + "\n\n".join(shown))


def _of_grammars(name: str) -> bool:
    """Explain a finding about grammars, if the name is of one."""
    from pcsf_lark.abnf.kinds import CODES  # noqa: PLC0415 - for what is no rule of capsules
    from pcsf_lark.faces.grammar_manual import kind_of, manual  # noqa: PLC0415 - likewise

    kind = kind_of(name)
    if kind:
        say(f"{CODES[kind]} {kind} (`pcsf grammar check`)\n\n{manual(CODES[kind])}")
    elif _FAMILY.fullmatch(name):
        listed = ", ".join(f"{code} {kind}" for kind, code in CODES.items())
        usage_error(f"{name!r} is no finding about grammars; there are {listed}")
    return kind is not None


def _change(example: Example) -> Iterator[str]:
    """The lines in which an example differs from the capsule that all start from."""
    diff = difflib.ndiff(BASE.split("\n"), example.text.split("\n"))
    lines = [line[2:] for line in diff if line[0] == "+"]
    yield from _profile(example)
    if not any(lines):
        yield "    (nothing but this changed: a line less, or a blank one)"
    yield from (f"    {_escaped(line)}" for line in lines[:_MOST] if line)
    if len(lines) > _MOST:
        yield f"    ... {len(lines) - _MOST} more lines"


def _finding(rule: Rule, example: Example) -> Iterator[str]:
    """The line that the rule points at in an example, and what it says of it."""
    report = check(example.data, profile=example.profile, select=[rule.code])
    yield from _profile(example)
    for finding in report.findings[:1]:
        index = finding.span.line - 1
        line = report.source.line(index) if index < len(report.source) else "(end of the file)"
        yield f"    {finding.span.line:>2} | {_escaped(line)}"
        yield f"         {_escaped(finding.message)}"


def _profile(example: Example) -> Iterator[str]:
    if example.profile != "interop":
        yield f"    --profile {example.profile}"


def _escaped(line: str) -> str:
    text = line.encode("unicode_escape").decode("ascii")
    return text if len(text) <= _ROOM else f"{text[:_ROOM]}..."
