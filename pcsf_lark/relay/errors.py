"""What the relay raises beside the errors of its parts.

Content that is refused raises what `cso` and `pcsf_lark` raise for it. This one is
for the place and the means: a folder, a configuration, a key, a store.
"""

from __future__ import annotations

__all__ = ["RepositoryError"]


class RepositoryError(Exception):
    """Something around the state cannot be used: where, and why. Never shows a key.

    Attributes:
        place: The file, folder or address.
        reason: What is wrong, and how to mend it.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place: str = place
        self.reason: str = reason

    def __str__(self) -> str:
        """``place: reason``."""
        return f"{self.place}: {self.reason}"
