"""`pcsf conformance`: score any implementation, in any language."""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "conformance",
    """Score any implementation of PCSF, in any language, by its answers.

    Examples:
        # Score a decoder on a part of the suite; without --run on all of it.
        pcsf conformance run --run valid/minimal -- true
        #=> true (decoder, level verdict): 5 of 5 cases passed (5 passed)
    """,
    {
        "run": ("running", "Run a command on every case and score its answers."),
        "report": ("reporting", "Write a run as a page to publish: scores, and what to mend."),
        "list": ("listing", "List the cases: name, what is right, and what that rests on."),
    },
    package="pcsf_lark.faces.cli.conformance",
)
