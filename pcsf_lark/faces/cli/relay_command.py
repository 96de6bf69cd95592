"""`pcsf relay`: a store of state, used like a version control system.

Exit codes: 0 done, also where there was nothing to do; 1 refused: a capsule that is
not conformant, a conflict, an escalation, BROKEN, or (`diff`) different; 2 a wrong
call, a key or a store that cannot be used. No output ever shows a key.
"""

from __future__ import annotations

import typer

from pcsf_lark.faces.cli import relay_change, relay_look, relay_push

__all__ = ["app"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _relay() -> None:
    """Hand state from session to session: push what one knew, give the next the head."""


for _verb in (
    relay_push.init,
    relay_push.push,
    relay_look.head,
    relay_look.log,
    relay_look.show,
    relay_look.diff,
    relay_change.branch,
    relay_change.merge,
    relay_look.verify,
    relay_change.revise,
    relay_change.invalidate,
    relay_change.close,
    relay_change.gc,
):
    app.command(_verb.__name__)(_verb)
