"""Where a grammar may read one text in two ways.

Laws: a hint is proven by a text both ways match. Alternatives are compared
where both are regular; repetitions where their item may be empty. That no
hint is given proves nothing: ambiguity of a grammar cannot be decided.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, islice

from pcsf_lark.abnf.expressions.automaton import SearchLimitError, common, first, nullable
from pcsf_lark.abnf.expressions.expr import Expr
from pcsf_lark.abnf.expressions.lower import lower
from pcsf_lark.abnf.expressions.regular import Written, write_out, written_out
from pcsf_lark.abnf.inspecting.facts import Reach
from pcsf_lark.abnf.nodes import Alternation, Node, Option, Repetition, Rule, walk
from pcsf_lark.abnf.problems import Problem, problem
from pcsf_lark.abnf.writing.to_abnf import node_abnf

__all__ = ["ambiguities"]

# How large a written-out alternative, how many pairs, and how long a proof may be.
_MAX_SIZE = 2_000
_MAX_PAIRS = 300
_EFFORT = 1_000
# How many proofs there may be in all, and as how many one counts that fails.
_ALL_EFFORT = 20_000
_DEAR = 100
_ROOM = 40


def ambiguities(reach: Reach, own: Iterable[Rule]) -> Iterator[Problem]:
    """Yield a warning for each choice and repetition of the own rules that is ambiguous."""
    facts = reach.facts
    judge = _Judge(written_out(reach.exprs, _MAX_SIZE, facts.order))
    for rule in own:
        for node in walk(rule.definition):
            if isinstance(node, Alternation):
                yield from judge.choice(rule, node)
            elif isinstance(node, Repetition | Option) and facts.is_nullable(lower(node.item)):
                yield _told(rule, node, "empty-repetition", _EMPTY, _EMPTY_MEND)


class _Judge:
    """Compares alternatives, as long as its strength lasts."""

    def __init__(self, known: Mapping[str, Written]) -> None:
        self._known = known
        self._left = _ALL_EFFORT

    def choice(self, rule: Rule, node: Alternation) -> Iterator[Problem]:
        """Yield a warning for each two alternatives that match the same text."""
        items = node.items[: _MAX_PAIRS + 1]
        ways = [(item, write_out(lower(item), self._known, _MAX_SIZE)) for item in items]
        for (one, left), (other, right) in islice(combinations(ways, 2), _MAX_PAIRS):
            if left is None or right is None:
                continue
            text = self._common(left.expr, right.expr)
            if text is not None:
                names = " and ".join(f"`{_short(item)}`" for item in (one, other))
                message = f"{names} both match {_short_text(text)}"
                yield _told(rule, other, "ambiguous-choice", message, _CHOICE_MEND)

    def _common(self, left: Expr, right: Expr) -> str | None:
        apart = not nullable(left) or not nullable(right)
        if self._left <= 0 or (apart and not first(left) & first(right)):
            return None
        self._left -= 1
        try:
            return common(left, right, _EFFORT)
        except SearchLimitError:
            self._left -= _DEAR
            return None


def _told(rule: Rule, node: Node, kind: str, message: str, mend: str) -> Problem:
    return problem(node.at or rule.at, rule.name, kind, message, mend, severity="warning")


def _short(node: Node) -> str:
    text = node_abnf(node)
    return text if len(text) <= _ROOM else f"{text[:_ROOM]}..."


def _short_text(text: str) -> str:
    return ascii(text if len(text) <= _ROOM else f"{text[:_ROOM]}...")


_EMPTY = "what is repeated here may be empty, so it may be repeated in many ways"
_EMPTY_MEND = "take the option out of one of the two"
_CHOICE_MEND = "harmless where only acceptance counts; our trees take the first one"
