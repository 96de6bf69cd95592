"""Capsules of cognitive state: read, judge, write.

>>> import pcsf_lark
>>> report = pcsf_lark.check(b"===PCSF:v1.3===")
>>> report.findings[0].code
'C3'

Each name is loaded when it is first used, so that a program pays for what it
calls. ``__version__`` is the version of the distribution.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    #: The version of the distribution.
    __version__: str

    from pcsf_lark.api import check, conformant, parse
    from pcsf_lark.api import format_capsule as format  # noqa: A004 - the verb's public name
    from pcsf_lark.diagnostics import Diagnostic, Edit, Fix, Severity
    from pcsf_lark.draft import Draft, draft
    from pcsf_lark.emit import from_json, to_json
    from pcsf_lark.errors import CapsuleError, JsonError, PcsfError, Unfittable
    from pcsf_lark.mending import fix
    from pcsf_lark.model import (
        Capsule,
        Chain,
        Integrity,
        InternalEntry,
        LoopEntry,
        Meta,
        NegativeEntry,
        RelationEntry,
        Seed,
        SkeletonEntry,
    )
    from pcsf_lark.operations import diff, fit, from_cso, stamp, stitch, to_cso, unstamp
    from pcsf_lark.outline import Outline
    from pcsf_lark.passes.diff import Change
    from pcsf_lark.passes.fit import FitResult
    from pcsf_lark.passes.from_cso import BudgetError, Dropped, Export
    from pcsf_lark.passes.log import Row
    from pcsf_lark.passes.stitch import StitchResult
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source, Span

__all__ = [
    "BudgetError",
    "Capsule",
    "CapsuleError",
    "Chain",
    "Change",
    "Diagnostic",
    "Draft",
    "Dropped",
    "Edit",
    "Export",
    "FitResult",
    "Fix",
    "Integrity",
    "InternalEntry",
    "JsonError",
    "LoopEntry",
    "Meta",
    "NegativeEntry",
    "Outline",
    "PcsfError",
    "RelationEntry",
    "Report",
    "Row",
    "Seed",
    "Severity",
    "SkeletonEntry",
    "Source",
    "Span",
    "StitchResult",
    "Unfittable",
    "check",
    "conformant",
    "diff",
    "draft",
    "fit",
    "fix",
    "format",
    "from_cso",
    "from_json",
    "parse",
    "stamp",
    "stitch",
    "to_cso",
    "to_json",
    "unstamp",
]

_HOMES = {
    "api": ("check", "conformant", "format_capsule", "parse"),
    "draft": ("Draft",),
    "emit": ("from_json", "to_json"),
    "mending": ("fix",),
    "diagnostics": ("Diagnostic", "Edit", "Fix", "Severity"),
    "errors": ("CapsuleError", "JsonError", "PcsfError", "Unfittable"),
    "model": (
        "Capsule", "Chain", "Integrity", "InternalEntry", "LoopEntry", "Meta", "NegativeEntry",
        "RelationEntry", "Seed", "SkeletonEntry",
    ),
    "operations": ("diff", "fit", "from_cso", "stamp", "stitch", "to_cso", "unstamp"),
    "outline": ("Outline",),
    "passes.diff": ("Change",),
    "passes.fit": ("FitResult",),
    "passes.from_cso": ("BudgetError", "Dropped", "Export"),
    "passes.log": ("Row",),
    "passes.stitch": ("StitchResult",),
    "report": ("Report",),
    "source": ("Source", "Span"),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_RENAMED = {"format": "format_capsule"}


if not TYPE_CHECKING:  # so that a type checker tells a misspelt name

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            return import_module("importlib.metadata").version("pcsf-lark")
        if name == "draft":
            return import_module(f"{__name__}.draft")  # a module that can be called
        original = _RENAMED.get(name, name)
        if name not in __all__ or original not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOME[original]}"), original)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
