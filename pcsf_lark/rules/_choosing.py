"""Selectors: the codes, code prefixes and names by which people choose rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.rules import all_rules, default_codes, find_rule

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["resolve", "unknown"]


def resolve(selectors: Iterable[str]) -> frozenset[str]:
    """See ``pcsf_lark.rules.resolve``."""
    codes: set[str] = set()
    for selector in selectors:
        if exact := find_rule(selector):
            codes.add(exact.code)
            continue
        prefixed = {code for code in default_codes() if code.startswith(selector.upper())}
        if not prefixed or not selector:
            raise ValueError(unknown(selector))
        codes |= prefixed
    return frozenset(codes)


def unknown(selector: str) -> str:
    """What to say of a selector that fits no rule: the nearest one."""
    import difflib  # noqa: PLC0415 - for a misspelt selector alone

    known = [word for rule in all_rules() for word in (rule.code, rule.name)]
    near = difflib.get_close_matches(selector, known, 1) or difflib.get_close_matches(
        selector.upper(), known, 1
    )
    hint = f"did you mean {near[0]!r}?" if near else "`pcsf rules` lists them"
    return f"no rule has the code, code prefix or name {selector!r}; {hint}"
