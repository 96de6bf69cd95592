"""What an L1 choice chose, apart from what it was chosen over."""

from __future__ import annotations

from pcsf_lark.rules._prose import content, words

__all__ = ["chosen"]

#: Words after which a choice names the alternative.
_OVER = frozenset(
    {"over", "instead", "rather", "before", "after", "until", "vs", "versus", "than", "unless"}
)


def chosen(fact: str) -> frozenset[str]:
    """The words that carry the meaning of what was chosen."""
    found = words(fact)
    for at, word in enumerate(found):
        if at and word in _OVER:
            return content(" ".join(found[:at]))
    return content(fact)
