"""What a rule sees: the text under judgement, as far as it could be read."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from pcsf_lark.model import Capsule, Chain, Integrity
    from pcsf_lark.outline import Outline
    from pcsf_lark.rules._secrets import Secret
    from pcsf_lark.source import Source

__all__ = ["NEARLY_SPENT", "Subject"]

#: Bytes from which a capsule counts as nearly full, unless a configuration says otherwise.
NEARLY_SPENT = 1150
#: The fewest characters of a word that may be a key.
_LONG = 16
_WORD = re.compile(rf"[!-~]{{{_LONG},}}")
#: The format's own words of that length.
_FORMAT_WORDS = frozenset({"DEFERRED_QUESTION", "HYPOTHESIS_UNTESTED", "INCOMPLETE_TASK"})


@frozen(eq=False, slots=False)
class Subject:
    """The text under judgement, as far as it could be read.

    ``capsule`` is the AST where the grammar accepted the text. ``chain``,
    ``integrity``, ``layout`` and ``version`` come from it, or else from the
    outline, and are None where they are absent or malformed. ``budget`` is the
    number of bytes from which a capsule counts as nearly full.

    Attributes:
        source: The text.
        profile: The profile it is judged under.
    """

    source: Source
    profile: str
    capsule: Capsule | None
    budget: int = NEARLY_SPENT

    @cached_property
    def outline(self) -> Outline:
        """The tolerant line tree."""
        from pcsf_lark.syntax.recovery import recover  # noqa: PLC0415 - for refused texts alone

        return recover(self.source)

    @cached_property
    def long_words(self) -> tuple[str, ...]:
        """The text's unbroken stretches long enough to be a key, the format's own left out."""
        return tuple(
            [
                word
                for word in self._words()
                if len(word) >= _LONG
                and word not in _FORMAT_WORDS
                and not (word.isalpha() and word[1:].islower())
                and (word[-7:-6], word[-4:-3], word[-1]) != ("T", ":", "Z")  # a timestamp
            ]
        )

    def _words(self) -> list[str]:
        text = self.source.text
        if self.capsule:
            return text.split()
        # Other bytes may stand between the printable ones of a text that is no capsule.
        return "".join(c if "!" <= c <= "~" else " " for c in text).split()

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """What may be a secret; ask only where a quick look finds the text suspect."""
        from pcsf_lark.rules._secrets import search  # noqa: PLC0415 - few texts are suspect

        return search(self)

    @cached_property
    def chain(self) -> Chain | None:
        """The CHAIN line."""
        if self.capsule:
            return self.capsule.chain
        from pcsf_lark.outline import Kind  # noqa: PLC0415 - likewise
        from pcsf_lark.syntax.explanation import chain_node  # noqa: PLC0415 - likewise

        line = self.outline.first(Kind.CHAIN)
        return chain_node(line, self.profile) if line else None

    @cached_property
    def integrity(self) -> Integrity | None:
        """The INTEGRITY line."""
        if self.capsule:
            return self.capsule.integrity
        from pcsf_lark.outline import Kind  # noqa: PLC0415 - likewise
        from pcsf_lark.syntax.explanation import integrity_node  # noqa: PLC0415 - likewise

        line = self.outline.first(Kind.INTEGRITY)
        return integrity_node(line, self.profile) if line else None

    @cached_property
    def layout(self) -> str | None:
        """``spaced``, ``compact``, ``mixed`` or None."""
        return self.capsule.layout if self.capsule else self.outline.layout

    @cached_property
    def version(self) -> str | None:
        """``v1``, ``v1.1``, ``v1.2`` or None."""
        return self.capsule.version if self.capsule else self.outline.version
