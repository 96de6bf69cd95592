"""`pcsf aili decompress`, `recompress` and `sweep`: blocks and results, opened and closed."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.model import Depth, Transaction
from kernel.projection.snapshot import Snapshot
from pcsf_lark.faces.aili.changing import change
from pcsf_lark.faces.aili.log import Opened
from pcsf_lark.faces.aili.options import verb
from pcsf_lark.faces.cli.terminal import usage_error

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


@verb(writes=True)
def decompress(
    now: Opened,
    words: Annotated[
        list[str], typer.Argument(metavar="[one|raw] REF...", help="Blocks that are shown.")
    ],
) -> None:
    """Open blocks: `one` to the blocks they were made of, `raw` to the messages.

    One is the default; T1 blocks, and blocks of version 1 and 2, open to their
    messages either way. All of them are opened, or none.
    """
    from kernel.projection.lifecycle.opening import decompress as plan

    depth: Depth = "raw" if words[0] == "raw" else "one"
    refs = _refs(words[1:] if words[0] in ("one", "raw") else words)
    change(now, [lambda snapshot: plan(snapshot, refs, depth, "user")])


@verb(writes=True)
def recompress(
    now: Opened,
    refs: Annotated[list[str], typer.Argument(metavar="REF...", help="Blocks that were opened.")],
) -> None:
    """Close blocks again that were opened, exactly as they were; no summary is made.

    One transaction a block; all of them are closed, or none.
    """
    change(now, [partial(_closing, ref) for ref in _refs(refs)])


def _closing(ref: str, snapshot: Snapshot) -> Transaction | Refusal:
    from kernel.projection.lifecycle.opening import recompress as plan

    return plan(snapshot, ref, "user")


@verb(writes=True)
def sweep(
    now: Opened,
    limit: Annotated[
        int, typer.Argument(min=1, max=16, help="How many results, the oldest first.")
    ] = 8,
) -> None:
    """Put stubs for tool results that have been read and that nothing needs raw."""
    from kernel.projection.cooling.planning import sweep as plan

    change(now, [lambda snapshot: plan(snapshot, limit)])
