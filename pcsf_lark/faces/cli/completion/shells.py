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
    import shellingham  # type: ignore[import-untyped] # noqa: PLC0415 - where it is asked for

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
    """Put a shell's script in its place; the start-up file that was told, where one was.

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
    start = _home("ZDOTDIR", "") / ".zshrc" if shell == "zsh" else Path.home() / ".bashrc"
    return target, start if _told(start, _LINE.format(path=_quoted(str(target)))) else None


def _folder(shell: str) -> Path:
    if shell == "fish":
        return _home("XDG_CONFIG_HOME", ".config") / "fish/completions"
    data = _home("XDG_DATA_HOME", ".local/share")
    # Where bash-completion looks by itself, too.
    return data / ("bash-completion/completions" if shell == "bash" else "zsh/site-functions")


def _home(variable: str, otherwise: str) -> Path:
    named = os.environ.get(variable, "")
    return Path(named) if Path(named).is_absolute() else Path.home() / otherwise


def _quoted(path: str) -> str:
    import shlex  # noqa: PLC0415 - where it is asked for

    return shlex.quote(path)


def _told(start: Path, line: str) -> bool:
    """Whether a start-up file had to be told: bytes, since it may be in any encoding."""
    try:
        old = start.read_bytes()
    except FileNotFoundError:
        old = b""
    except OSError as error:
        raise Trouble(str(start), error.strerror or "cannot be read") from None
    new = os.fsencode(line)
    if new in old.splitlines():
        return False
    write(str(start), old + (b"\n" if old and not old.endswith(b"\n") else b"") + new + b"\n")
    return True
