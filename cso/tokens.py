"""The closed sets of tokens that a Cognitive State Object uses."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["HELD", "LIVE", "Mode", "Provenance", "RecordKind", "Status"]


class Provenance(StrEnum):
    """Where a fact or decision comes from."""

    CKF = "CKF"
    TOOL = "TOOL"
    CONVERSATION = "CONVERSATION"
    DERIVED = "DERIVED"
    USER = "USER"


class Mode(StrEnum):
    """Which kind of window the goal speaks about."""

    DOCUMENT = "DOCUMENT"
    CONVERSATION = "CONVERSATION"
    TOOL = "TOOL"
    AGENTIC = "AGENTIC"


class Status(StrEnum):
    """How far an item still holds. ESCALATED is for decisions only."""

    VALID = "VALID"
    STALE = "STALE"
    NEEDS_REVISION = "NEEDS_REVISION"
    INVALIDATED = "INVALIDATED"
    SUPERSEDED = "SUPERSEDED"
    ESCALATED = "ESCALATED"


class RecordKind(StrEnum):
    """Why a status, an edge or the goal changed; REVISION is the default."""

    REVISION = "REVISION"
    INVALIDATION = "INVALIDATION"
    REAFFIRMATION = "REAFFIRMATION"
    ESCALATION = "ESCALATION"
    STALE = "STALE"
    REFRESH = "REFRESH"
    ADVANCE = "ADVANCE"
    MODE = "MODE"
    ARCHIVE = "ARCHIVE"


LIVE = frozenset({Status.VALID, Status.STALE, Status.NEEDS_REVISION})
"""The statuses of what still counts as state (R4)."""

HELD = LIVE | {Status.ESCALATED}
"""Statuses of what a relay carries: to drop what waits for a human would be to
decide it, and what rests on it has not fallen."""
