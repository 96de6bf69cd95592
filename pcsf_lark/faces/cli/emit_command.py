"""`pcsf emit`: the JSON of `pcsf ast` in, the canonical capsule out."""

from __future__ import annotations

import json
import sys
from typing import NoReturn

import typer

from pcsf_lark.api import format_capsule
from pcsf_lark.emit import from_json
from pcsf_lark.errors import CapsuleError, JsonError
from pcsf_lark.faces.cli.options import OnePath
from pcsf_lark.faces.cli.terminal import colours, say, show_refusal, trouble
from pcsf_lark.faces.files import Trouble, read_text

__all__ = ["command"]

#: JSON of a capsule is a few KiB; what is far beyond is no capsule.
_MOST = 1024 * 1024


def command(path: OnePath) -> None:
    """Write the canonical capsule of a JSON object as `pcsf ast` prints it.

    `layout`, `final_lf` and `bytes` are ignored; `integrity` other than null
    means: stamp. What cannot be a capsule is refused with the rule that
    forbids it, and the exit code is 1.

    Examples:
        # Make a capsule of what a program wrote.
        pcsf emit capsule.json
        #=> ===PCSF:v1.2===
        # Go there and back.
        pcsf ast capsule.pcsf | pcsf emit -
        #=> ===PCSF:v1.2===
    """
    try:
        text = read_text(path, _MOST)
    except Trouble as error:
        trouble(error)
    if text is None:
        _refuse(path, f"more than {_MOST:,} bytes: this is no capsule's JSON")
    try:
        data = format_capsule(from_json(json.loads(text, object_pairs_hook=_members)))
    except json.JSONDecodeError as error:
        if text.startswith("===PCSF"):
            _refuse(path, "this is a capsule; its JSON is what `pcsf ast` prints of it")
        _refuse(path, f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}")
    except RecursionError:
        _refuse(path, "not a capsule's JSON: nested too deeply")
    except JsonError as error:
        _refuse(path, str(error))
    except CapsuleError as error:
        show_refusal(path, error, colour=colours(sys.stderr))
        raise typer.Exit(1) from None
    except ValueError as error:
        _refuse(path, f"not JSON that can be read: {error}")
    sys.stdout.buffer.write(data)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonError("$", f"the member {twice!r} stands twice in one object")
    return members


def _refuse(path: str, reason: str) -> NoReturn:
    say(f"{path}: {reason}", err=True)
    raise typer.Exit(1)
