"""All five layer headers are there, written exactly, each once and in order.

`L1:SKELETON`, `L2:NEGATIVE`, `L3:INTERNAL`, `L4:RELATION`, `L5:LOOPS`: a layer
without entries keeps its header, so that "nothing was ruled out" can be told
from "this was lost". A layer's lines are judged only where its header follows
that of the layer before it.

Put the header back, in its place and in capitals.

Misses: entries that stand under the wrong header.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line
    from pcsf_lark.rules._rule import Subject
    from pcsf_lark.source import Span
    from pcsf_lark.spec import Layer

CODE = "C5"
NAME = "misplaced-header"
SEVERITY = Severity.ERROR
SECTION = "2.2"
SINCE = "0.1.0"
GOOD = (example(),)
BAD = (
    example("L4:RELATION\n", ""),
    example("L3:INTERNAL", "l3:internal"),
    example("L3:INTERNAL", "L3:INTERN"),
    example("L2:NEGATIVE\n", "L2:NEGATIVE\nL2:NEGATIVE\n"),
    example("L5:LOOPS", "L4:RELATION"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """At most one finding a layer: missing, repeated, out of order or inexact."""
    outline = subject.outline
    for layer in outline.missing_layers():
        yield Finding(
            _due(subject, layer),
            f"the layer header {layer.header} is missing",
            f"write {layer.header} here, even if the layer has no entries",
        )
    told: set[int] = set()
    highest = 0
    for line in outline.headers:
        finding = _placed(line, highest) or _exact(subject, line)
        highest = max(highest, line.layer)
        if finding and line.layer not in told and not line.dirty:
            told.add(line.layer)
            yield finding


def _due(subject: Subject, layer: Layer) -> Span:
    """The start of the line before which the header belongs."""
    outline = subject.outline
    after = [line.index for line in outline.headers if line.layer > layer.number]
    after += [i for i in (outline.last(Kind.SEED), outline.kinds.find(Kind.CLOSE)) if i >= 0]
    return outline.source.after_line((after[0] if after else len(outline)) - 1)


def _placed(line: Line, highest: int) -> Finding | None:
    layer = LAYERS[line.layer - 1]
    if line.layer == highest:
        return Finding(
            line.span, f"the layer header {layer.header} is repeated", "keep one header a layer"
        )
    if line.layer < highest:
        return Finding(
            line.span,
            f"{layer.header} comes after {LAYERS[highest - 1].header}",
            "put the layers in the order L1, L2, L3, L4, L5",
        )
    return None


def _exact(subject: Subject, line: Line) -> Finding | None:
    header = LAYERS[line.layer - 1].header
    found = line.text.upper() if subject.profile == "abnf" else line.text
    if found == header:
        return None
    safe = line.text.upper() == header
    return Finding(
        line.span,
        f"`{line.text}` is not the header {header}",
        f"write {header} exactly",
        Fix(f"write {header}", (Edit(line.span, header),), safe=safe),
    )
