"""Examples of a command, kept in its docstring: help ends with them, and a test runs them.

    Examples:
        # What it is for.
        pcsf check capsule.pcsf
        #=> capsule.pcsf: conformant, 1,034 of 1,200 bytes

A block is help as it stands: nothing is wrapped anew. After `#=>`, which a shell passes over,
stands what comes of a command: `exit N` where N is not 0, `writes FILE`, or what standard
output (else standard error) begins with, line by line, where `...` stands for what is left
out. A command of which nothing is said prints nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Example", "examples_of"]

_EXIT = re.compile(r"exit (\d+)").fullmatch
_WRITES = re.compile(r"writes (\S+)").fullmatch


class Example(NamedTuple):
    """One example: what it is for, what to type, and what comes of it."""

    what: str
    command: str
    exit: int = 0
    writes: tuple[str, ...] = ()
    output: tuple[str, ...] = ()


def examples_of(block: str) -> tuple[Example, ...]:
    """The examples of a block; raises ValueError where one is not of that form."""
    parts = re.split(r"\n(?=# )", block.strip())
    return tuple(_example(part.split("\n")) for part in parts if part)


def _example(lines: list[str]) -> Example:
    order = "".join("=" if line.startswith("#=> ") else "# "[line[:1] != "#"] for line in lines)
    if not re.fullmatch("#+ +=*", order):
        raise ValueError(f"an example is `# WHAT`, a command, and `#=> RESULT`s, not {lines}")
    said = [line[4:] for line in lines if line.startswith("#=> ")]
    code = next((int(found[1]) for line in said if (found := _EXIT(line))), 0)
    return Example(
        " ".join(line[2:] for line in lines if line.startswith("# ")),
        "\n".join(line for line in lines if not line.startswith("#")),
        code,
        tuple(found[1] for line in said if (found := _WRITES(line))),
        tuple(line for line in said if not _EXIT(line) and not _WRITES(line)),
    )
