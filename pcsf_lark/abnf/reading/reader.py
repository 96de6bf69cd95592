"""ABNF text to grammar (RFC 5234, RFC 7405).

Laws: reading goes on at the next rule after a fault, so one run finds all
problems; content never raises inside, `read` raises them together at the end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice

from attrs import evolve

from pcsf_lark.abnf.core import CORE_RULES
from pcsf_lark.abnf.expressions.lower import same_language
from pcsf_lark.abnf.imports import join
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import Alternation, Node, Position, Reference, Rule, key, walk
from pcsf_lark.abnf.problems import AbnfError, Problem, problem
from pcsf_lark.abnf.reading.lines import Layout
from pcsf_lark.abnf.reading.syntax import ReadRule, RuleFault, read_rule

# `8HEXLOW` as a name; as an element it means eight times HEXLOW.
_COUNTED = re.compile(r"\d+[A-Za-z][A-Za-z0-9-]*")
# Looking for near names compares with every name; beyond this many it is left out.
_MAX_GUESSES = 50
# Words of a text outside its comments; RFC 9051, one of the largest in print, has 3,000.
MAX_WORDS = 75_000
# How bytes that are no UTF-8 come into a text, and how UTF-16 looks then.
_STRAY = re.compile(r"[\udc80-\udcff]")
_ESCAPED = 0xDC00
_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff")
_COMMENT = re.compile(r";[^\n]*")
_WORD = re.compile(r"[^\s/()\[\]]+")

__all__ = ["MAX_WORDS", "check", "read", "scan", "undefined"]


def read(
    text: str,
    *,
    imports: Iterable[Grammar] = (),
    bind: Mapping[str, str] | None = None,
    shadow_core: bool = False,
    repair: bool = False,
) -> Grammar:
    """Return the grammar this ABNF text defines.

    `imports`: grammars whose rules are in scope as well; the text's own rules
    come first. `bind`: texts of prose to the ABNF elements they stand for.
    `shadow_core`: let the text define a core rule differently. `repair`: drop
    definitions of what has a meaning already (`8HEXLOW = ...`).
    Raises AbnfError with all problems when one of them is an error.
    """
    grammar, problems = scan(
        text, imports=imports, bind=bind, shadow_core=shadow_core, repair=repair
    )
    if any(found.severity == "error" for found in problems):
        raise AbnfError(problems)
    return grammar


def check(
    text: str, *, imports: Iterable[Grammar] = (), shadow_core: bool = False
) -> tuple[Problem, ...]:
    """Return all problems of this ABNF text, in the order of the text; never raises for them.

    >>> from pcsf_lark import abnf
    >>> for problem in abnf.check("a = b"):
    ...     print(problem.line, problem.kind, problem.message)
    1 undefined-rule rule `b` is not defined
    """
    return scan(text, imports=imports, shadow_core=shadow_core)[1]


def scan(
    text: str,
    *,
    imports: Iterable[Grammar] = (),
    bind: Mapping[str, str] | None = None,
    shadow_core: bool = False,
    repair: bool = False,
) -> tuple[Grammar, tuple[Problem, ...]]:
    """Return what of the text could be read, and all its problems in the order of the text.

    Raises AbnfError for a text in ``bind`` that is no ABNF.
    """
    layout = Layout(text)
    fault = next(_unreadable(layout), None)
    if fault is not None:
        return Grammar(()), (fault,)
    table = _Table(layout, shadow_core=shadow_core)
    for lines in layout.rules():
        outcome = read_rule(layout, lines)
        if isinstance(outcome, ReadRule):
            table.add(outcome)
        else:
            table.lose(outcome, repair=repair)
    bound = {text: _elements(text, given) for text, given in (bind or {}).items()}
    grammar, doubtful = join(table.rules.values(), imports, bound)
    problems = [*table.problems, *undefined(grammar, known=table.lost)]
    problems += _doubtful(table.rules.values(), doubtful)
    return grammar, tuple(sorted(problems, key=lambda found: found.offset))


def _doubtful(rules: Iterable[Rule], names: frozenset[str]) -> Iterable[Problem]:
    """Warn of each name that more than one imported grammar defines, at its first use."""
    seen: set[str] = set()
    for rule in rules:
        for node in walk(rule.definition):
            if isinstance(node, Reference) and key(node.name) in names - seen:
                seen.add(key(node.name))
                message = f"rule `{node.name}` is defined differently in two imported grammars"
                mend = "the first one counts: import the right one first, or only what is needed"
                yield problem(
                    node.at, rule.name, "doubtful-import", message, mend, severity="warning"
                )


def _elements(prose: str, text: str) -> Node:
    """Return the definition that prose is bound to. Raises AbnfError when it is no ABNF."""
    layout = Layout(f"bound = {text}\n")
    outcomes = [read_rule(layout, lines) for lines in layout.rules()]
    if len(outcomes) == 1 and isinstance(outcomes[0], ReadRule):
        return outcomes[0].rule.definition
    fault = next((one.fault for one in outcomes if isinstance(one, RuleFault)), None)
    why = fault.message if fault else "it must be one definition"
    message = f"<{prose}> is bound to {text!a}, which is no ABNF: {why}"
    raise AbnfError([problem(None, "", "unreadable-binding", message, "bind it to ABNF elements")])


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
        self._layout = layout
        self._core = {rule.key: rule for rule in CORE_RULES}
        self._shadow_core = shadow_core

    def report(self, at: Position | None, rule: str, kind: str, message: str, mend: str) -> None:
        self.problems.append(problem(at, rule, kind, message, mend))

    def lose(self, outcome: RuleFault, *, repair: bool) -> None:
        """Note a rule that cannot be read; `repair` takes one that says nothing new as read."""
        fault = outcome.fault
        dropped = (
            repair and fault.kind == "illegal-rule-name" and bool(_COUNTED.fullmatch(outcome.name))
        )
        self.problems.append(
            problem(
                self._layout.at(fault.offset),
                outcome.name,
                fault.kind,
                fault.message,
                "dropped" if dropped else fault.help,
                severity="note" if dropped else "error",
            )
        )
        if not dropped:
            self.lost.add(key(outcome.name))

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


def _unreadable(layout: Layout) -> Iterator[Problem]:
    """Find what makes reading the text line by line pointless."""
    text = layout.text
    if text[:2] in _UTF_16 or text[:2].count("\0") == 1:
        head = text[:2].encode("utf-8", "surrogateescape").hex(" ").upper()
        message = f"the text is not UTF-8 but UTF-16: it begins with the bytes {head} at offset 0"
        yield problem(layout.at(0), "", "not-utf-8", message, "save the file as UTF-8")
    words = sum(1 for _ in islice(_WORD.finditer(_COMMENT.sub("", text)), MAX_WORDS + 1))
    if words > MAX_WORDS:
        message = f"the text holds more than {MAX_WORDS:,} names and values"
        yield problem(layout.at(0), "", "size-limit", message, "split the grammar")


def _characters(layout: Layout) -> Iterable[Problem]:
    """Find what looks like text but is none: bytes that are not UTF-8, and lone CRs, each once."""
    text = layout.text
    stray = [found.start() for found in _STRAY.finditer(text)]
    if stray:
        place = len(text[: stray[0]].encode("utf-8", "surrogateescape"))
        byte = ord(text[stray[0]]) - _ESCAPED
        message = (
            f"the text is not UTF-8: byte 0x{byte:02X} at offset {place} ({len(stray)} in all)"
        )
        mend = "save the file as UTF-8; in a comment it does no harm"
        yield problem(layout.at(stray[0]), "", "not-utf-8", message, mend, severity="warning")
    lone = text.count("\r") - text.count("\r\n")
    if not lone:
        return
    offset = next(i for i, mark in enumerate(text) if mark == "\r" and text[i + 1 : i + 2] != "\n")
    message = f"a carriage return stands alone ({lone} in all)"
    yield problem(layout.at(offset), "", "lone-cr", message, "end lines with LF or CRLF")
