"""A compression kernel for model conversations: fold old messages, keep every byte.

    turn = process_turn(messages, state, config, token_count)
    turn.messages          # the view to send
    turn.nudge             # whether the model should be asked to fold, and what
    applied = apply_compression(ranges, messages, turn.state, config, now=…)

Laws: pure functions over frozen values: no I/O, no clock, no model; the model writes
the summaries, the kernel decides when, what and where, and nothing is ever lost. No
view that leaves is one a provider refuses. `kernel.wire` speaks the providers' shapes,
`kernel.sessions` reads logs, `kernel.call` is the JSON-lines door for other languages.
"""

from kernel.arguments import Diagnosis, ParsedArguments, parse_compress_args
from kernel.boundaries import BoundaryError, Resolution, parse_boundary, resolve_boundaries
from kernel.codec import (
    config_from_json,
    merge_state,
    message_from_json,
    range_from_json,
    state_from_json,
    store_from_json,
    store_to_json,
    to_json,
)
from kernel.compress import Applied, ApplyResult, Problem, apply_compression
from kernel.config import Config, validate_config
from kernel.model import CompressionBlock, CompressRange, CoreMessage
from kernel.nudge import NudgeDecision, decide_nudge
from kernel.pipeline import STAGES, Stage, TurnResult, added, dropped, process_turn, replaced
from kernel.planning import Plan, plan
from kernel.ports import Ports, count_tokens, count_words
from kernel.query import (
    Retrieved,
    StatusReport,
    collect,
    decompress,
    release,
    retrieve,
    search,
    status,
)
from kernel.recovery import Rebuilt, rebuild
from kernel.report import recap, status_text, view_text
from kernel.reversal import Undone, undo
from kernel.session import Session, View
from kernel.state import CompressionState, MessageContentStore
from kernel.steering import SteeringDecision, decide_output_steering, structure_of
from kernel.validity import Violation, check

__all__ = [
    "STAGES",
    "Applied",
    "ApplyResult",
    "BoundaryError",
    "CompressRange",
    "CompressionBlock",
    "CompressionState",
    "Config",
    "CoreMessage",
    "Diagnosis",
    "MessageContentStore",
    "NudgeDecision",
    "ParsedArguments",
    "Plan",
    "Ports",
    "Problem",
    "Rebuilt",
    "Resolution",
    "Retrieved",
    "Session",
    "Stage",
    "StatusReport",
    "SteeringDecision",
    "TurnResult",
    "Undone",
    "View",
    "Violation",
    "added",
    "apply_compression",
    "check",
    "collect",
    "config_from_json",
    "count_tokens",
    "count_words",
    "decide_nudge",
    "decide_output_steering",
    "decompress",
    "dropped",
    "merge_state",
    "message_from_json",
    "parse_boundary",
    "parse_compress_args",
    "plan",
    "process_turn",
    "range_from_json",
    "rebuild",
    "recap",
    "release",
    "replaced",
    "resolve_boundaries",
    "retrieve",
    "search",
    "state_from_json",
    "status",
    "status_text",
    "store_from_json",
    "store_to_json",
    "structure_of",
    "to_json",
    "undo",
    "validate_config",
    "view_text",
]
