"""Renaming a rule: every spelling of it at once, or a reason why not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.abnf.nodes import key
from pcsf_lark.faces.lsp.abnf_names import CORE

if TYPE_CHECKING:
    from pcsf_lark.faces.lsp.abnf_names import Grammar, Name

__all__ = ["RenameError", "renamed", "renames"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


class RenameError(ValueError):
    """A rule that cannot have this name, and why."""


def renames(grammar: Grammar, offset: int) -> Name:
    """The name at a character, if it can be changed; raises RenameError."""
    name = grammar.at(offset)
    if name is None:
        raise RenameError("there is no rule name here")
    if name.key in CORE and not grammar.definitions(name.name):
        raise RenameError(f"`{name.name}` is a core rule (RFC 5234 B.1); its name is fixed")
    return name


def renamed(grammar: Grammar, offset: int, new: str) -> tuple[Name, ...]:
    """The places that are to hold the new name; raises RenameError."""
    old = renames(grammar, offset)
    if not _NAME.fullmatch(new):
        raise RenameError(f"{new!a} is no rule name: a letter, then letters, digits and hyphens")
    if key(new) != old.key:
        if key(new) in CORE:
            raise RenameError(f"`{new}` is a core rule (RFC 5234 B.1): choose another name")
        taken = grammar.occurrences(new)
        if taken:
            line = grammar.text.count("\n", 0, taken[0].start) + 1
            verb = "defined" if taken[0].defines else "used"
            raise RenameError(f"`{new}` is {verb} already, on line {line}: choose another name")
    return grammar.occurrences(old.name)
