"""`pcsf hook`: what agents call so that state goes on by itself, and how they are told to.

The hooks themselves answer with exit code 0 whatever happens; `install` is for people,
and ends with 0 done, 1 refused, 2 a wrong call.
"""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "hook",
    """Let an agent hand state on by itself: draft and push at the end, the head at the start.

    Examples:
        # Let Claude Code do so in this project, once a relay is begun.
        pcsf hook install claude-code --write
        #=> .claude/settings.json: written
    """,
    {
        "claude-code": (
            "serving",
            "Answer an event of Claude Code, which it gives as JSON on standard input.",
        ),
        "start": (
            "serving",
            "Print the head for the next model, or nothing; for any agent's start.",
        ),
        "save": (
            "serving",
            "Draft a log and push it, without a word; for any agent's end and compaction.",
        ),
        "install": (
            "install",
            "Tell an agent of its hooks: show what stands in its settings, or write it there.",
        ),
    },
    package="pcsf_lark.faces.cli.hook",
    # Whatever an agent adds to the call, it must not end as a usage error: exit code 2 of
    # a hook would block a compaction.
    lenient=("claude-code", "start", "save"),
)
