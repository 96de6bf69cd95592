"""`pcsf aili`: reversible compaction over the append-only log of a Pi session.

Each verb is a function in a module of its own kind, imported when it is called: a page of
help takes the first line of its docstring from the table here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["app"]

#: The verbs in the order of the help page: the modules they are in, and what they do.
_VERBS = {
    "view": (
        "viewing",
        "Print what the model sees of a branch: recaps and stubs where it is folded.",
    ),
    "context": (
        "looking",
        "List the messages of the view: refs, estimated tokens, why they are protected.",
    ),
    "stats": (
        "looking",
        "Print how much is shown, folded and saved, and how full the window is.",
    ),
    "sweep": (
        "blocks",
        "Put stubs for tool results that have been read and that nothing needs raw.",
    ),
    "manual": (
        "switching",
        "Say or set whether summaries need the user's permit; cooling is not touched.",
    ),
    "compress": (
        "turning",
        "Print the turn that a live agent would start for one summary; no compaction.",
    ),
    "rescue": ("turning", "Print what AILI would answer the one compaction of a rescue."),
    "decompress": (
        "blocks",
        "Open blocks: `one` to the blocks they were made of, `raw` to the messages.",
    ),
    "recompress": (
        "blocks",
        "Close blocks again that were opened, exactly as they were; no summary is made.",
    ),
    "cache": (
        "caching",
        "Print the session's usage of the cache, the stability of requests, and identities.",
    ),
    "prompt": (
        "prompting",
        "Print the six tools and what would stand behind the view of the next request.",
    ),
    "on": (
        "switching",
        "Switch AILI on for the branch; this also ends what restore-all ordered.",
    ),
    "off": (
        "switching",
        "Switch AILI off for the branch: the view is the raw history, nothing is planned.",
    ),
    "restore-all": (
        "switching",
        "Show the raw history again: every block of the epoch off, cooling ended.",
    ),
    "doctor": ("doctoring", "Report on every part of AILI: ok, off, fault, or Unverified."),
    "call": (
        "calling",
        'Answer lines of JSON, {"id", "op", "log", "leaf"?, "input", "write"?}.',
    ),
}


class _Verbs(TyperGroup):
    """Imports a verb's module only when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class names it
        return list(_VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - likewise
        """A verb by its name and what it does, for the page of help; it cannot be run."""
        if cmd_name not in _VERBS:
            return None
        return TyperCommand(cmd_name, help=_VERBS[cmd_name][1])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The verb that is called, whole."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else _command(name), rest


def _command(name: str) -> Any:
    module = import_module(f"pcsf_lark.faces.cli.aili.{_VERBS[name][0]}")
    single = typer.Typer(add_completion=False)
    single.command(name)(getattr(module, name.replace("-", "_")))
    return typer.main.get_command(single)


app = typer.Typer(
    cls=_Verbs,
    name="aili",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _aili() -> None:
    """Show and fold the log of a Pi session; the log is only ever added to.

    What is appended are transactions of AILI, each a custom entry on the leaf;
    no line that is there is changed, and restore-all shows the raw history
    again. Logs of version 1 and 2 are read, not written. Write while no Pi has
    the session open: it would go on from the leaf it remembers.
    """
