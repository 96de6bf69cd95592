"""The operations of the call protocol: JSON in, JSON out, one function an op."""

from collections.abc import Callable, Mapping
from typing import Any

from kernel import codec
from kernel.boundaries import BoundaryError, resolve_boundaries
from kernel.call.input import CallError, Host, Json, read_config, read_messages, read_state
from kernel.call.queries import QUERIES
from kernel.call.views import (
    apply_output,
    boundary_error,
    nudge_output,
    resolution_output,
    turn_output,
)
from kernel.compress import apply_compression
from kernel.config import validate_config
from kernel.pipeline import process_turn
from kernel.recovery import rebuild
from kernel.stages.hide_compress_calls import hide_compress_calls
from kernel.stages.prune import prune
from kernel.stages.sync_blocks import sync_blocks

__all__ = ["OPS", "CallError", "Host"]


def _process_turn(data: Json, host: Host) -> Any:
    store = data.get("contentStore")
    result = process_turn(
        read_messages(data),
        read_state(data),
        read_config(data, host),
        data.get("tokenCount", 0),
        content_store=codec.store_from_json(store),
        ports=host.ports,
        render_tags=data.get("renderTags", "all"),
    )
    return turn_output(result)


def _nudge_sequence(data: Json, host: Host) -> Any:
    messages = read_messages(data) if "messages" in data else []
    state, config = read_state(data), read_config(data, host)
    store = None
    turns = []
    for step in data["steps"]:
        result = process_turn(
            read_messages(step) if "messages" in step else messages,
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
        read_messages(data),
        read_state(data),
        read_config(data, host),
        now=data.get("now", host.now),
        ports=host.ports,
        recent=set(data["recentRefs"]) if "recentRefs" in data else None,
        rejections=tuple((item[0], item[1]) for item in data.get("rejections", ())),
    )
    return apply_output(applied)


def _resolve(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    found = resolve_boundaries(
        data["startRef"], data["endRef"], read_messages(data), read_state(data)
    )
    if isinstance(found, BoundaryError):
        return {"thrown": boundary_error(found)}
    return resolution_output(found)


def _prune(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    inject = (data.get("options") or {}).get("injectSummaries", True)
    pruned = prune(read_messages(data), read_state(data), inject_summaries=inject)
    return {"messages": codec.to_json(list(pruned.messages))}


def _sync(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    state, lost = sync_blocks(read_state(data), read_messages(data))
    return {"state": codec.to_json(state), "deactivated": list(lost)}


def _hide(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    view, hidden, _ = hide_compress_calls(read_messages(data), read_state(data))
    return {"messages": codec.to_json(list(view)), "hidden": hidden}


def _rebuild(data: Json, host: Host) -> Any:
    state = read_state(data) if "state" in data else None
    built = rebuild(
        read_messages(data), read_config(data, host), state, now=host.now, ports=host.ports
    )
    return codec.to_json(built)


def _validate(data: Json, host: Host) -> Any:
    errors = validate_config(read_config(data, host))
    return {"errorCount": len(errors), "errors": list(errors)}


def _default(data: Json, host: Host) -> Any:  # noqa: ARG001 - what ships, whatever the stream set
    base = codec.config_from_json(data.get("overrides"))
    given = {key: item for key, item in data.items() if key != "overrides"}
    return codec.to_json(codec.config_from_json(given, base))


def _merge_state(data: Json, host: Host) -> Any:  # noqa: ARG001 - the shape of an op
    return codec.to_json(codec.merge_state(data.get("parsed")))


OPS: Mapping[str, Callable[[Json, Host], Any]] = {
    **QUERIES,
    "applyCompression": _apply,
    "defaultConfig": _default,
    "hideConsumed": _hide,
    "mergeState": _merge_state,
    "nudgeSequence": _nudge_sequence,
    "processTurn": _process_turn,
    "prune": _prune,
    "rebuild": _rebuild,
    "resolveBoundaries": _resolve,
    "syncBlocks": _sync,
    "validateConfig": _validate,
}
