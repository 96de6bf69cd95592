"""Rules from outside: modules that other packages name under ``pcsf.rules``.

An entry point names a module that is a rule, or a package each of whose
modules is one. Loaded only where ``_installed`` has found one.
"""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._installed import GROUP, RuleError
from pcsf_lark.rules._rule import Rule, of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

__all__ = ["load"]

_KINDS: dict[str, type] = {
    "CODE": str, "NAME": str, "SEVERITY": Severity, "SECTION": str, "SINCE": str,
    "GOOD": tuple, "BAD": tuple, "FORMER": tuple, "PREVIEW": bool,
}  # fmt: skip
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def load(own: Iterable[Rule]) -> tuple[Rule, ...]:
    """Every rule from outside, by code; raises RuleError."""
    taken = {word: "pcsf-lark" for rule in own for word in (rule.code, rule.name)}
    found = []
    for package, module in _modules():
        rule = _checked(package, module)
        for word in (rule.code, rule.name):
            if word in taken:
                reason = f"{word} is taken by a rule of {taken[word]}"
                raise RuleError(rule.code, package, reason)
            taken[word] = package
        found.append(rule)
    return tuple(sorted(found, key=lambda rule: rule.code))


def _modules() -> Iterator[tuple[str, ModuleType]]:
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        package = point.dist.name if point.dist else "unknown"
        try:
            found = list(_members(point.load()))
        except (Exception, SystemExit) as error:
            reason = f"not loaded: {type(error).__name__}: {error}"
            raise RuleError(point.value, package, reason) from error
        for module in found:
            yield package, module


def _members(loaded: ModuleType) -> Iterator[ModuleType]:
    if hasattr(loaded, "CODE"):
        yield loaded
        return
    for info in sorted(pkgutil.iter_modules(loaded.__path__), key=lambda i: i.name):
        if not info.name.startswith("_"):
            yield import_module(f"{loaded.__name__}.{info.name}")


def _checked(package: str, module: ModuleType) -> Rule:
    try:
        rule = of(module, package)
    except AttributeError as error:
        raise RuleError(module.__name__, package, f"{error.name} is missing") from error
    for constant, kind in _KINDS.items():
        value = getattr(rule, constant.lower())
        if not isinstance(value, kind):
            reason = f"{constant} is of type {type(value).__name__}, not {kind.__name__}"
            raise RuleError(str(rule.code), package, reason)
    if not callable(rule.check):
        raise RuleError(rule.code, package, "check is no function")
    if not _NAME.fullmatch(rule.name):
        raise RuleError(rule.code, package, "a name is small letters and digits, joined by `-`")
    letters = rule.code.rstrip("0123456789")
    if not (letters.isupper() and letters.isascii() and letters != rule.code):
        raise RuleError(rule.code, package, "a code is capitals and then digits")
    if letters == "C":
        raise RuleError(rule.code, package, "codes C0 to C12 are the format's own")
    return rule
