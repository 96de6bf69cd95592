"""The operations of the call protocol: JSON in, JSON out, one function an op."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from kernel import codec
from kernel.arguments import parse_compress_args
from kernel.boundaries import BoundaryError, parse_boundary, resolve_boundaries
from kernel.call_views import (
    apply_output,
    boundary_error,
    nudge_output,
    reduced,
    resolution_output,
    turn_output,
)
from kernel.compress import apply_compression
from kernel.config import Config, validate_config
from kernel.model import CoreMessage
from kernel.nudge import decide_nudge
from kernel.pipeline import process_turn
from kernel.planning import plan
from kernel.ports import Ports
from kernel.query import collect, decompress, retrieve, search, status
from kernel.recovery import rebuild
from kernel.searching import SearchOptions, search_blocks
from kernel.searching.documents import message_document
from kernel.stages.hide_compress_calls import hide_compress_calls
from kernel.stages.prune import prune
from kernel.stages.sync_blocks import sync_blocks
from kernel.state import CompressionState
from kernel.steering import Structure, decide_output_steering, structure_of
from kernel.wire import decode_value, detect, encode_value, render_nudge

__all__ = ["OPS", "CallError", "Host"]

Json = Mapping[str, Any]


class CallError(ValueError):
    """A request that cannot be answered: a code, what to do, where in the request."""

    def __init__(self, code: str, message: str, at: str) -> None:
        super().__init__(message)
        self.code, self.message, self.at = code, message, at


@frozen
class Host:
    """The defaults of a stream."""

    config: Config
    now: float
    ports: Ports


def _messages(data: Json) -> list[CoreMessage]:
    return [codec.message_from_json(item) for item in data["messages"]]


def _state(data: Json) -> CompressionState:
    return codec.state_from_json(data.get("state"))


def _config(data: Json, host: Host) -> Config:
    return codec.config_from_json(data.get("config"), host.config)


def _process_turn(data: Json, host: Host) -> Any:
    store = data.get("contentStore")
    result = process_turn(
        _messages(data),
        _state(data),
        _config(data, host),
        data.get("tokenCount", 0),
        content_store=codec.store_from_json(store),
        ports=host.ports,
        render_tags=data.get("renderTags", "all"),
    )
    return turn_output(result)


def _nudge_sequence(data: Json, host: Host) -> Any:
    messages = _messages(data) if "messages" in data else []
    state, config = _state(data), _config(data, host)
    store = None
    turns = []
    for step in data["steps"]:
        result = process_turn(
            _messages(step) if "messages" in step else messages,
            state,
            config,
            step["tokenCount"],
            content_store=store,
            ports=host.ports,
            render_tags="none",
        )
        state, store = result.state, result.content_store
        turns.append(
            {
                "tokenCount": step["tokenCount"],
                "nudge": nudge_output(result.nudge),
                "nudgeState": codec.to_json(state.nudge),
            }
        )
    return {"turns": turns}


def _apply(data: Json, host: Host) -> Any:
    applied = apply_compression(
        [codec.range_from_json(item) for item in data["ranges"]],
        _messages(data),
        _state(data),
        _config(data, host),
        now=data.get("now", host.now),
        ports=host.ports,
        recent=set(data["recentRefs"]) if "recentRefs" in data else None,
        rejections=tuple((item[0], item[1]) for item in data.get("rejections", ())),
    )
    return apply_output(applied)


def _resolve(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    found = resolve_boundaries(data["startRef"], data["endRef"], _messages(data), _state(data))
    if isinstance(found, BoundaryError):
        return {"thrown": boundary_error(found)}
    return resolution_output(found)


def _search(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    return {"blockIds": [block.block_id for block in search(data["query"], _state(data))]}


def _search_blocks(data: Json, host: Host) -> Any:
    spelled = data.get("options") or {}
    known = {
        "algorithm": "algorithm",
        "limit": "limit",
        "previewLength": "preview_length",
        "minScore": "min_score",
        "roleWeights": "role_weights",
    }
    options = SearchOptions(**{known[key]: item for key, item in spelled.items() if key in known})
    documents = [
        message_document(
            item["ref"],
            item.get("text", ""),
            item.get("role"),
            **({"title": item["title"]} if "title" in item else {}),
            block_id=item.get("blockId"),
            tier=item.get("tier", 1),
            tokens=item.get("tokens"),
        )
        for item in data.get("docs", ())
    ]
    found = search_blocks(documents, data["query"], _state(data), options, embed=host.ports.embed)
    return {"results": codec.to_json(found)}


def _status(data: Json, host: Host) -> Any:
    return codec.to_json(status(_state(data), data["tokenCount"], _config(data, host)))


def _decompress(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    block = decompress(data["blockId"], _state(data))
    return {"block": None if block is None else codec.to_json(block)}


def _collect(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    full = bool(data.get("full", False))
    found = collect(data["blockId"], _state(data), _messages(data), full=full)
    return None if found is None else codec.to_json(found)


def _count(data: Json, host: Host) -> Any:
    return {"tokens": host.ports.count_tokens(data["text"])}


def _arguments(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    return codec.to_json(parse_compress_args(data.get("args"), data.get("callId")))


def _boundary(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    found = parse_boundary(data["ref"])
    return None if found is None else codec.to_json(found)


def _prune(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    inject = (data.get("options") or {}).get("injectSummaries", True)
    pruned = prune(_messages(data), _state(data), inject_summaries=inject)
    return {"messages": codec.to_json(list(pruned.messages))}


def _sync(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    state, lost = sync_blocks(_state(data), _messages(data))
    return {"state": codec.to_json(state), "deactivated": list(lost)}


def _hide(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    view, hidden, _ = hide_compress_calls(_messages(data), _state(data))
    return {"messages": codec.to_json(list(view)), "hidden": hidden}


def _rebuild(data: Json, host: Host) -> Any:
    state = _state(data) if "state" in data else None
    built = rebuild(_messages(data), _config(data, host), state, now=host.now, ports=host.ports)
    return codec.to_json(built)


def _validate(data: Json, host: Host) -> Any:
    errors = validate_config(_config(data, host))
    return {"errorCount": len(errors), "errors": list(errors)}


def _default(data: Json, host: Host) -> Any:  # noqa: ARG001 - what ships, whatever the stream set
    base = codec.config_from_json(data.get("overrides"))
    given = {key: item for key, item in data.items() if key != "overrides"}
    return codec.to_json(codec.config_from_json(given, base))


def _merge_state(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    return codec.to_json(codec.merge_state(data.get("parsed")))


def _detect(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    return {"format": detect(data.get("body"))}


def _to_core(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    history = decode_value(data["format"], data["body"])
    return {
        "msgs": codec.to_json(list(history.messages)),
        "systemParts": list(history.system_parts),
        "customToolCallIds": list(history.custom_call_ids),
        "preamble": [],
    }


def _round_trip(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    history = decode_value(data["format"], data["body"])
    body = encode_value(history.messages, history, data.get("to", data["format"]))
    return {"out": history.items_of(body), "body": body}


def _decide(data: Json, host: Host) -> Any:
    decision = decide_nudge(
        _messages(data), _state(data), _config(data, host), data["tokenCount"], host.ports
    )
    return nudge_output(decision)


def _retrieve(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    store = codec.store_from_json(data.get("contentStore") or data.get("store"))
    return codec.to_json(retrieve(store, data["ref"]))


def _steering(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    if "blocks" in data:
        blocks = [Structure(item["role"], item["contentType"]) for item in data["blocks"]]
    else:
        blocks = structure_of(_messages(data))
    return codec.to_json(decide_output_steering(blocks, enabled=bool(data.get("enabled", False))))


def _render_nudge(data: Json, host: Host) -> Any:
    decision = decide_nudge(
        _messages(data), _state(data), _config(data, host), data["tokenCount"], host.ports
    )
    return {"text": render_nudge(decision), "nudge": nudge_output(decision)}


def _plan(data: Json, host: Host) -> Any:
    found = plan(
        _messages(data), _state(data), _config(data, host), data.get("tokenCount"), host.ports
    )
    return reduced(codec.to_json(found))


OPS: Mapping[str, Callable[[Json, Host], Any]] = {
    "applyCompression": _apply,
    "collect": _collect,
    "countTokens": _count,
    "decideNudge": _decide,
    "decideOutputSteering": _steering,
    "decompress": _decompress,
    "defaultConfig": _default,
    "detectWire": _detect,
    "hideConsumed": _hide,
    "mergeState": _merge_state,
    "nudgeSequence": _nudge_sequence,
    "parseBoundary": _boundary,
    "parseCompressArgs": _arguments,
    "plan": _plan,
    "processTurn": _process_turn,
    "prune": _prune,
    "rebuild": _rebuild,
    "renderNudge": _render_nudge,
    "resolveBoundaries": _resolve,
    "retrieve": _retrieve,
    "search": _search,
    "searchBlocks": _search_blocks,
    "status": _status,
    "syncBlocks": _sync,
    "validateConfig": _validate,
    "wireRoundTrip": _round_trip,
    "wireToCore": _to_core,
}
