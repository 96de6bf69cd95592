"""Fields are separated by ` | ` or `: ` exactly, none is empty, none begins or ends with a space.

A pipe inside a field would be a separator to the next reader, and a second
space would be a field of another text. Exactness here is what lets every tool
split a line alike.

Write one space on both sides of each pipe and one after the colon; rephrase,
or write `/` or `-`, where you want a pipe in the text. Profile `abnf` allows
edge spaces inside fields.

Misses: nothing in META and the entries; SEED is C9's.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._values import field_span
from pcsf_lark.spec import LAYERS, SEP
from pcsf_lark.syntax.entry import Field, lacks_space, split, split_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line
    from pcsf_lark.rules._rule import Subject

CODE = "C8"
NAME = "bad-field-text"
SEVERITY = Severity.ERROR
SECTION = "2.3"
SINCE = "0.1.0"
GOOD = (example(), example("short answers,", "short: answers, a/b,"))
BAD = (
    example("CHOICE | ", "CHOICE |"),
    example("four hours of downtime", "four | hours|of downtime"),
    example("four hours", " four hours"),
    example("| four hours of downtime |", "|  |"),
    example("UNCERTAINTY: ", "UNCERTAINTY:  "),
    example("UNCERTAINTY: ", "UNCERTAINTY:"),
    example("short answers", "short | answers"),
    example("Index rebuild", "Index rebuild "),
    example("Index rebuild", "Index|rebuild"),
)

_META = "META:"
_TIGHT = re.compile(r"[^ ]\|[^ ]")


def check(subject: Subject) -> Iterator[Finding]:
    """The separators and the text of META's fields and of every entry's."""
    meta = subject.outline.first(Kind.META)
    if meta and not meta.dirty and meta.text.upper().startswith(_META + " "):
        at = len(_META) + 1
        whole = _Part(at, 4)
        yield from _fields(subject, meta, split_fields(meta.text[at:], SEP, at), whole)
    for line in subject.outline.clean(Kind.ENTRY):
        layer = LAYERS[line.layer - 1]
        if lacks_space(layer, line.text, ignore_case=subject.profile == "abnf"):
            yield _no_space(line)
        elif layer.separator == SEP:
            whole = _Part(0, len(layer.fields))
            yield from _fields(subject, line, split(layer, line.text), whole)
        else:
            for content in islice(split(layer, line.text), 1, None):
                yield from _fields(subject, line, iter([content]), _Part(content.at, 1))


def _no_space(line: Line) -> Finding:
    at = line.text.index(":") + 1
    span = field_span(line, Field("", at))
    return Finding(
        field_span(line, Field(":", at - 1)),
        "no space after the colon",
        "write `: `, a colon and one space, and then the text",
        Fix("insert a space", (Edit(span, " "),), safe=True) if line.text[at:] else None,
    )


class _Part(NamedTuple):
    """The part of a line that is fields: the column it starts at, how many there should be."""

    at: int
    wanted: int


def _fields(
    subject: Subject, line: Line, fields: Iterator[Field], part: _Part
) -> Iterator[Finding]:
    for field in fields:
        pipe = field.text.find("|")
        if pipe >= 0:
            yield Finding(
                field_span(line, Field("|", field.at + pipe)),
                "a pipe that is no separator",
                "write ` | ` where it separates, with one space on each side, and `/`, `-` or "
                "another word where it is text",
                _pipe_fix(line, field, part),
            )
        elif not field.text:
            yield Finding(
                field_span(line, field), "an empty field", "write its text: no field may be empty"
            )
        elif field.text != field.text.strip(" ") and subject.profile != "abnf":
            yield _edge(line, field)


def _pipe_fix(line: Line, field: Field, part: _Part) -> Fix | None:
    """Text where the other separators are all there, else one that lacks its spaces."""
    text = line.text[part.at :]
    if part.wanted == 1 or text.count(SEP) + 1 == part.wanted:
        inner = field.text if part.wanted == 1 else _without_border(field, part.at, len(line.text))
        title = "write `/`" if inner == field.text else "remove the pipe at the edge of the line"
        edit = Edit(field_span(line, field), inner.replace("|", "/"))
        return Fix(title, (edit,), safe=False) if inner else None
    if text.count("|") + 1 != part.wanted:
        return None
    words = [word.strip(" ") for word in text.split("|")]
    if not all(words):
        return None
    whole = field_span(line, Field(text, part.at))
    # Beside others that separate, a pipe without any space may be text: `grep a|b | too slow`.
    safe = _TIGHT.search(text) is None or (" |" not in text and "| " not in text)
    return Fix("write ` | `", (Edit(whole, SEP.join(words)),), safe=safe)


def _without_border(field: Field, start: int, end: int) -> str:
    """A field's text without the pipes that a table's row has at its ends."""
    text = field.text
    if field.at == start:
        text = text.removeprefix("|").lstrip(" ")
    if field.at + len(field.text) == end:
        text = text.removesuffix("|").rstrip(" ")
    return text


def _edge(line: Line, field: Field) -> Finding:
    bare = field.text.strip(" ")
    start = field.at + len(field.text) - len(field.text.lstrip(" "))
    stray = Field(" ", field.at) if start > field.at else Field(" ", start + len(bare))
    span = field_span(line, field)
    fix = Fix("remove the spaces", (Edit(span, bare),), safe=True) if bare else None
    return Finding(
        field_span(line, stray),
        "a space at the edge of a field",
        "write one space on each side of a separator, no more",
        fix,
    )
