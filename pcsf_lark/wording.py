"""Small wording that every stage shares."""

__all__ = ["counted"]


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 blank line``, ``1,200 bytes``; ``plural`` where it is irregular."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
