"""What a manifest is made of: one fact of a conversation, and what a summary owes it.

Laws: `text` is quoted, it equals the slice `span` of the normalised text of its message;
`value` is what the quotation says where it was spelled as JSON, and equals `text`
elsewhere; two facts with one key speak of the same thing, the later one is current; a
hard fact has needs.
"""

from typing import Final, Literal, get_args

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.quality.spans import Span

__all__ = ["KINDS", "Completion", "Fact", "Hardness", "Kind", "Need", "NeedKind", "Quote"]

Kind = Literal[
    "goal",
    "constraint",
    "decision",
    "rejection",
    "uncertainty",
    "artifact",
    "symbol",
    "command",
    "failure",
    "verification",
    "open",
    "ref",
    "provenance",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Hardness = Literal["hard", "soft"]
Completion = Literal["done", "failed", "open", "unknown"]
#: exact: an identifier or number as it is spelled; phrase: words in a row; path: a file, by any ending of its path
#: that no other file of the manifest shares; word: a word of prose, by its stem; marker: a
#: class of words (`not`, `only`, `fail`, `open`), in the statement or the heading above it; sense: a sentence of the
#: source whose rules are kept the way round they were given; deleted: a file that is said to be gone.
NeedKind = Literal["exact", "phrase", "path", "word", "marker", "sense", "deleted"]


@frozen
class Need:
    """At least `least` of the options must stand in the summary.

    Needs of one fact are owed by one statement together; `anywhere` frees a need of that.
    """

    kind: NeedKind
    options: tuple[str, ...] = field(converter=as_tuple)
    least: int = 1
    anywhere: bool = False


@frozen
class Quote:
    """A part of a message, quoted: its text and its place."""

    text: str
    span: Span


@frozen
class Fact:
    """One fact: what it is, its words, where they stand, whether a summary must keep it.

    `by` is who is behind the words: user, assistant, tool, or what only looks like a user
    (template, document, summary, demonstration, note, observation). `state` is None for
    what cannot be done or fail. `source_id` is the caller's name of the message.
    """

    kind: Kind
    subkind: str
    text: str
    value: str
    message_id: str
    source_id: str
    index: int
    span: Span
    key: str
    by: str
    hardness: Hardness = "soft"
    state: Completion | None = None
    needs: tuple[Need, ...] = field(default=(), converter=as_tuple)
    reason: Quote | None = None
    rejected: tuple[Quote, ...] = field(default=(), converter=as_tuple)

    @property
    def hard(self) -> bool:
        """Tell whether a summary that loses the fact is refused."""
        return self.hardness == "hard"
