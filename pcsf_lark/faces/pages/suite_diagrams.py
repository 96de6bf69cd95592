"""The railroad diagrams of a suite's page: the capsule's grammar, or those of wrong cases.

Laws: a diagram for each rule, each with an anchor of its own in the page. Grammars are
the suite's own, never what a record says one is.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark import abnf
from pcsf_lark.conformance import cases
from pcsf_lark.conformance.resting import productions
from pcsf_lark.export import normal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pcsf_lark.conformance.record import Run

__all__ = ["STYLE", "Grammar", "RuleDiagram", "diagrams"]

#: Grammars of cases that are drawn, beside the capsule's.
_MOST = 40
#: How diagrams look: the page's own colours, which follow its scheme.
STYLE = abnf.railroad_style(
    abnf.Palette(
        ground="none",
        track="var(--soft)",
        text="var(--ink)",
        note="var(--soft)",
        terminal="var(--terminal)",
        rule="var(--rule)",
        loop="var(--tint)",
    ),
    ".railroad",
)


@frozen
class RuleDiagram:
    """A rule: its anchor, its picture, and its text."""

    name: str
    anchor: str
    svg: str
    text: str


@frozen
class Grammar:
    """A grammar under a title."""

    title: str
    anchor: str
    rules: tuple[RuleDiagram, ...]


def diagrams(
    run: Run, wrong: Iterable[str]
) -> tuple[tuple[Grammar, ...], Callable[[str], Mapping[str, str]]]:
    """The grammars to draw, and what tells a case's productions with their anchors."""
    if run.level != "grammar":
        drawn = _of_capsules()
        anchors = {rule.name: rule.anchor for rule in drawn.rules}
        return (drawn,), lambda name: {
            rule: anchors[rule] for rule in productions(name) if rule in anchors
        }
    named = dict.fromkeys(name.rpartition("/")[0] for name in wrong)
    found: dict[str, Grammar] = {}
    for name in [name for name in named if name in _of_cases()][:_MOST]:
        path, start = _of_cases()[name]
        grammar = abnf.load(Path(path).read_bytes().decode("utf-8"), start=start)
        found[name] = _drawn(name, f"rule-{len(found) + 1}", grammar, start)
    return tuple(found.values()), lambda name: _links(found, name)


@cache
def _of_capsules() -> Grammar:
    return _drawn("The grammar of capsules", "rule", normal(), "capsule")


@cache
def _of_cases() -> Mapping[str, tuple[str, str]]:
    """The grammar's file and its start, of each group of cases that match texts."""
    return {
        case.name.rpartition("/")[0]: (case.arguments[1], case.arguments[2])
        for case in cases("decoder", "grammar")
    }


def _links(found: Mapping[str, Grammar], name: str) -> Mapping[str, str]:
    grammar = found.get(name.rpartition("/")[0])
    return {rule.name: rule.anchor for rule in grammar.rules} if grammar else {}


def _drawn(title: str, prefix: str, grammar: abnf.Grammar, start: str) -> Grammar:
    texts = {
        rule.name: abnf.to_abnf(abnf.Grammar((rule,))).rstrip("\n")
        for rule in grammar.reachable(start)
    }
    rules = tuple(
        RuleDiagram(one.name, one.anchor, one.svg, texts[one.name])
        for one in abnf.railroad_diagrams(grammar, start, prefix=f"{prefix}-")
    )
    return Grammar(title, prefix, rules)
