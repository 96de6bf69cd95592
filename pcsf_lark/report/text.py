"""Making any text safe and measurable for a person's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pcsf_lark.source import Source

__all__ = ["column", "named", "printable", "standing", "width"]

_PICTURES = {"\t": "\N{RIGHTWARDS ARROW}", "\x7f": "\N{SYMBOL FOR DELETE}"}


def printable(text: str) -> str:
    """A line read byte by byte as people should see it.

    UTF-8 is shown as its characters; control characters, which could command
    a terminal, as their pictures; other bytes as escapes.
    """
    if text.isascii() and text.isprintable():
        return text
    raw = text.encode("latin-1", "replace")
    return "".join(_shown(character) for character in raw.decode("utf-8", "backslashreplace"))


def named(path: str) -> str:
    """A file's name on a line of its own: line ends and other controls as their pictures."""
    if path.isprintable():
        return path
    # What stands for a byte that is no text is left to whoever writes it.
    return "".join(c if "\udc80" <= c <= "\udcff" else _shown(c) for c in path)


def _shown(character: str) -> str:
    if character in _PICTURES:
        return _PICTURES[character]
    if character < " ":
        return chr(0x2400 + ord(character))
    if character.isprintable():
        return character
    return f"<U+{ord(character):04X}>"


def width(text: str) -> int:
    """How many columns a shown text takes."""
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415 - rarely needed, and large

    # Marks stand on what is before them; joiners and the like take no room of their own.
    return sum(
        0
        if unicodedata.category(c) in {"Mn", "Me", "Cf"}
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def column(source: Source, line: int, place: int) -> int:
    """A column in characters, as editors count, of one in bytes."""
    if source.data.isascii() or not 1 <= line <= len(source):
        return place
    start, _ = source.bounds(line - 1)
    before = source.data[start : start + place - 1]
    return place - len(before) + len(before.decode("utf-8", "replace"))


def standing(size: int | None, limit: int | None) -> str:
    """``748 of 1,200 bytes``, or without a limit ``748 bytes``."""
    if limit is None:
        return "too many bytes" if size is None else f"{size:,} bytes"
    return f"{'too many' if size is None else format(size, ',')} of {limit:,} bytes"
