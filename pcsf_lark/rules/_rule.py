"""What a rule is, what it sees, and what it yields.

A rule is one module of this package. Its docstring is its manual page: the
first line says what holds, the rest why, and what to write instead. Its
constants are ``CODE``, ``NAME``, ``SEVERITY``, ``SECTION``, ``GOOD`` and
``BAD``; its one function ``check(subject)`` yields ``Finding`` values. The
first letter of the file's name is the rule's family and says when it runs:

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
    from pcsf_lark.source import Source, Span

__all__ = ["BASE", "STAMP", "Example", "Finding", "Rule", "Subject", "example"]


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
    outline, and are None where they are absent or malformed.
    """

    source: Source
    profile: str
    capsule: Capsule | None

    @cached_property
    def outline(self) -> Outline:
        """The tolerant line tree."""
        from pcsf_lark.syntax.recovery import recover  # noqa: PLC0415 - for refused texts alone

        return recover(self.source)

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
    """A rule's constants, with ``doc`` its manual page."""

    code: str
    name: str
    severity: Severity
    section: str
    doc: str
    good: tuple[Example, ...]
    bad: tuple[Example, ...]
    check: Callable[[Subject], Iterable[Finding]]

    @property
    def summary(self) -> str:
        """What holds, in one line."""
        return self.doc.partition("\n")[0]


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
