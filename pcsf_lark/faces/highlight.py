"""A Pygments lexer of capsules, from the table that makes the TextMate grammar too."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Error, Whitespace, string_to_tokentype

from pcsf_lark.export.highlighting import KINDS, SECTIONS, Line

__all__ = ["PcsfLexer"]


def _rule(line: Line, *state: str) -> tuple[Any, ...]:
    pattern = "".join(f"({piece})" for _, piece in line)
    kinds = (string_to_tokentype(KINDS[kind][1]) for kind, _ in line)
    return (rf"^{pattern}$", bygroups(*kinds), *state)  # type: ignore[no-untyped-call] # its stubs lack it


def _states() -> dict[str, list[tuple[Any, ...]]]:
    """Each section is a state; the line that opens a section leads to it from anywhere."""
    openers = [_rule(section.opener, section.name) for section in SECTIONS if section.opener]
    ends = [(r"\n", Whitespace), (r"^.+$", Error), (r".", Error)]
    states = {section.name: [*openers, *map(_rule, section.lines), *ends] for section in SECTIONS}
    return {"root": states["header"], **states}


class PcsfLexer(RegexLexer):
    """Highlights PCSF capsules; a line that cannot stand where it does is an error token.

    Blank lines and a missing last line end are kept unless ``stripnl`` and ``ensurenl`` are
    asked for: in a capsule both are told.
    """

    name = "PCSF"
    aliases: ClassVar[list[str]] = ["pcsf"]
    filenames: ClassVar[list[str]] = ["*.pcsf"]
    mimetypes: ClassVar[list[str]] = ["text/x-pcsf"]
    version_added = ""
    tokens: ClassVar[dict[str, list[tuple[Any, ...]]]] = _states()

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"stripnl": False, "ensurenl": False, **options})

    @staticmethod
    def analyse_text(text: str) -> float:
        """Certain of text that opens as a capsule does."""
        return 1.0 if text.startswith("===PCSF:v") else 0.0
