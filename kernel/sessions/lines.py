"""Lines of append-only JSON logs, read one by one whatever happened to the file.

Laws: memory holds one line; every whole object is recovered, also two on a line, also
behind a run of NUL bytes; whatever is lost is named with its line. Files are read, never
repaired.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final

from attrs import frozen

__all__ = ["Diagnostic", "Line", "bounded", "read_lines"]

_DECODER = json.JSONDecoder()
_LONGEST: Final = 128 * 1024 * 1024


@frozen
class Diagnostic:
    """Something about a log a reader should know; `line` counts from 1, 0 is the file.

    Attributes:
        code: A stable word for a program.
        message: What was found.
    """

    code: str
    line: int
    message: str


@frozen
class Line:
    """One object of a log: its line, its place among the objects of that line, its text."""

    number: int
    place: int
    value: Any
    text: str


def bounded(file: IO[bytes], watch: Callable[[int], None] | None = None) -> Iterator[bytes]:
    """Yield the lines of a file, one that no session writes by its first characters alone.

    `watch` is told the bytes read so far.
    """
    done = 0
    while data := file.readline(_LONGEST):
        done += len(data)
        if len(data) == _LONGEST and not data.endswith(b"\n"):
            data = data[:80] + b"...\n"
            while rest := file.readline(_LONGEST):
                done += len(rest)
                if rest.endswith(b"\n"):
                    break
        yield data
        if watch is not None:
            watch(done)


def read_lines(raw: Iterable[bytes], notes: list[Diagnostic]) -> Iterator[Line]:
    """Yield the objects of a log in order, noting what was wrong with it."""
    number = 0
    pending: tuple[int, bytes] | None = None
    for number, data in enumerate(raw, 1):
        if pending is not None:
            yield from _objects(*pending, notes, last=False)
        pending = (number, data)
    if pending is not None:
        yield from _objects(*pending, notes, last=True)


def _objects(number: int, data: bytes, notes: list[Diagnostic], *, last: bool) -> Iterator[Line]:
    if number == 1 and data.startswith(b"\xef\xbb\xbf"):
        notes.append(Diagnostic("BOM", 1, "the file starts with a byte order mark; skipped"))
        data = data[3:]
    if b"\0" in data:
        count = data.count(b"\0")
        notes.append(Diagnostic("NUL_RUN", number, f"{count} NUL bytes skipped"))
        data = data.replace(b"\0", b"")
    torn = last and not data.endswith(b"\n")
    text = _decoded(number, data, notes, torn=torn).strip()
    if not text:
        return
    try:
        yield Line(number, 0, json.loads(text), text)
    except (ValueError, RecursionError):
        yield from _recovered(number, text, notes, last=torn)


def _decoded(number: int, data: bytes, notes: list[Diagnostic], *, torn: bool) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if not (torn and error.end == len(data) and error.reason == "unexpected end of data"):
            # A tear inside a character is a tear: TORN_LINE tells it.
            message = f"byte {error.start + 1} of the line is no UTF-8; such bytes are replaced"
            notes.append(Diagnostic("NOT_UTF8", number, message))
        return data.decode("utf-8", "replace")


def _recovered(number: int, text: str, notes: list[Diagnostic], *, last: bool) -> Iterator[Line]:
    """Read one object after the other from a line that is not one object."""
    at, place = 0, 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            break
        if not text[at:start].strip():
            yield Line(number, place, value, text[start:end])
            place += 1
            at = end
        else:
            break
    rest = len(text[at:].strip())
    if place > 1:
        message = f"{place} objects on one line; all of them read"
        notes.append(Diagnostic("TWO_OBJECTS", number, message))
    if rest:
        code, what = ("TORN_LINE", "a torn last line") if last else ("BAD_LINE", "a broken line")
        notes.append(Diagnostic(code, number, f"{what}: {rest} characters are no JSON; skipped"))
