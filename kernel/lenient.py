"""JSON as models write it: fenced, with stray commas and raw line ends, cut in the middle.

Law: nothing here raises on content; what cannot be read is MISSING.
"""

import json
from typing import Any, Final

from kernel.text import trim

__all__ = ["MISSING", "array_start", "lenient", "unfenced", "whole_objects"]

MISSING: Final = object()
_FENCE = "```"
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def unfenced(text: str) -> str:
    """Strip a code fence, closed or not, that starts a text of several lines."""
    if not text.startswith(_FENCE) or "\n" not in text:
        return text
    body = text[text.index("\n") + 1 :]
    close = body.rfind(_FENCE)
    return trim(body if close < 0 else body[:close])


def lenient(text: str) -> Any:
    """Parse JSON, forgiving trailing commas, then raw line ends in strings; or MISSING."""
    for mending in (None, False, True):
        variant = text if mending is None else _mended(text, escape=mending)
        value = _parsed(variant)
        if value is not MISSING:
            return value
    return MISSING


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return MISSING


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _mended(text: str, *, escape: bool) -> str:
    """Leave out commas before a closing bracket; escape raw line ends inside strings."""
    out: list[str] = []
    quoted = skipping = False
    for position, char in enumerate(text):
        if quoted:
            quoted = skipping or char != '"'
            skipping = char == "\\" and not skipping
            out.append(_ESCAPES.get(char, char) if escape else char)
            continue
        quoted = char == '"'
        if char == "," and text[position + 1 :].lstrip(" \t\r\n")[:1] in ("}", "]"):
            continue
        out.append(char)
    return "".join(out)


def array_start(text: str) -> int:
    """Find the bracket that opens the `content` array of a broken document."""
    at = text.find('"content"')
    while at >= 0:
        rest = text[at + 9 :].lstrip(" \t\r\n")
        if rest[:1] == ":":
            rest = rest[1:].lstrip(" \t\r\n")
            if rest[:1] == "[":
                return len(text) - len(rest)
        at = text.find('"content"', at + 1)
    return -1


def whole_objects(text: str, start: int) -> tuple[list[str], bool]:
    """Return the objects directly inside the bracket at `start`, and whether the text is open."""
    objects: list[str] = []
    stack: list[str] = []
    quoted = skipping = done = False
    begin = -1
    for position in range(start, len(text)):
        char = text[position]
        if quoted:
            quoted = skipping or char != '"'
            skipping = char == "\\" and not skipping
        elif char == '"':
            quoted = True
        elif char in "[{":
            if char == "{" and len(stack) == 1 and not done:
                begin = position
            stack.append(char)
        elif char in "]}" and stack:
            stack.pop()
            if char == "}" and len(stack) == 1 and begin >= 0:
                objects.append(text[begin : position + 1])
                begin = -1
            done = done or not stack
    return objects, quoted or bool(stack)
