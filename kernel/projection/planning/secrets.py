"""Secrets in a text: the well-known forms of keys, tokens and passwords.

Laws: a form is looked for only where a fixed piece of it stands, so that a text without
any costs a few plain searches; what is found is told by its name, never by its text;
placeholders and references to an environment are no secrets; letters that only look like
Latin ones and characters nobody sees hide nothing.
"""

# ruff: noqa: RUF001 - full-width marks are meant

import re
from typing import Final

from kernel.projection.planning.secret_forms import BY_SIGN, FORMS

__all__ = ["FORMS", "secret_in"]

#: Names that are given secrets, in lower case.
_NAMES: Final = (
    "passw",
    "passphrase",
    "_pass",
    "secret",
    "token",
    "credential",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "accesskey",
    "private_key",
    "pwd",
    "密码",
    "口令",
    "密钥",
)
#: What stands between a name and its value: a mark of giving, an option's blank, a line end below a name.
_GIVEN: Final = re.compile(
    r"[a-z]{0,3}(?:[_-]?key)?\\?[\"']?(?:\s{0,8}(?:=>|:=|[:=：＝])(?:[ \t]{0,4}|[ \t]{0,2}(?:\r?\n|\\n)[ \t]{0,8}(?:- )?)|>|(?<=word)\s{1,2}|\s{1,3}is\s{1,3}|\()"
    r"\\?(?P<quote>[\"'`]?)(?P<value>[^\s\\\"'`,;(){}\[\]<>$]{8,64})"
)
_OPTION: Final = re.compile(
    r"(?<![\w-])--?(?:password|passwd|pass|token|secret|api-key|apikey|auth-token|access-token)[ =]\s{0,2}[\"']?(?P<value>[^\s\"'$<>{}-][^\s\"'$<>{}]{7,64})"
)
_PLACEHOLDER: Final = re.compile(
    r"(?:x{3,}|\*{3,}|\.{3}|your|example|change|redacted|hidden|placeholder|process\.|os\.|env|vault"
    r"|none|null|true|false|secrets?[.:/]|https?:|[a-z_]+\.[a-z_.]+$).*",
    re.IGNORECASE,
)
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_HIDES: Final = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u0370-\u04ff]")
_LOOKALIKES: Final = str.maketrans(
    "аеорсухіјѕԁкмтнвАЕОРСУХІЈЅКМТНВοαερνικτ", "aeopcyxijsdkmthbAEOPCYXIJSKMTHBoaepvikt"
)
#: So long a value of letters and digits alone is encoded, be there one digit in it.
_LONG: Final = 32
_ENCODED: Final = re.compile(r"[a-z0-9+/]+")
_DIGITS: Final = re.compile(r"\d")
_LETTERS: Final = re.compile(r"[^\W\d_]")


def secret_in(text: str) -> str | None:
    """Return the name of the first form of secret a text holds, None where it holds none."""
    found = _secret_in(text)
    if found is None and not text.isascii() and _HIDES.search(text) is not None:
        return _secret_in(_UNSEEN.sub("", text).translate(_LOOKALIKES))
    return found


def _secret_in(text: str) -> str | None:
    for sign, forms in BY_SIGN.items():
        if sign in text:
            for piece, name, form in forms:
                if piece in text and form.search(text):
                    return name
    if not _may_give(text):
        return None
    lower = text.lower()
    for name in _NAMES:
        if name in lower and _assigned(lower, name):
            return "assigned-secret"
    if "-pass" in lower or "-token" in lower or "-secret" in lower or "-api" in lower:
        for option in _OPTION.finditer(lower):
            if _is_chosen(option["value"]):
                return "assigned-secret"
    return None


def _may_give(text: str) -> bool:
    """Tell whether a text has a mark without which no name is given a value."""
    return (
        ("=" in text or ":" in text or ">" in text or "word " in text or " -" in text)
        or ("('" in text or '("' in text)
        or (not text.isascii() and "：" in text)
    )


def _assigned(text: str, name: str) -> bool:
    """Tell whether a value that looks chosen by nobody is given to a telling name."""
    at = text.find(name)
    while at >= 0:
        at += len(name)
        match = _GIVEN.match(text, at)
        folder = match is not None and name == "pwd" and match["value"][0] in "/~."
        if match is not None and not folder and _is_chosen(match["value"], match["quote"]):
            return True
        at = text.find(name, at)
    return False


def _is_chosen(value: str, quoted: str = "") -> bool:
    digits = _DIGITS.search(value)
    if digits is None and not quoted:
        return False
    if _PLACEHOLDER.match(value):
        return False
    numbers, letters = len(_DIGITS.findall(value)), len(_LETTERS.findall(value))
    if numbers >= 2 and letters >= 2:
        return True
    if numbers and len(value) >= _LONG and _ENCODED.fullmatch(value):
        return True
    return bool(quoted) and numbers + letters < len(value) and letters >= 2 and "_" not in value
