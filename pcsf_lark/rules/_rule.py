"""What a rule is, what it sees, and what it yields.

A rule is one module of this package, or of another one that names it under the
entry-point group ``pcsf.rules``. Its docstring is its manual page: the first
line says what holds, the rest why, what to write instead, and, after
``Misses:``, what it does not see. Its constants are ``CODE``, ``NAME``,
``SEVERITY``, ``SECTION``, ``SINCE`` (the version of the package that brought
it), ``GOOD`` and ``BAD``, and, where they apply, ``PREVIEW = True`` (it runs
only where it is selected by its full code or name) and ``FORMER`` (names it
had, which still choose it). Its one function ``check(subject)`` yields
``Finding`` values. The first letter of the file's name is the rule's family
and says when it runs:

====== ==========================================================
family runs
====== ==========================================================
c      only on a text that the verdict refused, to say why
others on every text; ``subject.capsule`` is None where it was refused
====== ==========================================================
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark import integrity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pcsf_lark.diagnostics import Fix, Severity
    from pcsf_lark.model import Capsule, Chain, Integrity
    from pcsf_lark.outline import Outline
    from pcsf_lark.rules._secrets import Secret
    from pcsf_lark.source import Source, Span

__all__ = ["BASE", "NEARLY_SPENT", "STAMP", "Example", "Finding", "Rule", "Subject", "example"]

#: Bytes from which a capsule counts as nearly full, unless a configuration says otherwise.
NEARLY_SPENT = 1150
#: The fewest characters of a word that may be a key.
_LONG = 16
#: The format's own words of that length.
_FORMAT_WORDS = frozenset({"DEFERRED_QUESTION", "HYPOTHESIS_UNTESTED", "INCOMPLETE_TASK"})


@frozen(eq=False)
class Finding:
    """What a rule yields: a ``Diagnostic`` without the rule's own constants."""

    span: Span
    message: str
    help: str
    fix: Fix | None = None


@frozen(eq=False, slots=False)
class Subject:
    """The text under judgement, as far as it could be read.

    ``capsule`` is the AST where the grammar accepted the text. ``chain``,
    ``integrity``, ``layout`` and ``version`` come from it, or else from the
    outline, and are None where they are absent or malformed. ``budget`` is the
    number of bytes from which a capsule counts as nearly full.
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
    def words(self) -> frozenset[str]:
        """Every word of the text in lower case: the quick look before a slow one."""
        from pcsf_lark.rules._prose import words  # noqa: PLC0415 - it needs no rule

        return frozenset(words(self.source.text))

    @cached_property
    def long_words(self) -> tuple[str, ...]:
        """The text's unbroken stretches long enough to be a key, the format's own left out."""
        return tuple(
            word
            for word in self.source.text.split()
            if len(word) >= _LONG
            and not word.isalpha()
            and word not in _FORMAT_WORDS
            and (word[-7:-6], word[-4:-3], word[-1]) != ("T", ":", "Z")  # a timestamp
        )

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


@frozen(eq=False)
class Example:
    """A capsule that a rule is shown at work on: ``BASE`` with one place changed."""

    text: str
    profile: str

    @property
    def data(self) -> bytes:
        """The capsule's bytes."""
        return self.text.encode()


@frozen(eq=False)
class Rule:
    """A rule's constants, with ``doc`` its manual page.

    ``package`` is the distribution that a rule from outside came with.
    """

    code: str
    name: str
    severity: Severity
    section: str
    doc: str
    good: tuple[Example, ...]
    bad: tuple[Example, ...]
    check: Callable[[Subject], Iterable[Finding]]
    since: str
    preview: bool
    former: tuple[str, ...]
    package: str | None

    @property
    def summary(self) -> str:
        """What holds, in one line."""
        return self.doc.partition("\n")[0]

    @property
    def misses(self) -> str:
        """What the rule does not see, as its manual page says."""
        found = self.doc.partition("\n\nMisses: ")[2].partition("\n\n")[0]
        return " ".join(found.split())


#: The capsule that every example starts from: conformant, each line kind once.
BASE = """\
===PCSF:v1.2===
META: Index rebuild | databases | WORKING | 2026-05-04T09:30Z
CHAIN: hops=1 origin=2026-05-01T08:00Z

L1:SKELETON
CHOICE | build the index online | writes must not stop

L2:NEGATIVE
dump and reload | four hours of downtime | size the window first

L3:INTERNAL
UNCERTAINTY: I never saw the replica's lag under load.

L4:RELATION
STYLE: short answers, numbers first

L5:LOOPS
INCOMPLETE_TASK | measure replica lag | HIGH

SEED: The index is safe to build online once replica lag is known.
===END===
"""

#: The INTEGRITY line, LF included, that ``BASE`` would carry.
STAMP = integrity.write(BASE.encode()).decode()


def example(old: str = "", new: str = "", *, profile: str = "interop") -> Example:
    """``BASE`` with ``old`` (which it holds) replaced by ``new``."""
    if old not in BASE:
        raise ValueError(f"the base capsule does not hold {old!r}")
    return Example(BASE.replace(old, new, 1) if old else BASE, profile)
