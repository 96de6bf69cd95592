"""The core rules of RFC 5234 Appendix B.1, in scope of every grammar."""

from pcsf_lark.abnf.nodes import (
    Alternation,
    Concatenation,
    Literal,
    Node,
    NumRange,
    NumVal,
    Reference,
    Repetition,
    Rule,
)

__all__ = ["CORE_RULES"]


def _any(*items: Node) -> Alternation:
    return Alternation(items)


_DEFINITIONS: dict[str, Node] = {
    "ALPHA": _any(NumRange(0x41, 0x5A), NumRange(0x61, 0x7A)),
    "BIT": _any(Literal("0"), Literal("1")),
    "CHAR": NumRange(0x01, 0x7F),
    "CR": NumVal((0x0D,)),
    "CRLF": Concatenation((Reference("CR"), Reference("LF"))),
    "CTL": _any(NumRange(0x00, 0x1F), NumVal((0x7F,))),
    "DIGIT": NumRange(0x30, 0x39),
    "DQUOTE": NumVal((0x22,)),
    "HEXDIG": _any(Reference("DIGIT"), *(Literal(letter) for letter in "ABCDEF")),
    "HTAB": NumVal((0x09,)),
    "LF": NumVal((0x0A,)),
    "LWSP": Repetition(
        _any(Reference("WSP"), Concatenation((Reference("CRLF"), Reference("WSP")))), 0, None
    ),
    "OCTET": NumRange(0x00, 0xFF),
    "SP": NumVal((0x20,)),
    "VCHAR": NumRange(0x21, 0x7E),
    "WSP": _any(Reference("SP"), Reference("HTAB")),
}

CORE_RULES: tuple[Rule, ...] = tuple(
    Rule(name, definition) for name, definition in _DEFINITIONS.items()
)
