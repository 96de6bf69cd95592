"""The whole tree of commands, and what a process finds around it."""

import os

import typer

from pcsf_lark.faces.cli import app
from pcsf_lark.faces.cli.lazy import Group

#: What all processes of the examples sign with.
KEY = "5b" * 32


def walk(command, path):
    """Every command below one, itself the first, each with its words behind `pcsf`."""
    yield path, command
    if isinstance(command, Group):
        for name in command.list_commands():
            yield from walk(command.load(name), (*path, name))


TREE = dict(walk(typer.main.get_command(app), ()))


def environment(folder):
    """Give what a process finds around it: `pcsf` on the PATH, an empty home, one key."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    home = folder / "home"
    # What is settled before a process begins stays as it is.
    kept = {k: v for k, v in os.environ.items() if k.startswith(("LANG", "LC_", "PYTHON"))}
    return {
        **kept,
        "PATH": path,
        "HOME": str(home),
        "COLUMNS": "100",
        "PCSF_RELAY_KEY": KEY,
    }
