"""`pcsf session convert`: a log in the shape of another provider."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import say
from pcsf_lark.faces.session.options import LogPath, Part, WireFormat

__all__ = ["convert"]


def convert(
    path: LogPath,
    *,
    to: Annotated[
        WireFormat,
        typer.Option("--to", help="Write this; json is the kernel's own.", show_default=False),
    ],
    part: Part,
) -> None:
    """Write the session, nothing folded, in the shape of another provider.

    What is written in the shape of the log itself comes out as it was.

    Examples:
        # Go on elsewhere with a session of Claude Code.
        pcsf session convert session.jsonl --to openai
        #=> {"messages":[{"role":"user",...
    """
    import kernel
    from kernel.wire import encode
    from pcsf_lark.faces.aili.guard import require_plain
    from pcsf_lark.faces.session import text as words
    from pcsf_lark.faces.session.log import read_log
    from pcsf_lark.faces.session.saying import answered, show, spelled

    with answered():
        log = read_log(path, **part.named)
        if log.format == "pi":
            require_plain(path, "convert")
        if log.diagnostics:
            say(words.notes_text(log.diagnostics), err=True)
        if to is WireFormat.json:
            show(spelled(kernel.to_json(list(log.messages))))
            return
        turn = kernel.process_turn(log.messages, render_tags="none")
        lost = len(log.messages) - len(turn.messages)
        if lost:
            left = f"note: {lost} messages left out: calls without results and the like"
            say(f"{left}, which providers refuse", err=True)
        show(encode(turn.messages, log.history, to.value))
