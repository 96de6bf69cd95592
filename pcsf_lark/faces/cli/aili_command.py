"""`pcsf aili`: reversible compaction over the append-only log of a Pi session."""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "aili",
    """Show and fold the log of a Pi session; the log is only ever added to.

    Pi is a coding agent; AILI is what it shows its model of a long session:
    summaries (recaps of blocks) and stubs stand for what is finished.

    What is appended are transactions of AILI, each a custom entry on the leaf;
    no line that is there is changed, and restore-all shows the raw history
    again. Logs of version 1 and 2 are read, not written. Write while no Pi has
    the session open: it would go on from the leaf it remembers.

    Examples:
        # See what is folded, and what that saves.
        pcsf aili stats pi.jsonl
        #=> session   S-1, ...
    """,
    {
        "view": (
            "viewing",
            "Print what the model sees of a branch: recaps and stubs where it is folded.",
        ),
        "context": (
            "looking",
            "List the messages of the view: refs, estimated tokens, why they are protected.",
        ),
        "stats": (
            "looking",
            "Print how much is shown, folded and saved, and how full the window is.",
        ),
        "sweep": (
            "blocks",
            "Put stubs for tool results that have been read and that nothing needs raw.",
        ),
        "manual": (
            "switching",
            "Say or set whether summaries need the user's permit; cooling is not touched.",
        ),
        "compress": (
            "turning",
            "Print the turn that a live agent would start for one summary; no compaction.",
        ),
        "rescue": ("turning", "Print what AILI would answer the one compaction of a rescue."),
        "decompress": (
            "blocks",
            "Open blocks: `one` to the blocks they were made of, `raw` to the messages.",
        ),
        "recompress": (
            "blocks",
            "Close blocks again that were opened, exactly as they were; no summary is made.",
        ),
        "cache": (
            "caching",
            "Print the session's usage of the cache, the stability of requests, and identities.",
        ),
        "prompt": (
            "prompting",
            "Print the six tools and what would stand behind the view of the next request.",
        ),
        "on": (
            "switching",
            "Switch AILI on for the branch; this also ends what restore-all ordered.",
        ),
        "off": (
            "switching",
            "Switch AILI off for the branch: the view is the raw history, nothing is planned.",
        ),
        "restore-all": (
            "switching",
            "Show the raw history again: every block of the epoch off, cooling ended.",
        ),
        "doctor": ("doctoring", "Report on every part of AILI: ok, off, fault, or Unverified."),
        "call": (
            "calling",
            'Answer lines of JSON, {"id", "op", "log", "leaf"?, "input", "write"?}.',
        ),
    },
    package="pcsf_lark.faces.cli.aili",
)
