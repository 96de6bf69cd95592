"""A group of commands, each imported when it is called: a page of help costs nothing.

The page takes what each does, in a line, from the group's table; a test holds the table to
the commands' own docstrings.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from pcsf_lark.faces.cli.help_page import WIDEST, Command, Paged
from pcsf_lark.faces.cli.option_block import spread
from pcsf_lark.faces.cli.terminal import tell

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Group"]

_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": WIDEST}
#: Settings of commands that take whatever they are given.
_LENIENT = {"ignore_unknown_options": True, "allow_extra_args": True}


class Group(Paged, TyperGroup):
    """A group by its table: a command's name, the module it is in, and what it does.

    ``verbs`` says the module below ``package``, whose function (or group) has the command's
    name, with `_` for `-`, and another behind where Python has the name itself. ``lenient``
    are those that end in no usage error, whatever they are given.
    """

    def __init__(
        self,
        name: str,
        text: str,
        verbs: Mapping[str, tuple[str, str]],
        *,
        package: str = "",
        lenient: tuple[str, ...] = (),
        **more: Any,
    ) -> None:
        super().__init__(name=name, help=text, **{**more, "context_settings": dict(_HELP)})
        self._verbs, self._package, self._lenient = verbs, package, lenient

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words behind the group's own; without any, its page, as for a wrong call."""
        if not args and not ctx.resilient_parsing:
            sys.stderr.write(ctx.get_help() + "\n")
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any = None) -> list[str]:  # noqa: ARG002 - typer's signature
        """The names, in the order of the page."""
        return list(self._verbs)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - likewise
        """A command by its name and what it does, for the page of help; it cannot be run."""
        if cmd_name not in self._verbs:
            return None
        return Command(cmd_name, help=self._verbs[cmd_name][1])

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands, and what each does, whole."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._verbs[name][1]) for name in self.list_commands(ctx)])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, whole; exits 2 with the nearest name where there is none."""
        name, *rest = args
        if name in self._verbs:
            return name, self.load(name), rest
        if not name or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        import difflib  # noqa: PLC0415 - for a misspelt command alone

        near = difflib.get_close_matches(name, self._verbs, 1)
        path = ctx.command_path
        hint = f"did you mean `{path} {near[0]}`?" if near else f"`{path} --help` lists them"
        tell(f"pcsf: there is no command {name!r}; {hint}", err=True)
        raise typer.Exit(2)

    def load(self, name: str) -> Any:
        """A command, whole: a `Command` or a `Group`."""
        found = self.found(name)
        return found if isinstance(found, Group) else _made(found, name, name in self._lenient)

    def found(self, name: str) -> Any:
        """What stands for a command in its module: a function, or a group."""
        module = import_module(f"{self._package}.{self._verbs[name][0]}")
        attribute = name.replace("-", "_")
        return getattr(module, attribute, None) or getattr(module, f"{attribute}_")


@cache
def _made(function: Any, name: str, lenient: bool) -> Any:  # noqa: FBT001 - a key of the cache
    """The command of a function; made once, as a process may call it again and again."""
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    settings = _LENIENT if lenient else {}
    single.command(name, cls=Command, context_settings=dict(settings))(spread(function))
    return typer.main.get_command(single)
