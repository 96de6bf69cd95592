"""What can be written at a place of a capsule: header lines, tokens, dimensions.

Laws of this file: nothing is offered where text is free; what is offered fits
the place by the tables of ``pcsf_lark.spec``, in their order. A token brings
the separator after it, unless there is one already.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.faces.lsp.answers import Change, Item
from pcsf_lark.faces.lsp.meanings import FIELD_WORDS, token_words
from pcsf_lark.faces.lsp.placing import row
from pcsf_lark.outline import Kind
from pcsf_lark.protocols.words import LAYER_WORDS
from pcsf_lark.spec import CLOSE, LAYERS, SEP, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.lsp.placing import Field, Row
    from pcsf_lark.outline import Outline

__all__ = ["completions"]

#: What a header line is known by while it is typed.
_WORD = re.compile(r"[A-Za-z0-9=:.]*")
_TOKEN = re.compile(r"[A-Za-z_]*")
#: Lines that are what they are to be: another beginning would spoil them.
_SETTLED = (Kind.META, Kind.CHAIN, Kind.INTEGRITY, Kind.HEADER, Kind.SEED, Kind.CLOSE)


def completions(outline: Outline, offset: int, now: str) -> list[Item]:
    """What may stand at a byte of a capsule; ``now`` is the present minute, as META writes it."""
    line = row(outline, offset)
    items: list[Item] = []
    if (field := line.at(offset)) is not None:
        items += _tokens(line, field, offset, now)
    if line.kind not in _SETTLED and _WORD.fullmatch(line.text[: offset - line.start]):
        items += _lines(outline, line)
    return items


def _tokens(line: Row, field: Field, offset: int, now: str) -> Iterator[Item]:
    section = "META" if line.kind is Kind.META else line.section
    rest = line.text[field.start - line.start :]
    word = _TOKEN.match(rest)
    end = max(field.start + (word.end() if word else 0), offset)
    if field.name == "timestamp":
        end = line.start + len(line.text)
        yield Item(now, "value", "now, in UTC", Change(field.start, end, _spaced(line, field, now)))
        return
    for token, meaning in token_words(section, field.name).items():
        text = token + _following(line, field, end)
        yield Item(token, "value", meaning, Change(field.start, end, _spaced(line, field, text)))


def _spaced(line: Row, field: Field, text: str) -> str:
    """The text, with the space that is still lacking after a bar before it."""
    before = line.text[: field.start - line.start]
    return f" {text}" if before.endswith("|") else text


def _following(line: Row, field: Field, end: int) -> str:
    """The separator that is to follow a token, where there is none yet."""
    if field.name == "priority" or line.text[end - line.start :].strip():
        return ""
    layer = line.layer
    return layer.separator if layer is not None and line.kind is not Kind.META else SEP


def _lines(outline: Outline, line: Row) -> Iterator[Item]:
    """The lines that may begin here, as far as the file has them not yet."""
    word = _WORD.match(line.text)
    end = line.start + (word.end() if word else 0)

    def whole(text: str, detail: str) -> Item:
        spaced = text.endswith(" ") and line.text[end - line.start :].startswith(" ")
        return Item(text.strip(), "line", detail, Change(line.start, end + spaced, text))

    seen = {Kind(kind) for index, kind in enumerate(outline.kinds) if index != line.number}
    if line.number == 0:
        for version in reversed(VERSIONS):
            yield whole(f"===PCSF:{version}===", "the version token")
        return
    if line.section == "head":
        if Kind.META not in seen:
            yield whole("META: ", FIELD_WORDS["META", "topic"])
        if Kind.CHAIN not in seen:
            yield whole("CHAIN: hops=", "how many stitches lie behind it")
    here = int(line.section[1]) if line.layer else 0 if line.section == "head" else len(LAYERS)
    had = {other.layer for other in outline.headers if other.index != line.number}
    for layer in LAYERS[here:]:
        if layer.number not in had:
            yield whole(layer.header, LAYER_WORDS[layer.key])
    if line.section in (LAYERS[-1].key, "tail"):
        if Kind.SEED not in seen:
            yield whole("SEED: ", "the one sentence to start from")
        if Kind.CLOSE not in seen:
            yield whole(CLOSE, "the last line")
