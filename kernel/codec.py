"""Values ↔ JSON in the camelCase of the seed.

Laws: a field absent from the JSON takes its default; a null where a number or text is
optional counts as absent; unknown keys are kept in `extra` and written back last; an
optional field that is None is not written.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

import attrs

from kernel import config as _config
from kernel.breakdown import ContextBreakdown
from kernel.config import Config
from kernel.model import NOTHING, CompressionBlock, CompressRange, CoreMessage
from kernel.nudge import NudgeDecision
from kernel.recommend import FoldRange, ProtectedRange
from kernel.state import CompressionState, MessageContentStore, MessageRefs, NudgeState, Stats
from kernel.text import repair
from kernel.triggers import Reason

__all__ = [
    "camel",
    "config_from_json",
    "decision_from_json",
    "merge_state",
    "message_from_json",
    "message_to_json",
    "range_from_json",
    "state_from_json",
    "store_from_json",
    "store_to_json",
    "to_json",
]

T = TypeVar("T")

_NESTED: Mapping[type, Mapping[str, type]] = {
    Config: {
        "tiers": _config.TierConfig,
        "nudge": _config.NudgeConfig,
        "truncate": _config.TruncateConfig,
        "compress": _config.CompressConfig,
        "merge": _config.MergeConfig,
        "message_filters": _config.FilterConfig,
    },
    CompressionState: {"message_refs": MessageRefs, "nudge": NudgeState, "stats": Stats},
}


def camel(name: str) -> str:
    """Spell a snake_case name in camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@cache
def _names(cls: type) -> Mapping[str, str]:
    fields = attrs.fields(cast("Any", cls))
    return {camel(item.name): item.name for item in fields if item.name != "extra"}


@cache
def _fields(cls: Any) -> frozenset[str]:
    return frozenset(item.name for item in attrs.fields(cls))


@cache
def _spellings(cls: type) -> tuple[tuple[str, str], ...]:
    return tuple((name, spelled) for spelled, name in _names(cls).items())


def _build(cls: type[T], data: Any, base: T | None = None) -> T:
    """Make a value from a JSON object, or from its base where the object is none."""
    if not isinstance(data, Mapping):
        return cls() if base is None else base
    names = _names(cast("Any", cls))
    nested = _NESTED.get(cls, NOTHING)
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, value in data.items():
        name = names.get(key)
        if name is None:
            extra[key] = value
        elif value is None:
            continue
        elif name in nested:
            known[name] = _build(nested[name], value, getattr(base, name) if base else None)
        else:
            known[name] = value
    if extra and "extra" in _fields(cast("Any", cls)):
        known["extra"] = extra
    if base is None:
        return cls(**known)
    changed: T = attrs.evolve(cast("Any", base), **known)
    return changed


def to_json(value: Any) -> Any:
    """Spell any kernel value as JSON: objects in camelCase, tuples as lists."""
    cls = type(value)
    if cls is CoreMessage:
        return message_to_json(value)
    if attrs.has(cls):
        out = {}
        for name, spelled in _spellings(cls):
            item = getattr(value, name)
            if item is not None:
                out[spelled] = to_json(item)
        out.update(getattr(value, "extra", NOTHING))
        return out
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    return value


_MESSAGE_KEYS = frozenset({"id", "role", "contentType", "text", "toolName", "toolCallId"})


def message_from_json(data: Mapping[str, Any]) -> CoreMessage:
    """Read one message; lone surrogates are repaired, unknown keys kept."""
    text = data.get("text")
    extra: Mapping[str, Any] = NOTHING
    if not data.keys() <= _MESSAGE_KEYS:
        extra = {key: value for key, value in data.items() if key not in _MESSAGE_KEYS}
    return CoreMessage(
        data.get("id") or "",
        data.get("role", "user"),
        data.get("contentType", "text"),
        repair(text) if isinstance(text, str) else None,
        data.get("toolName"),
        data.get("toolCallId"),
        extra,
    )


def message_to_json(message: CoreMessage) -> dict[str, Any]:
    """Spell one message; absent text and tool fields are left out."""
    out: dict[str, Any] = {
        "id": message.id,
        "role": message.role,
        "contentType": message.content_type,
    }
    if message.text is not None:
        out["text"] = message.text
    if message.tool_name is not None:
        out["toolName"] = message.tool_name
    if message.tool_call_id is not None:
        out["toolCallId"] = message.tool_call_id
    out.update(message.extra)
    return out


def range_from_json(data: Mapping[str, Any]) -> CompressRange:
    """Read one range of a compress decision; missing texts become empty."""
    filled = {"startRef": "", "endRef": "", "summary": "", **data}
    return _build(CompressRange, filled)


def _block(data: Mapping[str, Any]) -> CompressionBlock:
    filled = {"blockId": "", "runId": "", "tier": 1, "summary": "", **data}
    return _build(CompressionBlock, filled)


def state_from_json(data: Any) -> CompressionState:
    """Read a state; whatever is missing takes its default, at every level."""
    if not isinstance(data, Mapping):
        return CompressionState()
    blocks = [_block(item) for item in data.get("blocks") or () if isinstance(item, Mapping)]
    rest = {key: value for key, value in data.items() if key != "blocks"}
    return attrs.evolve(_build(CompressionState, rest), blocks=blocks)


def merge_state(data: Any) -> CompressionState:
    """Read what a host persisted, filling gaps field by field: the same as reading a state."""
    return state_from_json(data)


def config_from_json(data: Any, base: Config | None = None) -> Config:
    """Lay overrides over a configuration, one level deep per group."""
    return _build(Config, data, Config() if base is None else base)


def decision_from_json(data: Mapping[str, Any], state: CompressionState) -> NudgeDecision:
    """Read a decision as the call protocol spells it; target blocks are looked up by id."""
    by_id = {block.block_id: block for block in state.blocks}
    filled = {"shouldInject": False, "contextUsage": 0, "breakdown": {}, **data}
    return NudgeDecision(
        should_inject=bool(filled["shouldInject"]),
        reason=_build(Reason, {"code": "GIVEN", **(filled.get("reason") or {})}),
        compressible_ranges=[
            _build(FoldRange, item) for item in filled.get("compressibleRanges") or ()
        ],
        protected_ranges=[
            _build(ProtectedRange, item) for item in filled.get("protectedRanges") or ()
        ],
        tier_target_blocks=[
            by_id.get(name) or CompressionBlock(name, "", 1, "")
            for name in filled.get("tierTargetBlocks") or ()
        ],
        context_usage=filled["contextUsage"],
        tier=filled.get("tier"),
        breakdown={"overLimit": 0, "emergencyOverride": 0, **filled["breakdown"]},
        context_breakdown=_build(ContextBreakdown, filled.get("contextBreakdown") or {}),
    )


def store_from_json(data: Any) -> MessageContentStore:
    """Read a content store: `{"entries": {ref: message}}`."""
    entries = data.get("entries") if isinstance(data, Mapping) else None
    if not isinstance(entries, Mapping):
        return MessageContentStore()
    return MessageContentStore({ref: message_from_json(item) for ref, item in entries.items()})


def store_to_json(store: MessageContentStore) -> dict[str, Any]:
    """Spell a content store."""
    return {"entries": {ref: message_to_json(item) for ref, item in store.entries.items()}}
