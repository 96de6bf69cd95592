"""`pcsf relay`: a store of state, used like a version control system.

Exit codes: 0 done, also where there was nothing to do; 1 refused: a capsule that is
not conformant, a conflict, an escalation, BROKEN, or (`diff`) different; 2 a wrong
call, a key or a store that cannot be used. No output ever shows a key.
"""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "relay",
    """Hand state from session to session: push what one knew, give the next the head.

    A relay is a folder .pcsf, or a database, with the signed states of the
    sessions so far, one a window; its head is where the next session goes on.

    Examples:
        # Hand on what this session knew.
        pcsf relay push capsule.pcsf
        #=> window 3 sha256:...
        # See where the state stands.
        pcsf relay head
        #=> window 2 sha256:...
    """,
    {
        "init": (
            "push",
            "Begin a relay: .pcsf with its store, its configuration and a key of mode 600.",
        ),
        "push": (
            "push",
            "Take a session's state into the chain, and print what was dropped for it.",
        ),
        "head": (
            "look",
            "Print where the state stands, or hand it on: as capsule, object or prompt.",
        ),
        "log": ("look", "List the windows of a branch, the newest first."),
        "show": ("look", "Print a window: what it holds, and what is on record of it."),
        "diff": (
            "look",
            "Print what changed from one window to another; exit 1 where something did.",
        ),
        "branch": ("change", "List the branches, begin one, or change to one."),
        "merge": (
            "change",
            "Join another branch's state to this one, in a window that follows both.",
        ),
        "verify": (
            "look",
            "Judge the branches, their head capsules, the audit trail and the store.",
        ),
        "revise": ("change", "Supersede a decision or a fact; what it was stays on record."),
        "invalidate": ("change", "Say that an item does not hold; all that rests on it is marked."),
        "close": (
            "change",
            "Take a finished task off the goal, or an answered question off the open ones.",
        ),
        "gc": ("change", "Delete what interrupted writes left behind, once it is an hour old."),
    },
    package="pcsf_lark.faces.cli.relay",
)
