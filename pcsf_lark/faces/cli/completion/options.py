"""`--show-completion` and `--install-completion`: for a shell that is named, or the calling one."""

from __future__ import annotations

import typer

from pcsf_lark.faces.cli.completion.shells import SHELLS, calling, install, script
from pcsf_lark.faces.cli.terminal import say, tell, trouble, usage_error
from pcsf_lark.faces.files import Trouble

__all__ = ["installed", "shown"]


def shown(shell: str) -> None:
    """Print a shell's script and exit."""
    say(script(_known(shell)).rstrip("\n"))
    raise typer.Exit


def installed(shell: str) -> None:
    """Install a shell's script, say where it is, and exit."""
    name = _known(shell)
    try:
        target, start = install(name)
    except Trouble as error:
        trouble(error)
    tell(f"{name} completes pcsf by {target}" + (f", which {start} reads" if start else ""))
    tell("Begin a new shell for it to take effect.")
    raise typer.Exit


def _known(shell: str) -> str:
    name = shell or calling()
    listed = ", ".join(SHELLS)
    if name is None:
        usage_error(f"cannot tell which shell this is; name one of {listed}")
    if name not in SHELLS:
        usage_error(f"there is no completion for {name!r}; there is for {listed}")
    return name
