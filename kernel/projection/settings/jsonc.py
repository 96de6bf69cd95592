r"""JSON with comments: line and block comments, and a comma before a closing bracket.

    value = loads('{"a": 1, // why\n}')        # raises JsoncError with line and column

Laws: what stands in a string is never touched; everything but comments and such commas is
the standard library's JSON, strictly: no NaN, no infinity, no key twice. Comments become
blanks of the same length, so that an error names the place in the text as it was written.

Written here because the readers on offer either take a laxer language (JSON5) or rewrite
the text with patterns that lose the place; the language is two rules above JSON.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

__all__ = ["JsoncError", "loads"]

#: A string (whole or cut short), a comment, a block comment nobody closed.
_TOKEN: Final = re.compile(
    r'"(?:[^"\\\n]|\\.)*"?|//[^\n\r]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?', re.DOTALL
)
_VISIBLE: Final = re.compile(r"[^\n\r]")
_COMMA: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"?|,(?=[ \t\n\r]*[}\]])', re.DOTALL)


class JsoncError(ValueError):
    """A text is no JSON with comments; `line` and `column` count from 1."""

    def __init__(self, what: str, line: int, column: int) -> None:
        """Say what is wrong, and where."""
        super().__init__(what)
        self.what, self.line, self.column = what, line, column


def loads(text: str) -> Any:
    """Return the value of a text."""
    plain = _without_commas(_without_comments(text))
    try:
        return json.loads(plain, parse_constant=_refused, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise JsoncError(error.msg, error.lineno, error.colno) from None
    except RecursionError:
        raise JsoncError("nested too deeply", 1, 1) from None
    except ValueError as error:
        raise JsoncError(str(error), 1, 1) from None


def _without_comments(text: str) -> str:
    def blank(found: re.Match[str]) -> str:
        token = found[0]
        if token.startswith('"'):
            return token
        if token.startswith("/*") and (len(token) < len("/**/") or not token.endswith("*/")):
            before = text[: found.start()]
            column = found.start() - (before.rfind("\n") + 1) + 1
            raise JsoncError("a comment without an end", before.count("\n") + 1, column)
        return _VISIBLE.sub(" ", token)

    return _TOKEN.sub(blank, text)


def _without_commas(text: str) -> str:
    """Blank the comma after a last member; one that follows no member stays and is an error."""

    def blank(found: re.Match[str]) -> str:
        at = found.start() - 1
        if found[0] != ",":
            return found[0]
        while at >= 0 and text[at] in " \t\n\r":
            at -= 1
        return "," if at < 0 or text[at] in "[{,:" else " "

    return _COMMA.sub(blank, text)


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:64]!r} stands twice in one object")
    return found
