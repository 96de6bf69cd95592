"""The resources: rules, the format's tables, and the grammar in the forms that tools read.

Law: an address names a row of a table here or a rule; none leads to a file of the caller.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["RULE", "Entry", "completed", "entries", "read"]

#: The address of one rule's page, by code or name.
RULE = "pcsf://rules/{rule}"
_GRAMMARS: Mapping[str, tuple[str, str]] = {
    "pcsf.abnf": ("text/plain", "The specification's ABNF, byte for byte."),
    "pcsf.normal.abnf": ("text/plain", "The ABNF after its errata, both layouts."),
    "pcsf.lark": ("text/plain", "The grammar that this package reads by, for Lark."),
    "errata.toml": ("application/toml", "Every erratum: as written, as read, evidence."),
    "README.md": ("text/markdown", "Every erratum and decision, for readers."),
}
_SCHEMAS: Mapping[str, str] = {
    "ast.schema.json": "The JSON of a capsule's tree.",
    "check.schema.json": "The JSON of what `check` finds.",
}
_FORMS: Mapping[str, tuple[str, str]] = {
    "llguidance": ("text/plain", "To constrain what a model writes, for llguidance."),
    "lark": ("text/plain", "The same for Lark."),
    "gbnf": ("text/plain", "The same for llama.cpp."),
    "regex": ("text/plain", "The same as one regular expression."),
    "abnf": ("text/plain", "The same as ABNF."),
    "textmate": ("application/json", "To highlight capsules in editors."),
    "railroad": ("image/svg+xml", "To look at: railroad diagrams."),
}


class Entry(NamedTuple):
    """A resource: its media type, what it says of itself, and the function that writes it."""

    media: str
    about: str
    write: Callable[[], str]


def entries() -> dict[str, Entry]:
    """All resources by address."""
    found = {
        "pcsf://rules": Entry("application/json", "All rules at a glance.", _rules),
        "pcsf://tables": Entry(
            "application/json", "The format's words and numbers: layers, caps, tokens.", _tables
        ),
    }
    for name, (media, about) in _GRAMMARS.items():
        found[f"pcsf://grammar/{name}"] = Entry(media, about, _grammar(name))
    for name, about in _SCHEMAS.items():
        schema = Entry("application/json", about, _grammar(f"export/{name}"))
        found[f"pcsf://grammar/schema/{name}"] = schema
    for name, (media, about) in _FORMS.items():
        found[f"pcsf://grammar/export/{name}"] = Entry(media, about, _export(name))
    return found


def read(address: str) -> tuple[str, str]:
    """A resource's media type and text; raises Refusal for an address that is none."""
    known = entries()
    if address in known:
        return known[address].media, known[address].write()
    head = RULE.partition("{")[0]
    if address.startswith(head):
        return "text/plain", _page(address.removeprefix(head))
    mend = f"there are {', '.join(known)} and {RULE}"
    raise Refusal(f"there is no resource {address!r:.200}", mend, at="uri")


def completed(address: str, argument: str, begun: str) -> list[str]:
    """The rules, by code and by name, that a part of one may become; of all else nothing."""
    from pcsf_lark.faces.explaining import listing  # noqa: PLC0415 - for who asks

    if (address, argument) != (RULE, "rule"):
        return []
    names = [row[key] for key in ("code", "name") for row in listing()]
    return [name for name in names if name.lower().startswith(begun.lower())]


def _page(rule: str) -> str:
    from pcsf_lark.faces.explaining import Unexplained, page  # noqa: PLC0415 - for who asks

    try:
        return page(rule[:100]).text
    except Unexplained as error:
        raise Refusal(str(error), "pcsf://rules lists them", at="uri") from None


def _rules() -> str:
    from pcsf_lark.faces.explaining import listing  # noqa: PLC0415 - likewise

    return json.dumps(listing(), indent=1)


def _tables() -> str:
    from pcsf_lark import spec  # noqa: PLC0415 - likewise
    from pcsf_lark.passes.fit import ORDER  # noqa: PLC0415 - likewise
    from pcsf_lark.passes.identity import KEYS  # noqa: PLC0415 - likewise
    from pcsf_lark.protocols import words  # noqa: PLC0415 - likewise

    tables: dict[str, Any] = {
        "limit": spec.LIMIT,
        "versions": spec.VERSIONS,
        "close": spec.CLOSE,
        "separator": spec.SEP,
        "depths": dict(words.DEPTH_WORDS),
        "priorities": spec.PRIORITIES,
        "dimensions": dict(words.DIMENSION_WORDS),
        "profiles": spec.PROFILES,
        "abbreviations": spec.ABBREVIATIONS,
        "drop_order": list(ORDER),
        "layers": [
            {
                "key": layer.key,
                "header": layer.header,
                "shape": layer.shape,
                "fields": layer.fields,
                "types": dict(words.TOKEN_WORDS[layer.key]) if layer.types else {},
                "cap": layer.cap,
                "identity": list(KEYS[layer.key]),
                "section": layer.section,
                "about": words.LAYER_WORDS[layer.key],
            }
            for layer in spec.LAYERS
        ],
    }
    return json.dumps(tables, indent=1)


def _grammar(name: str) -> Callable[[], str]:
    def write() -> str:
        from pcsf_lark.resources import grammar  # noqa: PLC0415 - likewise

        return grammar(name)

    return write


def _export(form: str) -> Callable[[], str]:
    def write() -> str:
        from pcsf_lark.export import export  # noqa: PLC0415 - likewise

        return export(form)

    return write
