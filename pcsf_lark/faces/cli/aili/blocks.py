"""`pcsf aili decompress`, `recompress` and `sweep`: blocks and results, opened and closed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.aili.options import Change, PiLog, log_of
from pcsf_lark.faces.cli.terminal import usage_error

if TYPE_CHECKING:
    from kernel.projection.lifecycle.refusal import Refusal
    from kernel.projection.model import Depth, Transaction
    from kernel.projection.snapshot import Snapshot

__all__ = ["decompress", "recompress", "sweep"]

_MOST = 16


def _refs(names: list[str]) -> list[str]:
    """Block refs in their one spelling: b1 is b000001."""
    found = []
    for name in names:
        digits = name[1:]
        if name[:1] not in ("b", "B") or not (digits.isascii() and digits.isdigit()):
            usage_error(f"{name!r} is no block ref; write b000001, as `pcsf aili context` shows")
        if len(digits.lstrip("0")) > 12:
            usage_error(f"{name[:20]!r}… is no block ref; write b000001")
        found.append(f"b{int(digits):06d}")
    if not 1 <= len(found) <= _MOST:
        usage_error(f"name 1 to {_MOST} blocks, such as b000001")
    return found


def decompress(
    path: PiLog,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[one|raw] REF...", help="How far to open, and blocks such as b000001."
        ),
    ],
    *,
    common: Change,
) -> None:
    """Open blocks: `one` to the blocks they were made of, `raw` to the messages.

    One is the default; T1 blocks, and blocks of version 1 and 2, open to their
    messages either way. All of them are opened, or none.

    Examples:
        # Open a recap to the messages it stands for.
        pcsf aili decompress pi.jsonl raw b000001
        #=> writes pi.jsonl
        #=> appended  ...
    """
    from kernel.projection.lifecycle.opening import decompress as plan
    from pcsf_lark.faces.aili.changing import change

    with log_of(path, common) as now:
        depth: Depth = "raw" if words[0] == "raw" else "one"
        refs = _refs(words[1:] if words[0] in ("one", "raw") else words)
        change(now, [lambda snapshot: plan(snapshot, refs, depth, "user")])


def recompress(
    path: PiLog,
    refs: Annotated[
        list[str],
        typer.Argument(metavar="REF...", help="Blocks that were opened, such as b000001."),
    ],
    *,
    common: Change,
) -> None:
    """Close blocks again that were opened, exactly as they were; no summary is made.

    One transaction a block; all of them are closed, or none.

    Examples:
        # Close it again.
        pcsf aili recompress opened-pi.jsonl b000001
        #=> writes opened-pi.jsonl
        #=> appended  ...
    """
    from pcsf_lark.faces.aili.changing import change

    with log_of(path, common) as now:
        change(now, [partial(_closing, ref) for ref in _refs(refs)])


def _closing(ref: str, snapshot: Snapshot) -> Transaction | Refusal:
    from kernel.projection.lifecycle.opening import recompress as plan

    return plan(snapshot, ref, "user")


def sweep(
    path: PiLog,
    limit: Annotated[
        int,
        typer.Argument(
            metavar="[LIMIT]", min=1, max=16, help="Take this many results, the oldest first."
        ),
    ] = 8,
    *,
    common: Change,
) -> None:
    """Put stubs for tool results that have been read and that nothing needs raw.

    Examples:
        # See what would get a stub, and write nothing.
        pcsf aili sweep read-pi.jsonl --dry-run
        #=> ...
    """
    from kernel.projection.cooling.planning import sweep as plan
    from pcsf_lark.faces.aili.changing import change

    with log_of(path, common) as now:
        change(now, [lambda snapshot: plan(snapshot, limit)])
