"""What a reader returns: the history a model would see, and how the log was."""

from attrs import field, frozen

from kernel.model import CoreMessage, as_tuple
from kernel.sessions.lines import Diagnostic
from kernel.wire.history import History

__all__ = ["Entry", "Log"]


@frozen
class Entry:
    """One entry of the path to the leaf: its id, type, and the roles it adds."""

    id: str
    type: str
    roles: tuple[str, ...] = ()


@frozen
class Log:
    """A session read from a log. `history` goes to `kernel.wire.encode` as it is."""

    format: str
    history: History
    diagnostics: tuple[Diagnostic, ...] = field(default=(), converter=as_tuple)
    session_id: str | None = None
    leaf: str | None = None
    entries: tuple[Entry, ...] = field(default=(), converter=as_tuple)
    model: str | None = None
    thinking_level: str | None = None

    @property
    def messages(self) -> tuple[CoreMessage, ...]:
        """Return the core messages."""
        return self.history.messages
