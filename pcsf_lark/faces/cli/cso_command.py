"""`pcsf cso`: Cognitive State Objects, checked, signed, relayed, revised and exchanged.

Exit codes: 0 done; 1 refused: BROKEN, a loss, a conflict, a bad object; 2 a wrong
call, a key file that cannot serve, a file or store that cannot be used. No output
ever shows a key.
"""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "cso",
    """Check, sign, relay, revise and exchange Cognitive State Objects (CRP-SPEC-030).

    A state object is JSON: the facts and decisions of a session, what each rests
    on, the constraints, and what is open. Each window of work (a session, or a
    part of one) signs its own with a tag, so that they make a chain.

    Examples:
        # Go from a capsule to an object that can be signed and revised.
        pcsf cso from-capsule capsule.pcsf -o made.json
        #=> writes made.json
        # Read an object.
        pcsf cso show state.json
        #=> Goal (AGENTIC): Build the index
    """,
    {
        "from-capsule": (
            "bridge",
            "Make a state object of a capsule; `to-capsule` gives the very bytes back.",
        ),
        "to-capsule": (
            "bridge",
            "Write a state object as a capsule; the log tells all that is not in it.",
        ),
        "sign": (
            "chain",
            "Sign an object after its priors, or as the first of its chain; nothing is verified.",
        ),
        "verify": ("chain", "Judge a chain: VALID, PARTIAL, UNVERIFIED, or BROKEN where and why."),
        "relay": (
            "chain",
            "Verify a new object against its prior, repair it, sign it, and print the headers.",
        ),
        "check": ("look", "List what is wrong with an object; notes alone exit 0."),
        "repair": ("chain", "Put back what a new object lost of its prior; nothing is verified."),
        "invalidate": ("change", "Invalidate an item, and mark all that rests on it."),
        "revise": (
            "change",
            "Supersede a decision or a fact by a new one; the old one stays, marked.",
        ),
        "reaffirm": ("change", "Declare that a marked item still holds, on what stands today."),
        "revision-window": (
            "change",
            "Print, as JSON, the goal and the context of a window that revises an item.",
        ),
        "advance": ("change", "Take finished entries off what remains of the goal."),
        "answer": ("change", "Move an open question to the resolved ones."),
        "tool-refresh": (
            "parts",
            "Take in a tool's result fetched anew: another value invalidates its facts.",
        ),
        "tool-stale": (
            "parts",
            "Note that a tool's result grew old: its facts are stale, nothing is invalidated.",
        ),
        "archive": (
            "parts",
            "Move dead items out, and leave their digests; the items are written first.",
        ),
        "slice": (
            "parts",
            "Cut out items and all they rest on, with all constraints, for a micro-task.",
        ),
        "integrate": (
            "parts",
            "Merge a contribution; exits 1 where its ground has moved, and changes nothing then.",
        ),
        "explain": ("look", "Trace an item through all it rests on, down to tool results."),
        "graph": ("look", "Draw who rests on whom."),
        "show": (
            "look",
            "Print an object as a prompt would have it: goal and constraints are never cut.",
        ),
        "headers": (
            "chain",
            "Print the CRP-Relay headers of an object; nothing is verified or repaired.",
        ),
        "log": ("logs", "List what a store holds, oldest first, with the branches that end there."),
        "call": (
            "bridge",
            "Answer JSON lines from standard input with JSON lines, for other languages.",
        ),
        "audit": ("logs", "Judge audit trails."),
    },
    package="pcsf_lark.faces.cli.cso",
)
