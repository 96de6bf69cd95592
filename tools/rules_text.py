"""What is generated from the rules: their index for the package, their table for the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pcsf_lark
from pcsf_lark.rules import all_rules

if TYPE_CHECKING:
    from pcsf_lark.rules import Rule

__all__ = ["index", "table"]

_FAMILIES = {
    "C": "Conformance: what the format demands. Errors; they alone decide the verdict.",
    "Q": "Quality: a conformant capsule that serves its next reader badly.",
    "S": "Safety: what must not travel.",
    "V": "Versions and forms: what the format allows and had better not be.",
}


def _own() -> list[Rule]:
    return [rule for rule in all_rules() if rule.package is None]


def index(notice: str) -> str:
    """The module that tells, without loading a rule, its code and the sign it needs."""
    rows = [
        f'    "{rule.check.__module__.rpartition(".")[2]}": ("{rule.code}", "{rule.needs}"),'
        for rule in _own()
        if rule.needs
    ]
    return "\n".join(
        [
            '"""Code and sign of each rule that needs one; see ``_signs``.',
            "",
            f"{notice[0].upper()}{notice[1:]}.",
            '"""',
            "",
            '__all__ = ["INDEX"]',
            "",
            "INDEX = {",
            *rows,
            "}",
            "",
        ]
    )


def table(notice: str) -> str:
    """The rules as Markdown, a table a family."""
    lines = [
        "# Rules",
        "",
        f"<!-- {notice} -->",
        "",
        "One rule, one file of this folder; `pcsf explain CODE` prints its manual page with",
        "examples. Every rule's examples are its tests. Rules of the families Q, S and V that",
        "read entries are silent on a text that the grammar refuses: mend that first.",
    ]
    for letter, what in _FAMILIES.items():
        lines += [
            "",
            f"## {letter}",
            "",
            what,
            "",
            "| code | name | severity | fix | what holds | says, for example | misses |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_row(rule) for rule in _own() if rule.code[0] == letter]
    return "\n".join(lines) + "\n"


def _row(rule: Rule) -> str:
    found = [
        finding
        for example in rule.bad
        for finding in pcsf_lark.check(example.data, profile=example.profile).findings
        if finding.code == rule.code
    ]
    kinds = {"safe" if finding.fix.safe else "unsafe" for finding in found if finding.fix}
    cells = [
        rule.code,
        rule.name + (" (preview)" if rule.preview else ""),
        rule.severity.value,
        ", ".join(sorted(kinds)) or "-",
        rule.summary,
        found[0].message,
        rule.misses[:1].upper() + rule.misses[1:],
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
