"""How much a call may hold; beyond it the call is refused with the number that was crossed."""

from __future__ import annotations

from pcsf_lark.spec import READ_LIMIT

__all__ = [
    "CALLS",
    "CAPSULE",
    "CAPSULES",
    "CHAIN",
    "FINDINGS",
    "HELD",
    "HITS",
    "LOG_FILE",
    "LOG_TEXT",
    "MESSAGE",
    "MESSAGES",
    "NAME",
    "NOTES",
    "OBJECT",
    "PAGE",
    "SECONDS",
    "SELECTORS",
    "THREADS",
]

#: Bytes of one message of the protocol, whatever is in it.
MESSAGE = 8 * 1024 * 1024
#: Characters of one capsule: what readers take in whole (D20).
CAPSULE = READ_LIMIT
#: Capsules of one chain to be stitched.
CAPSULES = 16
#: Characters of notes that go into a prompt.
NOTES = 1024 * 1024
#: Characters of a session log in a call, and bytes of one in a file.
LOG_TEXT = 4 * 1024 * 1024
LOG_FILE = 64 * 1024 * 1024
#: Bytes of a state object, and objects of a chain.
OBJECT = 4 * 1024 * 1024
CHAIN = 64
#: Messages of a history that is given as such.
MESSAGES = 10_000
#: Characters of a name, a word to look for, a path.
NAME = 1_000
#: Rules that a call may name.
SELECTORS = 100
#: Findings that an answer lists; the rest is counted.
FINDINGS = 50
#: Characters of a page of what a block hides: clients show models little more.
PAGE = 20_000
#: Hits of a search.
HITS = 50
#: Calls at work or waiting, how many of them are at work, and bytes of all their messages.
CALLS = 32
THREADS = 4
HELD = 2 * MESSAGE
#: How long a call may be at work.
SECONDS = 300
