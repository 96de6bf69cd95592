"""The Cognitive State Object (CRP-SPEC-030): verified, revisable, tamper-evident state.

Values are frozen, functions pure; only `cso.store` touches files. See `README.md`
beside this file for a tour in real output.
"""

from cso.archive import Archived, archive
from cso.audit import Event, EventDraft, dump_events, load_events, verify_events
from cso.chain import ChainStatus, Unreadable, Verdict, read_entries, verify_chain
from cso.check import check
from cso.codec import body_digest, dumps, from_members, loads, minted
from cso.decode import Limits
from cso.draw import draw
from cso.errors import (
    ChainError,
    ConflictError,
    ContentError,
    CsoError,
    CycleError,
    EscalationRequired,
    Finding,
    GoalError,
    HeaderError,
    KeyMaterialError,
    LimitError,
    PreservationError,
    StoreDamagedError,
    UnknownIdError,
)
from cso.explain import Explanation, Ground, explain
from cso.foreign import from_crprotocol
from cso.goal import RevisionWindow, advance, answer, revision_window, with_goal
from cso.graph import depth
from cso.headers import Header, parse_header, parse_headers, relay_headers
from cso.integrate import Integration, integrate
from cso.invalidate import Invalidation, affected_by, invalidate, on_contradiction_resolved
from cso.keys import Key, hkdf, key_ring, parse_key, session_key
from cso.members import members_of
from cso.model import (
    LIVE,
    CognitiveStateObject,
    Decision,
    Edge,
    Fact,
    GoalState,
    Link,
    Mode,
    Provenance,
    Record,
    RecordKind,
    Resolved,
    Status,
)
from cso.preserve import Preservation, preservation
from cso.reaffirm import reaffirm
from cso.references import add_edges
from cso.relay import Policy, Relayed, relay
from cso.render import Rendering, render
from cso.repair import Repair, repair
from cso.revise import MAX_REVISIONS, Revision, RevisionResult, revise
from cso.seal import bind, sign
from cso.slice import Slice, slice_of
from cso.tools import (
    Freshness,
    ToolChange,
    Volatility,
    freshness,
    on_tool_refresh,
    on_tool_stale,
    output_hash,
)
from cso.verify import Outcome, RelayReport, Step, verify_relay

__all__ = [
    "LIVE",
    "MAX_REVISIONS",
    "Archived",
    "ChainError",
    "ChainStatus",
    "CognitiveStateObject",
    "ConflictError",
    "ContentError",
    "CsoError",
    "CycleError",
    "Decision",
    "Edge",
    "EscalationRequired",
    "Event",
    "EventDraft",
    "Explanation",
    "Fact",
    "Finding",
    "Freshness",
    "GoalError",
    "GoalState",
    "Ground",
    "Header",
    "HeaderError",
    "Integration",
    "Invalidation",
    "Key",
    "KeyMaterialError",
    "LimitError",
    "Limits",
    "Link",
    "Mode",
    "Outcome",
    "Policy",
    "Preservation",
    "PreservationError",
    "Provenance",
    "Record",
    "RecordKind",
    "RelayReport",
    "Relayed",
    "Rendering",
    "Repair",
    "Resolved",
    "Revision",
    "RevisionResult",
    "RevisionWindow",
    "Slice",
    "Status",
    "Step",
    "StoreDamagedError",
    "ToolChange",
    "UnknownIdError",
    "Unreadable",
    "Verdict",
    "Volatility",
    "add_edges",
    "advance",
    "affected_by",
    "answer",
    "archive",
    "bind",
    "body_digest",
    "check",
    "depth",
    "draw",
    "dump_events",
    "dumps",
    "explain",
    "freshness",
    "from_crprotocol",
    "from_members",
    "hkdf",
    "integrate",
    "invalidate",
    "key_ring",
    "load_events",
    "loads",
    "members_of",
    "minted",
    "on_contradiction_resolved",
    "on_tool_refresh",
    "on_tool_stale",
    "output_hash",
    "parse_header",
    "parse_headers",
    "parse_key",
    "preservation",
    "read_entries",
    "reaffirm",
    "relay",
    "relay_headers",
    "render",
    "repair",
    "revise",
    "revision_window",
    "session_key",
    "sign",
    "slice_of",
    "verify_chain",
    "verify_events",
    "verify_relay",
    "with_goal",
]
