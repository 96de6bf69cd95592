"""The capsule's grammar in the forms that other tools read.

Laws: everything is derived from ``grammar/pcsf.normal.abnf`` and
``pcsf_lark.spec``; the same input gives the same text. Forms that constrain
a writer use the generation grammar, forms that explain or show use the normal
one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import abnf
from pcsf_lark.export.generation import LAYOUTS, TERMINALS, generation, normal
from pcsf_lark.export.textmate import textmate

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FORMATS", "LAYOUTS", "export", "generation", "normal"]

_START = "capsule"
#: For LALR whole fields are one piece, as LALR lexers look ahead where that is needed.
_FIELDS = (*(name for name in TERMINALS if name != "word"), "field", "sentence")


def export(form: str, layout: str = "any") -> str:
    """The grammar in one form, for one layout (``spaced`` or ``compact``) or for any.

    ``textmate`` is the same for all layouts. Raises ValueError for an unknown
    form or layout.

    >>> from pcsf_lark.export import export
    >>> "===END===" in export("gbnf")
    True
    """
    if form not in FORMATS:
        raise ValueError(f"unknown form {form!r}; known are {', '.join(FORMATS)}")
    return FORMATS[form](layout)


def _llguidance(layout: str) -> str:
    return abnf.to_llguidance(generation(layout), _START, TERMINALS)


def _lark(layout: str) -> str:
    return abnf.to_lalr(generation(layout), [_START], _FIELDS)


def _gbnf(layout: str) -> str:
    return abnf.to_gbnf(generation(layout), _START)


def _regex(layout: str) -> str:
    return abnf.to_regex(generation(layout), _START) + "\n"


def _textmate(layout: str) -> str:
    normal(layout)
    return textmate()


def _abnf(layout: str) -> str:
    return abnf.to_abnf(generation(layout))


def _railroad(layout: str) -> str:
    return abnf.to_railroad(normal(layout), _START)


#: Name of a form to the function that writes it for a layout.
FORMATS: dict[str, Callable[[str], str]] = {
    "llguidance": _llguidance,
    "lark": _lark,
    "gbnf": _gbnf,
    "regex": _regex,
    "textmate": _textmate,
    "abnf": _abnf,
    "railroad": _railroad,
}
