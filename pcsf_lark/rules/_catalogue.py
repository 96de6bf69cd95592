"""All rules: listed, found by code or name, and chosen by selectors."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pcsf_lark.rules import as_diagnostic, load, modules, outside

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.rules._rule import Finding, Rule

__all__ = ["all_rules", "default_codes", "diagnose", "find_rule", "resolve"]


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by family and number, those from outside last; raises RuleError."""
    return (*map(load, modules()), *outside())


@cache
def default_codes() -> frozenset[str]:
    """The codes that run where nothing is selected: all but those in preview."""
    return frozenset(rule.code for rule in all_rules() if not rule.preview)


def find_rule(wanted: str) -> Rule | None:
    """The rule with this code (any case), name or former name.

    >>> from pcsf_lark.rules import find_rule
    >>> find_rule("Q001").name
    'unsorted-loops'
    """
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


def diagnose(code: str, finding: Finding) -> Diagnostic:
    """A finding in the name of the rule with this code; raises ValueError without one."""
    rule = find_rule(code)
    if rule is None:
        raise ValueError(f"no rule has the code {code!r}")
    return as_diagnostic(rule, finding)
