"""What `prompt resume` and `resume` share: the capsule, and what the rules found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.api import check_source
from pcsf_lark.faces.cli.delivery import capsule, source
from pcsf_lark.faces.cli.terminal import usage_error
from pcsf_lark.protocols.notice import Notice
from pcsf_lark.rules import find_rule
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from pcsf_lark.diagnostics import Diagnostic

__all__ = ["noticed", "timestamp"]

#: The section of the specification that a rule about contradictions cites.
_CONFLICTS = "6"
#: The families of rules that speak of a capsule's content.
_CONTENT = ("Q", "S")


def noticed(path: str, *, now: str | None = None, context_time: str | None = None) -> Notice:
    """Read a capsule and judge it; exits 1 where it is not conformant, 2 where it is not there."""
    text = source(path)
    tree = capsule(path, text)
    findings = [f for f in check_source(text).findings if f.code.startswith(_CONTENT)]
    conflicts = tuple(finding for finding in findings if _is_conflict(finding))
    doubts = tuple(finding for finding in findings if finding not in conflicts)
    return Notice(tree, now, context_time, conflicts, doubts)


def _is_conflict(finding: Diagnostic) -> bool:
    rule = find_rule(finding.code)
    return rule is not None and rule.section.split(".")[0] == _CONFLICTS


def timestamp(option: str, value: str | None) -> str | None:
    """The value of an option that takes a time; exits 2 where it is none."""
    if value is not None and not (is_timestamp(value) and is_real_time(value)):
        usage_error(f"{option} takes a time such as 2026-05-04T09:30Z, not {value!r}")
    return value
