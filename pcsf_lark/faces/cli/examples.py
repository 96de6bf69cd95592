"""Examples of a command, kept in its docstring: help ends with them, and a test runs them.

    Examples:
        # What it is for.
        pcsf check capsule.pcsf
        #=> capsule.pcsf: conformant, 1,034 of 1,200 bytes

A block is help as it stands: nothing is wrapped anew. After `#=>`, which a shell passes over,
stands what comes of a command: `exit N` where N is not 0, `writes FILE`, or what the output
begins with, line by line, where `...` stands for what is left out.
"""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Example", "examples_of", "split"]

_HEADING = "\n\nExamples:\n"
_EXIT = re.compile(r"exit (\d+)").fullmatch
_WRITES = re.compile(r"writes (\S+)").fullmatch


class Example(NamedTuple):
    """One example: what it is for, what to type, and what comes of it."""

    what: str
    command: str
    exit: int = 0
    writes: tuple[str, ...] = ()
    output: tuple[str, ...] = ()


def split(text: str) -> tuple[str, str]:
    """A docstring without its examples, and the block of them, both without indentation."""
    body, _, block = cleandoc(text).partition(_HEADING)
    lines = block.rstrip().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return body.rstrip(), "\n".join(line[margin:] for line in lines)


def examples_of(block: str) -> tuple[Example, ...]:
    """The examples of a block; raises ValueError where one has no words or no command."""
    return tuple(_examples(block))


def _examples(block: str) -> Iterator[Example]:
    for part in re.split(r"\n(?=# )", block.strip()) if block.strip() else ():
        lines = [line for line in part.split("\n") if line.strip()]
        said = [line[4:] for line in lines if line.startswith("#=> ")]
        what = [line[2:] for line in lines if line.startswith("# ")]
        typed = [line for line in lines if not line.startswith("#")]
        if not what or not typed:
            raise ValueError(f"an example is a line `# WHAT`, then a command: {part!r}")
        codes = [int(found[1]) for line in said if (found := _EXIT(line))]
        yield Example(
            " ".join(what),
            "\n".join(typed),
            codes[0] if codes else 0,
            tuple(found[1] for line in said if (found := _WRITES(line))),
            tuple(line for line in said if not _EXIT(line) and not _WRITES(line)),
        )
