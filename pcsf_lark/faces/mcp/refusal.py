"""A call that is not done: what was wrong, and what to send instead."""

from __future__ import annotations

from typing import Any

__all__ = ["Refusal"]


class Refusal(Exception):  # noqa: N818 - it names what becomes of the call
    """Why a call was refused, for the model that made it.

    ``at`` names the argument, ``mend`` says what to send instead, ``more`` holds what
    else a program may want to know, such as findings.
    """

    def __init__(self, message: str, mend: str, *, at: str = "", code: str = "arguments") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend
        self.at = at
        self.code = code
        self.more: dict[str, Any] = {}
        #: What was wrong, one by one, for readers.
        self.details: tuple[str, ...] = ()

    def __str__(self) -> str:
        """``at: message; mend``, and the details, a line each."""
        head = f"`{self.at}`: " if self.at else ""
        return "\n".join([f"{head}{self.message}; {self.mend}", *self.details])

    def members(self) -> dict[str, Any]:
        """For programs."""
        told = {"code": self.code, "message": self.message, "mend": self.mend, "at": self.at}
        return {"error": {**told, **self.more}}
