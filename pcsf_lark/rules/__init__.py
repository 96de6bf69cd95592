"""The rules: found by their files, chosen by code or name, run in one place.

To add a rule, add a file; ``_rule.py`` says what it holds. Modules are loaded
by family, so that a clean capsule never pays for the rules that explain a
broken one.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Diagnostic
from pcsf_lark.rules._rule import Example, Finding, Rule, Subject
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "Example",
    "Finding",
    "Rule",
    "Subject",
    "all_rules",
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
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            families.setdefault(module.name[0], []).append(module.name)
    return {family: tuple(sorted(names)) for family, names in families.items()}


@cache
def _family(letter: str) -> tuple[Rule, ...]:
    return tuple(_load(name) for name in _families()[letter])


def _load(name: str) -> Rule:
    module = import_module(f"{__name__}.{name}")
    return Rule(
        code=module.CODE,
        name=module.NAME,
        severity=module.SEVERITY,
        section=module.SECTION,
        doc=(module.__doc__ or "").strip(),
        good=module.GOOD,
        bad=module.BAD,
        check=module.check,
    )


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by family and number."""
    return tuple(rule for letter in sorted(_families()) for rule in _family(letter))


@cache
def _lasting() -> tuple[Rule, ...]:
    """The rules that the verdict does not settle."""
    families = (letter for letter in sorted(_families()) if letter != _CONFORMANCE)
    return tuple(rule for letter in families for rule in _family(letter))


def find_rule(wanted: str) -> Rule | None:
    """The rule with this code (any case) or name."""
    for rule in all_rules():
        if wanted.upper() == rule.code or wanted.lower() == rule.name:
            return rule
    return None


def resolve(selectors: Iterable[str]) -> frozenset[str]:
    """The codes that selectors (codes, code prefixes, names) stand for.

    A selector that is a code stands for that rule alone: ``C1`` is not C10.
    Raises ValueError, naming the nearest selector, for one that fits no rule.
    """
    codes: set[str] = set()
    for selector in selectors:
        if exact := find_rule(selector):
            codes.add(exact.code)
            continue
        prefixed = {rule.code for rule in all_rules() if rule.code.startswith(selector.upper())}
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


def run(subject: Subject, *, refused: bool) -> Iterator[Diagnostic]:
    """All findings of the rules that bear on the subject, rule by rule."""
    for rule in all_rules() if refused else _lasting():
        for finding in islice(rule.check(subject), _MOST):
            yield _diagnostic(rule, finding)


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
