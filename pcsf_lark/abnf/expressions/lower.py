"""From a grammar's nodes to character-level expressions, rule by rule or inlined.

Laws: literals are case-insensitive in ASCII letters only (RFC 5234 §2.3);
prose that names a rule is that rule; any other prose cannot be lowered.
Inlining ends in bounded size and depth, or in a problem that says so.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from pcsf_lark.abnf.core import CORE_RULES
from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.expressions.expr import (
    EMPTY,
    Alt,
    Call,
    Chars,
    Expr,
    Mark,
    Rep,
    Seq,
    alt,
    depth,
    rep,
    seq,
    size,
)
from pcsf_lark.abnf.inspecting.order import calls
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import (
    Alternation,
    Concatenation,
    Literal,
    Node,
    NumRange,
    NumVal,
    Option,
    Prose,
    Reference,
    Repetition,
    Rule,
    key,
    walk,
)
from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = [
    "MAX_DEPTH",
    "MAX_SIZE",
    "core_keys",
    "inline",
    "letter",
    "lower",
    "lower_rule",
    "same_language",
    "substitute",
    "unusable",
]

MAX_SIZE = 200_000
MAX_DEPTH = 120


@lru_cache(4096)
def letter(char: str, *, case_sensitive: bool) -> Chars:
    """Return the class of a literal's character: both cases of an ASCII letter unless exact."""
    if case_sensitive or not (char.isascii() and char.isalpha()):
        return Chars(CharSet.of(ord(char)))
    return Chars(CharSet.of(ord(char.upper()), ord(char.lower())))


def lower(node: Node) -> Expr:
    """Return the expression of a node, with a call for each reference."""
    match node:
        case Literal(text, exact):
            return seq(letter(char, case_sensitive=exact) for char in text)
        case NumVal(points):
            return seq(Chars(CharSet.of(point)) for point in points)
        case NumRange(first, last):
            return Chars(CharSet.span(first, last))
        case Reference(name) | Prose(name):
            return Call(key(name.strip()))
        case Concatenation(items):
            return seq(tuple(map(lower, items)))
        case Alternation(items):
            return alt(tuple(map(lower, items)))
        case Option(item):
            return rep(lower(item), 0, 1, node.at)
        case Repetition(item, least, most):
            return rep(lower(item), least, most, node.at)


def lower_rule(rule: Rule) -> Expr:
    """Return the expression of a rule's definition."""
    return lower(rule.definition)


def unusable(grammar: Grammar, starts: Iterable[str]) -> tuple[Problem, ...]:
    """Return why a grammar cannot be used from these rules: unknown starts, names and prose."""
    starts = tuple(starts)
    found = [
        problem(None, start, "undefined-rule", f"start rule `{start}` is not defined")
        for start in starts
        if start not in grammar
    ]
    for rule in grammar.reachable(*starts):
        for node in walk(rule.definition):
            if isinstance(node, Reference) and node.name not in grammar:
                message = f"rule `{node.name}` is not defined"
                found.append(problem(node.at, rule.name, "undefined-rule", message, "define it"))
            elif isinstance(node, Prose) and node.text.strip() not in grammar:
                message = f"prose <{node.text}> describes no text a parser could match"
                mend = "define it as a rule and refer to that, or import the grammar it means"
                found.append(problem(node.at, rule.name, "unbound-prose", message, mend))
    return tuple(found)


def inline(grammar: Grammar, start: str, marks: Mapping[str, str] | None = None) -> Expr:
    """Return the whole language of a rule as one expression without calls.

    `marks` maps keys of rules to names: their text is marked with the name.
    Raises AbnfError when the rule is recursive, or too large to write out.
    """
    faults = unusable(grammar, [start])
    if faults:
        raise AbnfError(faults)
    names = marks or {}
    done: dict[str, Expr] = {}
    sizes: dict[str, int] = {}
    for rule in _callees_first(grammar, start):
        raw = lower_rule(rule)
        sizes[rule.key] = size(raw, MAX_SIZE) + sum(sizes[callee] for callee in calls(raw))
        expr = substitute(raw, done) if sizes[rule.key] < MAX_SIZE else raw
        if sizes[rule.key] >= MAX_SIZE or depth(expr) > MAX_DEPTH:
            message = f"rule `{rule.name}` written out without references is too large"
            raise AbnfError(
                [problem(rule.at, rule.name, "size-limit", message, "use Lark instead")]
            )
        done[rule.key] = Mark(names[rule.key], expr) if rule.key in names else expr
    return done[key(start)]


def _callees_first(grammar: Grammar, start: str) -> list[Rule]:
    """Order the rules so that each comes after those it refers to."""
    order: list[Rule] = []
    state: dict[str, bool] = {}
    waiting: list[tuple[str, bool]] = [(key(start), False)]
    while waiting:
        name, leaving = waiting.pop()
        rule = grammar[name]
        if leaving:
            state[name] = True
            order.append(rule)
        elif name not in state:
            state[name] = False
            waiting.append((name, True))
            for callee in calls(lower_rule(rule)):
                if state.get(callee) is False:
                    message = f"rule `{grammar[callee].name}` is recursive"
                    mend = "only rules without recursion are regular; use Lark instead"
                    raise AbnfError([problem(rule.at, rule.name, "recursive-rule", message, mend)])
                waiting.append((callee, False))
    return order


def substitute(expr: Expr, known: Mapping[str, Expr]) -> Expr:
    """Return the expression with each call of a known rule replaced by its expression."""
    match expr:
        case Call(rule):
            return known.get(rule, expr)
        case Seq(items):
            return seq([substitute(item, known) for item in items])
        case Alt(items):
            return alt([substitute(item, known) for item in items])
        case Rep(item, least, most):
            return rep(substitute(item, known), least, most, expr.at)
        case Mark(name, item):
            return Mark(name, substitute(item, known))
        case _:
            return expr


def same_language(rule: Rule, other: Rule) -> bool:
    """Tell whether two rules have the same expression over the core rules."""
    mine, theirs = (Grammar((one,)) for one in (rule, other))
    try:
        return inline(mine, rule.name) == inline(theirs, other.name) != EMPTY
    except AbnfError:
        # What recurs or refers to nothing is no core rule.
        return False


def core_keys(grammar: Grammar) -> frozenset[str]:
    """Return the keys under which a grammar has the core rules in their own meaning."""
    return frozenset(
        core.key
        for core in CORE_RULES
        if (rule := grammar.get(core.name)) is not None
        and (rule == core or same_language(rule, core))
    )
