"""A TextMate grammar of capsules, as editors read it, from the highlighting table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pcsf_lark.export.highlighting import KINDS, SECTIONS

if TYPE_CHECKING:
    from pcsf_lark.export.highlighting import Line

__all__ = ["textmate"]


def textmate() -> str:
    """The grammar as JSON: scope ``text.pcsf``, files ``*.pcsf``."""
    openers = [section.opener for section in SECTIONS if section.opener]
    ahead = "|".join(_joined(opener) for opener in openers)
    grammar = {
        "name": "PCSF",
        "scopeName": "text.pcsf",
        "fileTypes": ["pcsf"],
        "patterns": [{"include": f"#{section.name}"} for section in SECTIONS],
        "repository": {
            section.name: (
                {"patterns": [_match(line) for line in section.lines]}
                if section.opener is None
                else {
                    "begin": f"^{_grouped(section.opener)}$",
                    "beginCaptures": _captures(section.opener),
                    "end": f"^(?=(?:{ahead})$)",
                    "name": f"meta.{section.name}.pcsf",
                    "patterns": [*map(_match, section.lines), _INVALID],
                }
            )
            for section in SECTIONS
        },
    }
    return json.dumps(grammar, indent=1) + "\n"


_INVALID = {"match": "^.+$", "name": "invalid.illegal.line.pcsf"}


def _match(line: Line) -> dict[str, Any]:
    return {"match": f"^{_grouped(line)}$", "captures": _captures(line)}


def _grouped(line: Line) -> str:
    return "".join(f"({pattern})" for _, pattern in line)


def _joined(line: Line) -> str:
    return "".join(pattern for _, pattern in line)


def _captures(line: Line) -> dict[str, dict[str, str]]:
    return {str(number): {"name": KINDS[kind][0]} for number, (kind, _) in enumerate(line, start=1)}
