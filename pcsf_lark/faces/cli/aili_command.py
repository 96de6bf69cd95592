"""`pcsf aili`: reversible compaction over the append-only log of a Pi session.

Each verb is a function in a module of its own kind, imported when it is called.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

__all__ = ["app"]

#: The verbs in the order of the help page, and the modules they are in.
_VERBS = {
    "view": "aili_viewing",
    "context": "aili_looking",
    "stats": "aili_looking",
    "sweep": "aili_blocks",
    "manual": "aili_switching",
    "compress": "aili_turning",
    "rescue": "aili_turning",
    "decompress": "aili_blocks",
    "recompress": "aili_blocks",
    "cache": "aili_caching",
    "prompt": "aili_prompting",
    "on": "aili_switching",
    "off": "aili_switching",
    "restore-all": "aili_switching",
    "doctor": "aili_doctoring",
    "call": "aili_calling",
}


class _Verbs(TyperGroup):
    """Imports a verb's module only when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class names it
        return list(_VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - likewise
        if cmd_name not in _VERBS:
            return None
        module = import_module(f"pcsf_lark.faces.cli.{_VERBS[cmd_name]}")
        single = typer.Typer(add_completion=False)
        single.command(cmd_name)(getattr(module, cmd_name.replace("-", "_")))
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
