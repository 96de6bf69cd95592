"""What a reader returns: the history a model would see, and how the log was."""

from attrs import field, frozen

from kernel.model import CoreMessage, as_tuple
from kernel.sessions.lines import Diagnostic
from kernel.wire.history import History

__all__ = ["Entry", "Log"]


@frozen
class Entry:
    """One entry of the path to the leaf: its id, type, and the roles it adds.

    Attributes:
        id: Its id in the log.
        type: Its type there.
        roles: The roles of the messages it adds.
    """

    id: str
    type: str
    roles: tuple[str, ...] = ()


@frozen
class Log:
    """A session read from a log. `history` goes to `kernel.wire.encode` as it is.

    `last_time` is when the last message was written, in UTC, where the log says so.
    `earlier` are the messages that a summary stands for in `history`, if asked for.

    Attributes:
        format: The log's format.
        diagnostics: What a reader should know of it.
        session_id: The session's id, where the log says it.
        leaf: The entry that the branch ends at.
        entries: The path to the leaf.
        model: The model used last.
        thinking_level: The level set last.
    """

    format: str
    history: History
    diagnostics: tuple[Diagnostic, ...] = field(default=(), converter=as_tuple)
    session_id: str | None = None
    leaf: str | None = None
    entries: tuple[Entry, ...] = field(default=(), converter=as_tuple)
    model: str | None = None
    thinking_level: str | None = None
    last_time: str | None = None
    earlier: tuple[CoreMessage, ...] = field(default=(), converter=as_tuple)

    @property
    def messages(self) -> tuple[CoreMessage, ...]:
        """Return the core messages."""
        return self.history.messages
