"""Values that are assigned to a word for a secret, for the rule S002.

Laws of this file: what is said of a secret (`the key is ed25519`, `token: JWT`)
is none. A password may be any word, so that after a word for one a value needs
a digit, quotes or a tight `=`; keys and tokens are made by machines, so that
after a word for those a value must not look like a name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find"]

_ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9])(?:(?P<password>pass(?:word|wd|phrase|wort)|kennwort|pwd|contrasena|senha|wachtwoord|mot de passe)"
    r"|secret(?:[ _-]?key)?|api[ _-]?key|access[ _-]?(?:key|token)|auth[ _-]?token|token|credentials?)"
    r"[\"']?(?:(?P<tight>[:=]=?)|(?: ?:=? | := | = | is | ist | est | es ))"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;]{4,})",
    re.IGNORECASE,
)
#: What stands where a value would, or says what kind of value it is.
_DESCRIBED = re.compile(
    r"[<$%{\[*].*|x{3,}|\.{3}.*|(?:env|os|vault|secrets?)[.:/].*"
    r"|(?:none|null|true|false|redacted|hidden|changeme|required|optional|prompt|unset|empty|missing|wrong|invalid|rotated"
    r"|bearer|basic|plaintext|hashed|encrypted|sealed|argon2\w*|bcrypt|scrypt|pbkdf2\w*|sha-?\d+|md5|hmac|jwt|oauth2?"
    r"|ed25519|rsa\d*|x509(?:v\d)?|base64|hs\d{3}|rs\d{3}|es\d{3}|pkcs\d+|utf-?8|k8s|(?:min|max)\d+\w*"
    r"|\d+-?(?:chars?|characters?|bytes?|bits?|digits?|s|sec|seconds?|min|minutes?|h|hours?|d|days?|weeks?|months?|years?|k)(?:ttl)?)"
    r"(?:[^A-Za-z0-9].*)?",
    re.IGNORECASE,
)
#: A part of a name: letters of one case or a capital before them, with digits behind or before.
_PART = re.compile(r"(?:[A-Z]?[a-z]*|[A-Z]*)\d{0,4}|\d{1,4}[a-z]*")
_SHORTEST, _MIXED, _MADE = 4, 6, 16


def find(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each value."""
    for match in _ASSIGNED.finditer(text):
        value = match["value"].rstrip(".)")
        if len(value) < _SHORTEST or _DESCRIBED.fullmatch(value):
            continue
        quoted, tight = bool(match["quote"]), bool(match["tight"])
        if (
            _is_password(value, surely=quoted or tight)
            if match["password"]
            else quoted or _is_made(value, tight=tight)
        ):
            start = match.start("value")
            yield start, start + len(value)


def _is_password(value: str, *, surely: bool) -> bool:
    if surely:
        return value.isascii() and (not value.isupper() or _is_mixed(value))
    return len(value) >= _MIXED and _is_mixed(value)


def _is_made(value: str, *, tight: bool) -> bool:
    """Whether it looks like no name: `v2-only` and `ed25519` do, `9f8e7d6c` does not."""
    parts = re.split(r"[-_./:+]", value)
    if len(value) < _MIXED or len(parts) > len(value) / 4:
        return False
    if all(map(_PART.fullmatch, parts)):
        return _is_mixed(value) and len(parts) == 1 and (tight or len(value) >= _MADE)
    return tight or _is_mixed(value)


def _is_mixed(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(not c.isdigit() for c in value)
