"""`pcsf session view`, `status`, `search` and `plan`: nothing is written."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import say, tell
from pcsf_lark.faces.session.options import (
    FormatOption,
    LogPath,
    Part,
    Report,
    ViewFormat,
    Window,
    config_of,
)

__all__ = ["plan", "search", "status", "view"]


def view(
    path: LogPath,
    *,
    output: Annotated[
        ViewFormat,
        typer.Option("--format", help="Print it for a person, or as a provider takes it."),
    ] = ViewFormat.text,
    tags: Annotated[bool, typer.Option(help="Show each message's ref and size.")] = True,
    window: Window,
) -> None:
    """Print what a model would see, summaries in place of what is folded.

    Examples:
        # Read a log as its model does.
        pcsf session view session.jsonl
        #=> [user]
        # Get the messages to send to a provider.
        pcsf session view session.jsonl --format openai
        #=> {"messages":[{"role":"user",...
    """
    import kernel
    from kernel.wire import encode
    from pcsf_lark.faces.session.saying import answered, note, show, spelled
    from pcsf_lark.faces.session.work import opened

    with answered():
        session = opened(path, config_of(window.config), verb="view", **window.named)
        note(session)
        turn = session.turn(window.tokens, tags=tags)
        if output is ViewFormat.text:
            show(kernel.view_text(turn.messages), prose=True)
        elif output is ViewFormat.json:
            show(spelled(kernel.to_json(list(turn.messages))))
        else:
            show(encode(turn.messages, session.log.history, output.value))
        if turn.overflow is not None:
            say(
                "pcsf: note: the view exceeds the window by "
                f"{turn.overflow.tokens_over:,.0f} tokens and nothing more can be cut",
                err=True,
            )


def status(
    path: LogPath,
    *,
    output: FormatOption = Report.text,
    window: Window,
) -> None:
    """Print how full the window is, with what, and which blocks there are.

    Examples:
        # Hold a log against a window of 32,000 tokens.
        pcsf session status session.jsonl --config '{"modelContextLimit": 32000}'
        #=> log        claude-code, 68 messages, ...
    """
    import kernel
    from pcsf_lark.faces.session.saying import answered, note, show, spelled
    from pcsf_lark.faces.session.state import place_of
    from pcsf_lark.faces.session.work import opened

    with answered():
        session = opened(path, config_of(window.config), verb="status", **window.named)
        note(session)
        turn = session.turn(window.tokens, tags=False)
        if output is Report.json:
            count = kernel.plan(session.log.messages, session.state, session.config, window.tokens)
            report = kernel.status(session.state, count.token_count, session.config)
            show(spelled({"log": session.about(), "status": kernel.to_json(report)}))
            return
        log = session.log
        shown = f"log        {log.format}, {len(log.messages)} messages"
        for name, value in (("session", log.session_id), ("leaf", log.leaf), ("model", log.model)):
            shown += f", {name} {value}" if value else ""
        show(shown, prose=True)
        where = place_of(path) if session.stored.data is not None else "none yet"
        show(f"state      {where}", prose=True)
        show(
            kernel.status_text(turn.messages, session.state, session.config, window.tokens),
            prose=True,
        )


def search(
    path: LogPath,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="Words to find; misspelt ones will do.")
    ],
    *,
    output: FormatOption = Report.text,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="Show this many hits at most.")
    ] = 10,
    part: Part,
) -> None:
    """Find messages, folded or not, and blocks.

    Examples:
        # Find what was said of a lock.
        pcsf session search session.jsonl 'lock file'
        #=> m00009  ...
    """
    import kernel
    from kernel.searching import SearchOptions
    from pcsf_lark.faces.session import text as words
    from pcsf_lark.faces.session.saying import answered, note, show, spelled
    from pcsf_lark.faces.session.work import opened

    with answered():
        session = opened(path, verb="search", **part.named)
        note(session)
        found = session.search(query, SearchOptions(limit=limit, preview_length=120))
        if output is Report.json:
            show(spelled({"results": kernel.to_json(found)}))
        elif found:
            show(words.results_text(found, session.holders()), prose=True)
        else:
            tell(f"pcsf: nothing in {path} resembles {query!r}", err=True)


def plan(
    path: LogPath,
    *,
    output: FormatOption = Report.text,
    window: Window,
) -> None:
    """Print what to fold now, and why.

    Examples:
        # Plan as for a window that is nearly full.
        pcsf session plan session.jsonl --config '{"modelContextLimit": 4000}'
        #=> due      yes: the window is full ...
    """
    import kernel
    from pcsf_lark.faces.session import text as words
    from pcsf_lark.faces.session.saying import answered, note, show, spelled
    from pcsf_lark.faces.session.work import opened

    with answered():
        session = opened(path, config_of(window.config), verb="plan", **window.named)
        note(session)
        found = session.plan(window.tokens)
        if output is Report.json:
            show(spelled(kernel.to_json(found)))
            return
        limit = session.config.model_context_limit
        command = ["pcsf", "session", "compress", path]
        for option, value in (
            ("--leaf", window.leaf),
            ("--run", window.run),
            ("--config", window.config),
        ):
            command += [option, str(value)] if value else []
        show(words.plan_text(found, limit, shlex.join(command)), prose=True)
