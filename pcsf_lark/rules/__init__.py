"""The rules: found by their files, chosen by code or name, run in one place.

To add a rule, add a file; ``_rule.py`` says what it holds. A package of its
own adds rules through the entry-point group ``pcsf.rules``. Rules are loaded
where they may have something to say: those that explain a broken text with
the first broken text, the others by the signs that ``_index`` and ``_signs``
know.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

from pcsf_lark.diagnostics import Diagnostic
from pcsf_lark.rules._index import INDEX
from pcsf_lark.rules._installed import RuleError, any_rules
from pcsf_lark.rules._signs import risks, shown
from pcsf_lark.rules._subject import NEARLY_SPENT, Subject
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._catalogue import (
        all_rules,
        default_codes,
        diagnose,
        find_rule,
        resolve,
    )
    from pcsf_lark.rules._rule import Example, Finding, Rule

__all__ = [
    "NEARLY_SPENT",
    "Example",
    "Finding",
    "Rule",
    "RuleError",
    "Subject",
    "all_rules",
    "default_codes",
    "diagnose",
    "find_rule",
    "resolve",
    "run",
]

#: The most findings one rule gives on a file over the budget, which must not fill the
#: memory with its faults; one within it has at most a line a byte, and all are told.
_MOST_BEYOND = 100
#: The family that is silent on every text that the verdict clears.
_CONFORMANCE = "c"
#: The family that reads entries, and is silent where the grammar accepted none.
_QUALITY = "q"
#: The family that bears on every text.
_SAFETY = "s"
_ELSEWHERE = {
    "_catalogue": ("all_rules", "default_codes", "diagnose", "find_rule", "resolve"),
    "_rule": ("Example", "Finding", "Rule"),
}


def __getattr__(name: str) -> Any:
    # A check of a clean capsule needs none of these.
    for home, names in _ELSEWHERE.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def modules() -> tuple[str, ...]:
    """The modules of this package that are rules."""
    try:
        entries = os.listdir(__path__[0])  # noqa: PTH208 - a third of pkgutil's own import
    except OSError:  # an archive
        import pkgutil  # noqa: PLC0415 - as above

        entries = [f"{module.name}.py" for module in pkgutil.iter_modules(__path__)]
    return tuple(sorted(e[:-3] for e in entries if e.endswith(".py") and e[0] != "_"))


@cache
def load(name: str) -> Rule:
    """The rule that a module of this package is."""
    from pcsf_lark.rules._rule import of  # noqa: PLC0415 - clean capsules need no rule

    return of(import_module(f"{__name__}.{name}"))


@cache
def outside() -> tuple[Rule, ...]:
    """The rules that other packages bring; raises RuleError."""
    if not any_rules():
        return ()
    from pcsf_lark.rules import _plugins  # noqa: PLC0415 - most machines have none

    return _plugins.load(map(load, modules()))


def run(
    subject: Subject, *, refused: bool, codes: frozenset[str] | None = None
) -> Iterator[Diagnostic]:
    """All findings of the rules that bear on the subject, rule by rule.

    ``codes`` are the rules wanted, None for all that are not in preview.
    Raises RuleError where a rule from outside fails.
    """
    most = LIMIT if len(subject.source.data) <= LIMIT else _MOST_BEYOND
    for rule in _asked(subject, codes, refused=refused):
        if rule.preview if codes is None else rule.code not in codes:
            continue
        found = rule.check(subject) if rule.package is None else _guarded(rule, subject)
        for finding in islice(found, most):
            yield as_diagnostic(rule, finding)


def _asked(subject: Subject, codes: frozenset[str] | None, *, refused: bool) -> Iterator[Rule]:
    """The rules that may have something to say, loaded one by one."""
    capsule = subject.capsule
    if refused:
        yield from map(load, _wanted(codes, _CONFORMANCE))
    lasting = _wanted(codes, "")
    if not lasting:
        signs: frozenset[str] = frozenset()
    elif refused or capsule is None:
        signs = risks(subject)
    else:
        signs = shown(subject, capsule)
    for name in lasting:
        needs = INDEX[name][1] if name in INDEX else None
        if name[0] == _QUALITY and capsule is None:
            continue
        if needs is None or needs in signs or (refused and name[0] != _SAFETY):
            yield load(name)
    yield from outside()


@lru_cache(maxsize=32)
def _wanted(codes: frozenset[str] | None, family: str) -> tuple[str, ...]:
    """The modules of a family whose rules are wanted; without one, of all but conformance."""
    return tuple(
        name
        for name in modules()
        if (name[0] == family if family else name[0] != _CONFORMANCE)
        and (codes is None or name not in INDEX or INDEX[name][0] in codes)
    )


def _guarded(rule: Rule, subject: Subject) -> Iterator[Finding]:
    from pcsf_lark.rules._rule import proven  # noqa: PLC0415 - most machines have no such rule

    try:
        yield from map(proven, rule.check(subject))
    except (Exception, SystemExit) as error:
        reason = f"it failed: {type(error).__name__}: {error}"
        raise RuleError(rule.code, rule.package or "", reason) from error


def as_diagnostic(rule: Rule, finding: Finding) -> Diagnostic:
    """A finding in the name of its rule."""
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=finding.message,
        help=finding.help,
        span=finding.span,
        fix=finding.fix,
    )
