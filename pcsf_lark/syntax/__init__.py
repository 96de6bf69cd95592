"""Text to AST, twice, from one grammar; and the outline of any text.

``match``, ``conforms`` and ``build`` are the fast reader, ``lark_reader`` the
LALR parser that agrees with it, ``recover`` and ``explain`` what is asked when
both say no. No lark object leaves this package.
"""

from pcsf_lark.syntax.explanation import Expectation, chain_node, explain, integrity_node
from pcsf_lark.syntax.fast import Match, build, conforms, match
from pcsf_lark.syntax.recovery import recover

__all__ = [
    "Expectation",
    "Match",
    "build",
    "chain_node",
    "conforms",
    "explain",
    "integrity_node",
    "match",
    "recover",
]
