"""The tools of the compression kernel: plan, search and decompress a session's history."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.bounds import HITS, PAGE
from pcsf_lark.faces.mcp.histories import HISTORY_INPUT, history, shaped
from pcsf_lark.faces.mcp.inputs import Answer
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.faces.mcp.inputs import Grant

__all__ = [
    "KERNEL_DECOMPRESS",
    "KERNEL_PLAN",
    "KERNEL_SEARCH",
    "kernel_decompress",
    "kernel_plan",
    "kernel_search",
]

_MOST = 1_000_000_000
_SHOWN = 20
KERNEL_PLAN = (
    *HISTORY_INPUT,
    Argument(
        "tokens", "integer", "How many tokens the context holds; default: estimated.", most=_MOST
    ),
)
KERNEL_SEARCH = (
    *HISTORY_INPUT,
    Argument("query", "string", "Words; misspelt ones will do.", required=True),
    Argument("limit", "integer", "How many hits at most; default 10.", least=1, most=HITS),
)
KERNEL_DECOMPRESS = (
    *HISTORY_INPUT,
    Argument("block", "string", "A block, such as b3.", required=True),
    Argument("full", "boolean", "The messages, not the summaries folded in between."),
    Argument("offset", "integer", "Characters to pass over, to read on.", most=_MOST),
)


def kernel_plan(given: Mapping[str, Any], grant: Grant) -> Answer:
    """What to fold now, and why."""
    import kernel  # noqa: PLC0415 - for these tools alone
    from pcsf_lark.faces.session.text import plan_text  # noqa: PLC0415 - likewise

    messages, state, config = history(given, grant, "plan")
    found = shaped("state", lambda: kernel.plan(messages, state, config, given.get("tokens")))
    command = f"pcsf session compress {shlex.quote(given.get('path', 'LOG'))}"
    words = plan_text(found, config.model_context_limit, command)
    if "path" not in given:
        # There is no log for a command to work on.
        words = words.partition(f"\nnext     {command}")[0]
    return Answer(words, dict(kernel.to_json(found)))


def kernel_search(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Messages, folded or not, and blocks that resemble a query."""
    import kernel  # noqa: PLC0415 - likewise
    from kernel.searching import SearchOptions, documents_of, search_blocks  # noqa: PLC0415
    from pcsf_lark.faces.session.text import results_text  # noqa: PLC0415 - likewise

    messages, state, _ = history(given, grant, "search")
    options = SearchOptions(limit=given.get("limit", 10))

    def searched() -> list[Any]:
        documents = documents_of(messages, state)
        return list(search_blocks(documents, given["query"], state, options))

    found = shaped("state", searched)
    words = "\n".join([counted(len(found), "hit"), *filter(None, [results_text(found, {})])])
    return Answer(words, {"results": kernel.to_json(found)})


def kernel_decompress(given: Mapping[str, Any], grant: Grant) -> Answer:
    """What a block hides, a page at a time; it stays folded."""
    import kernel  # noqa: PLC0415 - likewise

    messages, state, _ = history(given, grant, "decompress")
    block, start = given["block"].strip(), given.get("offset", 0)
    full = given.get("full", False)
    found = shaped("state", lambda: kernel.collect(block, state, messages, full=full))
    if found is None:
        known = ", ".join(item.block_id for item in state.blocks[:_SHOWN])
        more = " and more" if len(state.blocks) > _SHOWN else ""
        mend = f"there are: {known}{more}" if known else "nothing is folded: send the `state`"
        raise Refusal(f"there is no block {block!r:.80}", mend, at="block")
    whole = len(found.text)
    if start and start >= whole:
        mend = f"send an offset below {whole:,}"
        raise Refusal(f"is {start:,}, and the block has {whole:,} characters", mend, at="offset")
    text = found.text[start : start + PAGE]
    end = start + len(text)
    further = end if end < whole else None
    words = (
        f"{block}: {counted(found.count, 'piece')}, characters {start:,} to {end:,} of {whole:,}"
    )
    if further:
        words += f"; send offset={further} to read on"
    members = {
        "block": block,
        "text": text,
        "characters": whole,
        "offset": start,
        "next_offset": further,
    }
    return Answer(words, members, (text,))
