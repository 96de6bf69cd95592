"""The rules: found by their files, chosen by code or name, run in one place.

To add a rule, add a file; ``_rule.py`` says what it holds. A package of its
own adds rules through the entry-point group ``pcsf.rules``. Modules are loaded
by family, so that a clean capsule never pays for the rules that explain a
broken one.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Diagnostic
from pcsf_lark.rules._plugins import RuleError, modules
from pcsf_lark.rules._rule import NEARLY_SPENT, Example, Finding, Rule, Subject
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

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

#: The most findings one rule gives on one file: no file within the budget has
#: more lines, and a longer one must not fill the memory with its faults.
_MOST = LIMIT
#: The family that is silent on every text that the verdict clears.
_CONFORMANCE = "c"


@cache
def _families() -> dict[str, tuple[str, ...]]:
    families: dict[str, list[str]] = {}
    for name in _names():
        if not name.startswith("_"):
            families.setdefault(name[0], []).append(name)
    return {family: tuple(sorted(names)) for family, names in families.items()}


def _names() -> Iterable[str]:
    try:
        entries = os.listdir(__path__[0])  # noqa: PTH208 - a third of what pkgutil's import takes
    except OSError:  # an archive
        import pkgutil  # noqa: PLC0415 - as above

        return [module.name for module in pkgutil.iter_modules(__path__)]
    return [entry.removesuffix(".py") for entry in entries if entry.endswith(".py")]


@cache
def _family(letter: str) -> tuple[Rule, ...]:
    names = _families()[letter]
    return tuple(_rule(import_module(f"{__name__}.{name}"), None) for name in names)


@cache
def _outside() -> tuple[Rule, ...]:
    found = tuple(_from_outside(package, module) for package, module in modules())
    taken: dict[str, str] = {}
    if found:
        own = (rule for letter in _families() for rule in _family(letter))
        taken = {word: "pcsf-lark" for rule in own for word in (rule.code, rule.name)}
    for rule in found:
        for word in (rule.code, rule.name):
            if word in taken:
                reason = f"{word} is taken by a rule of {taken[word]}"
                raise RuleError(rule.code, rule.package or "", reason)
            taken[word] = rule.package or ""
    return found


def _from_outside(package: str, module: ModuleType) -> Rule:
    try:
        rule = _rule(module, package)
    except AttributeError as error:
        raise RuleError(module.__name__, package, f"{error.name} is missing") from error
    letters = rule.code.rstrip("0123456789")
    if not (letters.isupper() and letters.isascii() and letters != rule.code):
        raise RuleError(rule.code, package, "a code is capitals and then digits")
    if letters.lower() == _CONFORMANCE:
        raise RuleError(rule.code, package, "codes C0 to C12 are the format's own")
    return rule


def _rule(module: ModuleType, package: str | None) -> Rule:
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
        package=package,
    )


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by family and number, those from outside last; raises RuleError."""
    own = (rule for letter in sorted(_families()) for rule in _family(letter))
    return (*own, *sorted(_outside(), key=lambda rule: rule.code))


@cache
def _lasting() -> tuple[Rule, ...]:
    """The rules that the verdict does not settle."""
    families = (letter for letter in sorted(_families()) if letter != _CONFORMANCE)
    return (*(rule for letter in families for rule in _family(letter)), *_outside())


def default_codes() -> frozenset[str]:
    """The codes that run where nothing is selected: all but those in preview."""
    return frozenset(rule.code for rule in all_rules() if not rule.preview)


def find_rule(wanted: str) -> Rule | None:
    """The rule with this code (any case), name or former name."""
    for rule in all_rules():
        if wanted.upper() == rule.code or wanted.lower() in (rule.name, *rule.former):
            return rule
    return None


def resolve(selectors: Iterable[str]) -> frozenset[str]:
    """The codes that selectors (codes, code prefixes, names) stand for.

    A selector that is a code stands for that rule alone: ``C1`` is not C10. A
    prefix does not stand for rules in preview. Raises ValueError, naming the
    nearest selector, for one that fits no rule.
    """
    codes: set[str] = set()
    for selector in selectors:
        if exact := find_rule(selector):
            codes.add(exact.code)
            continue
        prefixed = {code for code in default_codes() if code.startswith(selector.upper())}
        if not prefixed or not selector:
            raise ValueError(_unknown(selector))
        codes |= prefixed
    return frozenset(codes)


def _unknown(selector: str) -> str:
    import difflib  # noqa: PLC0415 - for a misspelt selector alone

    known = [word for rule in all_rules() for word in (rule.code, rule.name)]
    near = difflib.get_close_matches(selector, known, 1) or difflib.get_close_matches(
        selector.upper(), known, 1
    )
    hint = f"did you mean {near[0]!r}?" if near else "`pcsf rules` lists them"
    return f"no rule has the code, code prefix or name {selector!r}; {hint}"


def run(
    subject: Subject, *, refused: bool, codes: frozenset[str] | None = None
) -> Iterator[Diagnostic]:
    """All findings of the rules that bear on the subject, rule by rule.

    ``codes`` are the rules wanted, None for all that are not in preview.
    Raises RuleError where a rule from outside fails.
    """
    for rule in all_rules() if refused else _lasting():
        if rule.preview if codes is None else rule.code not in codes:
            continue
        if rule.package is not None:
            yield from _guarded(rule, subject)
            continue
        for finding in islice(rule.check(subject), _MOST):
            yield _diagnostic(rule, finding)


def _guarded(rule: Rule, subject: Subject) -> Iterator[Diagnostic]:
    try:
        found = [_diagnostic(rule, finding) for finding in islice(rule.check(subject), _MOST)]
    except Exception as error:
        reason = f"it failed: {type(error).__name__}: {error}"
        raise RuleError(rule.code, rule.package or "", reason) from error
    yield from found


def diagnose(code: str, finding: Finding) -> Diagnostic:
    """A finding in the name of the rule with this code."""
    rule = find_rule(code)
    if rule is None:
        raise ValueError(_unknown(code))
    return _diagnostic(rule, finding)


def _diagnostic(rule: Rule, finding: Finding) -> Diagnostic:
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=finding.message,
        help=finding.help,
        span=finding.span,
        fix=finding.fix,
    )
