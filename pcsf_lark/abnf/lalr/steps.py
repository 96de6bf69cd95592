"""Lark's LALR(1) analysis, step by step, with a limit for each step.

Laws: what comes out is what Lark makes of the same grammar under
`strict=True`. Each step is measured before it is taken, so that a table that
would take minutes ends in an error in a second or two.
"""

from collections.abc import Mapping
from typing import Any

from lark.common import ParserConf
from lark.exceptions import GrammarError
from lark.load_grammar import load_grammar
from lark.parsers.lalr_analysis import LALR_Analyzer

from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = ["MAX_ITEMS", "MAX_LOOKBACKS", "MAX_UNIONS", "analyse_lalr", "too_large"]

#: Items of all states.
MAX_ITEMS = 100_000
#: Items looked at to find which transitions include which.
MAX_LOOKBACKS = 1_000_000
#: Look-ahead tokens carried along all relations between transitions.
MAX_UNIONS = 20_000_000


def analyse_lalr(text: str, starts: list[str]) -> Mapping[int, Mapping[str, Any]]:
    """Return the parse table's states. Raises Lark's GrammarError for conflicts, else AbnfError."""
    # Lark is but partly typed, and has no public way to the steps.
    try:
        load: Any = load_grammar
        grammar, _ = load(text, "<ABNF>", [], global_keep_all_tokens=False)
        terminals, rules, _ = grammar.compile(starts, set())
        lark: Any = _Analyser(ParserConf(rules, {}, starts), strict=True)
        lark.compute_lr0_states()
        _expect(_lookbacks(lark), MAX_LOOKBACKS, "comparisons of items")
        lark.compute_reads_relations()
        lark.compute_includes_lookback()
        edges = sum(map(len, lark.reads.values())) + sum(map(len, lark.includes.values()))
        _expect(edges * len(terminals), MAX_UNIONS, "unions of look-ahead sets")
        lark.compute_lookaheads()
        _refuse_conflicts(lark)
        lark.compute_lalr1_states()
    except RecursionError:
        raise AbnfError([too_large("rules that lead on deeper than Lark can follow")]) from None
    states: Mapping[int, Mapping[str, Any]] = lark.parse_table.states
    return states


def _refuse_conflicts(lark: Any) -> None:
    """Raise the GrammarError that Lark would, for the same conflict every time.

    Lark stops at the first one it meets, in an order that changes from process
    to process.
    """
    shifts, reductions = [], []
    for state in lark.lr0_itemsets:
        for token, rules in state.lookaheads.items():
            names = sorted(map(str, rules))
            if len(rules) > 1:
                reductions.append((names, token.name))
            elif token in state.transitions:
                shifts.append((names, token.name))
    for found, told in ((shifts, _SHIFT_REDUCE), (reductions, _REDUCE_REDUCE)):
        if found:
            names, token = min(found)
            raise GrammarError(told.format(token, "".join(f"\n\t- {name}" for name in names)))


_SHIFT_REDUCE = "Shift/Reduce conflict for terminal {}:{}"
_REDUCE_REDUCE = "Reduce/Reduce collision in terminal {} between the following rules:{}"


class _Analyser(LALR_Analyzer):
    """Counts the items that the states are closed with."""

    _items = 0

    def expand_rule(self, source_rule: Any, rules_by_origin: Any = None) -> Any:
        found = super().expand_rule(source_rule, rules_by_origin)
        self._items += len(found)
        _expect(self._items, MAX_ITEMS, "items in its states")
        return found


def _lookbacks(lark: Any) -> int:
    return sum(
        len(state.closure) * sum(not symbol.is_term for symbol in state.transitions)
        for state in lark.lr0_itemsets
    )


def _expect(amount: int, limit: int, what: str) -> None:
    if amount > limit:
        raise AbnfError([too_large(f"more than {limit:,} {what}")])


def too_large(what: str) -> Problem:
    """Return the problem of a table that is too large, and why."""
    mend = "name lexical rules, or use Earley"
    return problem(None, "", "lalr-size", f"an LALR table takes {what}", mend)
