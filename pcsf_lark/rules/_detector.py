"""detect-secrets as a function of one line; importing this fails where it is not installed.

Its plug-ins that know a secret by form are asked, without its settings, its
filters and its verification, which would talk to servers. Its entropy,
keyword and address plug-ins are left out: on prose they answer to every word.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["scan"]

_LEFT_OUT = ("Entropy", "Keyword", "Public IP")


@cache
def _plugins() -> tuple[tuple[str, Any], ...]:
    found: dict[str, Any] = get_mapping_from_secret_type_to_class()
    return tuple(
        (name, found[name]())
        for name in sorted(found)
        if not any(word in name for word in _LEFT_OUT)
    )


def scan(line: str) -> Iterator[tuple[str, str]]:
    """What a line holds: the kind of secret with its article, and the text."""
    for name, plugin in _plugins():
        for value in plugin.analyze_string(line):
            if value:
                article = "an" if name[0] in "AEIOU" else "a"
                yield f"{article} {name}", value
