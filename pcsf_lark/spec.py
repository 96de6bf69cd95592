"""The format's words and numbers, as frozen tables.

Laws of this file: data only, each row citing the section of the PCSF
specification (v1.2) or the decision (D...) in ``grammar/README.md`` that fixes
it; nothing here reads, parses or judges.
"""

from attrs import frozen

__all__ = [
    "ABBREVIATIONS",
    "CLOSE",
    "DEPTHS",
    "DIMENSIONS",
    "LAYERS",
    "LIMIT",
    "PRIORITIES",
    "PROFILES",
    "READ_LIMIT",
    "SEP",
    "VERSIONS",
    "Layer",
]

#: A capsule's greatest size in bytes, frame and final LF included (§2.1).
LIMIT = 1200

#: Files up to this many bytes are read whole; longer ones get C2 alone (D20).
READ_LIMIT = 64 * 1024

#: The versions defined, oldest first (§2.2, §4); the token is ``===PCSF:v1===``.
VERSIONS = ("v1", "v1.1", "v1.2")

#: The last line (§2.2).
CLOSE = "===END==="

#: The field separator of META and of L1, L2 and L5 entries (§2.3).
SEP = " | "

#: How deep a session went, shallowest first (§2.4).
DEPTHS = ("SURFACE", "WORKING", "DEEP")

#: How urgent a loop is, most urgent first (§2.9).
PRIORITIES = ("HIGH", "MED", "LOW")

#: The dimensions the format recommends for L4 (§2.8); others are allowed.
DIMENSIONS = ("STYLE", "TRUST", "VOCAB", "MODE", "BOUNDARY")

#: Words whose full stop ends no sentence; the list is closed (D7).
ABBREVIATIONS = (
    "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "Dr.", "Mr.", "Mrs.",
    "Ms.", "Prof.", "No.", "Fig.", "St.",
)  # fmt: skip

#: Which language of capsules is read (D1, D2).
PROFILES = ("interop", "abnf", "prose")


@frozen(eq=False)
class Layer:
    """One of the five layers (§2.5-§2.9).

    ``fields`` are the names of an entry's parts in written order, ``types`` the
    tokens its first part may be (empty: free text, or a free name in L4),
    ``cap`` the most entries it may hold, ``attribute`` its name on a Capsule.

    Attributes:
        number: 1 to 5.
        word: The word in its header, such as SKELETON.
        separator: What stands between an entry's parts.
        section: The section of the specification.
    """

    number: int
    word: str
    attribute: str
    cap: int
    fields: tuple[str, ...]
    types: tuple[str, ...]
    separator: str
    section: str

    @property
    def key(self) -> str:
        """``L1`` ... ``L5``."""
        return f"L{self.number}"

    @property
    def header(self) -> str:
        """The exact header line, such as ``L1:SKELETON``."""
        return f"L{self.number}:{self.word}"

    @property
    def shape(self) -> str:
        """How an entry is written, for messages: ``TYPE | fact | reason``."""
        tokens = ("type", "dimension", "priority")
        return self.separator.join(n.upper() if n in tokens else n for n in self.fields)


#: The five layers in order (§2.5-§2.9).
LAYERS = (
    Layer(
        1, "SKELETON", "skeleton", 12, ("type", "fact", "reason"),
        ("CHOICE", "CONSTRAINT", "DISCOVERY", "PIVOT", "OUTCOME"), SEP, "2.5",
    ),
    Layer(2, "NEGATIVE", "negative", 8, ("option", "reason", "lesson"), (), SEP, "2.6"),
    Layer(
        3, "INTERNAL", "internal", 6, ("type", "content"),
        ("UNCERTAINTY", "DIRECTION", "INTUITION", "UNRESOLVED"), ": ", "2.7",
    ),
    Layer(4, "RELATION", "relation", 5, ("dimension", "state"), (), ": ", "2.8"),
    Layer(
        5, "LOOPS", "loops", 8, ("type", "description", "priority"),
        ("PROMISE", "DEFERRED_QUESTION", "INCOMPLETE_TASK", "HYPOTHESIS_UNTESTED"), SEP, "2.9",
    ),
)  # fmt: skip
