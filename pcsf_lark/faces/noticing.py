"""What the rules find in a capsule, sorted for the reader who is to go on from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.api import check_source, parse_source
from pcsf_lark.protocols.notice import Notice
from pcsf_lark.rules import find_rule

if TYPE_CHECKING:
    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.source import Source

__all__ = ["notice"]

#: The section of the specification that a rule about contradictions cites.
_CONFLICTS = "6"
#: The families of rules that speak of a capsule's content.
_CONTENT = ("Q", "S")


def notice(text: Source, *, now: str | None = None, context_time: str | None = None) -> Notice:
    """Read a capsule and judge it; raises CapsuleError where it is not conformant."""
    tree = parse_source(text)
    findings = [f for f in check_source(text).findings if f.code.startswith(_CONTENT)]
    conflicts = tuple(finding for finding in findings if _is_conflict(finding))
    doubts = tuple(finding for finding in findings if finding not in conflicts)
    return Notice(tree, now, context_time, conflicts, doubts)


def _is_conflict(finding: Diagnostic) -> bool:
    rule = find_rule(finding.code)
    return rule is not None and rule.section.split(".")[0] == _CONFLICTS
