"""The shells that completion is for: which one calls, its script, and where that is installed.

Laws: a file of the user's is changed by one line, at its end, whole or not at all, and
only where the line is not there yet; installing twice changes nothing.
"""

from __future__ import annotations

import os
from pathlib import Path

from pcsf_lark.faces.files import Trouble, write

__all__ = ["SHELLS", "calling", "install", "script"]

#: Each shell, and the name under which it loads a script by itself.
SHELLS = {"bash": "pcsf", "zsh": "_pcsf", "fish": "pcsf.fish"}
#: Sourced at the end of a shell's own start-up file, so that it does not matter what came
#: before; fish needs none.
_LINE = "[ ! -r {path} ] || . {path} # completion of pcsf"


def calling() -> str | None:
    """The shell that the command is called from, None for one that is not known."""
    # It has no types.
    import shellingham  # type: ignore[import-untyped] # noqa: PLC0415 - it is dear, and for a shell not named

    try:
        name: str = shellingham.detect_shell()[0]
    except shellingham.ShellDetectionFailure:
        name = Path(os.environ.get("SHELL", "")).name
    return name if name in SHELLS else None


def script(shell: str) -> str:
    """The script that makes a shell complete."""
    from importlib.resources import files  # noqa: PLC0415 - so that an archive will do

    return files(__package__).joinpath(f"pcsf.{shell}").read_text("ascii")


def install(shell: str) -> tuple[Path, Path | None]:
    """Put a shell's script in its place; where that is, and the start-up file that reads it.

    Raises Trouble.
    """
    target = _folder(shell) / SHELLS[shell]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(str(target.parent), error.strerror or "cannot be made") from None
    write(str(target), script(shell).encode("ascii"))
    if shell == "fish":
        return target, None
    start = _home("ZDOTDIR", "") / ".zshrc" if shell == "zsh" else _home("", ".bashrc")
    _tell(start, _LINE.format(path=_quoted(str(target))))
    return target, start


def _folder(shell: str) -> Path:
    if shell == "fish":
        return _home("XDG_CONFIG_HOME", ".config") / "fish/completions"
    data = _home("XDG_DATA_HOME", ".local/share")
    # Where bash-completion looks by itself, too.
    return data / ("bash-completion/completions" if shell == "bash" else "zsh/site-functions")


def _home(variable: str, otherwise: str) -> Path:
    """The folder that a variable names, else one below HOME."""
    named = os.environ.get(variable, "")
    if Path(named).is_absolute():
        return Path(named)
    if not Path(os.environ.get("HOME", "/")).is_absolute():  # without it the system is asked
        raise Trouble("HOME", f"{os.environ['HOME']!r} is no absolute path")
    return Path.home() / otherwise


def _quoted(path: str) -> str:
    import shlex  # noqa: PLC0415 - for an installation alone

    return shlex.quote(path)


def _tell(start: Path, line: str) -> None:
    """See to it that a start-up file has a line: bytes, since it may be in any encoding."""
    try:
        old = start.read_bytes()
    except FileNotFoundError:
        old = b""
    except OSError as error:
        raise Trouble(str(start), error.strerror or "cannot be read") from None
    new = os.fsencode(line)
    if b"\n%b\n" % new not in b"\n%b\n" % old:
        write(str(start), old + (b"\n" if old and not old.endswith(b"\n") else b"") + new + b"\n")
