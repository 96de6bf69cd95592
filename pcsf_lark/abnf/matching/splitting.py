"""How a rule's definition lies over a stretch of text, chosen from a chart.

Laws: of all ways the first alternative wins, then the longest first part. A
rule may hold itself over the same stretch only if the chart found the inner
one first, so splitting ends. Work is counted, as in a chart.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from pcsf_lark.abnf.expressions.expr import Chars, Seq
from pcsf_lark.abnf.expressions.lower import lower
from pcsf_lark.abnf.matching.chart import MAX_WORK, Chart
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
    key,
)
from pcsf_lark.abnf.problems import AbnfError, problem

__all__ = ["Splitter", "Use"]

_FIXED = (Literal, NumVal, NumRange)

#: A rule, by its key, applied from start to end.
Use: TypeAlias = tuple[str, int, int]


class Splitter:
    """Splits the matches of rules over one text."""

    def __init__(self, grammar: Grammar, text: str, chart: Chart) -> None:
        self.grammar, self.text, self.chart = grammar, text, chart
        self.left = MAX_WORK

    def split(self, use: Use) -> list[Use]:
        """Return the rules directly inside, in order. Raises AbnfError when it takes too long."""
        row = _Row(self, use)
        return list(row.split(self.grammar[use[0]].definition, use[1], use[2]))

    def spend(self, amount: int) -> None:
        """Count work."""
        self.left -= amount
        if self.left < 0:
            message = f"the tree took more than {MAX_WORK:,} steps"
            mend = "the grammar is very ambiguous: name lexical rules, or read less text"
            raise AbnfError([problem(None, "", "work-limit", message, mend)])


class _Row:
    """One match of one rule."""

    def __init__(self, splitter: Splitter, use: Use) -> None:
        self._splitter, self._use = splitter, use
        self._rank = splitter.chart.ends[use[0], use[1]][use[2]]
        self._known: dict[tuple[int, int], frozenset[int]] = {}

    def ends(self, node: Node, at: int) -> frozenset[int]:
        """Return where matches of the node that begin there may end, inside the rule's match."""
        place = (id(node), at)
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = frozenset(self._ends(node, at))
            self._splitter.spend(len(found) + 1)
        return found

    def _ends(self, node: Node, at: int) -> Iterator[int]:
        match node:
            case Reference(name) | Prose(name):
                yield from self._of_rule(key(name.strip()), at)
            case Concatenation(items):
                yield from self._forward(items, at)[-1]
            case Alternation(items):
                for item in items:
                    yield from self.ends(item, at)
            case Option(item):
                yield at
                yield from self.ends(item, at)
            case Repetition(item, least, _):
                layers = self._layers(node, at)
                least = 0 if at in self.ends(item, at) else least
                for layer in layers[least:]:
                    yield from layer
            case _:
                end = self._text_end(node, at)
                if end is not None:
                    yield end

    def _of_rule(self, name: str, at: int) -> Iterator[int]:
        for end in self._splitter.chart.ends.get((name, at), ()):
            if self._allows(name, at, end):
                yield end

    def _allows(self, name: str, at: int, end: int) -> bool:
        """Tell whether the rule matches there, and is no way round to the rule itself."""
        _, first, last = self._use
        rank = self._splitter.chart.ends.get((name, at), {}).get(end)
        if rank is None or end > last:
            return False
        return (at, end) != (first, last) or rank < self._rank

    def _text_end(self, node: Node, at: int) -> int | None:
        expr = lower(node)
        items = expr.items if isinstance(expr, Seq) else (expr,)
        text = self._splitter.text[at : min(at + len(items), self._use[2])]
        fits = len(text) == len(items) and all(
            isinstance(item, Chars) and ord(char) in item.set
            for item, char in zip(items, text, strict=True)
        )
        return at + len(items) if fits else None

    def _reaches(self, node: Node, first: int, last: int) -> bool:
        """Tell whether the node matches from first to last."""
        match node:
            case Concatenation(items):
                items, first, last = self._trimmed(items, first, last)
                if len(items) != 1:
                    return first <= last and last in self._forward(items, first)[-1]
                return self._reaches(items[0], first, last)
            case Alternation(items):
                return any(self._reaches(item, first, last) for item in items)
            case Reference(name) | Prose(name):
                return self._allows(key(name.strip()), first, last)
            case _:
                return last in self.ends(node, first)

    def _trimmed(
        self, items: tuple[Node, ...], first: int, last: int
    ) -> tuple[tuple[Node, ...], int, int]:
        """Take fixed text off both ends of a row: it needs no search."""
        while len(items) > 1 and isinstance(items[-1], _FIXED):
            start = last - _length(items[-1])
            if start < first or self._text_end(items[-1], start) != last:
                return items, last + 1, last
            items, last = items[:-1], start
        return items, first, last

    def _forward(self, items: tuple[Node, ...], at: int) -> list[frozenset[int]]:
        """Return where one may be before each item, and after the last."""
        places = [frozenset((at,))]
        for item in items:
            places.append(frozenset(end for place in places[-1] for end in self.ends(item, place)))
        return places

    def _layers(self, node: Repetition, at: int) -> list[frozenset[int]]:
        """Return where one may be after 0, 1, 2, ... items that are not empty."""
        layers = [frozenset((at,))]
        seen: set[int] = set()
        while node.max is None or len(layers) <= node.max:
            ahead = frozenset(
                end for place in layers[-1] for end in self.ends(node.item, place) if end > place
            )
            # Once the count no longer matters, what was reached before leads nowhere new.
            if node.max is None and len(layers) > node.min:
                ahead -= seen
                seen |= ahead
            if not ahead:
                break
            self._splitter.spend(len(ahead))
            layers.append(ahead)
        return layers

    def split(self, node: Node, first: int, last: int) -> Iterator[Use]:
        """Yield the rules that the node is made of from first to last, where it does match."""
        match node:
            case Reference(name) | Prose(name):
                yield key(name.strip()), first, last
            case Concatenation(items):
                yield from self._split_row(items, first, last)
            case Alternation(items):
                chosen = next(item for item in items if self._reaches(item, first, last))
                yield from self.split(chosen, first, last)
            case Option(item):
                if first < last:
                    yield from self.split(item, first, last)
            case Repetition():
                yield from self._split_loop(node, first, last)
            case _:
                pass

    def _split_row(self, items: tuple[Node, ...], first: int, last: int) -> Iterator[Use]:
        items, first, last = self._trimmed(items, first, last)
        if len(items) == 1:
            yield from self.split(items[0], first, last)
            return
        places = self._forward(items, first)
        good = [frozenset((last,))]
        for item, before in zip(reversed(items), reversed(places[:-1]), strict=True):
            good.append(frozenset(at for at in before if self.ends(item, at) & good[-1]))
        at = first
        for item, ahead in zip(items, reversed(good[:-1]), strict=True):
            end = max(self.ends(item, at) & ahead)
            yield from self.split(item, at, end)
            at = end

    def _split_loop(self, node: Repetition, first: int, last: int) -> Iterator[Use]:
        if first == last:
            return
        least = 0 if first in self.ends(node.item, first) else node.min
        path = self._path(node, first, last, least)
        for start, end in pairwise(path):
            yield from self.split(node.item, start, end)

    def _path(self, node: Repetition, first: int, last: int, least: int) -> list[int]:
        """Return the ends of the items from first to last: each the longest that leads on."""
        counted = node.max is not None or least > 1
        dead: set[tuple[int, int]] = set()

        def steps(count: int, at: int) -> list[tuple[int, int]]:
            if node.max is not None and count >= node.max:
                return []
            more = count + 1 if counted else 1
            ends = sorted((end for end in self.ends(node.item, at) if end > at), reverse=True)
            return [(more, end) for end in ends]

        # Depth first with a stack of its own: a loop may go round thousands of times.
        trail = [((0, first), iter(steps(0, first)))]
        while trail:
            (count, at), more = trail[-1]
            if at == last and count >= min(least, 1 if not counted else least):
                return [place[1] for place, _ in trail]
            ahead = next((step for step in more if step not in dead), None)
            if ahead is None:
                dead.add(trail.pop()[0])
            else:
                self._splitter.spend(1)
                trail.append((ahead, iter(steps(*ahead))))
        raise AssertionError("the chart said that the loop matches")


def _length(node: Node) -> int:
    """Return how many characters fixed text has."""
    match node:
        case Literal(text):
            return len(text)
        case NumVal(points):
            return len(points)
        case _:
            return 1
