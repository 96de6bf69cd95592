"""The manual page of a rule, or of a finding of `pcsf grammar check`."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

from pcsf_lark.api import check
from pcsf_lark.rules import find_rule, resolve
from pcsf_lark.rules._rule import BASE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules import Example, Rule

__all__ = ["Page", "Unexplained", "listing", "page"]

_MOST, _ROOM = 3, 100
_FAMILY = re.compile(r"[Gg][0-9]*")


class Unexplained(ValueError):  # noqa: N818 - it names what the rule is
    """A name that stands for no single rule, and which there are."""


@frozen
class Page:
    """A page: the code and name, of a rule its severity and section, and the text of it all."""

    code: str
    name: str
    severity: str | None
    section: str | None
    doc: str
    text: str

    def members(self) -> dict[str, Any]:
        """For programs."""
        names = ("code", "name", "severity", "section", "doc")
        return {name: getattr(self, name) for name in names}


def page(name: str) -> Page:
    """The page of the rule or finding with a code or name; raises Unexplained."""
    rule = find_rule(name)
    if rule is not None:
        return Page(
            rule.code,
            rule.name,
            rule.severity.value,
            rule.section,
            rule.doc,
            "\n".join(_lines(rule)),
        )
    found = _of_grammars(name)
    if found is not None:
        return found
    try:
        codes = sorted(resolve([name]))
    except ValueError as error:
        raise Unexplained(str(error)) from None
    raise Unexplained(f"{name!r} stands for {len(codes)} rules: {', '.join(codes)}; name one")


def listing() -> list[dict[str, str]]:
    """All rules for capsules, a row each."""
    from pcsf_lark.rules import all_rules  # noqa: PLC0415 - a page needs one of them

    return [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity.value,
            "section": rule.section,
            "summary": rule.summary,
        }
        for rule in all_rules()
    ]


def _of_grammars(name: str) -> Page | None:
    """The page of a finding about grammars, None if the name is of none."""
    from pcsf_lark.abnf.kinds import CODES  # noqa: PLC0415 - for what is no rule of capsules
    from pcsf_lark.faces.grammar_manual import kind_of, manual  # noqa: PLC0415 - likewise

    kind = kind_of(name)
    if kind:
        doc = manual(CODES[kind])
        text = f"{CODES[kind]} {kind} (`pcsf grammar check`)\n\n{doc}"
        return Page(CODES[kind], kind, None, None, doc, text)
    if _FAMILY.fullmatch(name):
        listed = ", ".join(f"{code} {kind}" for kind, code in CODES.items())
        raise Unexplained(f"{name!r} is no finding about grammars; there are {listed}")
    return None


def _lines(rule: Rule) -> Iterator[str]:
    yield f"{rule.code} {rule.name} ({rule.severity.value}, specification section {rule.section})"
    yield f"\n{rule.doc}"
    good = ["\n".join(_change(example)) for example in rule.good if example.text != BASE]
    bad = ["\n".join(_finding(rule, example)) for example in rule.bad]
    for title, shown in (("Good", good), ("Bad", bad)):
        if shown:
            yield f"\n{title}:\n" + "\n\n".join(shown)


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
