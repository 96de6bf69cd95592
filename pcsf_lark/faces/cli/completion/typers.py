"""Answers for the scripts that typer writes, which some shells may have from before.

Law: one of them evaluates what it is told, so values that a shell would read anything
into are left out, and meanings go to fish alone.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.faces.cli.completion.line import Candidate

__all__ = ["asked", "told"]

_PLAIN = re.compile(r"[A-Za-z0-9_./=@%+,-]+").fullmatch


def asked(shell: str) -> list[str]:
    """The words up to the cursor, without the command."""
    if shell == "bash":
        words = _split(os.environ.get("COMP_WORDS", ""))
        at = os.environ.get("COMP_CWORD", "")
        end = int(at) if at.isdecimal() else 0
        return [*words[1:end], words[end] if end < len(words) else ""]
    line = os.environ.get("_TYPER_COMPLETE_ARGS", "")
    words = _split(line)[1:]
    return words if words and not line.endswith(" ") else [*words, ""]


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # a quote that is not ended yet
        return line.split()


def told(shell: str, found: Sequence[Candidate]) -> str:
    """What such a script takes for an answer; nothing where files are meant."""
    values = [(value, meaning) for kind, value, meaning in found if kind == "value"]
    plain = [(value, meaning) for value, meaning in values if _PLAIN(value)]
    if shell == "zsh":
        return f"_arguments '*: :({' '.join(value for value, _ in plain)})'" if plain else "_files"
    if os.environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        raise SystemExit(0 if plain else 1)
    if shell == "fish":
        return "\n".join(f"{value}\t{meaning}" for value, meaning in plain)
    return "\n".join(value for value, _ in plain)
