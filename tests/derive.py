"""Strings of a grammar by derivation, and near misses, from a seeded ``Random``."""

from __future__ import annotations

from pcsf_lark.abnf import (
    Alternation,
    Concatenation,
    Literal,
    NumRange,
    NumVal,
    Option,
    Prose,
    Reference,
    Repetition,
)
from pcsf_lark.abnf.nodes import walk

#: Characters that few grammars hold.
_ALIENS = "\U000e0001\ufffe\x00\x7f\u2603\U0010ffff\ud800"


def derive(grammar, start, rng, room=60):
    """A string of the rule; ``room`` is about how many steps it may take before it hurries home."""
    return _Deriver(grammar, _costs(grammar), rng, room).text(Reference(start))


_KNOWN = {}


def _costs(grammar):
    """How many steps the shortest way through each rule takes."""
    if id(grammar) not in _KNOWN:
        costs = {}
        rules = grammar.reachable(*(one.name for one in grammar))
        while True:
            more = {rule.key: _cost(rule.definition, costs) for rule in rules}
            if more == costs:
                break
            costs = more
        _KNOWN[id(grammar)] = grammar, costs
    return _KNOWN[id(grammar)][1]


def _cost(node, costs):
    match node:
        case Reference(name) | Prose(name):
            return 1 + costs.get(name.strip().lower(), 10_000)
        case Concatenation(items):
            return min(sum(_cost(item, costs) for item in items), 10_000)
        case Alternation(items):
            return min(_cost(item, costs) for item in items)
        case Repetition(item, least, _):
            return min(least * _cost(item, costs), 10_000)
        case Option():
            return 0
        case _:
            return 1


def alien(grammar):
    """A character that no rule of the grammar holds."""
    nodes = [
        node
        for rule in grammar.reachable(*(one.name for one in grammar))
        for node in walk(rule.definition)
    ]
    return next(char for char in _ALIENS if not any(_holds(node, ord(char)) for node in nodes))


def _holds(node, point):
    match node:
        case NumRange(first, last):
            return first <= point <= last
        case NumVal(points):
            return point in points
        case _:
            return False


def spoil(text, char, rng):
    """The string with an alien character in it: surely no member."""
    at = rng.randint(0, len(text))
    return text[:at] + char + text[at:]


class _Deriver:
    def __init__(self, grammar, costs, rng, room):
        self.grammar, self.costs, self.rng, self.room = grammar, costs, rng, room

    def text(self, node):
        self.room -= 1
        rng, tired = self.rng, self.room < 0
        match node:
            case Reference(name) | Prose(name):
                return self.text(self.grammar[name.strip()].definition)
            case Concatenation(items):
                return "".join(map(self.text, items))
            case Alternation(items):
                if tired:
                    return self.text(min(items, key=lambda item: _cost(item, self.costs)))
                return self.text(rng.choice(items))
            case Repetition(item, least, most):
                top = least + 3 if most is None else min(most, least + 3)
                count = least if tired else rng.randint(least, top)
                return "".join(self.text(item) for _ in range(count))
            case Option(item):
                return "" if tired or rng.random() < 0.5 else self.text(item)
            case Literal(text, exact):
                return text if exact else "".join(rng.choice((c.lower(), c.upper())) for c in text)
            case NumVal(points):
                return "".join(map(chr, points))
            case NumRange(first, last):
                return chr(rng.choice((first, last, rng.randint(first, last))))
