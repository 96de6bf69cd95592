"""SEED is one line with one non-empty sentence.

A reader who sees a single line of the capsule sees this one; two sentences
are two claims to the place of the one that matters most. A sentence's end is
a run of `.`, `!` or `?` at the end, or before a space and a capital, a digit,
a quote or `(`, save after an abbreviation such as `e.g.` or `No.`; at most one
such mark may stand. `v1.2` and `14.2` hold none.

Join the sentences with a comma, a dash or a semicolon, or drop one.

Misses: a second sentence that begins with a small letter or follows a listed
abbreviation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._values import field_span
from pcsf_lark.syntax.entry import Field
from pcsf_lark.values import sentence_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line
    from pcsf_lark.rules._rule import Subject

CODE = "C9"
NAME = "malformed-seed"
SEVERITY = Severity.ERROR
SECTION = "2.10"
SINCE = "0.1.0"
_SEED = "SEED: The index is safe to build online once replica lag is known."
GOOD = (
    example(),
    example(_SEED, "SEED: See No. 7 of v1.2, e.g. The lag table"),
)
BAD = (
    example(_SEED + "\n", ""),
    example(_SEED, "SEED:"),
    example("SEED: The", "SEED:The"),
    example("SEED: The", "SEED:  The"),
    example("SEED: The", "Seed: The"),
    example("safe to", "safe | to"),
    example("online once replica lag is", "online. Measure the lag: it must be"),
    example(_SEED, _SEED + "\n" + _SEED),
)

_PREFIX = "SEED: "


def check(subject: Subject) -> Iterator[Finding]:
    """The SEED line's presence, prefix, text and sentence count."""
    outline = subject.outline
    index = outline.last(Kind.SEED)
    if index < 0:
        closing = outline.kinds.find(Kind.CLOSE)
        at = subject.source.after_line((closing if closing >= 0 else len(outline)) - 1)
        yield Finding(at, "the SEED line is missing", "write `SEED: one sentence` after L5")
        return
    line = outline[index]
    if not line.dirty:
        yield from _seed(subject, line)
    for stray in outline.clean(Kind.STRAY):
        if stray.index > index and stray.text.upper().startswith("SEED:"):
            yield Finding(stray.span, "a second SEED line", "keep the one that matters most")


def _seed(subject: Subject, line: Line) -> Iterator[Finding]:
    head = line.text[: len(_PREFIX)]
    if (head.upper() if subject.profile == "abnf" else head) != _PREFIX:
        yield _wrong_prefix(line)
        return
    field = Field(line.text[len(_PREFIX) :], len(_PREFIX))
    if "|" in field.text:
        at = field.at + field.text.index("|")
        yield Finding(
            field_span(line, Field("|", at)),
            "a pipe in SEED",
            "write `/`, `-` or another word",
            Fix(
                "write `/`",
                (Edit(field_span(line, field), field.text.replace("|", "/")),),
                safe=False,
            ),
        )
    if field.text != field.text.strip(" ") and subject.profile != "abnf":
        bare = field.text.strip(" ")
        yield Finding(
            field_span(line, Field(" ", field.at)),
            "a space at the edge of the sentence",
            "write one space after `SEED:`",
            Fix("remove the spaces", (Edit(field_span(line, field), bare),), safe=True),
        )
    marks = sentence_marks(field.text)
    if len(marks) > 1:
        yield Finding(
            field_span(line, Field(field.text[marks[0] - 1], field.at + marks[0] - 1)),
            f"SEED has {len(marks)} sentences, not one",
            "join them with a comma or a semicolon, or keep the one that matters most",
            _join(line, field, marks),
        )


def _join(line: Line, field: Field, marks: list[int]) -> Fix:
    """A semicolon for each mark but the last one of the line."""
    edits = []
    for end in marks:
        start = len(field.text[:end].rstrip(".!?"))
        if end < len(field.text):
            mark = Field(field.text[start:end], field.at + start)
            edits.append(Edit(field_span(line, mark), ";"))
    return Fix("join the sentences", tuple(edits), safe=False)


def _wrong_prefix(line: Line) -> Finding:
    head, _, rest = line.text.partition(":")
    if not rest.strip(" "):
        return Finding(line.span, "SEED is empty", "write `SEED: one sentence`")
    text = f"{_PREFIX}{rest.strip(' ')}"
    return Finding(
        line.span,
        f"the line begins with `{head}:{rest[:1]}`, not `{_PREFIX}`",
        "write `SEED: `, with one space, and then the sentence",
        Fix(f"write `{_PREFIX}` exactly", (Edit(line.span, text),), safe=True),
    )
