"""The operations of the call protocol that only look: search, status, wires, advice."""

from collections.abc import Callable, Mapping
from typing import Any

from kernel import codec
from kernel.arguments import parse_compress_args
from kernel.boundaries import parse_boundary
from kernel.call.input import Host, Json, read_config, read_messages, read_state
from kernel.call.views import (
    nudge_output,
    reduced,
)
from kernel.nudge import NudgeDecision, decide_nudge
from kernel.planning import plan
from kernel.query import collect, decompress, retrieve, search, status
from kernel.searching import SearchOptions, search_blocks
from kernel.searching.documents import message_document
from kernel.stages.assign_refs import assign_refs
from kernel.steering import Structure, decide_output_steering
from kernel.wire import decode_value, detect, encode_value, render_nudge

__all__ = ["QUERIES"]


def _search(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    return {"blockIds": [block.block_id for block in search(data["query"], read_state(data))]}


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
    found = search_blocks(
        documents, data["query"], read_state(data), options, embed=host.ports.embed
    )
    return {"results": codec.to_json(found)}


def _status(data: Json, host: Host) -> Any:
    return codec.to_json(status(read_state(data), data["tokenCount"], read_config(data, host)))


def _decompress(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    block = decompress(data["blockId"], read_state(data))
    return {"block": None if block is None else codec.to_json(block)}


def _collect(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    full = bool(data.get("full", False))
    found = collect(data["blockId"], read_state(data), read_messages(data), full=full)
    return None if found is None else codec.to_json(found)


def _count(data: Json, host: Host) -> Any:
    return {"tokens": host.ports.count_tokens(data["text"])}


def _arguments(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    return codec.to_json(parse_compress_args(data.get("args"), data.get("callId")))


def _boundary(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    found = parse_boundary(data["ref"]) if isinstance(data["ref"], str) else None
    return None if found is None else codec.to_json(found)


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


def _decision(data: Json, host: Host) -> NudgeDecision:
    """Decide on a view; messages without a ref get one first."""
    messages, config = read_messages(data), read_config(data, host)
    state = assign_refs(messages, read_state(data), config, host.ports)
    return decide_nudge(messages, state, config, data["tokenCount"], host.ports)


def _decide(data: Json, host: Host) -> Any:
    return nudge_output(_decision(data, host))


def _retrieve(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    store = codec.store_from_json(data.get("contentStore") or data.get("store"))
    return codec.to_json(retrieve(store, data["ref"]))


def _steering(data: Json, host: Host) -> Any:
    items = data["blocks"] if "blocks" in data else data["messages"]
    blocks = [
        Structure(item["role"], kind)
        for item in items
        for kind in item.get("kinds") or [item.get("contentType") or item.get("kind") or "text"]
    ]
    setting = read_config(data, host).extra.get("outputSteering")
    enabled = data.get("enabled", isinstance(setting, Mapping) and setting.get("enabled"))
    return codec.to_json(decide_output_steering(blocks, enabled=bool(enabled)))


def _render_nudge(data: Json, host: Host) -> Any:
    """Render a decision given as `nudge`, or the one for the messages given."""
    given = data.get("nudge")
    if given is None:
        decision = _decision(data, host)
    else:
        decision = codec.decision_from_json(given, read_state(data))
    return {"text": render_nudge(decision), "nudge": nudge_output(decision)}


def _plan(data: Json, host: Host) -> Any:
    found = plan(
        read_messages(data),
        read_state(data),
        read_config(data, host),
        data.get("tokenCount"),
        host.ports,
    )
    return reduced(codec.to_json(found))


QUERIES: Mapping[str, Callable[[Json, Host], Any]] = {
    "collect": _collect,
    "countTokens": _count,
    "decideNudge": _decide,
    "decideOutputSteering": _steering,
    "decompress": _decompress,
    "detectWire": _detect,
    "parseBoundary": _boundary,
    "parseCompressArgs": _arguments,
    "plan": _plan,
    "renderNudge": _render_nudge,
    "retrieve": _retrieve,
    "search": _search,
    "searchBlocks": _search_blocks,
    "status": _status,
    "wireRoundTrip": _round_trip,
    "wireToCore": _to_core,
}
