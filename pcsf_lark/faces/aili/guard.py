"""Telling a log of AILI from others, so that nothing else works on its raw messages.

What is folded by a journal is folded for the model: a view that does not know the journal
would show it raw, and folds of another kind would lie beside those of the log.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from kernel.sessions.lines import bounded
from pcsf_lark.faces.session.state import Refused

__all__ = ["COMMANDS", "has_journal", "require_plain"]

#: What stands in for each verb of `pcsf session`.
COMMANDS: Final = {
    "view": "pcsf aili view",
    "status": "pcsf aili stats",
    "search": "pcsf aili call (aili_search_context)",
    "plan": "pcsf aili compress",
    "convert": "pcsf aili view --format",
    "compress": "pcsf aili compress",
    "decompress": "pcsf aili decompress",
    "undo": "pcsf aili decompress",
}
#: What the custom type of every entry of AILI begins with.
_KIND: Final = "aili.compact."
_MARK: Final = _KIND.encode()
#: JSON may spell any character by its number.
_ESCAPE: Final = b"\\u"
_CUSTOM: Final = b'"custom'


def has_journal(path: str) -> bool:
    """Whether an entry of AILI stands in a log, on whatever branch; raises OSError."""
    with Path(path).open("rb") as file:
        return any(_may_be(line) and _is_entry(line) for line in bounded(file))


def _may_be(line: bytes) -> bool:
    # Most lines are messages, which are long: they are not parsed. Escapes may stand in the
    # kind, in the names of members, in "custom" itself.
    if _MARK in line:
        return True
    return _ESCAPE in line and (_CUSTOM in line or b'"message"' not in line)


def _is_entry(line: bytes) -> bool:
    # A message may speak of an entry; a damaged line counts as one, to be safe.
    try:
        value = json.loads(line.replace(b"\0", b""))
    except (ValueError, RecursionError):
        return b'"customType":"' + _MARK in line.replace(b" ", b"")
    kind = value.get("customType") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind.startswith(_KIND) and value.get("type") == "custom"


def require_plain(path: str, verb: str) -> None:
    """Refuse a log of AILI for a verb, naming the command that knows it; raises Refused."""
    if has_journal(path):
        known = COMMANDS[verb]
        raise Refused(
            f"{path}: has transactions of AILI, which decide what is shown: use `{known}`"
        )
