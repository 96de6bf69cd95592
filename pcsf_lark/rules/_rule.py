"""What a rule is, what it sees, and what it yields.

A rule is one module of this package, or of another one that names it under the
entry-point group ``pcsf.rules``. Its docstring is its manual page: the first
line says what holds, the rest why, what to write instead, and, after
``Misses:``, what it does not see. Its constants are ``CODE``, ``NAME``,
``SEVERITY``, ``SECTION``, ``SINCE`` (the version of the package that brought
it), ``GOOD`` and ``BAD``, and, where they apply, ``PREVIEW = True`` (it runs
only where it is selected by its full code or name) and ``FORMER`` (names it
had, which still choose it). ``NEEDS`` names the sign of ``_signs`` without which
the rule has nothing to say on a conformant capsule; a rule without it is always
asked. Its one function ``check(subject)`` yields
``Finding`` values. The first letter of the file's name is the rule's family
and says when it runs:

====== ==========================================================
family runs
====== ==========================================================
c      only on a text that the verdict refused, to say why
q      only on a text that the grammar accepted
others on every text; ``subject.capsule`` is None where it was refused
====== ==========================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark import integrity
from pcsf_lark.diagnostics import Fix
from pcsf_lark.rules._subject import Subject
from pcsf_lark.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from pcsf_lark.diagnostics import Severity

__all__ = ["BASE", "STAMP", "Example", "Finding", "Rule", "Subject", "example", "of", "proven"]


@frozen(eq=False)
class Finding:
    """What a rule yields: a ``Diagnostic`` without the rule's own constants.

    Attributes:
        span: Where.
        message: What was found.
        help: What to write instead.
        fix: A mend, where there is one.
    """

    span: Span
    message: str
    help: str
    fix: Fix | None = None


def proven(value: object) -> Finding:
    """What a rule from outside yielded; raises TypeError where it is no finding."""
    parts = {"span": Span, "message": str, "help": str, "fix": Fix | None}
    if not isinstance(value, Finding):
        raise TypeError(f"it yields a {type(value).__name__}, not a Finding")
    for name, kind in parts.items():
        if not isinstance(given := getattr(value, name), kind):
            raise TypeError(f"the {name} of its Finding is a {type(given).__name__}")
    return value


@frozen(eq=False)
class Example:
    """A capsule that a rule is shown at work on: ``BASE`` with one place changed.

    Attributes:
        text: The capsule.
        profile: The profile it is judged under.
    """

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

    Attributes:
        code: Such as `Q002`.
        name: Such as `duplicate-entry`.
        severity: Of all its findings.
        section: The section or decision it rests on.
        good: Examples it is silent on.
        bad: Examples it speaks on.
        check: Its function.
        since: The version of the package that brought it.
        preview: Whether it runs only where it is selected by its full code or name.
        former: Names it had.
        needs: The sign without which it has nothing to say; None: it is always asked.
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
    needs: str | None
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


def of(module: ModuleType, package: str | None = None) -> Rule:
    """The rule that a module is; raises AttributeError where it is none."""
    return Rule(
        code=module.CODE,
        name=module.NAME,
        severity=module.SEVERITY,
        section=module.SECTION,
        doc=(module.__doc__ or "").strip(),
        good=module.GOOD,
        bad=module.BAD,
        check=module.check,
        since=module.SINCE,
        preview=getattr(module, "PREVIEW", False),
        former=getattr(module, "FORMER", ()),
        needs=getattr(module, "NEEDS", None),
        package=package,
    )


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
