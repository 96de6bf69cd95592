"""ABNF text to grammar (RFC 5234, RFC 7405).

Laws: reading goes on at the next rule after a fault, so one run finds all
problems; content never raises inside, `read` raises them together at the end.
"""

from collections.abc import Iterable
from difflib import get_close_matches

from attrs import evolve

from pcsf_lark.abnf.core import CORE_RULES
from pcsf_lark.abnf.lines import Layout
from pcsf_lark.abnf.lower import same_language
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import Alternation, Node, Position, Reference, Rule, key, walk
from pcsf_lark.abnf.problems import AbnfError, Problem, problem
from pcsf_lark.abnf.syntax import ReadRule, read_rule

# Looking for near names compares with every name; beyond this many it is left out.
_MAX_GUESSES = 50

__all__ = ["check", "read", "scan", "undefined"]


def read(text: str, *, imports: Iterable[Grammar] = (), shadow_core: bool = False) -> Grammar:
    """Return the grammar this ABNF text defines.

    `imports`: grammars whose rules are in scope as well; the text's own rules
    come first. `shadow_core`: let the text define a core rule differently.
    Raises AbnfError with all problems when one of them is an error.
    """
    grammar, problems = scan(text, imports=imports, shadow_core=shadow_core)
    if any(found.severity == "error" for found in problems):
        raise AbnfError(problems)
    return grammar


def check(
    text: str, *, imports: Iterable[Grammar] = (), shadow_core: bool = False
) -> tuple[Problem, ...]:
    """Return all problems of this ABNF text, in the order of the text; never raises for them."""
    return scan(text, imports=imports, shadow_core=shadow_core)[1]


def scan(
    text: str, *, imports: Iterable[Grammar] = (), shadow_core: bool = False
) -> tuple[Grammar, tuple[Problem, ...]]:
    """Return what of the text could be read, and all its problems in the order of the text."""
    layout = Layout(text)
    table = _Table(layout, shadow_core=shadow_core)
    for lines in layout.rules():
        outcome = read_rule(layout, lines)
        if isinstance(outcome, ReadRule):
            table.add(outcome)
        else:
            fault = outcome.fault
            at = layout.at(fault.offset)
            table.lost.add(key(outcome.name))
            table.report(at, outcome.name, fault.kind, fault.message, fault.help)
    scope = {rule.key: rule for other in imports for rule in (*other.scope, *other.rules)}
    scope = {rule.key: rule for rule in CORE_RULES} | scope
    grammar = Grammar(tuple(table.rules.values()), tuple(scope.values()))
    problems = [*table.problems, *undefined(grammar, known=table.lost)]
    return grammar, tuple(sorted(problems, key=lambda found: found.offset))


def undefined(grammar: Grammar, known: Iterable[str] = ()) -> tuple[Problem, ...]:
    """Return a problem for each name that is referred to but not defined, at its first use."""
    names = {rule.key: rule.name for rule in (*grammar.scope, *grammar.rules)}
    settled = {*names, *known}
    uses: dict[str, list[tuple[Rule, Reference]]] = {}
    for rule in grammar:
        for node in walk(rule.definition):
            if isinstance(node, Reference) and key(node.name) not in settled:
                uses.setdefault(key(node.name), []).append((rule, node))
    found: list[Problem] = []
    for number, (name, places) in enumerate(uses.items()):
        rule, node = places[0]
        more = sorted({place.at.line for _, place in places[1:] if place.at})
        also = f"; used also on line {', '.join(map(str, more))}" if more else ""
        near = get_close_matches(name, names, n=1) if number < _MAX_GUESSES else []
        mend = f"did you mean `{names[near[0]]}`?" if near else "define it, or import its grammar"
        message = f"rule `{node.name}` is not defined{also}"
        found.append(problem(node.at, rule.name, "undefined-rule", message, mend))
    return tuple(found)


class _Table:
    """The rules read so far, and what was wrong with them."""

    def __init__(self, layout: Layout, *, shadow_core: bool) -> None:
        self.rules: dict[str, Rule] = {}
        self.lost: set[str] = set()
        self.problems: list[Problem] = list(_characters(layout))
        self._core = {rule.key: rule for rule in CORE_RULES}
        self._shadow_core = shadow_core

    def report(self, at: Position | None, rule: str, kind: str, message: str, mend: str) -> None:
        self.problems.append(problem(at, rule, kind, message, mend))

    def add(self, outcome: ReadRule) -> None:
        rule = outcome.rule
        before = self.rules.get(rule.key)
        if before is None:
            self._add_first(rule, added=outcome.added)
        elif outcome.added:
            items = (*_alternatives(before.definition), *_alternatives(rule.definition))
            merged = Alternation(items, at=before.definition.at)
            comments = (*before.comments, *rule.comments)
            self.rules[rule.key] = evolve(before, definition=merged, comments=comments)
        else:
            line = before.at.line if before.at else 0
            message = f"rule `{rule.name}` is defined on line {line} already"
            if before.name != rule.name:
                message += f", as `{before.name}` (names are case-insensitive)"
            mend = "remove one of the two, or add alternatives with `=/`"
            self.report(rule.at, rule.name, "duplicate-rule", message, mend)

    def _add_first(self, rule: Rule, *, added: bool) -> None:
        core = self._core.get(rule.key)
        self.rules[rule.key] = rule
        if core is not None and not self._shadow_core:
            self._add_core(rule, core, added=added)
        elif added:
            message = f"`=/` adds to rule `{rule.name}`, which is not defined above"
            self.report(rule.at, rule.name, "addition-first", message, "write `=` here")

    def _add_core(self, rule: Rule, core: Rule, *, added: bool) -> None:
        if not added and same_language(rule, core):
            message = f"`{rule.name}` is a core rule (RFC 5234 B.1) and is defined the same here"
            note = problem(rule.at, rule.name, "core-rule-repeated", message, severity="note")
            self.problems.append(note)
            return
        message = f"`{rule.name}` is a core rule (RFC 5234 B.1) and means something else here"
        self.report(rule.at, rule.name, "core-rule-redefined", message, "choose another name")


def _alternatives(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Alternation) else (node,)


def _characters(layout: Layout) -> Iterable[Problem]:
    """Find carriage returns that end no line, once: they look like line ends but are none."""
    text = layout.text
    lone = text.count("\r") - text.count("\r\n")
    if not lone:
        return
    offset = next(i for i, mark in enumerate(text) if mark == "\r" and text[i + 1 : i + 2] != "\n")
    message = f"a carriage return stands alone ({lone} in all)"
    yield problem(layout.at(offset), "", "lone-cr", message, "end lines with LF or CRLF")
