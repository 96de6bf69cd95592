"""What is said of a rule name, which names can be written, and a grammar's outline.

Laws of this file: offsets count bytes, as in all that an editor is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.abnf.writing.to_abnf import node_abnf
from pcsf_lark.faces.lsp.abnf_names import CORE, Grammar
from pcsf_lark.faces.lsp.answers import Change, Fold, Hover, Item, Symbol
from pcsf_lark.faces.lsp.hovering import told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.lsp.abnf_names import Name
    from pcsf_lark.faces.lsp.positions import Text
    from pcsf_lark.report import Report

__all__ = ["completions", "folds", "hover", "symbols"]

_PARTIAL = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")
#: What a name must not be completed in: a comment, a string, a value.
_CLOSED = re.compile(r";.*\Z|%[A-Za-z]?[0-9A-Za-z.-]*\Z")
_NOTES = re.compile(r"(?:^[ \t]*;[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_MOST = 60


def hover(text: Text, grammar: Grammar, report: Report | None, byte: int) -> Hover | None:
    """The definition of the rule that a byte names, and what is wrong there."""
    name = grammar.at(text.character(byte))
    parts = [_definition(grammar, name)] if name else []
    findings = report.findings if report else ()
    start, end = (text.byte(name.start), text.byte(name.end)) if name else (byte, byte)
    about = [f for f in findings if f.span.offset <= end and start <= f.span.end]
    parts += [told(finding, report.explain(finding.code) if report else "") for finding in about]
    parts = [part for part in parts if part]
    return Hover(start, end, "\n\n---\n\n".join(parts)) if parts else None


def _definition(grammar: Grammar, name: Name) -> str:
    """A rule as it is written, all that is added to it included."""
    lines = [rule for one in grammar.definitions(name.name) if (rule := grammar.rule(one))]
    if lines:
        body = "\n".join(grammar.text[rule.start : rule.end] for rule in lines)
        uses = len(grammar.uses(name.name))
        return f"```abnf\n{body}\n```\n\nused {uses} {'time' if uses == 1 else 'times'}"
    if (core := CORE.get(name.key)) is not None:
        return (
            f"```abnf\n{core.name} = {node_abnf(core.definition)}\n```\n\ncore rule, RFC 5234 B.1"
        )
    return ""


def completions(text: Text, grammar: Grammar, byte: int) -> Iterator[Item]:
    """The rules that may be named at a byte: the grammar's own, then the core rules."""
    at = text.character(byte)
    line = text.characters[text.characters.rfind("\n", 0, at) + 1 : at]
    if _CLOSED.search(line) or line.count('"') % 2:
        return
    partial = _PARTIAL.search(line)
    start = text.byte(at - (len(partial[0]) if partial else 0))
    typed = grammar.at(at)
    end = text.byte(typed.end) if typed and partial else byte
    own = {one.key: one.name for one in grammar.names if one.defines and one is not typed}
    for name in own.values():
        yield Item(name, "rule", "rule of this grammar", Change(start, end, name))
    for rule in CORE.values():
        if rule.key not in own:
            yield Item(rule.name, "rule", "core rule", Change(start, end, rule.name))


def symbols(text: Text, grammar: Grammar) -> Iterator[Symbol]:
    """Each rule, and each addition to one."""
    for name in grammar.names:
        rule = grammar.rule(name) if name.defines else None
        if rule is None:
            continue
        body = " ".join(grammar.text[name.end : rule.end].split())
        detail = body if len(body) <= _MOST else f"{body[:_MOST]}..."
        start, end = text.byte(rule.start), text.byte(rule.end)
        ends = text.byte(name.start), text.byte(name.end)
        yield Symbol(name.name, detail, "rule", start, end, *ends)


def folds(text: Text, grammar: Grammar) -> Iterator[Fold]:
    """Rules of several lines, and comments of several lines."""
    for rule in grammar.rules:
        if "\n" in grammar.text[rule.start : rule.end]:
            yield Fold(text.byte(rule.start), text.byte(rule.end))
    for notes in _NOTES.finditer(grammar.text):
        end = notes.end() - notes[0].endswith("\n")
        yield Fold(text.byte(notes.start()), text.byte(end), comment=True)
