"""What the source says of a thing: its docstring in parts, its `#:` comment, its own lines."""

from __future__ import annotations

from pathlib import Path

import griffe

__all__ = ["ROOT", "bases_of", "comment", "file_of", "sections", "source_of"]

#: The checkout.
ROOT = Path(__file__).resolve().parent.parent.parent


def bases_of(obj: griffe.Class) -> list[griffe.Class]:
    """The bases within the packages, the nearest first."""
    return list(obj.mro())


def sections(obj: griffe.Class) -> tuple[str, dict[str, str]]:
    """A class's docstring in two: what is said of it, and of its attributes."""
    meanings: dict[str, str] = {}
    for base in reversed(bases_of(obj)):
        meanings |= sections(base)[1]
    if obj.docstring is None:
        return "", meanings
    for section in griffe.parse_google(obj.docstring, warnings=False):
        if isinstance(section, griffe.DocstringSectionAttributes):
            meanings |= {one.name: " ".join(one.description.split()) for one in section.value}
    lines = obj.docstring.value.split("\n")
    if "Attributes:" in lines:
        start = lines.index("Attributes:")
        after = start + 1
        while after < len(lines) and (not lines[after] or lines[after].startswith(" ")):
            after += 1
        lines[start:after] = []
    return "\n".join(lines).strip(), meanings


def comment(obj: griffe.Object) -> str:
    """The `#:` comment over an assignment."""
    if obj.docstring is not None:
        return obj.docstring.value
    lines: list[str] = []
    above = obj.lines_collection[file_of(obj)][: (obj.lineno or 1) - 1]
    for line in reversed(above):
        if not line.lstrip().startswith("#:"):
            break
        lines.insert(0, line.lstrip().removeprefix("#:").strip())
    return "\n".join(lines)


def source_of(obj: griffe.Object) -> str:
    """The lines that a thing is written in."""
    lines = obj.lines_collection[file_of(obj)]
    return "\n".join(lines[(obj.lineno or 1) - 1 : obj.endlineno])


def file_of(obj: griffe.Object) -> Path:
    """The file that a thing stands in."""
    path = obj.filepath
    if isinstance(path, list):  # a package without a file of its own; ours have one
        raise TypeError(f"{obj.path} stands in no file")
    return path
