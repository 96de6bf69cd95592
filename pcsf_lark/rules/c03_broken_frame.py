"""The first line is a known version token, the last one ===END===, and nothing is outside.

The frame says what the text is and that it is whole. A version this reader
does not know is refused, never guessed at: `===PCSF:v1===`, `===PCSF:v1.1===`
and `===PCSF:v1.2===` are known. A code fence, a greeting or a blank line
before or after the capsule makes it another text.

Write the frame lines exactly, as the first and the last line of the file.

Misses: a capsule that was cut in the middle and closed again, unless it is
stamped; C11 sees that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._words import choice
from pcsf_lark.spec import CLOSE, VERSIONS
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line, Run
    from pcsf_lark.rules._rule import Subject

CODE = "C3"
NAME = "broken-frame"
SEVERITY = Severity.ERROR
SECTION = "2.2"
SINCE = "0.1.0"
GOOD = (example(), example("v1.2", "v1.1"), example("===END===\n", "===END==="))
BAD = (
    example("v1.2", "v1.3"),
    example("===PCSF:v1.2===\n", ""),
    example("===PCSF:v1.2", "===pcsf:V1.2"),
    example("===END===\n", ""),
    example("===END===", "===end==="),
    example("===END===\n", "===END===\n\n"),
    example("===PCSF:v1.2===", "```\n===PCSF:v1.2==="),
    example("===END===\n", "===END===\nHope this helps!\n"),
)

#: What is removed as chatter must hold no capsule, which nobody could tell from the first.
_FRAME = re.compile(r"===(?:PCSF|END)", re.IGNORECASE)
_FENCE = re.compile(r"^ *(?:```|~~~)", re.MULTILINE)
_TOKENS = tuple(f"===PCSF:{version}===" for version in VERSIONS)


def check(subject: Subject) -> Iterator[Finding]:
    """Frame lines that are absent or inexact, and text outside them."""
    outline, source = subject.outline, subject.source
    opening, closing = outline.first(Kind.OPEN), outline.first(Kind.CLOSE)
    outside = list(outline.runs(Kind.OUTSIDE))
    if opening is None:
        chatter = outside.pop(0) if outside and outside[0].first == 0 else None
        at = source.line_span(0) if chatter else source.span(0)
        found = "the file is empty" if not source.data else "the first line is no version token"
        yield Finding(at, found, f"begin the file with {choice(_TOKENS)}")
    elif not opening.dirty:
        yield from _version(opening, subject)
    if closing is None:
        yield from _unclosed(subject, outside)
    elif not closing.dirty and not _exact(closing.text, (CLOSE,), subject):
        fix = Fix(f"write {CLOSE}", (Edit(closing.span, CLOSE),), safe=True)
        yield Finding(closing.span, f"the last line is not {CLOSE}", f"write {CLOSE} exactly", fix)
    for run in outside:
        yield _outside(subject, run, before=opening is not None and run.first < opening.index)


def _exact(text: str, tokens: tuple[str, ...], subject: Subject) -> bool:
    if subject.profile == "abnf":
        return text.upper() in {token.upper() for token in tokens}
    return text in tokens


def _version(line: Line, subject: Subject) -> Iterator[Finding]:
    if _exact(line.text, _TOKENS, subject):
        return
    known = {token.upper(): token for token in _TOKENS}.get(line.text.upper())
    if known:
        yield Finding(
            line.span,
            "the version token is in the wrong case",
            f"write {known} exactly",
            Fix(f"write {known}", (Edit(line.span, known),), safe=True),
        )
    else:
        yield Finding(
            line.span,
            f"{line.text} is no version this reader knows",
            f"write {choice(_TOKENS)}: an unknown version is refused, never guessed at",
        )


def _unclosed(subject: Subject, outside: list[Run]) -> Iterator[Finding]:
    source = subject.source
    trailing = outside.pop() if outside and outside[-1].last == len(source) - 1 else None
    at = source.line_span(trailing.first) if trailing else source.after_line(len(source) - 1)
    yield Finding(
        at,
        f"the last line is not {CLOSE}",
        f"end the file with the line {CLOSE}; without it the capsule may be cut short",
    )


def _outside(subject: Subject, run: Run, *, before: bool) -> Finding:
    where, frame = ("before", "the first line") if before else ("after", CLOSE)
    fenced = _FENCE.search(run.text) is not None
    blank = not run.text.strip("\n ")
    if blank:
        what = counted(len(run), "blank line")
    elif fenced and len(run) == 1:
        what = "a code fence"
    else:
        what = counted(len(run), "line") + " of text" + " and a code fence" * fenced
    source = subject.source
    start, end = run.whole[0], min(run.whole[1], len(source.data))
    if _FRAME.search(run.text):
        return Finding(
            run.span,
            f"{what} {where} the capsule, with lines of another one",
            "keep one capsule a file: put the other one into a file of its own",
        )
    whole = {Kind.OPEN, Kind.CLOSE} <= set(subject.outline.kinds)
    fix = Fix("remove it", (Edit(source.span(start, end), ""),), safe=blank) if whole else None
    return Finding(
        run.span,
        f"{what} {where} the capsule",
        f"remove it: nothing may stand {where} {frame}, only the capsule itself is the file",
        fix,
    )
