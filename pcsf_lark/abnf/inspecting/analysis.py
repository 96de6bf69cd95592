"""What a grammar is like: what is empty, what comes first, what follows, what recurs.

Laws: answers are about the rules that the starts lead to, are exact for
context-free grammars (fixed points), and speak of characters. The end of the
text is `END` in a set. Problems found here are warnings: the grammar has a
meaning, but not every kind of parser can use it.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.expressions.expr import Expr, Rep
from pcsf_lark.abnf.expressions.lower import unusable
from pcsf_lark.abnf.inspecting.facts import Facts, Reach
from pcsf_lark.abnf.inspecting.recursion import find_recursion
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import Position, Rule
from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = ["Analysis", "Overlap", "analyse", "analysed", "findings", "traps", "unused"]


@frozen
class Overlap:
    """A repetition whose item may begin with what may also follow the repetition.

    A parser that never gives back (a PEG, a possessive repetition) takes too
    much there. `shared` are the characters that leave it open.

    Attributes:
        rule: The rule it is in.
        at: The place of the repetition.
    """

    rule: str
    at: Position | None
    shared: CharSet


@frozen
class Analysis:
    """Facts about the rules the starts lead to; all maps are by rule key.

    `nullable`: rules that match the empty string.
    `first`: characters a match may begin with.
    `follow`: characters that may come after a match, END for the end of the text.
    `recursive`: rules that lead back to themselves.
    `left_recursive`: those that do so before any character.
    `self_embedding`: those that do so with text on both sides.
    `overlaps`: repetitions that may swallow what follows them.

    Attributes:
        rules: The keys of the rules that the starts lead to.
    """

    rules: tuple[str, ...]
    nullable: frozenset[str]
    first: Mapping[str, CharSet] = field(repr=False)
    follow: Mapping[str, CharSet] = field(repr=False)
    recursive: frozenset[str]
    left_recursive: frozenset[str]
    self_embedding: frozenset[str]
    overlaps: tuple[Overlap, ...]

    @property
    def is_regular(self) -> bool:
        """Whether no rule recurs, so that inlining ends and a regular expression exists."""
        return not self.recursive


def unused(grammar: Grammar, *starts: str) -> tuple[Rule, ...]:
    """Return the grammar's own rules that the starts do not lead to."""
    used = {rule.key for rule in grammar.reachable(*starts)}
    return tuple(rule for rule in grammar if rule.key not in used)


def analyse(grammar: Grammar, *starts: str) -> Analysis:
    """Return the facts about a grammar, from its first rule unless starts are given.

    Raises AbnfError when a name or a prose-val in reach stands for no rule.
    """
    starts = starts or (grammar.rules[0].name,)
    faults = unusable(grammar, starts)
    if faults:
        raise AbnfError(faults)
    return analysed(Reach(grammar, starts))


def analysed(reach: Reach) -> Analysis:
    """Return the facts about rules of which every name is known to stand for one."""
    rules, facts = reach.exprs, reach.facts
    recursion = find_recursion(rules, facts)
    return Analysis(
        rules=tuple(rule.name for rule in reach.rules),
        nullable=frozenset(facts.nullable),
        first=facts.first,
        follow=facts.follow,
        recursive=recursion.all,
        left_recursive=recursion.left,
        self_embedding=recursion.embedding,
        overlaps=tuple(_overlaps(reach.rules, rules, facts)),
    )


def _overlaps(
    reached: Iterable[Rule], rules: Mapping[str, Expr], facts: Facts
) -> Iterator[Overlap]:
    for rule in reached:
        for part, after in facts.walk(rules[rule.key], facts.follow[rule.key]):
            if isinstance(part, Rep) and part.min != part.max:
                shared = facts.begins(part.item) & after
                if shared:
                    yield Overlap(rule.name, part.at, shared)


def findings(grammar: Grammar, *starts: str) -> tuple[Problem, ...]:
    """Return what a user of the grammar should know, as warnings, in the order of the text.

    Unused rules, left recursion, repetitions that overlap what follows them.
    Raises AbnfError as `analyse` does.
    """
    starts = starts or (grammar.rules[0].name,)
    facts = analyse(grammar, *starts)
    found = [
        _warn(rule, "unused-rule", f"rule `{rule.name}` is not used", "remove it, or start from it")
        for rule in unused(grammar, *starts)
    ]
    found += traps(grammar, facts)
    return tuple(sorted(found, key=lambda one: one.offset))


def traps(grammar: Grammar, facts: Analysis) -> Iterator[Problem]:
    """Yield a warning for each of the grammar's own rules and repetitions that parsers stumble on."""
    for rule in grammar:
        if rule.key in facts.left_recursive:
            yield _warn(rule, "left-recursion", f"rule `{rule.name}` begins with itself", _LEFT)
    own = {rule.name for rule in grammar}
    for overlap in facts.overlaps:
        if overlap.rule in own:
            shared = chr(overlap.shared.first())
            message = f"the repetition may go on with {shared!a}, and so may what follows it"
            yield problem(
                overlap.at, overlap.rule, "overlap", message, _OVERLAP, severity="warning"
            )


def _warn(rule: Rule, kind: str, message: str, mend: str) -> Problem:
    return problem(rule.at, rule.name, kind, message, mend, severity="warning")


_LEFT = "parsers from the top down cannot use it; Earley and LALR can"
_OVERLAP = "parsers that never give back read too much here; Earley and regular expressions do not"
