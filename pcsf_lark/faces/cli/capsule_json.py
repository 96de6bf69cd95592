"""A capsule's JSON from a file, and the text it stands for: what `emit` and `new` share."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import typer

from pcsf_lark.api import format_capsule
from pcsf_lark.emit import from_json
from pcsf_lark.errors import CapsuleError, JsonError
from pcsf_lark.faces.cli.delivery import refuse
from pcsf_lark.faces.cli.terminal import colours, show_refusal, trouble
from pcsf_lark.faces.files import Trouble, read_text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["capsule_text"]

#: JSON of a capsule is a few KiB; what is far beyond is no capsule.
_MOST = 1024 * 1024


def capsule_text(path: str, complete: Callable[[Any], Any] = lambda tree: tree) -> bytes:
    """The canonical capsule of the JSON in a file, after ``complete`` has filled in what it may.

    Exits 1 where the JSON is no capsule's, 2 where it cannot be read.
    """
    try:
        text = read_text(path, _MOST)
    except Trouble as error:
        trouble(error)
    if text is None:
        refuse(f"{path}: more than {_MOST:,} bytes: this is no capsule's JSON")
    try:
        return format_capsule(from_json(complete(json.loads(text, object_pairs_hook=_members))))
    except json.JSONDecodeError as error:
        if text.startswith("===PCSF"):
            refuse(f"{path}: this is a capsule; its JSON is what `pcsf ast` prints of it")
        refuse(f"{path}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}")
    except RecursionError:
        refuse(f"{path}: not a capsule's JSON: nested too deeply")
    except JsonError as error:
        refuse(f"{path}: {error}")
    except CapsuleError as error:
        show_refusal(path, error, colour=colours(sys.stderr))
        raise typer.Exit(1) from None
    except ValueError as error:
        refuse(f"{path}: not JSON that can be read: {error}")


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonError("$", f"the member {twice!r} stands twice in one object")
    return members
