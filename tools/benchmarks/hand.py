"""The reader to beat: a capsule by hand, `str.split` to tuples, no AST, no positions.

It is what a careful person would write in an hour for one layout: it checks
tokens, caps, field counts and edge spaces, and raises ValueError on anything
else. It is the yardstick of `tools/bench parse` and used nowhere else.
"""

from __future__ import annotations

_VERSIONS = {"===PCSF:v1===", "===PCSF:v1.1===", "===PCSF:v1.2==="}
_DEPTHS = {"SURFACE", "WORKING", "DEEP"}
_L1 = {"CHOICE", "CONSTRAINT", "DISCOVERY", "PIVOT", "OUTCOME"}
_L3 = {"UNCERTAINTY", "DIRECTION", "INTUITION", "UNRESOLVED"}
_L5 = {"PROMISE", "DEFERRED_QUESTION", "INCOMPLETE_TASK", "HYPOTHESIS_UNTESTED"}
_PRIORITIES = {"HIGH", "MED", "LOW"}

Tuples = tuple[object, ...]


def _fields(line: str, separator: str, count: int, splits: int) -> tuple[str, ...]:
    parts = line.split(separator, splits)
    if len(parts) != count:
        raise ValueError(line)
    for part in parts:
        if not part or part[0] == " " or part[-1] == " " or "|" in part:
            raise ValueError(line)
    return tuple(parts)


def _block(lines: list[str], at: int, header: str, cap: int) -> tuple[list[str], int]:
    if lines[at] != header:
        raise ValueError(header)
    end = lines.index("", at)
    if end - at - 1 > cap:
        raise ValueError(header)
    return lines[at + 1 : end], end + 1


def read(data: bytes) -> Tuples:  # noqa: PLR0915 - one straight line, as by hand
    """A spaced capsule as nested tuples; ValueError for any other text."""
    if len(data) > 1200:
        raise ValueError("too long")
    text = data.decode("ascii")
    if not text.replace("\n", "").isprintable():
        raise ValueError("control bytes")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if lines[0] not in _VERSIONS or lines[-1] != "===END===":
        raise ValueError("frame")
    if not lines[1].startswith("META: "):
        raise ValueError("META")
    meta = _fields(lines[1][6:], " | ", 4, -1)
    if meta[2] not in _DEPTHS:
        raise ValueError(meta[2])
    at = 2
    chain = stamp = None
    if lines[at].startswith("CHAIN: hops="):
        chain = lines[at][12:].split(" origin=")
        if len(chain) != 2 or not chain[0].isdecimal():
            raise ValueError(lines[at])
        at += 1
    if lines[at].startswith("INTEGRITY: crc32="):
        stamp = lines[at][17:].split(" chars=")
        if len(stamp) != 2 or not stamp[1].isdecimal():
            raise ValueError(lines[at])
        at += 1
    if lines[at]:
        raise ValueError(lines[at])
    at += 1
    rows, at = _block(lines, at, "L1:SKELETON", 12)
    l1 = [_fields(row, " | ", 3, -1) for row in rows]
    if any(entry[0] not in _L1 for entry in l1):
        raise ValueError("L1")
    rows, at = _block(lines, at, "L2:NEGATIVE", 8)
    l2 = [_fields(row, " | ", 3, -1) for row in rows]
    rows, at = _block(lines, at, "L3:INTERNAL", 6)
    l3 = [_fields(row, ": ", 2, 1) for row in rows]
    if any(entry[0] not in _L3 for entry in l3):
        raise ValueError("L3")
    rows, at = _block(lines, at, "L4:RELATION", 5)
    l4 = [_fields(row, ": ", 2, 1) for row in rows]
    if any(not entry[0].replace("_", "A").isalpha() for entry in l4):
        raise ValueError("L4")
    rows, at = _block(lines, at, "L5:LOOPS", 8)
    l5 = [_fields(row, " | ", 3, -1) for row in rows]
    if any(entry[0] not in _L5 or entry[2] not in _PRIORITIES for entry in l5):
        raise ValueError("L5")
    if len(lines) != at + 2 or not lines[at].startswith("SEED: "):
        raise ValueError("SEED")
    seed = lines[at][6:]
    if not seed or seed[0] == " " or "|" in seed or any(line[-1:] == " " for line in lines):
        raise ValueError("SEED")
    return lines[0], meta, chain, stamp, l1, l2, l3, l4, l5, seed
