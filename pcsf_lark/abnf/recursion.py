"""How rules lead back to themselves: recursive, left-recursive, self-embedding.

Laws: rules and calls form a graph; a rule recurs when it lies on a cycle. All
answers take time linear in the graph for each kind of question.
"""

from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from pcsf_lark.abnf.expr import Alt, Call, Expr, Mark, Rep, Seq
from pcsf_lark.abnf.facts import Facts

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
    uses = {name: tuple(_uses(expr, facts)) for name, expr in rules.items()}
    every = {name: {use.rule for use in found} for name, found in uses.items()}
    at_once = {name: {use.rule for use in found if use.at_once} for name, found in uses.items()}
    recursive = _on_cycles(every)
    embedding = frozenset(name for name in recursive if _embeds(uses, name))
    return Recursion(recursive, _on_cycles(at_once), embedding)


def _uses(expr: Expr, facts: Facts) -> Iterator[_Use]:
    waiting = [(expr, _Use(""))]
    while waiting:
        current, side = waiting.pop()
        match current:
            case Call(rule):
                yield evolve(side, rule=rule)
            case Seq(items):
                waiting.extend(_sides(items, side, facts))
            case Alt(items):
                waiting.extend((item, side) for item in items)
            case Rep(item):
                more = current.max != 1 and bool(facts.firsts(item))
                waiting.append(
                    (item, evolve(side, left=side.left or more, right=side.right or more))
                )
            case Mark(_, item):
                waiting.append((item, side))
            case _:
                pass


def _sides(items: tuple[Expr, ...], side: _Use, facts: Facts) -> Iterator[tuple[Expr, _Use]]:
    for at, item in enumerate(items):
        before, after = items[:at], items[at + 1 :]
        yield (
            item,
            _Use(
                "",
                side.at_once and all(map(facts.is_nullable, before)),
                side.left or any(map(facts.firsts, before)),
                side.right or any(map(facts.firsts, after)),
            ),
        )


def _on_cycles(edges: Mapping[str, set[str]]) -> frozenset[str]:
    """Return the names on a cycle: those in a component with another name, or with an edge to themselves."""
    component: dict[str, str] = {}
    size: dict[str, int] = {}
    callers: dict[str, list[str]] = {name: [] for name in edges}
    for name, callees in edges.items():
        for callee in callees:
            callers[callee].append(name)
    # Kosaraju: in the order in which searches end, last first, walk the edges backwards.
    for root in reversed(_finished(edges)):
        waiting = [root]
        while waiting:
            name = waiting.pop()
            if name not in component:
                component[name] = root
                size[root] = size.get(root, 0) + 1
                waiting.extend(callers[name])
    return frozenset(name for name in edges if size[component[name]] > 1 or name in edges[name])


def _finished(edges: Mapping[str, set[str]]) -> list[str]:
    """Return the names in the order in which a depth-first search leaves them."""
    order: list[str] = []
    entered: set[str] = set()
    waiting = [(name, False) for name in edges]
    while waiting:
        name, leaving = waiting.pop()
        if leaving:
            order.append(name)
        elif name not in entered:
            entered.add(name)
            waiting.append((name, True))
            waiting.extend((callee, False) for callee in edges[name])
    return order


def _embeds(uses: Mapping[str, tuple[_Use, ...]], start: str) -> bool:
    """Tell whether a rule leads back to itself with text on both sides along the way."""
    seen: set[tuple[str, bool, bool]] = set()
    waiting = [(start, False, False)]
    while waiting:
        name, left, right = waiting.pop()
        for use in uses[name]:
            state = (use.rule, left or use.left, right or use.right)
            if state == (start, True, True):
                return True
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return False
