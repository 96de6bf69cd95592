"""The strings of a call's arguments, with their places.

Laws: one pass over the JSON text, nested members included, no spelling is changed: the
quotation of an argument is the slice between its quotes as it stands; arguments that are
no JSON object are one string without a key.
"""

import json
import re
from collections.abc import Collection, Iterator
from typing import Final

from attrs import frozen

__all__ = ["Argument", "arguments_of", "unescaped"]

_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?', re.DOTALL)


@frozen
class Argument:
    """One string: the key it stands under, what it says, and its place in the text."""

    key: str
    value: str
    start: int
    end: int


def unescaped(raw: str) -> str:
    """Return what the inside of a JSON string says; a broken one says itself."""
    if "\\" not in raw:
        return raw
    try:
        value = json.loads(f'"{raw}"', strict=False)
    except ValueError:
        return raw
    text = str(value).replace("\r\n", "\n")
    return text if _sound(text) else raw


def _sound(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def arguments_of(text: str, keys: Collection[str] | None = None) -> Iterator[Argument]:
    """Yield the string members under the given keys (all, by default), in order."""
    if not text.lstrip(" \t\r\n").startswith(("{", "[")):
        if text.strip():
            yield Argument("", text, 0, len(text))
        return
    key = ""
    for token in _STRING.finditer(text):
        if token[2] is not None:
            key = unescaped(token[1])
        elif keys is None or key in keys:
            yield Argument(key, unescaped(token[1]), token.start(1), token.end(1))
