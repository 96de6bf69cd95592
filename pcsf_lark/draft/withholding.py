"""What must not leave the session: secrets, personal data, orders planted in a text.

Laws: the whole stretch is withheld before a text is trimmed, so no half of a secret is
left; a home folder loses its owner's name and keeps its place (`~`); each value is
counted once, by its kind, and shown nowhere.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from pcsf_lark.draft.leaks import leaks, readable
from pcsf_lark.rules._contacts import find as contacts
from pcsf_lark.rules._orders import find as orders
from pcsf_lark.rules._secrets import stretches

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["WITHHELD", "Veil"]

#: What stands for a stretch that is withheld.
WITHHELD: Final = "[withheld]"

_HOME: Final = re.compile(
    r"(?:/(?:Users|home)/|(?<![\w/])[A-Za-z]:[\\/]+Users[\\/]+)(?P<name>[^\s/\\\"'`:;,|<>()\[\]]+)"
    r"|%2F(?:Users|home)%2F(?P<coded>[^\s%/\\\"'`]+)"
    r"|(?<![\w/~])~(?P<named>[A-Za-z_][\w.-]+)(?=/)"
    r"|--(?:Users|home)-(?P<flat>[A-Za-z0-9_]+)(?=-)"
    r"|(?<![\w/])/root(?=/)"
)
_CARD: Final = re.compile(r"(?<![\w.-])\d(?:[ .-]?\d){12,18}(?![\w-])")
_KEY_BLOCK: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]+-----|\Z)",
    re.DOTALL,
)
_SHARED: Final = frozenset({"shared", "public", "runner"})
#: A word of that many small letters in a row is a word, not chance.
_READABLE: Final = re.compile(r"[a-z]{8}")


class Veil:
    """Withholds, and counts what it withheld."""

    def __init__(self) -> None:
        """Start with nothing withheld."""
        self._seen: dict[str, set[str]] = {}

    @property
    def counts(self) -> dict[str, int]:
        """How many values of each kind were withheld."""
        return {kind: len(values) for kind, values in sorted(self._seen.items())}

    def hide(self, text: str) -> str:
        """The text without what must not leave; one that holds nothing comes back itself."""
        text = _HOME.sub(self._home, text)
        found = sorted(_suspects(text))
        if not found:
            return text
        parts, at = [], 0
        for start, end, kind in found:
            if end <= at:
                continue
            self._note(kind, text[max(start, at) : end])
            parts += [text[at:start], WITHHELD] if start >= at else []
            at = end
        return "".join([*parts, text[at:]])

    def orders(self, text: str) -> bool:
        """Whether a text orders a model about; such a text is counted."""
        found = next(orders(text), None)
        if found is not None:
            self._note("an order to a model", text)
        return found is not None

    def _home(self, match: re.Match[str]) -> str:
        name = match["name"] or match["flat"] or match["coded"] or match["named"] or ""
        if name.lower() in _SHARED:
            return match[0]
        self._note("a home folder", name)
        return "--~" if match["flat"] else "~"

    def _note(self, kind: str, value: str) -> None:
        digest = sha256(value.encode("utf-8", "replace")).hexdigest()
        self._seen.setdefault(kind, set()).add(digest)


def _suspects(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches to withhold, found in the text as it reads."""
    shown, places = readable(text)
    if places is None:
        yield from _found(text)
        return
    # Both: what reads as nothing may be something as it stands.
    yield from _found(text)
    for start, end, kind in _found(shown):
        yield places[start], places[end - 1] + 1, kind


def _found(text: str) -> Iterator[tuple[int, int, str]]:
    for block in _KEY_BLOCK.finditer(text):
        yield *block.span(), "a private key"
    for start, end, kind, what in stretches(text):
        if kind != "random" or not _READABLE.search(text[start:end]):
            yield start, end, what
    yield from contacts(text)
    yield from leaks(text)
    for card in _CARD.finditer(text):
        if _is_card(card[0]):
            yield *card.span(), "a card number"


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()][::-1]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0 and len(set(digits)) > 1
