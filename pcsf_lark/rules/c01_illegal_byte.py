"""Every byte is printable ASCII or LF, and no line ends with a space.

A capsule passes through terminals, diffs, chats and tools of many systems;
plain ASCII with LF line ends is what survives them all byte for byte, and a
checksum over it stays true. A line with such a fault gets no other code: mend
it first, then look again.

Write quotes, dashes and dots as ASCII (`'`, `"`, `-`, `...`), end lines with
LF alone, save without a byte-order mark, and use no tabs.

Misses: nothing: every byte is looked at. What else is wrong with such a line
shows once it is mended.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import LIMIT
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject
    from pcsf_lark.source import Source

CODE = "C1"
NAME = "illegal-byte"
SEVERITY = Severity.ERROR
SECTION = "2.1"
SINCE = "0.1.0"
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
    "\x00": (
        "NUL byte",
        "",
        "restore the file from its source: this is no text file, or a torn one",
    ),
}
_PER_LINE = re.compile(
    r"(?P<tab>\t+)|(?P<wide>[\x80-\xff]+)|(?P<space>(?<! ) +(?=\n|\Z))|(?P<ctrl>[^\n -~])"
)
_CRLF, _CR = re.compile(r"\r+(?=\n|\Z)"), re.compile(r"\r")
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
            "save the file as plain ASCII, or as UTF-8 without a mark",
        )
        return
    if data.startswith(_UTF8_BOM):
        yield Finding(
            source.span(0, len(_UTF8_BOM)),
            "a byte-order mark (BOM) before the first line",
            "save the file as UTF-8 without BOM: its first byte must be `=`",
            Fix("remove the mark", (Edit(source.span(0, len(_UTF8_BOM)), ""),), safe=True),
        )
    for byte, (noun, also, mend) in _PER_FILE.items():
        if count := source.text.count(byte):
            at = source.text.index(byte)
            fix = _without_returns(source) if byte == "\r" and count <= LIMIT else None
            yield Finding(source.span(at, at + 1), counted(count, noun) + also, mend, fix)
    yield from _by_line(subject, 3 if data.startswith(_UTF8_BOM) else 0)


def _by_line(subject: Subject, begin: int) -> Iterator[Finding]:
    source, text = subject.source, subject.source.text
    told: dict[tuple[int, str], list[re.Match[str]]] = {}
    for match in _PER_LINE.finditer(text, begin):
        if match.group() not in _PER_FILE:
            told.setdefault((source.index(match.start()), match.lastgroup or ""), []).append(match)
            if len(told) > LIMIT:
                break
    for (line, kind), matches in told.items():
        yield Finding(
            source.span(*matches[0].span()),
            *_describe(kind, matches[0].group()),
            _fix(subject, line, kind, matches),
        )


def _fix(subject: Subject, line: int, kind: str, matches: list[re.Match[str]]) -> Fix | None:
    source, outline = subject.source, subject.outline
    if kind != "space" and outline.kinds[line] == Kind.OUTSIDE:
        if not {Kind.OPEN, Kind.CLOSE} <= set(outline.kinds):
            return None
        start, end = source.bounds(line)
        edit = Edit(source.span(start, min(end + 1, len(source.data))), "")
        return Fix("remove the line outside the capsule", (edit,), safe=False)
    if kind == "wide":
        from pcsf_lark.rules._ascii import to_ascii  # noqa: PLC0415 - brings Unicode's tables

        texts = [(match, to_ascii(match.group())) for match in matches]
        edits = tuple(Edit(source.span(*m.span()), text) for m, text in texts if text is not None)
        return Fix("write it in ASCII", edits, safe=False) if edits else None
    instead = {"tab": " ", "space": ""}.get(kind)
    if instead is None:
        return None
    edits = tuple(Edit(source.span(*match.span()), instead) for match in matches)
    return Fix("remove the spaces" if kind == "space" else "write spaces", edits, safe=True)


def _without_returns(source: Source) -> Fix | None:
    """CRLF to LF; in a file without any LF, CR is the line end itself."""
    pattern, instead = (_CRLF, "") if "\n" in source.text else (_CR, "\n")
    edits = tuple(Edit(source.span(*m.span()), instead) for m in pattern.finditer(source.text))
    return Fix("end lines with LF", edits, safe=True) if edits else None


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
