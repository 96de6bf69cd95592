"""RFC 5234 §4 with RFC 7405 as a Lark grammar, for the text of one rule.

Laws: white space and comments belong to the token before or after them, so
that the grammar is LALR(1) though `c-wsp` may stand nearly everywhere. The
tree is turned into nodes from the leaves up, without recursion.
"""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from attrs import frozen

from pcsf_lark.abnf.nodes import (
    Alternation,
    Concatenation,
    Node,
    Option,
    Position,
    Reference,
    Repetition,
    Rule,
)
from pcsf_lark.abnf.reading.lines import BRACKETS, Layout, RuleLines, outside
from pcsf_lark.abnf.reading.mistakes import Fault, explain
from pcsf_lark.abnf.reading.values import (
    FaultError,
    read_count,
    read_number,
    read_prose,
    read_string,
)

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = ["MAX_NESTING", "ReadRule", "RuleFault", "read_rule"]

MAX_NESTING = 50

_GRAMMAR = r"""
rule: NAME DEFINED alternation
?alternation: concatenation (_OR concatenation)*
?concatenation: repetition (_GAP repetition)*
?repetition: element | REPEAT element -> counted
?element: NAME -> reference
        | STRING -> string
        | NUMBER -> number
        | PROSE -> prose
        | _OPEN alternation _CLOSE -> group
        | _OPEN_OPTION alternation _CLOSE_OPTION -> option

NAME: /[A-Za-z][A-Za-z0-9-]*/
DEFINED: /(?:[ \t\r\n]|;[^\n]*+)*=\/?(?:[ \t\r\n]|;[^\n]*+)*/
REPEAT: /[0-9]*\*[0-9]*|[0-9]+/
STRING.1: /(?:%[sSiI])?"[^"\n]*"/
NUMBER: /%[A-Za-z]?[0-9A-Za-z.-]*/
PROSE: /<[^>\n]*>/
_OR.2: /(?:[ \t\r\n]|;[^\n]*+)*\/(?:[ \t\r\n]|;[^\n]*+)*/
_CLOSE.2: /(?:[ \t\r\n]|;[^\n]*+)*\)/
_CLOSE_OPTION.2: /(?:[ \t\r\n]|;[^\n]*+)*\]/
_OPEN: /\((?:[ \t\r\n]|;[^\n]*+)*/
_OPEN_OPTION: /\[(?:[ \t\r\n]|;[^\n]*+)*/
_GAP: /(?:[ \t\r\n]|;[^\n]*+)+/
"""


@frozen
class ReadRule:
    """A rule as read; `added` when it was written with `=/`."""

    rule: Rule
    added: bool


@frozen
class RuleFault:
    """A rule that could not be read: its name as far as known, and why."""

    name: str
    fault: Fault


@cache
def _parser() -> "Lark":
    from lark import Lark  # noqa: PLC0415 - only who reads a grammar pays for lark

    return Lark(_GRAMMAR, start="rule", parser="lalr", maybe_placeholders=False)


def read_rule(layout: Layout, lines: RuleLines) -> ReadRule | RuleFault:
    """Read the text of one rule; a fault's offset is one of the whole text."""
    text = layout.text[lines.start : lines.end]
    try:
        _check_brackets(text)
        tree = _tree(text)
        rule = _Builder(layout, lines.start).rule(tree, lines.comments)
    except FaultError as error:
        fault = error.fault
        name = re.match(r"[A-Za-z0-9-]*", text)
        moved = Fault(fault.offset + lines.start, fault.kind, fault.message, fault.help)
        return RuleFault(name.group() if name else "", moved)
    return ReadRule(rule, _adds(str(tree.children[1])))


def _adds(defined: str) -> bool:
    """Tell `=/` from `=`, with comments around either."""
    return "=/" in re.sub(r";[^\n]*", "", defined)


# Whoever types in one rule of a grammar has the others read again at every letter.
@lru_cache(1024)
def _tree(text: str) -> "Tree[Token]":
    """Return the tree of a rule's text, which must not be changed."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken  # noqa: PLC0415

    try:
        return _parser().parse(text)
    except UnexpectedCharacters as error:
        offset: int = error.pos_in_stream  # type: ignore[assignment]  # lark declares None
    except UnexpectedToken as error:
        start = error.token.start_pos
        offset = len(text) if error.token.type == "$END" or start is None else start
    fault = explain(text, offset)
    raise FaultError(fault.offset, fault.kind, fault.message, fault.help) from None


def _check_brackets(text: str) -> None:
    """Find brackets that do not pair, and nesting beyond the limit."""
    waiting: list[tuple[int, str]] = []
    for offset, mark in outside(text):
        if mark in BRACKETS:
            waiting.append((offset, mark))
            if len(waiting) > MAX_NESTING:
                message = f"groups are nested more than {MAX_NESTING} deep"
                raise FaultError(
                    offset, "nesting-limit", message, "give inner groups rules of their own"
                )
        elif mark in ")]":
            if not waiting or BRACKETS[waiting[-1][1]] != mark:
                raise FaultError(
                    offset, "unmatched-bracket", f"`{mark}` closes nothing", "remove it"
                )
            waiting.pop()
    if waiting:
        offset, mark = waiting[-1]
        raise FaultError(
            offset,
            "unclosed-bracket",
            f"`{mark}` is not closed",
            f"close it with `{BRACKETS[mark]}`",
        )


class _Builder:
    """Turns the tree of one rule into nodes; `start` is where the rule's text begins."""

    def __init__(self, layout: Layout, start: int) -> None:
        self._layout = layout
        self._start = start

    def rule(self, tree: "Tree[Token]", comments: tuple[str, ...]) -> Rule:
        """Build the nodes from the leaves up."""
        built: dict[int, Node] = {}
        for subtree in tree.iter_subtrees():
            if subtree is not tree:
                parts = [built.get(id(child), child) for child in subtree.children]
                built[id(subtree)] = getattr(self, f"_{subtree.data}")(parts)
        name, _, body = tree.children
        return Rule(str(name), built[id(body)], comments=comments, at=self._at(name))

    def _at(self, token: Any) -> Position:
        return self._layout.at(self._start + token.start_pos)

    def _alternation(self, parts: list[Any]) -> Node:
        return Alternation(tuple(parts), at=parts[0].at)

    def _concatenation(self, parts: list[Any]) -> Node:
        return Concatenation(tuple(parts), at=parts[0].at)

    def _group(self, parts: list[Any]) -> Node:
        return parts[0]  # type: ignore[no-any-return]

    def _option(self, parts: list[Any]) -> Node:
        return Option(parts[0], at=parts[0].at)

    def _reference(self, parts: list[Any]) -> Node:
        return Reference(str(parts[0]), at=self._at(parts[0]))

    def _counted(self, parts: list[Any]) -> Node:
        token, item = parts
        low, high = read_count(token, token.start_pos)
        return Repetition(item, low, high, at=self._at(token))

    def _string(self, parts: list[Any]) -> Node:
        return read_string(parts[0], parts[0].start_pos, self._at(parts[0]))

    def _prose(self, parts: list[Any]) -> Node:
        return read_prose(parts[0], parts[0].start_pos, self._at(parts[0]))

    def _number(self, parts: list[Any]) -> Node:
        return read_number(parts[0], parts[0].start_pos, self._at(parts[0]))
