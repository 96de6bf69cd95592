"""JSON with its spelling: slices of a source document that go back byte for byte.

Laws: a slice knows its value and, where the document came as text, its characters; an
output tree is built of new values and old slices; spelling a tree copies slices as they
were, number spelling and key order included. Given values instead of text, slices carry
the very objects they were given.
"""

import json
from collections.abc import Mapping, Sequence
from json.decoder import JSONDecodeError
from operator import is_not
from typing import Any

from attrs import frozen

from kernel.text import repair
from kernel.wire.mending import Mender

__all__ = ["Slice", "Source", "compact", "patched", "plain", "read_source", "spell"]

_DECODER = json.JSONDecoder()
_BLANK = " \t\n\r"


@frozen
class Slice:
    """A JSON value and, if known, the text it was read from."""

    value: Any
    text: str | None = None

    def child(self, key: str) -> "Slice":
        """Return the member of an object; an absent one is null."""
        if self.text is None:
            return Slice(self.value.get(key))
        return _members(self.text).get(key, Slice(None))

    def members(self) -> dict[str, "Slice"]:
        """Return the members of an object in order."""
        if self.text is None:
            return {key: Slice(item) for key, item in self.value.items()}
        return _members(self.text)

    def items(self) -> list["Slice"]:
        """Return the elements of an array."""
        if self.text is None:
            return [Slice(item) for item in self.value]
        return [Slice(value, self.text[a:b]) for value, a, b in _elements(self.text, 0)[0]]


@frozen
class Source:
    """A document, the key of its list of items (None for a bare list), and the items.

    `mended` tells that an item is not as it stands in the document.
    """

    root: Slice
    key: str | None
    items: tuple[Slice, ...]
    mended: bool = False

    def rebuilt(self, items: Sequence[Any], **others: Any) -> Any:
        """Return the document as a tree, with other items and members."""
        if list(items) == list(self.items) and not others and not self.mended:
            return self.root
        if self.key is None:
            return list(items)
        tree: dict[str, Any] = dict(self.root.members())
        tree.update({key: item for key, item in others.items() if item is not None})
        tree[self.key] = list(items)
        return tree


def read_source(body: Any, keys: Sequence[str]) -> Source:
    """Read a document, text or value, whose items lie under one of the keys."""
    root = Slice(json.loads(body), body) if isinstance(body, str) else Slice(body)
    if isinstance(root.value, list):
        return _mended(root, None, root.items(), keys[0])
    if not isinstance(root.value, Mapping):
        raise TypeError(f"a body must be an object with {' or '.join(keys)}, or a list of items")
    for key in keys:
        if isinstance(root.value.get(key), list):
            return _mended(root, key, root.child(key).items(), key)
    return Source(root, keys[0], ())


def _mended(root: Slice, key: str | None, items: Sequence[Slice], kind: str) -> Source:
    """Return the document with every item of a shape its wire has."""
    mender = Mender(kind)
    sound: list[Slice] = []
    for item in items:
        value = mender.mended(item.value)
        if value is not None:
            sound.append(item if value == item.value else Slice(value))
    changed = len(sound) != len(items) or any(map(is_not, sound, items))
    return Source(root, key, tuple(sound), changed)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _value(text: str, at: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, at)


def _elements(text: str, at: int) -> tuple[list[tuple[Any, int, int]], int]:
    at = _skip(text, at)
    if text[at : at + 1] != "[":
        raise JSONDecodeError("expected an array", text, at)
    found = []
    at = _skip(text, at + 1)
    while text[at] != "]":
        value, end = _value(text, at)
        found.append((value, at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found, at + 1


def _members(text: str) -> dict[str, Slice]:
    at = _skip(text, 0)
    if text[at : at + 1] != "{":
        raise JSONDecodeError("expected an object", text, at)
    found: dict[str, Slice] = {}
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, end = _value(text, at)
        at = _skip(text, _skip(text, end) + 1)
        value, end = _value(text, at)
        found[key] = Slice(value, text[at:end])
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def patched(item: Slice, **changes: Any) -> dict[str, Any]:
    """Return an object's members with some replaced; None leaves a member out."""
    tree: dict[str, Any] = {**item.members(), **changes}
    return {key: value for key, value in tree.items() if key not in changes or value is not None}


def plain(tree: Any) -> Any:
    """Return the value of a tree, however deep it is."""
    found, waiting = _opened(tree)
    while waiting:
        source, made = waiting.pop()
        for key, item in source.items() if isinstance(source, dict) else enumerate(source):
            if isinstance(item, Slice | dict | list):
                made[key], inner = _opened(item)
                waiting += inner
            else:
                made[key] = item
    return found


def _opened(tree: Any) -> tuple[Any, list[tuple[Any, Any]]]:
    """Return a value for a node, and what is still to be put into it."""
    if isinstance(tree, Slice):
        return tree.value, []
    if isinstance(tree, dict):
        # Members keep their order, whenever their values come.
        found = dict.fromkeys(tree)
        return found, [(tree, found)]
    if isinstance(tree, list):
        items = [None] * len(tree)
        return items, [(tree, items)]
    return tree, []


def spell(tree: Any) -> str:
    """Return the JSON text of a tree: slices as they were, the rest compact."""
    if isinstance(tree, Slice) and tree.text is not None:
        return tree.text
    if isinstance(tree, dict):
        return "{" + ",".join(f"{compact(key)}:{spell(item)}" for key, item in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(map(spell, tree)) + "]"
    return compact(plain(tree))


def compact(value: Any) -> str:
    """Spell a value as JSON without blanks, other alphabets unescaped, no lone surrogate."""
    return repair(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
