"""What the verbs of `pcsf conformance` share: which cases, and how they are asked."""

from __future__ import annotations

import enum
from typing import Annotated

import typer
from attrs import field, frozen

__all__ = ["Asking", "Choice", "Level", "Role"]


class Level(enum.StrEnum):
    """What a decoder is held to."""

    verdict = "verdict"
    codes = "codes"
    tree = "tree"
    ops = "ops"
    grammar = "grammar"


class Role(enum.StrEnum):
    """What the command is."""

    decoder = "decoder"
    encoder = "encoder"
    formatter = "formatter"


RunOption = Annotated[
    list[str] | None,
    typer.Option("--run", metavar="GLOB", help="Take only cases whose name fits. Default: all."),
]
SkipOption = Annotated[
    list[str] | None,
    typer.Option("--skip", metavar="GLOB", help="Leave these cases out. Default: none."),
]
IndexOption = Annotated[
    list[str] | None,
    typer.Option(
        "--index", metavar="NAME", help="Take only cases of an index: v1, spaced, ... Default: all."
    ),
]


def _none(words: list[str] | None) -> list[str] | None:
    """None for an empty list, as the command line gives it."""
    return words or None


@frozen
class Choice:
    """Which cases."""

    role: Annotated[Role, typer.Option("--as", help="What the command is.")] = Role.decoder
    level: Annotated[
        Level,
        typer.Option(help="verdict, or besides the verdict codes or tree; or ops, or grammar."),
    ] = Level.verdict
    run: RunOption = field(default=None, converter=_none)
    skip: SkipOption = field(default=None, converter=_none)
    index: IndexOption = field(default=None, converter=_none)


@frozen
class Asking:
    """How they are asked."""

    skip_must_fail: Annotated[
        bool, typer.Option("--skip-must-fail", help="Run skipped cases too; one that passes fails.")
    ] = False
    timeout: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="Let a case take so long: 0.01 to 3600 seconds."),
    ] = 10.0
    jobs: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=256, help="Run N cases at a time; 0: one a processor."
        ),
    ] = 0
