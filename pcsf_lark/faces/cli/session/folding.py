"""`pcsf session compress`, `undo` and `decompress`; what writes takes the log's lock."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.cli.terminal import tell, usage_error
from pcsf_lark.faces.session.options import ConfigOption, LogPath, Part, config_of

if TYPE_CHECKING:
    import kernel
    from pcsf_lark.faces.session.work import Opened

__all__ = ["compress", "decompress", "undo"]

#: A summary is a page; what is far beyond one is a mistake.
_MOST = 4 * 1024 * 1024


def compress(
    path: LogPath,
    *,
    span: Annotated[
        str,
        typer.Option(
            "--range", metavar="A..B", help="Fold from this ref to that, such as m00012..m00040."
        ),
    ],
    summary_file: Annotated[
        str,
        typer.Option(
            "--summary-file", metavar="FILE", help="Say instead what is in FILE; - for stdin."
        ),
    ],
    topic: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Head the summary with a few words. Default: none.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; say what would be done.")
    ] = False,
    part: Part,
    config: ConfigOption = None,
) -> None:
    """Fold a range of messages or blocks into a summary.

    The range widens to whole turns; recent messages stay. A refused fold
    changes nothing.

    Examples:
        # Fold the beginning of a session into what you wrote of it.
        pcsf session compress session.jsonl --range m00001..m00007 --summary-file summary.txt
        #=> writes session.jsonl.kernel.json
        #=> b1: 7 messages, 1,791 tokens, became a summary of tier 1
    """
    import kernel
    from pcsf_lark.faces.files import read_text
    from pcsf_lark.faces.session import text as words
    from pcsf_lark.faces.session.saying import answered, note, show
    from pcsf_lark.faces.session.state import Refused, locked, save
    from pcsf_lark.faces.session.work import opened

    start, dots, end = span.partition("..")
    if not dots or not start or not end:
        usage_error(f"--range {span!r}: write FIRST..LAST, such as m00012..m00040")
    with answered():
        settings = config_of(config)
        summary = read_text(summary_file, _MOST)
        if summary is None:
            usage_error(f"{summary_file}: more than {_MOST:,} bytes; a summary is shorter")
        summary = summary.encode("utf-8", "replace").decode()
        item = kernel.CompressRange(start.strip(), end.strip(), summary.strip(), topic or None)
        with locked(path):
            session = opened(path, settings, verb="compress", **part.named)
            note(session)
            applied = session.fold(item, int(time.time() * 1000))
            result = applied.result
            for problem in (*result.errors, *result.warnings, *result.notes):
                tell(f"pcsf: {words.harmless(words.problem_text(problem))}", err=True)
            if not result.blocks_created:
                raise Refused(f"{path}: nothing was folded")
            if not dry_run:
                save(path, session.log, session.stored, applied.state, part.run)
        show(words.applied_text(applied, dry=dry_run), prose=True)


def undo(
    path: LogPath,
    *,
    part: Part,
) -> None:
    """Take the last fold back.

    Examples:
        # Think better of a fold.
        pcsf session undo folded.jsonl
        #=> taken back: b1
    """
    import kernel
    from pcsf_lark.faces.session.saying import answered, show
    from pcsf_lark.faces.session.state import Refused, locked, save
    from pcsf_lark.faces.session.work import opened

    with answered(), locked(path):
        session = opened(path, verb="undo", **part.named)
        undone = kernel.undo(session.state)
        if not undone.block_ids:
            raise Refused(f"{path}: there is no fold to take back")
        save(path, session.log, session.stored, undone.state, part.run)
        show(f"taken back: {', '.join(undone.block_ids)}")


def decompress(
    path: LogPath,
    block: Annotated[str, typer.Argument(metavar="BLOCK", help="A block's id, such as b3.")],
    *,
    full: Annotated[
        bool,
        typer.Option("--full", help="Print the messages, not the summaries folded in between."),
    ] = False,
    release: Annotated[
        bool, typer.Option("--release", help="Open the block for good: views show its messages.")
    ] = False,
    part: Part,
) -> None:
    """Print what a block hides; it stays folded unless released.

    Examples:
        # Read again what a fold stands for.
        pcsf session decompress folded.jsonl b1
        #=> [user]
    """
    import kernel
    from pcsf_lark.faces.session.saying import answered, note, show
    from pcsf_lark.faces.session.state import Refused, locked, save
    from pcsf_lark.faces.session.work import opened

    with answered(), locked(path) if release else contextlib.nullcontext():
        session = opened(path, verb="decompress", **part.named)
        note(session)
        found = kernel.collect(block.strip(), session.state, session.log.messages, full=full)
        if found is None:
            known = ", ".join(item.block_id for item in session.state.blocks) or "none"
            raise Refused(f"{path}: there is no block {block!r}; there are: {known}")
        if release:
            state = _released(session, block)
            save(path, session.log, session.stored, state, part.run)
        show(found.text)


def _released(session: Opened, block: str) -> kernel.CompressionState:
    import kernel
    from pcsf_lark.faces.session.state import Refused

    boundary = kernel.parse_boundary(block)
    name = f"b{boundary.numeric_id}" if boundary else block
    state = kernel.release(name, session.state)
    if state is session.state:
        raise Refused(f"{session.path}: {name} is not active; it hides nothing")
    return state
