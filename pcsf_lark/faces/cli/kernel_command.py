"""`pcsf kernel`: the compression kernel for hosts in any language."""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "kernel",
    """Serve the compression kernel to a host in another language.

    The kernel says what of a session's messages to fold into summaries, folds
    it, and opens it again; it reads and writes no files.

    Examples:
        # Call the kernel from any language.
        echo '{"id": 1, "op": "countTokens", "input": {"text": "good day"}}' | pcsf kernel call
        #=> {"id":1,"output":{...
    """,
    {
        "call": (
            "calling",
            'Answer lines of JSON, {"id", "op", "input"}, with {"id", "output"} or {"id", "error"}.',
        )
    },
    package="pcsf_lark.faces.cli.kernel",
)
