"""Completion of the command line in bash, zsh and fish.

A shell's script (the files beside this one) sets `_PCSF_COMPLETE` to `complete_` and the
shell, and `_PCSF_WORDS` to the words before the cursor, parted by U+001F, and calls the command with
no arguments. The answer is a line ``answer``, then lines of three fields parted by tabs:

    value    what may stand here     what it means
    file     a pattern of names
    folder

Laws: the words are never run, whatever the environment says; an answer holds no other
control character than these tabs and line ends, and nothing of it is to be evaluated; what
fails ends in an empty answer, where the shell falls back on files. Only the modules of the
command being typed are imported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.cli.completion.line import Candidate

__all__ = ["answer"]

_SHELL, _WORDS, _PARTED = "_PCSF_COMPLETE", "_PCSF_WORDS", "\x1f"
#: A shell shows a line beside a value: what is longer is cut.
_ROOM = 100


def answer(root: Any) -> str:
    """What may stand at the cursor, as the environment tells of it; ``root`` is the command."""
    from pcsf_lark.faces.cli.completion.line import candidates, pieced  # noqa: PLC0415 - see above

    shell = os.environ.get(_SHELL, "").removeprefix("complete_")
    if _WORDS not in os.environ:
        from pcsf_lark.faces.cli.completion.typers import asked, told  # noqa: PLC0415 - rare

        *words, typed = asked(shell)
        found = _fitting(candidates(root, words, typed), typed)
        return told(shell, list(found)) + "\n"
    raw = os.environ[_WORDS].split(_PARTED)
    words, typed, cut = pieced(raw, apart=shell == "bash")
    return "".join(f"{line}\n" for line in _lines(candidates(root, words, typed), typed, cut))


def _fitting(found: Iterator[Candidate], typed: str) -> Iterator[Candidate]:
    """Each once, of the values those that begin as is typed."""
    told: set[tuple[str, str]] = set()
    for kind, value, meaning in found:
        fits = kind != "value" or (value.startswith(typed) and value.isprintable())
        if fits and (kind, value) not in told:
            told.add((kind, value))
            yield kind, value, _short(_clean(meaning))


def _lines(found: Iterator[Candidate], typed: str, cut: int) -> Iterator[str]:
    yield f"answer\t{_clean(typed[cut:])}\t"
    for kind, value, meaning in _fitting(found, typed):
        yield f"{kind}\t{value[cut:] if kind == 'value' else value}\t{meaning}"


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _short(text: str) -> str:
    return text if len(text) <= _ROOM else text[: _ROOM - 3].rstrip() + "..."
