"""The relay: a store of state, used like a version control system.

A capsule, a state object or a session's log is pushed; the state of all sessions
goes on as one signed chain of windows, and every window carries the head capsule
that the next model is handed. Nothing is lost silently: the object keeps what was
pushed, and what the capsule cannot hold is on record.

`Repository` is what programs use; `README.md` beside this file is a tour.
"""

from pcsf_lark.relay.errors import RepositoryError
from pcsf_lark.relay.incoming import Incoming, of_capsule, of_draft, of_object
from pcsf_lark.relay.inputs import read_push
from pcsf_lark.relay.notes import Notes, notes_of
from pcsf_lark.relay.prompt import fenced, head_prompt
from pcsf_lark.relay.repository import Repository
from pcsf_lark.relay.sealing import Window

__all__ = [
    "Incoming",
    "Notes",
    "Repository",
    "RepositoryError",
    "Window",
    "fenced",
    "head_prompt",
    "notes_of",
    "of_capsule",
    "of_draft",
    "of_object",
    "read_push",
]
