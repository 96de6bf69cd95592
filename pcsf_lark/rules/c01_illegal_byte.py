"""Every byte is printable ASCII or LF, and no line ends with a space.

A capsule passes through terminals, diffs, chats and tools of many systems;
plain ASCII with LF line ends is what survives them all byte for byte, and a
checksum over it stays true. A line with such a fault gets no other code: mend
it first, then look again.

Write quotes, dashes and dots as ASCII (`'`, `"`, `-`, `...`), end lines with
LF alone, save without a byte-order mark, and use no tabs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "C1"
NAME = "illegal-byte"
SEVERITY = Severity.ERROR
SECTION = "2.1"
GOOD = (example(),)
BAD = (
    example("===PCSF", "\ufeff===PCSF"),
    example("WORKING |", "WORKING\t|"),
    example("short answers, numbers first", "short answers, numbers first "),
    example("replica's", "replica\u2019s"),
    example("L5:LOOPS\n", "L5:LOOPS\r\n"),
    example("online", "on\x00line"),
    example("online", "on\x7fline"),
)

_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
#: The kinds that are told once a file, with their count; the rest once a line.
_PER_FILE = {
    "\r": (
        "carriage return",
        " (CR)",
        "end lines with LF alone: save with Unix line ends, or pipe through `tr -d '\\r'`",
    ),
    "\x00": ("NUL byte", "", "this is no text file, or a torn one: restore it from its source"),
}
_PER_LINE = re.compile(
    r"(?P<tab>\t+)|(?P<wide>[\x80-\xff]+)|(?P<space>(?<! ) +(?=\n|\Z))|(?P<ctrl>[^\n -~])"
)
_ASCII = {
    0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-",
    0x2026: "...", 0x00A0: "a space", 0x2192: "->", 0x2022: "-",
}  # fmt: skip


def check(subject: Subject) -> Iterator[Finding]:
    """Marks and line ends once a file; other bytes once a line and kind."""
    source, data = subject.source, subject.source.data
    if data.startswith(_UTF16_BOMS) or data[1:200:2].count(0) > 40 or data[:200:2].count(0) > 40:
        yield Finding(
            source.span(0, min(2, len(data))),
            "the file is UTF-16",
            "a capsule is plain ASCII: save the file as ASCII or UTF-8 without a mark",
        )
        return
    if data.startswith(_UTF8_BOM):
        yield Finding(
            source.span(0, len(_UTF8_BOM)),
            "a byte-order mark (BOM) before the first line",
            "save the file as UTF-8 without BOM: its first byte must be `=`",
        )
    for byte, (noun, also, mend) in _PER_FILE.items():
        if count := source.text.count(byte):
            at = source.text.index(byte)
            yield Finding(source.span(at, at + 1), counted(count, noun) + also, mend)
    yield from _by_line(subject, 3 if data.startswith(_UTF8_BOM) else 0)


def _by_line(subject: Subject, begin: int) -> Iterator[Finding]:
    source, text = subject.source, subject.source.text
    told: tuple[int, str] | None = None
    for match in _PER_LINE.finditer(text, begin):
        kind = match.lastgroup or ""
        if match.group() in _PER_FILE:
            continue
        line = source.index(match.start())
        if (line, kind) == told:
            continue
        told = (line, kind)
        yield Finding(source.span(*match.span()), *_describe(kind, match.group()))


def _describe(kind: str, found: str) -> tuple[str, str]:
    if kind == "tab":
        return "a tab", "write single spaces"
    if kind == "space":
        return "trailing space", "remove the spaces at the end of the line"
    if kind == "wide":
        return _describe_wide(found)
    return f"the control byte 0x{ord(found):02X}", "remove it: only printable ASCII is allowed"


def _describe_wide(found: str) -> tuple[str, str]:
    import unicodedata  # noqa: PLC0415 - a megabyte of names, needed for this message alone

    try:
        first = found.encode("latin-1").decode("utf-8")[0]
    except UnicodeDecodeError:
        return f"the byte 0x{ord(found[0]):02X}, which is not ASCII", "write plain ASCII"
    name = unicodedata.name(first, "an unnamed character")
    instead = _ASCII.get(ord(first))
    mend = (
        f"write {instead if instead == 'a space' else f'`{instead}`'}"
        if instead
        else "write it in plain ASCII"
    )
    return f"U+{ord(first):04X} {name}, which is not ASCII", mend
