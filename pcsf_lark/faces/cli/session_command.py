"""`pcsf session`: the kernel at work on a session log, its state beside the log."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

import kernel
from kernel.searching import SearchOptions
from kernel.wire import encode
from pcsf_lark.faces.aili.guard import require_plain
from pcsf_lark.faces.cli.terminal import say
from pcsf_lark.faces.session import text as words
from pcsf_lark.faces.session.folding import compress, decompress, undo
from pcsf_lark.faces.session.log import read_log
from pcsf_lark.faces.session.options import (
    ConfigOption,
    FormatOption,
    LeafOption,
    LogFormatOption,
    LogPath,
    Report,
    RunOption,
    TokensOption,
    ViewFormat,
    WireFormat,
    config_of,
)
from pcsf_lark.faces.session.saying import answered, note, show, spelled
from pcsf_lark.faces.session.state import place_of
from pcsf_lark.faces.session.work import opened

__all__ = ["app"]

app = typer.Typer(
    name="session",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command()(compress)
app.command()(undo)
app.command()(decompress)


@app.callback()
def _session() -> None:
    """Look at a session log as a model would see it, fold it, search it, convert it.

    Reads logs of Pi, Claude Code, Codex, SWE-agent and OpenHands, and chat
    documents. The log is never written; folds lie beside it, in
    FILE.kernel.json.
    """


@app.command()
def view(
    path: LogPath,
    *,
    output: Annotated[
        ViewFormat, typer.Option("--format", help="How it is shown.")
    ] = ViewFormat.text,
    tags: Annotated[bool, typer.Option(help="Show each message's ref and size.")] = True,
    leaf: LeafOption = None,
    run: RunOption = 0,
    log_format: LogFormatOption = None,
    config: ConfigOption = None,
    tokens: TokensOption = None,
) -> None:
    """Print what a model would see, summaries in place of what is folded."""
    with answered():
        session = opened(path, config_of(config), verb="view", fmt=log_format, leaf=leaf, run=run)
        note(session)
        turn = session.turn(tokens, tags=tags)
        if output is ViewFormat.text:
            show(kernel.view_text(turn.messages))
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


@app.command()
def status(
    path: LogPath,
    *,
    output: FormatOption = Report.text,
    leaf: LeafOption = None,
    run: RunOption = 0,
    log_format: LogFormatOption = None,
    config: ConfigOption = None,
    tokens: TokensOption = None,
) -> None:
    """Print how full the window is, with what, and which blocks there are."""
    with answered():
        session = opened(path, config_of(config), verb="status", fmt=log_format, leaf=leaf, run=run)
        note(session)
        turn = session.turn(tokens, tags=False)
        if output is Report.json:
            count = kernel.plan(session.log.messages, session.state, session.config, tokens)
            report = kernel.status(session.state, count.token_count, session.config)
            show(spelled({"log": session.about(), "status": kernel.to_json(report)}))
            return
        log = session.log
        shown = f"log        {log.format}, {len(log.messages)} messages"
        for name, value in (("session", log.session_id), ("leaf", log.leaf), ("model", log.model)):
            shown += f", {name} {value}" if value else ""
        show(shown)
        where = place_of(path) if session.stored.data is not None else "none yet"
        show(f"state      {where}")
        show(kernel.status_text(turn.messages, session.state, session.config, tokens))


@app.command()
def search(
    path: LogPath,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words; misspelt ones will do.")],
    *,
    output: FormatOption = Report.text,
    limit: Annotated[int, typer.Option(min=1, help="How many hits at most.")] = 10,
    leaf: LeafOption = None,
    run: RunOption = 0,
    log_format: LogFormatOption = None,
) -> None:
    """Find messages, folded or not, and blocks."""
    with answered():
        session = opened(path, verb="search", fmt=log_format, leaf=leaf, run=run)
        note(session)
        found = session.search(query, SearchOptions(limit=limit, preview_length=120))
        if output is Report.json:
            show(spelled({"results": kernel.to_json(found)}))
        elif found:
            show(words.results_text(found, session.holders()))
        else:
            say(f"pcsf: nothing in {path} resembles {query!r}", err=True)


@app.command()
def plan(
    path: LogPath,
    *,
    output: FormatOption = Report.text,
    leaf: LeafOption = None,
    run: RunOption = 0,
    log_format: LogFormatOption = None,
    config: ConfigOption = None,
    tokens: TokensOption = None,
) -> None:
    """Print what to fold now, and why."""
    with answered():
        session = opened(path, config_of(config), verb="plan", fmt=log_format, leaf=leaf, run=run)
        note(session)
        found = session.plan(tokens)
        if output is Report.json:
            show(spelled(kernel.to_json(found)))
            return
        limit = session.config.model_context_limit
        command = ["pcsf", "session", "compress", path]
        for option, value in (("--leaf", leaf), ("--run", run), ("--config", config)):
            command += [option, str(value)] if value else []
        show(words.plan_text(found, limit, shlex.join(command)))


@app.command()
def convert(
    path: LogPath,
    *,
    to: Annotated[WireFormat, typer.Option("--to", help="What to write.", show_default=False)],
    leaf: LeafOption = None,
    run: RunOption = 0,
    log_format: LogFormatOption = None,
) -> None:
    """Write the session, nothing folded, in the shape of another provider.

    What is written in the shape of the log itself comes out as it was.
    """
    with answered():
        log = read_log(path, fmt=log_format, leaf=leaf, run=run)
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
