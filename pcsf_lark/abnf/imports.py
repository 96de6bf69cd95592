"""Several grammars as one: imported rules, and prose that stands for a rule.

Laws: an imported rule keeps its meaning. Where it refers to a name that the
importing grammar (or an earlier import) uses for something else, the imported
rule of that name is renamed (`comment` becomes `comment-2`). Prose is replaced
by what it is bound to; `<name, see [X]>` and `name = <name>` look for `name`
among the imports; other prose stays, and is an error where it is used.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from attrs import evolve

from pcsf_lark.abnf.core import CORE_RULES
from pcsf_lark.abnf.model import Grammar, target
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
    walk,
)

__all__ = ["join", "only", "rename", "transform", "whole"]

Replace: TypeAlias = Callable[[Node], Node]

# How specifications say that a rule is defined elsewhere: <token, see [HTTP], Section 5.6.2>.
_ELSEWHERE = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*,.*", re.DOTALL)


def join(
    rules: Iterable[Rule], imports: Iterable[Grammar], bind: Mapping[str, Node] | None = None
) -> tuple[Grammar, frozenset[str]]:
    """Return the grammar of these rules with the imported ones in scope, and doubtful names.

    `bind` maps the text of a prose-val to the definition it stands for. A name
    is doubtful when imported grammars define it differently; the first one counts.
    """
    own = {rule.key: rule for rule in rules}
    pool = _Pool(own)
    for grammar in imports:
        pool.add(grammar)
    bound = dict(bind or {})
    kept = [
        evolve(rule, definition=_settle(rule, rule.definition, pool, bound))
        for rule in own.values()
        # Prose for an imported rule of the same name gives way to that rule.
        if not (_yields(rule) and pool.find(rule.key) == rule.key)
    ]
    return Grammar(kept, pool.scope.values()), frozenset(pool.doubtful - own.keys())


class _Pool:
    """The rules in scope by key, and where each imported name is found among them."""

    def __init__(self, own: Mapping[str, Rule]) -> None:
        self.own = own
        self.scope = {rule.key: rule for rule in CORE_RULES}
        self.names: dict[str, str] = {}
        self.doubtful: set[str] = set()
        self._hidden: dict[str, str] = {}

    def add(self, grammar: Grammar) -> None:
        """Put a grammar's rules into the scope."""
        new = {rule.key: rule for rule in (*grammar.scope, *grammar.rules)}
        visible = {rule.key for rule in grammar.rules}
        renamed = dict(self._renamed(new, visible))
        for name, rule in new.items():
            place = key(renamed.get(name, name))
            definition = rename(rule.definition, renamed)
            written = renamed.get(name, rule.name)
            self.scope[place] = evolve(rule, name=written, definition=definition)
            self._publish(name, place, open_=name in visible)

    def _publish(self, name: str, place: str, *, open_: bool) -> None:
        """Let a name be found: a grammar's own rules before those it imports itself."""
        names = self.names if open_ else self._hidden
        if names.setdefault(name, place) != place and open_:
            self.doubtful.add(name)

    def find(self, name: str) -> str | None:
        """Return the key under which the rule of that name is in scope."""
        return self.names.get(name) or self._hidden.get(name)

    def _renamed(
        self, new: Mapping[str, Rule], visible: Collection[str]
    ) -> Iterator[tuple[str, str]]:
        """Yield the imported keys whose names mean something else here, with their new names."""
        taken = {
            **self.scope,
            **{name: rule for name, rule in self.own.items() if not _yields(rule)},
        }
        clash = {name for name, rule in new.items() if taken.get(name, rule) != rule}
        # A name that the text asks its imports for is kept for the rule that answers.
        clash |= {name for name in new if name in self.own.keys() - taken.keys() - set(visible)}
        # What looks the same but leads to a rule that does not is not the same.
        while True:
            more = {
                name
                for name in new.keys() & taken.keys() - clash
                if any(_target_key(node) in clash for node in walk(new[name].definition))
            }
            if not more:
                break
            clash |= more
        used = {*taken, *new, *self.own}
        for name in (name for name in new if name in clash):
            number = 2
            while f"{name}-{number}" in used:
                number += 1
            used.add(f"{name}-{number}")
            yield name, f"{new[name].name}-{number}"


def _yields(rule: Rule) -> bool:
    """Tell whether a rule only says that its own name is defined elsewhere."""
    match rule.definition:
        case Prose(text):
            found = _ELSEWHERE.fullmatch(text)
            return key(found[1] if found else text.strip()) == rule.key
        case _:
            return False


def _target_key(node: Node) -> str | None:
    name = target(node)
    return None if name is None else key(name)


def _settle(rule: Rule, node: Node, pool: _Pool, bind: Mapping[str, Node]) -> Node:
    """Return the node with its prose replaced by what it stands for, where that is known."""

    def replace(part: Node) -> Node:
        if isinstance(part, Reference) and key(part.name) not in pool.own:
            place = pool.find(key(part.name))
            # The plain name may have gone to a rule that only an import needs.
            return part if place in (None, key(part.name)) else Reference(place, at=part.at)
        if not isinstance(part, Prose):
            return part
        if part.text in bind:
            return bind[part.text]
        elsewhere = _ELSEWHERE.fullmatch(part.text)
        name = key(elsewhere[1] if elsewhere else part.text.strip())
        place = pool.find(name)
        if (elsewhere or name == rule.key) and place:
            return Reference(pool.scope[place].name, at=part.at)
        return part

    return transform(node, replace)


def rename(node: Node, names: Mapping[str, str]) -> Node:
    """Return the node with its references renamed; `names` maps keys to new names."""

    def replace(part: Node) -> Node:
        name = _target_key(part) or ""
        return Reference(names[name], at=part.at) if name in names else part

    return transform(node, replace)


def transform(node: Node, replace: Replace) -> Node:
    """Return the node with `replace` applied to every part, from the leaves up."""
    match node:
        case Alternation(items) | Concatenation(items):
            new = tuple(transform(item, replace) for item in items)
            return replace(evolve(node, items=new))
        case Repetition(item) | Option(item):
            return replace(evolve(node, item=transform(item, replace)))
        case _:
            return replace(node)


def only(grammar: Grammar, *names: str) -> Grammar:
    """Return a grammar to import of which these rules alone can be referred to."""
    own = [rule for name in names if (rule := grammar.get(name))]
    others = [rule for rule in grammar.reachable(*names) if rule not in own]
    return Grammar(own, (*CORE_RULES, *others))


def whole(grammar: Grammar, *starts: str) -> Grammar:
    """Return the rules the starts lead to as a grammar of its own, imported ones included."""
    core = set(CORE_RULES)
    return Grammar([rule for rule in grammar.reachable(*starts) if rule not in core])
