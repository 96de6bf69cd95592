"""The LALR(1) table of a token grammar, as Lark builds it, with questions a lexer asks.

Laws: a conflict is an error, never resolved silently, and is told in the
names of the ABNF rules. `follow` is exact for LALR: reductions are followed
back over the states that lead to them.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from attrs import frozen

from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = ["END_OF_TEXT", "Table", "build_table"]

END_OF_TEXT = "$END"
_RULE = re.compile(r"<(\w+) :(.*)>")
_TERMINAL = re.compile(r"[tT]erminal (?:Terminal\(')?([$\w]+)|in Terminal\('([$\w]+)'\)")
# Rules that Lark, and then `lark_rules`, makes for parts of a rule.
_HELPERS = (re.compile(r"__(\w+?)_(?:star|plus)_\d+"), re.compile(r"_(\w+)_\d+"))


@frozen
class Table:
    """Parser states: what each symbol does there, as Lark's (action, argument) pairs."""

    states: Mapping[int, Mapping[str, Any]]
    _tokens: frozenset[str]
    _before: Mapping[int, frozenset[int]]

    def accepts(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield each state with the tokens it can go on with."""
        for state, actions in self.states.items():
            yield state, tuple(sorted(self._tokens.intersection(actions)))

    def follow(self, state: int, token: str) -> frozenset[str]:
        """Return what may come after the token when it is read in this state."""
        found: frozenset[str] = frozenset()
        seen: set[int] = set()
        waiting = [state]
        while waiting:
            current = waiting.pop()
            if current in seen or token not in self.states[current]:
                continue
            seen.add(current)
            argument = self.states[current][token][1]
            if isinstance(argument, int):
                found |= self.states[argument].keys()
            else:
                name = argument.origin.name
                waiting.extend(
                    self.states[back][name][1]
                    for back in self._back(current, len(argument.expansion))
                    if name in self.states[back]
                )
        return found & (self._tokens | {END_OF_TEXT})

    def _back(self, state: int, steps: int) -> frozenset[int]:
        found = frozenset((state,))
        for _ in range(steps):
            found = frozenset(back for one in found for back in self._before.get(one, ()))
        return found


def build_table(
    text: str, starts: Collection[str], tokens: Collection[str], written: Mapping[str, str]
) -> Table:
    """Build the table of a Lark grammar. Raises AbnfError when the grammar is not LALR(1).

    `tokens` names the terminals; `written` tells how names are written in ABNF.
    """
    from lark.exceptions import GrammarError  # noqa: PLC0415 - only who asks for LALR pays for lark

    from pcsf_lark.abnf.lalr.steps import analyse_lalr  # noqa: PLC0415 - likewise

    try:
        states = analyse_lalr(text, list(starts))
    except GrammarError as error:
        raise AbnfError([_conflict(str(error), written)]) from None
    before: dict[int, set[int]] = {}
    for state, actions in states.items():
        for _, argument in actions.values():
            if isinstance(argument, int):
                before.setdefault(argument, set()).add(state)
    return Table(
        states, frozenset(tokens), {state: frozenset(back) for state, back in before.items()}
    )


def _conflict(message: str, written: Mapping[str, str]) -> Problem:
    """Tell Lark's conflict in ABNF names."""
    found = _TERMINAL.search(message)
    token = (found.group(1) or found.group(2)) if found else ""
    names = [_owner(name, written) for name, _ in _RULE.findall(message)]
    rules = sorted({written.get(name, name) for name in names})
    where = " and ".join(f"`{rule}`" for rule in rules) or "the grammar"
    what = "the end of the text" if token == END_OF_TEXT else f"`{written.get(token, token)}`"
    kind = "reduce-reduce" if message.startswith("Reduce/Reduce") else "shift-reduce"
    if not found:
        return problem(None, "", "lalr", f"Lark refuses the grammar: {message}", "use Earley")
    text = f"one token of look-ahead does not decide in {where} what {what} begins or ends"
    mend = "use the faithful grammar with Earley, or let the rules end with what separates them"
    return problem(None, rules[0] if rules else "", kind, text, mend)


def _owner(name: str, written: Mapping[str, str]) -> str:
    """Return the rule that a helper belongs to, or the name itself."""
    for helper in _HELPERS:
        if name not in written and (found := helper.fullmatch(name)):
            name = found[1]
    return name
