"""A text's tree by a grammar: one node for each rule applied, from a chart.

Laws: the same text and grammar give the same tree, whatever the parser. Where
a text can be read in several ways, the first alternative as written wins, then
the longest first part (as in a PEG, but nothing is lost to greed). Leaves hold
the text: joined, they are the text again.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pcsf_lark.abnf.expressions.lower import core_keys
from pcsf_lark.abnf.matching.chart import Chart
from pcsf_lark.abnf.matching.splitting import Splitter, Use
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.names import lark_name
from pcsf_lark.abnf.nodes import key

if TYPE_CHECKING:
    from lark import Token, Tree

__all__ = ["build_tree"]


def build_tree(
    grammar: Grammar, start: str, text: str, chart: Chart, leaves: Iterable[str] = ()
) -> "Tree[Token]":
    """Return the tree of an accepted text; inside core rules and `leaves` it is text alone.

    Nodes are named as Lark rules (`lark_name`); text is a Token of type TEXT.
    """
    from lark import Token, Tree  # noqa: PLC0415 - who wants no tree needs no lark

    def node(name: str) -> "Tree[Token]":
        return Tree(lark_name(grammar[name].name), [])

    splitter = Splitter(grammar, text, chart)
    plain, core = {*map(key, leaves)}, core_keys(grammar)
    root = node(start)
    waiting: list[tuple[Use, Tree[Token]]] = [((key(start), 0, len(text)), root)]
    while waiting:
        use, tree = waiting.pop()
        inner = () if use[0] in plain or use[1] == use[2] else splitter.split(use)
        at = use[1]
        for child in (*(one for one in inner if one[0] not in core), ("", use[2], use[2])):
            name, first, last = child
            if first > at:
                piece = Token("TEXT", text[at:first], start_pos=at, end_pos=first)
                tree.children.append(piece)
            at = last
            if name:
                below = node(name)
                tree.children.append(below)
                waiting.append((child, below))
    return root
