"""`pcsf cso`: Cognitive State Objects, checked, signed, relayed, revised and exchanged.

Exit codes: 0 done; 1 refused: BROKEN, a loss, a conflict, a bad object; 2 a wrong
call, a key file that cannot serve, a file or store that cannot be used. No output
ever shows a key.
"""

from __future__ import annotations

import typer

from pcsf_lark.faces.cli import cso_bridge, cso_chain, cso_change, cso_logs, cso_look, cso_parts

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
    ("from-capsule", cso_bridge.from_capsule),
    ("to-capsule", cso_bridge.to_capsule),
    ("sign", cso_chain.sign),
    ("verify", cso_chain.verify),
    ("relay", cso_chain.relay),
    ("check", cso_look.check),
    ("repair", cso_chain.repair),
    ("invalidate", cso_change.invalidate),
    ("revise", cso_change.revise),
    ("reaffirm", cso_change.reaffirm),
    ("revision-window", cso_change.revision_window),
    ("advance", cso_change.advance),
    ("answer", cso_change.answer),
    ("tool-refresh", cso_parts.tool_refresh),
    ("tool-stale", cso_parts.tool_stale),
    ("archive", cso_parts.archive),
    ("slice", cso_parts.slice_),
    ("integrate", cso_parts.integrate),
    ("explain", cso_look.explain),
    ("graph", cso_look.graph),
    ("show", cso_look.show),
    ("headers", cso_chain.headers),
    ("log", cso_logs.log),
    ("call", cso_bridge.call),
):
    app.command(_name)(_verb)
app.add_typer(cso_logs.audit, name="audit")
