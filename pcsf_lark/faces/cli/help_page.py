"""A command's page of help, and what is said of a call that does not fit it.

A page is text: usage, what the command does, its arguments and options, its examples as
they stand in its docstring (see `examples`). Drawing boxes would take longer than a check.
"""

from __future__ import annotations

import sys
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from pcsf_lark.faces.cli.terminal import columns, tell

if TYPE_CHECKING:
    from pcsf_lark.faces.cli.examples import Example

__all__ = ["WIDEST", "Command", "Paged", "split"]

#: Wider lines of prose are hard to read, however wide the terminal is.
WIDEST = 100
#: What typer raises for a call that does not fit; it has no public name of its own.
_Misuse: Any = typer.BadParameter.__base__


def split(text: str) -> tuple[str, str]:
    """A docstring without its examples, and the block of them, both without indentation."""
    body, _, block = cleandoc(text).partition("\n\nExamples:\n")
    lines = block.rstrip().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return body.rstrip(), "\n".join(line[margin:] for line in lines)


class Paged:
    """What pages of commands and of groups have in common; comes before the class of typer."""

    #: The examples as they are shown.
    block: str

    def __init__(self, *given: Any, help: str | None = None, **more: Any) -> None:  # noqa: A002
        text, self.block = split(help or "")
        super().__init__(*given, help=text, **{**more, "rich_markup_mode": None})  # type: ignore[call-arg]

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of the page, each with what comes of it."""
        from pcsf_lark.faces.cli.examples import examples_of  # noqa: PLC0415 - for tests, manuals

        return examples_of(self.block)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the usage line: `FILE`, `[FILE]`, `FILE...`."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [piece[1:-1] if piece[:1] + piece[-1:] == "{}" else piece for piece in pieces]

    def get_help(self, ctx: Any) -> str:
        """The page, as wide as the terminal is."""
        from pcsf_lark.faces.cli.page_formatter import Formatter  # noqa: PLC0415 - for pages alone

        formatter = Formatter(ctx.max_content_width or WIDEST, columns(sys.stdout))
        self.format_help(ctx, formatter)  # type: ignore[attr-defined]
        text: str = formatter.getvalue().rstrip("\n")
        return text

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
        """The examples, verbatim, so that a line of them can be copied."""
        if self.block:
            with formatter.section("Examples"):
                for line in self.block.split("\n"):
                    formatter.write(f"  {line}".rstrip() + "\n")

    def make_context(self, info_name: str | None, *given: Any, **more: Any) -> Any:
        """The call as it was understood; exits 2 with words and an example where it was not."""
        try:
            return super().make_context(info_name, *given, **more)  # type: ignore[misc]
        except _Misuse as error:
            if more.get("resilient_parsing"):
                raise
            # Not the error's own context, which some have none of.
            command: Any = self
            context = typer.Context(command, info_name=info_name, parent=more.get("parent"))
            self._complain(error, context)
            raise typer.Exit(2) from None

    def _complain(self, error: Any, ctx: typer.Context) -> None:
        lines = ["pcsf: " + " ".join(error.format_message().split())]
        lines.append(" ".join(ctx.get_usage().split()))
        if examples := self.examples:
            lines.append(f"Example: {examples[0].command}")
        lines.append(f"`{ctx.command_path} --help` says more.")
        tell("\n".join(lines), err=True)


class Command(Paged, TyperCommand):
    """A command with a page."""
