"""How rules lead back to themselves: recursive, left-recursive, self-embedding.

Laws: rules and calls form a graph; a rule recurs when it lies on a cycle. All
answers take time linear in the graph for each kind of question.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import frozen

from pcsf_lark.abnf.expressions.expr import Alt, Call, Expr, Mark, Rep, Seq
from pcsf_lark.abnf.inspecting.facts import Facts
from pcsf_lark.abnf.inspecting.order import left_in_order

__all__ = ["Recursion", "find_recursion"]


@frozen
class Recursion:
    """Keys of the rules that recur, that do so at once, and with text on both sides."""

    all: frozenset[str]
    left: frozenset[str]
    embedding: frozenset[str]


@frozen
class _Use:
    """A call of a rule in a rule.

    `at_once`: nothing need be read before it; `left` and `right`: text may
    stand on that side of it.
    """

    rule: str
    at_once: bool = True
    left: bool = False
    right: bool = False


def find_recursion(rules: Mapping[str, Expr], facts: Facts) -> Recursion:
    """Return which of the rules recur, and how."""
    if not facts.circular:
        return Recursion(frozenset(), frozenset(), frozenset())
    uses = {name: tuple(_uses(expr, facts)) for name, expr in rules.items()}
    every = {name: {use.rule for use in found} for name, found in uses.items()}
    at_once = {name: {use.rule for use in found if use.at_once} for name, found in uses.items()}
    return Recursion(_on_cycles(every), _on_cycles(at_once), _embedding(uses, every))


def _uses(expr: Expr, facts: Facts) -> Iterator[_Use]:
    waiting = [(expr, _Use(""))]
    while waiting:
        current, side = waiting.pop()
        match current:
            case Call(rule):
                yield _Use(rule, side.at_once, side.left, side.right)
            case Seq(items):
                waiting.extend(_sides(items, side, facts))
            case Alt(items):
                waiting.extend((item, side) for item in items)
            case Rep(item):
                more = current.max != 1 and bool(facts.begins(item))
                again = _Use("", side.at_once, side.left or more, side.right or more)
                waiting.append((item, again))
            case Mark(_, item):
                waiting.append((item, side))
            case _:
                pass


def _sides(items: tuple[Expr, ...], side: _Use, facts: Facts) -> Iterator[tuple[Expr, _Use]]:
    firsts = [bool(facts.begins(item)) for item in items]
    last = max((at for at, some in enumerate(firsts) if some), default=-1)
    at_once, left = side.at_once, side.left
    for at, item in enumerate(items):
        yield item, _Use("", at_once, left, side.right or at < last)
        at_once = at_once and facts.is_nullable(item)
        left = left or firsts[at]


def _on_cycles(edges: Mapping[str, set[str]]) -> frozenset[str]:
    """Return the names on a cycle: those in a component with others, or with an edge to themselves."""
    component = _components(edges)
    size = Counter(component.values())
    return frozenset(name for name in edges if size[component[name]] > 1 or name in edges[name])


def _embedding(
    uses: Mapping[str, tuple[_Use, ...]], edges: Mapping[str, set[str]]
) -> frozenset[str]:
    """Return the names on a cycle with text on both sides.

    Within a component every two calls lie on a common cycle, so it is enough
    that one has text on the left and one, the same or another, on the right.
    """
    component = _components(edges)
    inner = [
        (component[name], use)
        for name, found in uses.items()
        for use in found
        if component[name] == component[use.rule]
    ]
    both = {root for root, use in inner if use.left} & {root for root, use in inner if use.right}
    return frozenset(name for name in edges if component[name] in both)


def _components(edges: Mapping[str, set[str]]) -> Mapping[str, str]:
    """Return for each name one that stands for its strongly connected component."""
    component: dict[str, str] = {}
    callers: dict[str, list[str]] = {name: [] for name in edges}
    for name, callees in edges.items():
        for callee in callees:
            callers[callee].append(name)
    # Kosaraju: in the order in which searches end, last first, walk the edges backwards.
    for root in reversed(left_in_order(edges, edges.__getitem__)):
        waiting = [root]
        while waiting:
            name = waiting.pop()
            if name not in component:
                component[name] = root
                waiting.extend(callers[name])
    return component
