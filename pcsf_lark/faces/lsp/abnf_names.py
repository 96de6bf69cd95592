"""The rule names of an ABNF text: where each is defined and where it is used.

Laws of this file: it reads any text, so that a fault in one rule loses no name
of another; strings, values and comments hold no names. Names are compared
without regard to case (RFC 5234 §2.1). Offsets count characters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pcsf_lark.abnf.core import CORE_RULES
from pcsf_lark.abnf.nodes import key
from pcsf_lark.abnf.reading.lines import Layout, RuleLines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CORE", "Grammar", "Name"]

#: The rules that every grammar may use (RFC 5234 B.1), by key.
CORE = {rule.key: rule for rule in CORE_RULES}

_WORD = re.compile(
    r"""
    (?P<comment>;[^\r\n]*)
    | (?P<string>(?:%[sSiI])?"[^"\r\n]*"?)
    | (?P<value>%[A-Za-z]?[0-9A-Za-z.-]*)
    | <(?P<prose>[^>\r\n]*)>?               # or a rule name in brackets
    | (?P<count>[0-9]+(?=[A-Za-z]))
    | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    """,
    re.VERBOSE,
)
#: What the words are, in the protocol's words.
_COLOURS = {
    "comment": "comment", "string": "string", "value": "number", "prose": "string",
    "count": "number", "name": "variable",
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_DEFINES = re.compile(r"(?:[ \t\r\n]|;[^\n]*+)*+(?:=|::?=)")


class Name(NamedTuple):
    """A rule name as it stands in the text; ``defines`` where ``=`` or ``=/`` follows."""

    name: str
    start: int
    end: int
    defines: bool

    @property
    def key(self) -> str:
        """What it is compared by."""
        return key(self.name)


class Grammar:
    """An ABNF text as an editor needs it: its names, and the lines of its rules."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.rules: tuple[RuleLines, ...] = Layout(text).rules()
        self._by_start = {rule.start: rule for rule in self.rules}
        self.names: tuple[Name, ...] = tuple(self._find())

    def _find(self) -> list[Name]:
        found, prose = [], []
        for word in _WORD.finditer(self.text):
            name, inner = word["name"], word["prose"]
            if name:
                start, end = word.span("name")
                defines = start in self._by_start and bool(_DEFINES.match(self.text, end))
                found.append(Name(name, start, end, defines))
            elif inner and _NAME.fullmatch(inner.strip()):
                start = word.start("prose") + len(inner) - len(inner.lstrip())
                name = inner.strip()
                prose.append(Name(name, start, start + len(name), defines=False))
        # In angle brackets anything may stand; a name it is if there is such a rule.
        known = {one.key for one in found if one.defines} | CORE.keys()
        return sorted([*found, *(one for one in prose if one.key in known)], key=lambda n: n.start)

    @property
    def words(self) -> Iterator[tuple[int, int, str]]:
        """Each word: where it begins and ends, and what it is; all names are ``variable``."""
        for word in _WORD.finditer(self.text):
            yield *word.span(), _COLOURS[str(word.lastgroup)]

    def at(self, offset: int) -> Name | None:
        """The name that stands at a character, or ends there."""
        return next((one for one in self.names if one.start <= offset <= one.end), None)

    def definitions(self, wanted: str) -> tuple[Name, ...]:
        """Where a rule is defined, what is added to it included."""
        return tuple(one for one in self.names if one.defines and one.key == key(wanted))

    def occurrences(self, wanted: str) -> tuple[Name, ...]:
        """Everywhere that a rule is named, in whatever case."""
        return tuple(one for one in self.names if one.key == key(wanted))

    def uses(self, wanted: str) -> tuple[Name, ...]:
        """Where a rule is named without being defined."""
        return tuple(one for one in self.occurrences(wanted) if not one.defines)

    def rule(self, name: Name) -> RuleLines | None:
        """The lines of the rule that a name defines."""
        return self._by_start.get(name.start)

    def around(self, offset: int) -> RuleLines | None:
        """The lines of the rule that a character lies in."""
        return next((rule for rule in self.rules if rule.start <= offset <= rule.end), None)
