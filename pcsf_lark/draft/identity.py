"""Which log a draft is of: the same name as long as the log only grows.

Laws: it follows from the format, the session and the first message; neither what was
appended, nor what a compaction took out, nor the file's place is in it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kernel.model import CoreMessage
    from kernel.sessions import Log

__all__ = ["DIGITS", "log_id"]

#: How many hex digits tell logs apart.
DIGITS = 10


def log_id(log: Log, messages: Sequence[CoreMessage]) -> str:
    """The name of a log, ``messages`` being all of it, from before a compaction on.

    Where a format knows of no sessions, many logs begin with the same instructions: what
    the user said first counts as well.
    """
    began = list(messages[:1])
    if log.session_id is None:
        began += [message for message in messages if message.role == "user"][:1]
    said = [text for message in began for text in (message.id, message.text or "")]
    told = "\n".join((log.format, log.session_id or "", *said))
    return sha256(told.encode("utf-8", "replace")).hexdigest()[:DIGITS]
