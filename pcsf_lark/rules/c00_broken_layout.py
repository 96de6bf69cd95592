"""Blocks stand in one layout: all separated by a blank line, or only the header from L1.

Two layouts are read. In the spaced one exactly one blank line follows the
header lines, each layer and nothing else; in the compact one only the header
lines are followed by one. A file uses one of the two throughout: a reader that
met a mixture could not tell a layer's end from a slip. No other line may stand
between blocks.

Write the spaced layout; `pcsf fmt` does. Profile `prose` takes the spaced
layout alone, profile `abnf` the compact one.

Misses: nothing that the layouts forbid; where layer headers are out of place
the blocks cannot be told apart, and C5 speaks alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import LAYERS
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line, Outline, Run
    from pcsf_lark.rules._rule import Subject

CODE = "C0"
NAME = "broken-layout"
SEVERITY = Severity.ERROR
SECTION = "2.2"
SINCE = "0.1.0"
GOOD = (example(),)
BAD = (
    example("\n\nL2:NEGATIVE", "\nL2:NEGATIVE"),
    example("\n\nL3:INTERNAL", "\n\n\nL3:INTERNAL"),
    example("\n\nL1:SKELETON", "\nL1:SKELETON"),
    example("\n\nL4:RELATION", "\n\nwhat follows is the tone\nL4:RELATION"),
    example("CHAIN:", "AUTHOR: me\nCHAIN:"),
    example("CHAIN:", "\nCHAIN:"),
    example(profile="abnf"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Extra, missing and stray lines between blocks."""
    outline = subject.outline
    for run in outline.runs(Kind.EXTRA):
        yield Finding(
            run.span,
            f"{counted(len(run), 'blank line')} too many between two blocks",
            "leave exactly one blank line between blocks, and none after SEED",
            _without(subject, run),
        )
    for line in outline.clean(Kind.STRAY):
        if not _is_second_seed(outline, line):
            yield Finding(
                line.span,
                "this line belongs to no block",
                "remove the line or move it into a layer: between the frame lines there are "
                "META, CHAIN, INTEGRITY, five layers with their entries, and SEED",
            )
    yield from _header_seam(outline)
    yield from _seams(subject)


def _without(subject: Subject, run: Run) -> Fix:
    start, end = run.whole
    span = subject.source.span(start, min(end, len(subject.source.data)))
    return Fix("remove the blank lines", (Edit(span, ""),), safe=True)


def _is_second_seed(outline: Outline, line: Line) -> bool:
    return line.index > outline.last(Kind.SEED) > -1 and line.text.upper().startswith("SEED:")


def _header_seam(outline: Outline) -> Iterator[Finding]:
    first = outline.first(Kind.HEADER)
    if first is None or first.layer != LAYERS[0].number or first.dirty:
        return
    if Kind.BLANK not in outline.kinds[: first.index]:
        at = outline.source.span(first.span.offset)
        yield Finding(
            at,
            f"no blank line before {first.text}",
            "end the header lines with one blank line; both layouts want it",
            Fix("insert a blank line", (Edit(at, "\n"),), safe=True),
        )


def _seams(subject: Subject) -> Iterator[Finding]:
    outline = subject.outline
    blanks = [boundary.blank for boundary in outline.boundaries]
    spaced = {"prose": True, "abnf": False}.get(subject.profile, sum(blanks) * 2 >= len(blanks))
    wrong = [boundary for boundary in outline.boundaries if boundary.blank != spaced]
    if wrong and len(wrong) == len(blanks):
        layout, asked = ("compact", "spaced") if spaced else ("spaced", "compact")
        yield Finding(
            outline[wrong[0].index].span,
            f"the layout is {layout}; profile {subject.profile} reads only the {asked} one",
            f"write the {asked} layout, or choose profile interop, which reads both",
        )
        return
    for line in (outline[boundary.index] for boundary in wrong):
        if line.dirty:
            continue
        block = line.text if line.layer else "SEED"
        at = outline.source.span(line.span.offset)
        if spaced:
            yield Finding(
                line.span,
                f"no blank line before {block}, though other blocks have one",
                "separate all blocks by one blank line",
                Fix("insert a blank line", (Edit(at, "\n"),), safe=True),
            )
        else:
            yield Finding(
                line.span,
                f"a blank line before {block}, though other blocks have none",
                "remove it, or separate all blocks by one: one layout for the whole file",
                _without_blank(outline, line),
            )


def _without_blank(outline: Outline, line: Line) -> Fix | None:
    if outline.kinds[line.index - 1] != Kind.BLANK:
        return None
    blank = outline[line.index - 1].span
    edit = Edit(outline.source.span(blank.offset, blank.end + 1), "")
    return Fix("remove the blank line", (edit,), safe=True)
