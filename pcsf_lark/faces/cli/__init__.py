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

from pcsf_lark.faces.cli.lazy import Group

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["app", "main"]

#: The commands in the order of the help page, and what each does.
_COMMANDS = {
    "check": "Check capsules; exit 0 if clean, 1 on findings, 2 on trouble.",
    "fmt": "Write capsules in their canonical text: spaced, exact, one final LF.",
    "show": "Show capsules, state objects and chains to a person, on the terminal or as a page.",
    "explain": "Explain a rule: what holds, why, what to write instead, examples.",
    "rules": "List the rules: code, name, severity, and what each asks.",
    "new": "Write a capsule to fill in: conformant, with one entry in each layer that names its parts.",
    "draft": "Draft a capsule, and a state object, from a session log, without a model.",
    "prompt": "Print the instruction of a protocol: to write a capsule, or to take one up.",
    "resume": "Tell what a careful reader must notice: age, chain, contradictions, loops, questions.",
    "relay": "Hand state from session to session: push what one knew, give the next the head.",
    "hook": "Let an agent hand state on by itself: draft and push at the end, the head at the start.",
    "fit": "Drop entries, worth least first, until a capsule fits its budget.",
    "stitch": "Fold capsules, oldest first, into one that still fits.",
    "diff": "Compare capsules by their threads: added, removed, changed, moved.",
    "stamp": "Write a capsule's canonical text with an INTEGRITY line.",
    "unstamp": "Write a capsule's canonical text without its INTEGRITY line.",
    "verify": "Exit 0 if the INTEGRITY line matches, 1 if it does not or there is none.",
    "ast": "Print a capsule's tree, or what is wrong where it has none, and exit 1 then.",
    "emit": "Write the canonical capsule of a JSON object as `pcsf ast` prints it.",
    "session": "Look at a session log as a model would see it, fold it, search it, convert it.",
    "aili": "Show and fold the log of a Pi session; the log is only ever added to.",
    "cso": "Check, sign, relay, revise and exchange Cognitive State Objects (CRP-SPEC-030).",
    "grammar": "Check and translate any ABNF grammar; export the capsule's own for other tools.",
    "conformance": "Score any implementation of PCSF, in any language, by its answers.",
    "lsp": "Serve an editor: capsules and ABNF grammars, checked as they are typed.",
    "mcp": "Serve models over the Model Context Protocol, on standard input and output.",
    "kernel": "Serve the compression kernel to a host in another language.",
}


class _Commands(Group):
    """The commands: each a function ``command``, or a group ``app``, of a module here."""

    def __init__(self, *, name: str, **more: Any) -> None:
        verbs = {
            name: (f"{name.replace('-', '_')}_command", text) for name, text in _COMMANDS.items()
        }
        super().__init__(name, more.pop("help"), verbs, package=__name__, **more)

    def found(self, name: str) -> Any:
        module = import_module(f"{__name__}.{self._verbs[name][0]}")
        if not gc.isenabled():
            # See __main__; what stands now stays to the end and is never searched.
            gc.freeze()
            gc.enable()
        return getattr(module, "app", None) or module.command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if name not in _SERVING and not ctx.resilient_parsing and sys.stderr.isatty():
            from pcsf_lark.faces.progress import watch  # noqa: PLC0415 - for people alone

            verbs = command.list_commands() if isinstance(command, Group) else []
            watch(f"pcsf {name} {rest[0]}" if rest and rest[0] in verbs else f"pcsf {name}")
        return name, command, rest

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # The shell may be left out of these; no shell is named "".
        if args[:1] in (["--install-completion"], ["--show-completion"]):
            named = args[1:] and not args[1].startswith("--") and args[1] != "-h"
            args = args if named else [args[0], "", *args[1:]]
        return super().parse_args(ctx, args)


#: Commands that go on for as long as somebody talks to them.
_SERVING = frozenset({"hook", "kernel", "lsp", "mcp"})
#: By which a shell asks what may stand at its cursor; see `completion`.
_ASKED = "_PCSF_COMPLETE"

app = typer.Typer(cls=_Commands, name="pcsf", pretty_exceptions_enable=False, add_completion=False)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - for this option alone

        typer.echo(f"pcsf {version('pcsf-lark')}")
        raise typer.Exit


def _install_completion(shell: str | None) -> None:
    if shell is not None:
        from pcsf_lark.faces.cli.completion.options import installed  # noqa: PLC0415 - likewise

        installed(shell)


def _show_completion(shell: str | None) -> None:
    if shell is not None:
        from pcsf_lark.faces.cli.completion.options import shown  # noqa: PLC0415 - likewise

        shown(shell)


@app.callback()
def _pcsf(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    install_completion: Annotated[
        str | None,
        typer.Option(
            callback=_install_completion,
            is_eager=True,
            metavar="[SHELL]",
            help="Let bash, zsh or fish complete commands; without SHELL the calling one.",
        ),
    ] = None,
    show_completion: Annotated[
        str | None,
        typer.Option(
            callback=_show_completion,
            is_eager=True,
            metavar="[SHELL]",
            help="Print the script of that, to put it elsewhere.",
        ),
    ] = None,
) -> None:
    """Make, check, mend, show and hand on PCSF capsules.

    A capsule is a text of at most 1,200 bytes that one session of a language
    model leaves to the next: what was decided, ruled out and left open. Groups
    of commands, such as `relay` and `cso`, list theirs when called alone.

    Examples:
        # Judge a capsule: exit 0 if it is conformant, 1 if it has findings.
        pcsf check capsule.pcsf
        #=> capsule.pcsf: conformant, ... of 1,200 bytes
        # Mend what can be mended without changing what it says.
        pcsf check --fix broken.pcsf
        #=> writes broken.pcsf
        #=> ...
        # Ask what a code in a finding means.
        pcsf explain C7
        #=> C7 malformed-entry ...
        # Make a capsule of a session's log.
        pcsf draft session.jsonl -o draft.pcsf
        #=> writes draft.pcsf
        #=> pcsf: drafted L1 ...
    """


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
        if _ASKED in os.environ:
            from pcsf_lark.faces.cli.completion import answer  # noqa: PLC0415 - for a shell alone

            sys.stdout.write(answer(typer.main.get_command(app)))
        else:
            app(prog_name="pcsf")
        sys.stdout.flush()
    except SystemExit as end:
        code = end.code
    except OSError as error:
        code = _unwritable(error)
    except Exception as error:
        if os.environ.get("PCSF_DEBUG"):
            raise
        code = _ended(f"a fault of pcsf itself, please report it: {type(error).__name__}: {error}")
    _leave(code)


def _open_streams() -> None:
    """Give a stream that the caller closed a place to go."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - for the whole process


def _unwritable(error: OSError) -> int:
    # What reads or writes files says so itself; standard output is left.
    return _ended(f"{error.filename or 'standard output'}: {error.strerror}")


def _ended(why: str) -> int:
    with contextlib.suppress(OSError):  # standard error may be what cannot be written
        sys.stderr.write(f"pcsf: {why}\n")
    return 2


def _leave(code: object) -> NoReturn:
    """End the process at once: tearing an interpreter down takes longer than a check."""
    if shown := sys.modules.get("pcsf_lark.faces.progress"):
        shown.end()
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _unwritable(error)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    if sys.getprofile() or sys.gettrace():
        sys.exit(code if isinstance(code, int) else 0)  # who watches needs an orderly end
    os._exit(code if isinstance(code, int) else 0)
