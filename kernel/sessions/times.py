"""Times as logs spell them, in UTC to the second.

Laws: a text without an offset is taken for UTC; a number counts seconds or milliseconds
since 1970; what is no time is None, never a guess.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

__all__ = ["last_of", "utc"]

#: A larger number counts milliseconds.
_SECONDS: Final = 1e11


def utc(value: Any) -> str | None:
    """Return a time as `YYYY-MM-DDThh:mm:ssZ`, None for what is none."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value / 1000 if value > _SECONDS else value, UTC)
        else:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return f"{moment.replace(tzinfo=None, microsecond=0).isoformat()}Z"


def last_of(values: Iterable[Any]) -> str | None:
    """Return the last of some times that is one."""
    return next((time for value in reversed(list(values)) if (time := utc(value))), None)
