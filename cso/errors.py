"""What the package raises, and the finding it returns.

Content that is merely wrong is reported as `Finding` values. Exceptions are for
input that cannot become a value at all and for misuse; each carries a stable
`code`, the place (`at`) and a message that says how to mend it. No message
holds key material or more than a short piece of the content.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

__all__ = [
    "ChainError",
    "ConflictError",
    "ContentError",
    "CsoError",
    "CycleError",
    "EscalationRequired",
    "Finding",
    "GoalError",
    "HeaderError",
    "KeyMaterialError",
    "LimitError",
    "PreservationError",
    "StoreDamagedError",
    "UnknownIdError",
]


@frozen
class Finding:
    """One fact about content: a stable `code`, the place, what and how to mend.

    Attributes:
        at: The place, as a path of members; empty where it is the whole object.
        message: What is wrong, and how to mend it.
    """

    code: str
    at: str
    message: str

    def __str__(self) -> str:
        """Read as one line: place, message, code."""
        return f"{self.at or 'object'}: {self.message} [{self.code}]"


class CsoError(ValueError):
    """Base of everything raised here; `code`, `at` and `findings` are data.

    Attributes:
        message: What is wrong, and how to mend it.
        at: The place, empty where there is none.
        code: A stable word for a program.
        findings: All faults, where there are several.
        default_code: The `code` of the class, where none is given.
    """

    default_code: ClassVar[str] = "cso"

    def __init__(
        self,
        message: str,
        *,
        at: str = "",
        code: str | None = None,
        findings: tuple[Finding, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message: str = message
        self.at: str = at
        self.code: str = code or self.default_code
        self.findings: tuple[Finding, ...] = findings or (Finding(self.code, at, message),)

    def __str__(self) -> str:
        """Name the place when there is one."""
        return f"{self.at}: {self.message}" if self.at else self.message


class ContentError(CsoError):
    """The input is not a Cognitive State Object; `findings` lists every fault."""

    default_code = "content"


class LimitError(ContentError):
    """The input is larger or deeper than the limits allow."""

    default_code = "limit"


class UnknownIdError(CsoError, KeyError):
    """An id or entry that the object does not hold."""

    default_code = "unknown-id"


class KeyMaterialError(CsoError):
    """A key that is missing, too short or malformed. Never shows the key."""

    default_code = "key"


class ChainError(CsoError):
    """An object that cannot stand where the caller puts it in a chain."""

    default_code = "chain"


class PreservationError(CsoError):
    """A relay that still loses state after repair: halt."""

    default_code = "preservation"


class ConflictError(CsoError):
    """Another writer was there first, or two contents claim one id."""

    default_code = "conflict"


class CycleError(CsoError):
    """An edge that would close a cycle; the message prints the cycle."""

    default_code = "cycle"


class EscalationRequired(CsoError):  # noqa: N818 - the term of the requirement (R26)
    """A revision that only a human may decide."""

    default_code = "escalation"


class GoalError(CsoError):
    """A goal step that does not fit the goal state."""

    default_code = "goal"


class HeaderError(CsoError):
    """A header that cannot be emitted or does not follow its grammar."""

    default_code = "header"


class StoreDamagedError(CsoError):
    """A store whose files lost or mixed committed data."""

    default_code = "store-damaged"
