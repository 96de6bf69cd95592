"""META has four fields, a known depth and a real UTC timestamp.

META says what the capsule is about, how much lies behind it and how fresh it
is; a reader weighs everything else by it. Depth is SURFACE, WORKING or DEEP;
the timestamp is `YYYY-MM-DDThh:mmZ` and names a minute that exists.

Write `META: topic | domain | DEPTH | 2026-05-04T09:30Z` right below the
version token. Profile `abnf` takes any digits in the timestamp.

Misses: a depth or a time that is well-formed and untrue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._values import field_span, timestamp_fault, timestamp_fix, token_fault
from pcsf_lark.spec import DEPTHS, SEP
from pcsf_lark.syntax.entry import split_fields
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line
    from pcsf_lark.rules._rule import Subject

CODE = "C4"
NAME = "malformed-meta"
SEVERITY = Severity.ERROR
SECTION = "2.4"
SINCE = "0.1.0"
GOOD = (example(), example("2026-05-04", "2024-02-29"))
BAD = (
    example("META: Index rebuild | databases | WORKING | 2026-05-04T09:30Z\n", ""),
    example("Index rebuild | databases", "Index rebuild"),
    example("WORKING", "MEDIUM"),
    example("WORKING", "working"),
    example("META:", "Meta:"),
    example("META: ", "META:"),
    example("2026-05-04T09:30Z", "2026-02-29T09:30Z"),
    example("09:30Z", "24:00Z"),
    example("2026-05-04T09:30Z", "2026-05-04 09:30"),
)

_PREFIX = "META: "
_SHAPE = "META: topic | domain | DEPTH | YYYY-MM-DDThh:mmZ"


def check(subject: Subject) -> Iterator[Finding]:
    """The META line's presence, shape and values."""
    line = subject.outline.first(Kind.META)
    if line is None:
        at = subject.source.after_line(subject.outline.kinds.find(Kind.OPEN))
        yield Finding(at, "the META line is missing", f"write `{_SHAPE}` below the version token")
        return
    if line.dirty:
        return
    ignore_case = subject.profile == "abnf"
    if not (line.text.upper() if ignore_case else line.text).startswith(_PREFIX):
        yield _wrong_prefix(line)
        return
    text = line.text[len(_PREFIX) :]
    if (count := text.count(SEP) + 1) != 4:
        found = counted(count, "field")
        yield Finding(line.span, f"META has {found}, not 4", f"write `{_SHAPE}`")
        return
    fields = tuple(split_fields(text, SEP, len(_PREFIX)))
    abnf = subject.profile == "abnf"
    if finding := token_fault(line, fields[2], DEPTHS, "a depth", ignore_case=abnf):
        yield finding
    if fault := timestamp_fault(fields[3].text, subject.profile):
        span = field_span(line, fields[3])
        yield Finding(span, *fault, timestamp_fix(span, fields[3].text))


def _wrong_prefix(line: Line) -> Finding:
    head, _, rest = line.text.partition(":")
    fix = None
    if rest.strip(" "):
        edit = Edit(line.span, f"{_PREFIX}{_exact(rest.removeprefix(' '))}")
        fix = Fix("write `META: ` exactly", (edit,), safe=True)
    return Finding(
        line.span, f"the line begins with `{head}:`, not `{_PREFIX}`", f"write `{_SHAPE}`", fix
    )


def _exact(rest: str) -> str:
    """The fields with their tokens in exact case, where nothing else is wrong with them."""
    fields = rest.split(SEP)
    if len(fields) == 4:
        *texts, depth, time = fields
        depth = depth.upper() if depth.upper() in DEPTHS else depth
        time = time if timestamp_fault(time.upper(), "interop") else time.upper()
        fields = [*texts, depth, time]
    return SEP.join(fields)
