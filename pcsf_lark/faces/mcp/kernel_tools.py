"""The tools of the compression kernel: plan, search and decompress a session's history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.bounds import HITS, MESSAGES
from pcsf_lark.faces.mcp.inputs import LOG_INPUT, Answer, copied, counted, named
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kernel import CompressionState, Config, CoreMessage
    from pcsf_lark.faces.mcp.inputs import Grant

    History = tuple[tuple[CoreMessage, ...], CompressionState, Config]

__all__ = [
    "KERNEL_DECOMPRESS",
    "KERNEL_PLAN",
    "KERNEL_SEARCH",
    "kernel_decompress",
    "kernel_plan",
    "kernel_search",
]

_PAGE = 100_000
_MOST = 1_000_000_000
_HISTORY = (
    *LOG_INPUT,
    Argument(
        "messages",
        "objects",
        "The history itself instead: messages of the kernel, such as "
        '{"id": "1", "role": "user", "contentType": "text", "text": "..."}.',
        least=1,
        most=MESSAGES,
    ),
    Argument(
        "state",
        "object",
        "The kernel's state of that history; default: none, of a file the one beside it.",
    ),
    Argument(
        "config", "object", 'Settings over the defaults, such as {"modelContextLimit": 128000}.'
    ),
)
KERNEL_PLAN = (
    *_HISTORY,
    Argument(
        "tokens", "integer", "How many tokens the context holds; default: estimated.", most=_MOST
    ),
)
KERNEL_SEARCH = (
    *_HISTORY,
    Argument("query", "string", "Words; misspelt ones will do.", required=True),
    Argument("limit", "integer", "How many hits at most; default 10.", least=1, most=HITS),
)
KERNEL_DECOMPRESS = (
    *_HISTORY,
    Argument("block", "string", "A block, such as b3.", required=True),
    Argument("full", "boolean", "The messages, not the summaries folded in between."),
    Argument("offset", "integer", "Characters to pass over, to read on.", most=_MOST),
)


def kernel_plan(given: Mapping[str, Any], grant: Grant) -> Answer:
    """What to fold now, and why."""
    import kernel  # noqa: PLC0415 - for these tools alone
    from pcsf_lark.faces.session.text import plan_text  # noqa: PLC0415 - likewise

    messages, state, config = _history(given, grant, "plan")
    found = kernel.plan(messages, state, config, given.get("tokens"))
    words = plan_text(found, config.model_context_limit, "pcsf session compress LOG")
    return Answer(words, dict(kernel.to_json(found)))


def kernel_search(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Messages, folded or not, and blocks that resemble a query."""
    import kernel  # noqa: PLC0415 - likewise
    from kernel.searching import SearchOptions, documents_of, search_blocks  # noqa: PLC0415

    messages, state, _ = _history(given, grant, "search")
    options = SearchOptions(limit=given.get("limit", 10))
    found = search_blocks(documents_of(messages, state), given["query"], state, options)
    lines = [counted(len(found), "hit"), *(f"{hit.kind} {hit.ref}: {hit.title}" for hit in found)]
    return Answer("\n".join(lines), {"results": kernel.to_json(found)})


def kernel_decompress(given: Mapping[str, Any], grant: Grant) -> Answer:
    """What a block hides, a page at a time; it stays folded."""
    import kernel  # noqa: PLC0415 - likewise

    messages, state, _ = _history(given, grant, "decompress")
    block, start = given["block"].strip(), given.get("offset", 0)
    found = kernel.collect(block, state, messages, full=given.get("full", False))
    if found is None:
        known = ", ".join(item.block_id for item in state.blocks[:20]) or "none"
        more = " and more" if len(state.blocks) > 20 else ""
        raise Refusal(f"there is no block {block!r}", f"there are: {known}{more}", at="block")
    text = found.text[start : start + _PAGE]
    end = start + len(text)
    further = end if end < len(found.text) else None
    words = f"{block}: {counted(found.count, 'piece')}, characters {start:,} to {end:,} of {len(found.text):,}"
    if further:
        words += f"; send offset={further} to read on"
    members = {
        "block": block,
        "text": text,
        "characters": len(found.text),
        "offset": start,
        "next_offset": further,
    }
    return Answer(words, members, (text,))


def _history(given: Mapping[str, Any], grant: Grant, verb: str) -> History:
    """The messages, their state with every message named, and the configuration."""
    from kernel import CompressionState  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.session.log import read_log  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.session.work import opened, settled  # noqa: PLC0415 - likewise

    config = _config(given)
    key = named(given, "log", "path", "messages")
    state = _shaped("state", lambda: _state(given["state"])) if "state" in given else None
    if key == "messages":
        messages = _shaped("messages", lambda: _messages(given["messages"]))
    elif key == "log" or state is not None:
        with copied(given, grant) as path:
            messages = tuple(read_log(path).messages)
    else:
        with copied(given, grant, ".kernel.json") as path:
            session = opened(path, config, verb=verb)
        return tuple(session.log.messages), session.state, config
    base = CompressionState() if state is None else state
    settling = _shaped("messages", lambda: settled(messages, base, config))
    return messages, settling, config


def _config(given: Mapping[str, Any]) -> Config:
    from kernel import config_from_json, validate_config  # noqa: PLC0415 - likewise

    config: Config = _shaped("config", lambda: config_from_json(given.get("config") or {}))
    faults = _shaped("config", lambda: validate_config(config))
    if faults:
        raise Refusal("; ".join(faults), "send settings as `pcsf kernel` takes them", at="config")
    return config


def _state(value: Mapping[str, Any]) -> CompressionState:
    """A state, or the document that `pcsf session` keeps beside a log."""
    from kernel import state_from_json  # noqa: PLC0415 - likewise

    return state_from_json(value["state"] if "kernel" in value and "state" in value else value)


def _messages(values: list[Any]) -> tuple[CoreMessage, ...]:
    from kernel import message_from_json  # noqa: PLC0415 - likewise

    return tuple(message_from_json(value) for value in values)


def _shaped(at: str, read: Callable[[], Any]) -> Any:
    """What reading gives; raises Refusal where the value has not the shape."""
    try:
        return read()
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
        what = f"has not the shape it should have ({type(error).__name__}: {error!s:.200})"
        mend = "send what `pcsf kernel call` takes, or a session log as `log` or `path`"
        raise Refusal(what, mend, at=at) from None
