"""The `pcsf` command: one subcommand, one module, loaded when it is called.

Exit codes of every subcommand: 0 clean, 1 findings, 2 usage or I/O trouble.
Findings go to stdout, trouble to stderr.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["app", "main"]

#: Subcommands in the order of the help page; each is a module of this package, with a
#: function ``command``, or a Typer ``app`` where it has subcommands of its own.
_COMMANDS = (
    "check", "fmt", "show", "ast", "emit", "new",
    "fit", "stitch", "stamp", "unstamp", "verify", "diff", "prompt", "resume",
    "explain", "rules", "grammar", "conformance", "session", "kernel", "aili", "cso", "lsp",
    "draft", "relay", "hook", "mcp",
)  # fmt: skip


class _LazyGroup(TyperGroup):
    """Imports a subcommand's module only when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class names it
        return list(_COMMANDS)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in _COMMANDS:
            import difflib  # noqa: PLC0415 - for a misspelt command alone

            near = difflib.get_close_matches(name, _COMMANDS, 1)
            hint = f"did you mean `pcsf {near[0]}`?" if near else "`pcsf --help` lists them"
            sys.stderr.write(f"pcsf: there is no command {name!r}; {hint}\n")
            raise typer.Exit(2)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - likewise
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"{__name__}.{cmd_name}_command")
        if not gc.isenabled():
            # See __main__; what stands now stays to the end and is never searched.
            gc.freeze()
            gc.enable()
        group = getattr(module, "app", None)
        if group is None:
            single = typer.Typer(add_completion=False)
            single.command(cmd_name)(module.command)
            command = typer.main.get_command(single)
        else:
            command = typer.main.get_group(group)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=_LazyGroup,
    name="pcsf",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - for this option alone

        typer.echo(f"pcsf {version('pcsf-lark')}")
        raise typer.Exit


@app.callback()
def _pcsf(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Check, format, convert and explain PCSF capsules."""


def _interrupted(_signal: int, _frame: FrameType | None) -> None:
    # As SystemExit, so that half-written temporary files are removed on the way.
    sys.exit(128 + signal.SIGINT)


def main() -> NoReturn:
    """Run the command line; Ctrl-C and a closed pipe end it quietly."""
    _open_streams()
    # Lark hashes grammars for a cache we do not use; OpenSSL's share of hashlib is four
    # megabytes, and the hashes that Python brings itself serve as well.
    # It takes a regex engine and a file writer too, where those happen to be installed.
    for name in ("_hashlib", "regex", "atomicwrites"):
        sys.modules.setdefault(name, None)  # type: ignore[arg-type] # what an import stops at
    signal.signal(signal.SIGINT, _interrupted)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        # File names and bad input may hold what the terminal's encoding cannot.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    code: object = 0
    try:
        app(prog_name="pcsf")
        sys.stdout.flush()
    except SystemExit as end:
        code = end.code
    except OSError as error:
        code = _unwritable(error)
    except Exception as error:
        if os.environ.get("PCSF_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"pcsf: a fault of pcsf itself, please report it: {what}\n")
        code = 2
    _leave(code)


def _open_streams() -> None:
    """Give a stream that the caller closed a place to go."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - for the whole process


def _unwritable(error: OSError) -> int:
    # What reads or writes files says so itself; standard output is left.
    sys.stderr.write(f"pcsf: {error.filename or 'standard output'}: {error.strerror}\n")
    return 2


def _leave(code: object) -> NoReturn:
    """End the process at once: tearing an interpreter down takes longer than a check."""
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _unwritable(error)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    if sys.getprofile() or sys.gettrace():
        sys.exit(code if isinstance(code, int) else 0)  # who watches needs an orderly end
    os._exit(code if isinstance(code, int) else 0)
