"""One change asked for on the command line: planned, appended or only shown, reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.projection.lifecycle.refusal import Refusal
from pcsf_lark.faces.aili.saying import Declined, put, worded, writing
from pcsf_lark.faces.aili.sizes import sizes
from pcsf_lark.faces.aili.text import appended_text
from pcsf_lark.faces.aili.writing import append_all, planned
from pcsf_lark.faces.cli.terminal import say
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kernel.projection.model import Transaction
    from kernel.projection.snapshot import Snapshot
    from pcsf_lark.faces.aili.log import Opened
    from pcsf_lark.faces.aili.writing import Step

__all__ = ["change"]


def change(now: Opened, plans: Iterable[Callable[[Snapshot], Transaction | Refusal]]) -> None:
    """Plan changes and append them; raises Declined, and what appending raises."""
    before = now.snapshot
    steps = planned(before, plans)
    if isinstance(steps, Refusal):
        raise Declined(worded(steps, before))
    dry = now.given.dry
    if not dry:
        _append(now, steps)
        if before.leaf != now.tree.leaf:
            say(f"note: the session goes on from {steps[-1].entry_id} now", err=True)
    after = steps[-1].after
    tokens = {"before": sum(sizes(before)[0]), "after": sum(sizes(after)[0])}
    value = {
        "written": not dry,
        "append": [step.as_json() for step in steps],
        "leaf": after.leaf,
        "catalogId": after.catalog.catalog_id,
        "tokens": tokens,
    }
    text = appended_text(steps, (tokens["before"], tokens["after"]), dry=dry)
    done = f"{counted(len(steps), 'transaction')} appended all the same"
    put(now, value, text, done="" if dry else done)


def _append(now: Opened, steps: Sequence[Step]) -> None:
    """Append all steps; where that ends early, say how far it came."""
    done = 0
    try:
        with writing(now.given.path):
            for _ in append_all(now.given.path, now.tree.leaf, steps):
                done += 1
    except Exception:
        if done:
            say(f"note: {done} of {len(steps)} entries were appended", err=True)
        raise
