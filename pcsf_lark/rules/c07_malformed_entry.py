"""Every entry has its layer's fields and tokens, with no blank line between entries.

L1 is `TYPE | fact | reason`, L2 `option | reason | lesson`, L3 `TYPE:
content`, L4 `DIMENSION: state`, L5 `TYPE | description | PRIORITY`, one entry
a line. Tokens are exact; an L4 dimension is letters and `_`.

Write all fields, in order, between ` | ` or after `: `; choose the nearest
token of the layer's list.

Misses: an entry of the right shape under the wrong type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._values import field_span, token_fault
from pcsf_lark.spec import LAYERS, PRIORITIES, SEP
from pcsf_lark.syntax.entry import count, is_name, lacks_space, split
from pcsf_lark.syntax.explanation import explain
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line
    from pcsf_lark.rules._rule import Subject
    from pcsf_lark.spec import Layer

CODE = "C7"
NAME = "malformed-entry"
SEVERITY = Severity.ERROR
SECTION = "2.5-2.9"
SINCE = "0.1.0"
GOOD = (
    example(),
    example("STYLE: short answers", "SEED: short answers"),
    example("dump and reload", "L3:INTERNAL dump"),
    example("STYLE: short answers, numbers", "vocab: a: b, numbers"),
)
BAD = (
    example("CHOICE", "DECISION"),
    example("CHOICE", "choice"),
    example(" | writes must not stop", ""),
    example("UNCERTAINTY", "DOUBT"),
    example("UNCERTAINTY: ", "UNCERTAINTY "),
    example("STYLE", "STYLE-2"),
    example("HIGH", "URGENT"),
    example("dump and reload", "\ndump and reload"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Blank lines inside layers, then each entry's shape and tokens."""
    for run in subject.outline.runs(Kind.GAP):
        span = subject.source.span(*run.whole)
        yield Finding(
            span,
            f"{counted(len(run), 'blank line')} inside {LAYERS[run.layer - 1].header}",
            "remove it: a layer's entries follow each other without blank lines",
            Fix("remove the blank lines", (Edit(span, ""),), safe=True),
        )
    for line in subject.outline.clean(Kind.ENTRY):
        yield from _entry(subject, LAYERS[line.layer - 1], line)


def _entry(subject: Subject, layer: Layer, line: Line) -> Iterator[Finding]:
    ignore_case = subject.profile == "abnf"
    if layer.separator == SEP and line.text.count("|") > line.text.count(SEP):
        return  # C8 says where the separator is wrong; the count would mislead
    if lacks_space(layer, line.text, ignore_case=ignore_case):
        return  # likewise C8
    if (found := count(layer, line.text)) != len(layer.fields):
        yield _wrong_count(subject, layer, line, found)
        return
    fields = tuple(split(layer, line.text))
    if layer.types:
        kind, piped = f"an {layer.key} type", layer.separator == SEP
        finding = token_fault(
            line, fields[0], layer.types, kind, ignore_case=ignore_case, piped=piped
        )
        if finding:
            yield finding
    elif layer.separator != SEP and not is_name(fields[0].text):
        yield Finding(
            field_span(line, fields[0]),
            f"`{fields[0].text}` is not a dimension name",
            "write one word of letters and `_`, such as STYLE, TRUST or MODE",
        )
    if layer.fields[-1] == "priority":
        finding = token_fault(line, fields[-1], PRIORITIES, "a priority", ignore_case=ignore_case)
        if finding:
            yield finding


def _wrong_count(subject: Subject, layer: Layer, line: Line, number: int) -> Finding:
    if layer.separator != SEP:
        found = f"this is not an {layer.key} entry"
    else:
        found = f"an {layer.key} entry has 3 fields; this line has {number}"
    expected = explain(f"l{layer.number}-entry", line, subject.profile)
    hint = f"; {expected.message}" if expected else ""
    return Finding(
        expected.span if expected else line.span, found + hint, f"write `{layer.shape}` on one line"
    )
