"""What the answer of a case rests on: rule codes, sections of the specification, productions.

Laws: all is told by the case's name and ``spec``, so that a record made by another
version of the suite still has a place for each case. A code's productions are those
that a reader of the grammar wants to see; where a case names layers, only theirs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pcsf_lark.conformance.suite import cases
from pcsf_lark.rules import load, modules

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES", "SECTIONS", "codes", "productions", "sections"]

_RULES = {rule.code: rule for rule in map(load, modules()) if rule.code.startswith("C")}
#: Rule code to the name of the rule, in the order of the codes.
CODES: Mapping[str, str] = {code: rule.name for code, rule in _RULES.items()}
#: Section of the specification to what it is about, in order.
SECTIONS: Mapping[str, str] = {
    "2": "the whole",
    "2.1": "bytes and size",
    "2.2": "structure",
    "2.3": "fields",
    "2.4": "META",
    "2.5-2.9": "layers",
    "2.10": "SEED",
    "2.10a": "INTEGRITY",
    "2.10b": "CHAIN",
    "4": "versions",
    "5": "making room",
    "7": "stitching",
    "7.1": "stitching: keys",
    "7.2": "stitching: caps",
    "7.3": "stitching: size",
    "7.4": "stitching: lineage",
    "7.5": "stitching: the result",
    "D21": "canonical text",
}

_LAYERS = ("layer1", "layer2", "layer3", "layer4", "layer5")
_ENTRIES = (
    "l1-entry", "l1-type", "l2-entry", "l3-entry", "l3-type", "l4-entry", "dimension",
    "l5-entry", "l5-type", "priority",
)  # fmt: skip
#: Code to productions; no grammar holds a size, so C2 has none.
_BY_CODE: Mapping[str, tuple[str, ...]] = {
    "C0": ("capsule", "header", "spaced", "compact"),
    "C1": ("field", "word", "LF"),
    "C2": (),
    "C3": ("open", "close"),
    "C4": ("meta-line", "depth", "timestamp"),
    "C5": _LAYERS,
    "C6": _LAYERS,
    "C7": _ENTRIES,
    "C8": (*(name for name in _ENTRIES if name.endswith("-entry")), "SEP", "field", "word"),
    "C9": ("seed-line", "sentence", "word"),
    "C10": ("header", "integrity", "HEXLOW"),
    "C11": ("integrity",),
    "C12": ("header", "chain", "timestamp"),
}
#: Folder of conformant cases to section and productions.
_BY_FOLDER: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "valid/minimal": ("2.2", ("capsule", "header", "spaced", "compact")),
    "valid/layout": ("2.2", ("capsule", "header", "spaced", "compact")),
    "valid/tokens": ("2.5-2.9", ("open", "depth", *_ENTRIES)),
    "valid/fields": ("2.3", ("SEP", "field", "word")),
    "valid/lookalikes": ("2.2", ("field", "sentence", "word")),
    "valid/sizes": ("2.1", ("capsule",)),
    "valid/chain": ("2.10b", ("header", "chain", "timestamp")),
    "valid/integrity": ("2.10a", ("header", "integrity", "HEXLOW")),
    "valid/sentence": ("2.10", ("seed-line", "sentence", "word")),
    "valid/timestamps": ("2.4", ("meta-line", "timestamp")),
    "valid/realistic": ("2", ("capsule", "header", "spaced", "compact")),
    "warn/v001": ("2.2", ("capsule", "compact")),
    "warn/v002": ("2.10b", ("chain", "integrity")),
    "warn/v003": ("2.10b", ("chain",)),
    "warn/v004": ("4", ("open", "header")),
}
_WHOLE = ("2", ("capsule", "header", "spaced", "compact"))

_SECTION = re.compile(r"\d+(?:\.\d+[ab]?)?(?:-\d+\.\d+)?")
_LAYER = re.compile(r"(?:l|layer)([1-5])(?:-.*)?")
#: Productions of one layer whose names do not say so.
_ITS_LAYER = {"dimension": "4", "priority": "5"}
_NAMED = re.compile(r"(?<![a-z0-9])l([1-5])(?![a-z0-9])")


@cache
def _of_suite() -> Mapping[str, frozenset[str]]:
    return {case.name: case.expected.codes or frozenset() for case in cases("decoder", "codes")}


def codes(name: str) -> tuple[str, ...]:
    """The codes of the rules that a case of capsules breaks, in order."""
    name = name.partition("+")[0]
    found = _of_suite().get(name)
    if found is None:
        folder = name.split("/")
        found = frozenset({folder[1].upper()} if folder[0] == "invalid" and folder[1:] else ())
    return tuple(code for code in CODES if code in found)


def sections(name: str, spec: str = "") -> tuple[str, ...]:
    """The sections that a case rests on: those its ``spec`` names, else its rules', its folder's."""
    if spec.startswith("RFC"):
        return (spec,)
    parts = (part.strip() for part in re.split(r"[;,]", spec.partition(":")[0]))
    named = tuple(part for part in parts if _SECTION.fullmatch(part) or part == "D21")
    if named:
        return named
    of_rules = {_RULES[code].section for code in codes(name)}
    return tuple(one for one in SECTIONS if one in of_rules) or (_folder(name)[0],)


def productions(name: str) -> tuple[str, ...]:
    """The rules of the grammar that a case of capsules rests on; none where no grammar helps."""
    if name.startswith(("ops/", "grammar/")):
        return ()
    found = codes(name)
    rules = [rule for code in found for rule in _BY_CODE[code]] if found else _folder(name)[1]
    layers = set(_NAMED.findall(name.rpartition("/")[2]))
    return tuple(
        rule for rule in dict.fromkeys(rules) if not layers or _layer(rule) in {"", *layers}
    )


def _layer(rule: str) -> str:
    """The number of the layer that a production is of, if it is of one."""
    match = _LAYER.fullmatch(rule)
    return match[1] if match else _ITS_LAYER.get(rule, "")


def _folder(name: str) -> tuple[str, tuple[str, ...]]:
    return _BY_FOLDER.get("/".join(name.split("/")[:2]), _WHOLE)
