"""A window of a relay as JSON: as it stands, and as a push or a change left it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import asdict

import cso

if TYPE_CHECKING:
    from pcsf_lark.relay import Repository, Window

__all__ = ["landed", "standing"]

_KEPT = ("kind", "source", "base", "dropped", "withheld", "absent", "loops")


def standing(relay: Repository, value: cso.CognitiveStateObject) -> dict[str, Any]:
    """What a window holds, and what is on record of it."""
    from pcsf_lark.relay import notes_of  # noqa: PLC0415 - help needs none of it

    notes = notes_of(value)
    members = notes.members() if notes is not None else {}
    goal = value.goal_state
    live = [item for item in value.items().values() if item.status in cso.LIVE]
    facts = sum(isinstance(item, cso.Fact) for item in live)
    return {
        "window": value.window_number,
        "tag": value.cso_hmac,
        "prior": value.prior_cso_hash or None,
        "branches": [name for name, tag in relay.branches().items() if tag == value.cso_hmac],
        "verified": value.verified,
        "goal": cso.members_of(goal),
        "counts": {
            "facts": facts,
            "decisions": len(live) - facts,
            "constraints": len(value.constraints),
            "open_questions": len(value.open_questions),
            "remaining": len(goal.remaining),
        },
        "constraints": list(value.constraints),
        "capsule": members.get("head") or None,
        **{name: members[name] for name in _KEPT if name in members},
    }


def landed(window: Window, branch: str) -> dict[str, Any]:
    """What became of a push or a change."""
    notes = window.notes.members()
    names = () if window.unchanged else ("kind", "dropped", "absent")
    return {
        "landed": not window.unchanged,
        "unchanged": window.unchanged or None,
        "branch": branch,
        "window": window.cso.window_number,
        "tag": window.cso.cso_hmac,
        **{name: notes[name] for name in names},
        "withheld": [asdict(one) for one in window.withheld],
        "added": window.added,
        "known": window.known,
        "attempts": window.attempts,
        "headers": {header.name: header.value for header in window.headers},
        "restored": {kind: list(ids) for kind, ids in window.restored.items()},
        "warnings": list(window.warnings),
    }
