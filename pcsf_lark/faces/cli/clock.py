"""The one place that reads the clock."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["utc_now"]


def utc_now() -> str:
    """The present minute, as META writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ")
