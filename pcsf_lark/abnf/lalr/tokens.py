"""A grammar over tokens: which parts of the rules a lexer reads as one piece.

Laws: the caller names the rules that become tokens; they must be regular.
Besides, literals, core rules, single code points and runs of one character
class are tokens. No token is empty: where one could be, it is optional
instead. A token whose text is fixed is punctuation and left out of the tree.
"""

from collections.abc import Iterable, Mapping

from attrs import frozen

from pcsf_lark.abnf.expressions.automaton import nullable
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
    fixed_text,
    rep,
    seq,
)
from pcsf_lark.abnf.expressions.lower import (
    core_keys,
    inline,
    lower,
    lower_rule,
    substitute,
    unusable,
)
from pcsf_lark.abnf.inspecting.order import callees_first, calls
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.names import free_name, lark_name, literal_name, terminal_name
from pcsf_lark.abnf.nodes import (
    Alternation,
    Concatenation,
    Node,
    Option,
    Prose,
    Reference,
    Repetition,
    Rule,
    key,
)
from pcsf_lark.abnf.problems import AbnfError
from pcsf_lark.abnf.writing.to_abnf import node_abnf

__all__ = ["TokenGrammar", "nonempty", "tokenize"]


@frozen
class TokenGrammar:
    """Rules over tokens.

    `rules`: Lark rule name to expression, in which a call names a rule or a token.
    `tokens`: Lark terminal name to the expression of its characters.
    `written`: Lark name of either to how it is written in ABNF, for messages.
    """

    rules: Mapping[str, Expr]
    tokens: Mapping[str, Expr]
    written: Mapping[str, str]
    starts: tuple[str, ...]


def tokenize(grammar: Grammar, starts: Iterable[str], terminals: Iterable[str]) -> TokenGrammar:
    """Return the token grammar of the rules the starts lead to.

    Raises AbnfError when a name is unknown or a terminal is not regular.
    """
    starts = tuple(starts)
    named = {key(name) for name in terminals}
    faults = unusable(grammar, (*starts, *named))
    if faults:
        raise AbnfError(faults)
    maker = _Maker(grammar, starts, named)
    waiting = [grammar[start] for start in reversed(starts)]
    rules: dict[str, Expr] = {}
    while waiting:
        rule = waiting.pop()
        name = lark_name(rule.name)
        if name not in rules:
            rules[name] = maker.rule(rule)
            waiting.extend(reversed(maker.take_called()))
    written = {lark_name(rule.name): rule.name for rule in (*grammar.scope, *grammar.rules)}
    return TokenGrammar(
        rules, maker.tokens, written | maker.written, tuple(lark_name(name) for name in starts)
    )


class _Maker:
    """Collects tokens while rules are turned into expressions over them."""

    def __init__(self, grammar: Grammar, starts: Iterable[str], named: set[str]) -> None:
        self.tokens: dict[str, Expr] = {}
        self.written: dict[str, str] = {}
        self._grammar = grammar
        self._named = named
        self._whole = named | core_keys(grammar)
        self._called: list[Rule] = []
        self._anonymous: dict[Expr, str] = {}
        self._inlined: dict[str, Expr] = {}
        self._classes = _classes(grammar.reachable(*starts))
        # The names that rules give their tokens, and other tokens have: no more may take them.
        self._taken = {
            terminal_name(rule.name, kept=kept)
            for rule in grammar.reachable(*starts)
            if rule.key in self._whole
            for kept in (True, False)
        }

    def take_called(self) -> list[Rule]:
        """Return the rules called since the last time, in order."""
        called, self._called = self._called, []
        return called

    def rule(self, rule: Rule) -> Expr:
        """Return a rule over tokens; a named rule asked for as a start is its own token."""
        if rule.key in self._named:
            return self._reference(rule)
        return self._node(rule.definition)

    def _node(self, node: Node) -> Expr:
        match node:
            case Reference(name) | Prose(name):
                return self._reference(self._grammar[name.strip()])
            case Concatenation(items):
                return seq([self._node(item) for item in items])
            case Alternation(items):
                return alt([self._node(item) for item in items])
            case Option(item):
                return rep(self._node(item), 0, 1, node.at)
            case Repetition(item, least, most):
                run = self._run(node)
                return run if run is not None else rep(self._node(item), least, most, node.at)
            case _:
                expr = lower(node)
                text = fixed_text(expr)
                name = literal_name(text) if text else "CHAR"
                return self._anonymous_token(expr, name, node)

    def _reference(self, rule: Rule) -> Expr:
        if rule.key not in self._whole:
            self._called.append(rule)
            return Call(lark_name(rule.name))
        expr = self._inlined.get(rule.key)
        if expr is None:
            expr = self._inlined[rule.key] = inline(self._grammar, rule.name)
        name = terminal_name(rule.name, kept=fixed_text(expr) is None)
        return self._token(expr, name, rule.name)

    def _run(self, node: Repetition) -> Expr | None:
        """Return the token of a repeated character class, or None when it repeats something else."""
        item = node.item
        if isinstance(item, Reference) and key(item.name) not in self._named:
            # Only rules of one character: others keep their place in the tree.
            chars = self._classes.get(key(item.name))
            if chars is None:
                return None
            expr = rep(chars, node.min, node.max)
            name = terminal_name(item.name) + _suffix(node)
        elif isinstance(lower(item), Chars):
            expr = rep(lower(item), node.min, node.max)
            name = "CHAR" + _suffix(node)
        else:
            return None
        return self._anonymous_token(expr, name, node)

    def _anonymous_token(self, expr: Expr, name: str, node: Node) -> Expr:
        known = self._anonymous.get(expr)
        if known is None:
            known = free_name(name, self._taken)
            self._taken.add(known)
            self._anonymous[expr] = known
        return self._token(expr, known, node_abnf(node))

    def _token(self, expr: Expr, name: str, written: str) -> Expr:
        if expr == EMPTY:
            return EMPTY
        text = nonempty(expr) if nullable(expr) else expr
        if self.tokens.setdefault(name, text) != text:
            raise AssertionError(f"two tokens are called {name}")
        self.written[name] = written
        return rep(Call(name), 0, 1) if nullable(expr) else Call(name)


def _classes(rules: Iterable[Rule]) -> Mapping[str, Chars]:
    """Return the rules that are one character of a set, with their sets."""
    exprs = {rule.key: lower_rule(rule) for rule in rules}
    found: dict[str, Expr] = {}
    for name in callees_first(exprs):
        expr = exprs[name]
        if all(called in found for called in calls(expr)):
            expr = substitute(expr, found)
        if isinstance(expr, Chars):
            found[name] = expr
    return {name: expr for name, expr in found.items() if isinstance(expr, Chars)}


def _suffix(node: Repetition) -> str:
    if node.max is None:
        return "S" if node.min <= 1 else f"_{node.min}_UP"
    return f"_{node.min}" if node.min == node.max else f"_{node.min}_{node.max}"


def nonempty(expr: Expr) -> Expr:
    """Return the expression without the empty string; it must match something else, too."""
    if not nullable(expr):
        return expr
    match expr:
        case Alt(items):
            return alt([nonempty(item) for item in items if item != EMPTY])
        case Rep(item, _, most):
            return rep(nonempty(item), 1, most, expr.at)
        case Seq(items):
            heads = [index for index, item in enumerate(items) if item != EMPTY]
            return alt([seq((nonempty(items[at]), *items[at + 1 :])) for at in heads])
        case Mark(name, item):
            return Mark(name, nonempty(item))
        case _:
            raise ValueError("the expression matches nothing but the empty string")
