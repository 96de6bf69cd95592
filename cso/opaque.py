"""Members that the package carries without reading them.

`JsonObject` holds a JSON object as its RFC 8785 text. That makes it immutable,
comparable by bytes and free to sign; reading a member parses a fresh copy, so
no caller can change a shared value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from cso import jcs
from cso.errors import ContentError

__all__ = ["EMPTY", "JsonObject"]


@frozen(eq=False, repr=False)
class JsonObject(Mapping[str, Any]):
    """An immutable JSON object; equal to any mapping with the same JSON."""

    text: str = field(default="{}")

    @classmethod
    def of(cls, value: Mapping[str, Any] | None) -> JsonObject:
        """Freeze a mapping; raise `ContentError` if JSON cannot hold it."""
        if isinstance(value, JsonObject):
            return value
        if not isinstance(value, Mapping):
            raise ContentError("expected a JSON object", code="type")
        try:
            return cls(jcs.canonical(_plain(value)).decode()) if value else EMPTY
        except RecursionError:
            raise ContentError("nested too deep", code="limit") from None

    def thaw(self) -> dict[str, Any]:
        """Give a fresh, mutable copy."""
        value: dict[str, Any] = jcs.parse(self.text, max_depth=1_000)
        return value

    def joined(self, **members: Any) -> JsonObject:
        """Give a copy with members set; a member given as None is removed."""
        merged = {**self.thaw(), **members}
        return JsonObject.of({k: v for k, v in merged.items() if v is not None})

    def __getitem__(self, name: str) -> Any:
        """Give a fresh copy of one member."""
        return self.thaw()[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over member names in canonical order."""
        return iter(self.thaw())

    def __len__(self) -> int:
        """Count the members."""
        return len(self.thaw()) if self.text != "{}" else 0

    def __bool__(self) -> bool:
        """Tell whether there is any member, without parsing."""
        return self.text != "{}"

    def __eq__(self, other: object) -> bool:
        """Compare by canonical text."""
        if isinstance(other, JsonObject):
            return self.text == other.text
        if isinstance(other, Mapping):
            try:
                return self.text == JsonObject.of(other).text
            except ContentError:
                return False
        return NotImplemented

    def __hash__(self) -> int:
        """Hash the canonical text."""
        return hash(self.text)

    def __repr__(self) -> str:
        """Show the text."""
        return f"JsonObject({self.text})"


EMPTY = JsonObject()


def _plain(value: Any) -> Any:
    """Turn nested `JsonObject`s into dicts, which the canonicaliser knows.

    The depth of JSON text is limited before it comes here.
    """
    if isinstance(value, JsonObject):
        return value.thaw()
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return jcs.readable(value) if isinstance(value, float) else value
