"""`pcsf prompt`: what to tell a model so that it writes a capsule, or takes one up."""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "prompt",
    """Print the instruction of a protocol: to write a capsule, or to take one up.

    Examples:
        # Get what to paste at the start of the next session.
        pcsf prompt resume capsule.pcsf
        #=> Below is a capsule: ...
    """,
    {
        "compress": (
            "printing",
            "Tell a model to write a capsule of its session, or to finish a draft of one.",
        ),
        "resume": ("printing", "Tell a model to go on from a capsule, and under which contract."),
    },
    package="pcsf_lark.faces.cli.prompt",
)
