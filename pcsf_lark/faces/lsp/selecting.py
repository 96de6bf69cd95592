"""Ever larger stretches around a place, for an editor's "expand selection"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.lsp.placing import row
from pcsf_lark.faces.lsp.symbols import folds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.faces.lsp.abnf_names import Grammar
    from pcsf_lark.faces.lsp.positions import Text
    from pcsf_lark.outline import Outline

__all__ = ["in_capsule", "in_grammar"]


def in_capsule(outline: Outline, byte: int) -> list[tuple[int, int]]:
    """The field, line and layer that a byte lies in, then the whole text; inner ones first."""
    line = row(outline, byte)
    fields = [(field.start, field.end) for field in line.fields]
    layers = [(fold.start, fold.end) for fold in folds(outline)]
    own = (line.start, line.start + len(line.text))
    return _nested(byte, [*fields, own, *layers, (0, len(outline.source.data))])


def in_grammar(text: Text, grammar: Grammar, byte: int) -> list[tuple[int, int]]:
    """The name and the rule that a byte lies in, then the whole text; inner ones first."""
    at = text.character(byte)
    name, rule = grammar.at(at), grammar.around(at)
    parts = [(one.start, one.end) for one in (name, rule) if one is not None]
    inner = [(text.byte(start), text.byte(end)) for start, end in parts]
    return _nested(byte, [*inner, (0, len(text.data))])


def _nested(byte: int, stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that a byte lies in, each within the next."""
    return list(_growing(byte, sorted(set(stretches), key=lambda one: one[1] - one[0])))


def _growing(byte: int, stretches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    inner = (byte, byte)
    for start, end in stretches:
        if start <= inner[0] and inner[1] <= end and (start, end) != inner:
            inner = start, end
            yield inner
