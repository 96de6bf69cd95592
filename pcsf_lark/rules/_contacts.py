"""E-mail addresses and phone numbers in a text, for the rule S004."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find"]

_MAIL = re.compile(
    # Accounts of machines, hosts that no mail reaches and files such as icon@2x.png are nobody's.
    r"(?<![\w.+-])(?!(?:git|root|ubuntu|ec2-user|pi|postgres|www-data)@)[A-Za-z0-9][\w.+-]{0,63}"
    r"@(?:[A-Za-z0-9-]{1,63}\.){1,5}(?!(?:lan|local|localhost|internal|svc|png|jpe?g|gif|svg|webp|js|ts|css|json|tgz|zip)\b)[A-Za-z]{2,}",
    re.ASCII,
)
_PHONE = re.compile(
    r"(?<![\w.+@/-])(?:"
    r"\+\d{1,3}(?:[ .-]?\(\d{1,4}\))?(?:[ .-]?\d{1,5}){2,5}"
    r"|\(\d{3}\) ?\d{3}[ .-]\d{4}"
    r"|\d{3}[-.]\d{3}[-.]\d{4}"
    r"|0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,5}"
    r")(?![\w@-]|\.\d)",
    re.ASCII,
)
_LEAST, _MOST = 10, 15


def find(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of each, e-mail first."""
    if "@" in text:
        for match in _MAIL.finditer(text):
            yield match.start(), match.end(), "an e-mail address"
    for match in _PHONE.finditer(text):
        number = match.group()
        digits = sum(character.isdigit() for character in number)
        # A plain count such as +1000000000 is grouped by nothing.
        if (_LEAST <= digits <= _MOST and not number[1:].strip("0").isdigit()) or (
            number.startswith("+")
            and number[1:].isdigit()
            and 10 < digits <= _MOST
            and number[-3:] != "000"
        ):
            yield match.start(), match.end(), "a phone number"
