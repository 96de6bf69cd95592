"""`pcsf relay`: a store of state, used like a version control system.

Exit codes: 0 done, also where there was nothing to do; 1 refused: a capsule that is
not conformant, a conflict, an escalation, BROKEN, or (`diff`) different; 2 a wrong
call, a key or a store that cannot be used. No output ever shows a key.
"""

from __future__ import annotations

import typer

from pcsf_lark.faces.cli.relay import change, look, push

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
    push.init,
    push.push,
    look.head,
    look.log,
    look.show,
    look.diff,
    change.branch,
    change.merge,
    look.verify,
    change.revise,
    change.invalidate,
    change.close,
    change.gc,
):
    app.command(_verb.__name__)(_verb)
