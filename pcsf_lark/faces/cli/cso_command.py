"""`pcsf cso`: Cognitive State Objects, checked, signed, relayed, revised and exchanged.

Exit codes: 0 done; 1 refused: BROKEN, a loss, a conflict, a bad object; 2 a wrong
call, a key file that cannot serve, a file or store that cannot be used. No output
ever shows a key.
"""

from __future__ import annotations

import typer

from pcsf_lark.faces.cli.cso import bridge, chain, change, logs, look, parts

__all__ = ["app"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _cso() -> None:
    """Check, sign, relay, revise and exchange Cognitive State Objects (CRP-SPEC-030)."""


for _name, _verb in (
    ("from-capsule", bridge.from_capsule),
    ("to-capsule", bridge.to_capsule),
    ("sign", chain.sign),
    ("verify", chain.verify),
    ("relay", chain.relay),
    ("check", look.check),
    ("repair", chain.repair),
    ("invalidate", change.invalidate),
    ("revise", change.revise),
    ("reaffirm", change.reaffirm),
    ("revision-window", change.revision_window),
    ("advance", change.advance),
    ("answer", change.answer),
    ("tool-refresh", parts.tool_refresh),
    ("tool-stale", parts.tool_stale),
    ("archive", parts.archive),
    ("slice", parts.slice_),
    ("integrate", parts.integrate),
    ("explain", look.explain),
    ("graph", look.graph),
    ("show", look.show),
    ("headers", chain.headers),
    ("log", logs.log),
    ("call", bridge.call),
):
    app.command(_name)(_verb)
app.add_typer(logs.audit, name="audit")
