"""Names in two worlds: ABNF rules and Lark rules or terminals.

Laws: the map is one to one. An ABNF name holds letters, digits and hyphens
and has no case; a Lark rule name is lower case with underscores, a terminal
name upper case, with a leading underscore when it is left out of the tree.
"""

import unicodedata
from collections.abc import Container

__all__ = ["free_name", "lark_name", "literal_name", "terminal_name"]

_MAX_NAME = 40


def lark_name(name: str) -> str:
    """Return the Lark rule of an ABNF rule: `l1-Entry` is `l1_entry`."""
    return name.lower().replace("-", "_")


def terminal_name(name: str, *, kept: bool = True) -> str:
    """Return the Lark terminal of an ABNF rule; `kept` terminals stand in the tree."""
    return ("" if kept else "_") + lark_name(name).upper()


def literal_name(text: str) -> str:
    """Return a Lark terminal name for a literal: its words, or the names of its characters."""
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in text).split()
    if not words:
        words = [unicodedata.name(char, f"U{ord(char):04X}") for char in text]
    name = "_".join("_".join(words).upper().replace("-", "_").split())
    # Lark wants a letter first.
    return ("_N" if name[0].isdigit() else "_") + name[:_MAX_NAME].rstrip("_")


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name, with a number after it if it is taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
