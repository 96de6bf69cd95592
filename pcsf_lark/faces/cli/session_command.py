"""`pcsf session`: the kernel at work on a session log, its state beside the log."""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "session",
    """Look at a session log as a model would see it, fold it, search it, convert it.

    Reads logs of Pi, Claude Code, Codex, SWE-agent and OpenHands, and chat
    documents. The log is never written; folds lie beside it, in
    FILE.kernel.json.

    Examples:
        # See how full the window is, and with what.
        pcsf session status session.jsonl
        #=> log        claude-code, 68 messages, ...
    """,
    {
        "compress": ("folding", "Fold a range of messages or blocks into a summary."),
        "undo": ("folding", "Take the last fold back."),
        "decompress": ("folding", "Print what a block hides; it stays folded unless released."),
        "view": (
            "looking",
            "Print what a model would see, summaries in place of what is folded.",
        ),
        "status": (
            "looking",
            "Print how full the window is, with what, and which blocks there are.",
        ),
        "search": ("looking", "Find messages, folded or not, and blocks."),
        "plan": ("looking", "Print what to fold now, and why."),
        "convert": (
            "converting",
            "Write the session, nothing folded, in the shape of another provider.",
        ),
    },
    package="pcsf_lark.faces.cli.session",
)
