"""What gives a secret or a person away in logs: options of commands, settings, headers, prose.

Laws: a form names the value alone, so what it is the value of stays readable; a text is
looked at as it reads (full-width letters, invisible characters, escaped quotes), and
withheld as it stands; what may lie between the parts of a form is bounded, so the work
grows with the text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["leaks", "readable"]

_PASSWORD, _TOKEN, _HEADER = "a password", "a token or key", "a header that signs in"
_WORD: Final = (
    r"(?:password|passwd|passphrase|passwort|kennwort|contrase\u00f1a|contrasena|mot de passe|senha"
    r"|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\u043f\u0430\u0440\u043e\u043b\u044c"
    r"|\bpasscode)"
)
_KEYS: Final = (
    r"(?:api|access|auth|client|secret|private|license|bearer|refresh|session|deploy|bot)"
    r"[ _-]?(?:key|token|secret)(?:[_-]id)?"
)
_QUOTE: Final = r"[\\/]*[\"'`]?"
_VALUE: Final = r"(?P<v>\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^\s\"'`;&|\\]+)"
_FORMS: Final[Sequence[tuple[str, re.Pattern[str]]]] = tuple(
    (kind, re.compile(form, re.IGNORECASE if loose else 0))
    for kind, loose, form in (
        (_PASSWORD, True, r"(?<![\w-])--?(?:\w{1,30}-){0,4}(?:password|passwd|passphrase|pass|pwd)[= ]+" + _VALUE),
        (_TOKEN, True, r"(?<![\w-])--?(?:\w{1,30}-){0,4}(?:token|secret|api-?key|access-?key|secret-?key)[= ]+" + _VALUE),
        (_PASSWORD, False, r"\b(?:curl|wget|http|https|xh)\b[^\n|;]{0,300}?\s(?:-u|-U|--user|--proxy-user)[= ]*[\"']?(?P<v>[^\s\"':]+:[^\s\"']+)"),
        (_PASSWORD, False, r"\b(?:mysql\w*|mariadb\w*|mongo\w*|sshpass)\b[^\n|;]{0,300}?\s-p\s*(?P<v>(?<=-p)[^\s\"'-]\S*|(?<=\s)\"?'?[^\s-]\S*)"),
        (_TOKEN, False, r"\b[A-Z0-9_]{0,60}(?:PASS|PASSWD|PASSWORD|PWD|TOKEN|SECRET|KEY|CREDENTIALS?)(?:_[A-Z0-9_]{1,40})?(?<!\bPWD)(?<!\bOLDPWD)[ ]?=[ ]?" + _VALUE),
        (_PASSWORD, True, _WORD + _QUOTE + r"\s{0,2}[:=\uff1a]\s{0,2}" + _QUOTE + r"(?P<v>[^\s\"'`,;\\]{4,})"),
        (_PASSWORD, False, r"\b(?:pwd|Pwd)" + _QUOTE + r"\s?[:=]\s?" + _QUOTE + r"(?P<v>[^\s\"'`,;\\/]{4,})"),
        (_TOKEN, True, r"\b" + _KEYS + _QUOTE + r"\s{0,2}[:=]\s{0,2}" + _QUOTE + r"(?P<v>[^\s\"'`,;\\]{6,})"),
        (_PASSWORD, True, _WORD + r"\s*(?:\b(?:is|are|was|ist|lautet|es|est)\b|[\u662f\u4e3a])\s*:?\s*[\"'`]?(?P<said>[^\s\"'`,;]{6,})"),
        (_TOKEN, True, r"\b" + _KEYS + r"\b[^\n]{0,24}?\b(?P<v>[0-9a-f]{24,})\b"),
        (_TOKEN, False, r"\b(?P<v>do[opr]_v1_[0-9a-f]{32,})"),
        (_HEADER, True, r"\b(?:set-)?cookie: ?(?P<v>[^\r\n\"']{4,})"),
        (_HEADER, True, r"\b(?:proxy-)?authorization: ?(?P<v>(?:\w+ +)?[^\s\"']{4,})"),
        (_HEADER, True, r"\bx-[\w-]*(?:key|token|secret|auth)[\w-]*: ?(?P<v>[^\s\"']{4,})"),
        (_PASSWORD, True, r"\blogin\s+\S+\s+password\s+(?P<v>\S+)"),
        (_PASSWORD, True, r"\b[a-z][a-z0-9+.-]{1,20}:/{1,2}[^\s/@:\"']{0,100}:(?P<v>[^\s@\"']{1,200})@"),
        ("a social security number", False, r"(?<![\w-])(?P<v>\d{3}-\d{2}-\d{4})(?![\w-])"),
        ("a bank account", False, r"(?<!\w)(?P<iban>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?!\w)"),
        ("a phone number", False, r"(?<![\w.-])(?P<v>(?:\+?1[-. ])?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4})(?![\w-])"),
        ("a phone number", False, r"(?<=[/:])(?P<v>\+\d[\d ()-]{7,16}\d)"),
        ("an e-mail address", True, r"(?<![\w.+-])(?P<v>[\w.+-]{1,64}%40[\w-]{1,64}(?:\.[\w-]{1,64}){1,6})"),
        ("a login", False, r"(?<![\w.-])(?P<v>[\w.-]{1,64}@(?:\d{1,3}\.){3}\d{1,3})\b"),
    )
)  # fmt: skip
_UNSEEN: Final = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
#: Without one of these no form can be there.
_SIGN: Final = re.compile(
    r"pass|pwd|token|secret|key|credential|contrase|kennwort|senha|cookie|authoriz|x-\w|do[opr]_v1"
    r"|\u5bc6|\u30d1\u30b9|\u043f\u0430\u0440|:/|%40|@\d|\s-[uUp]|--user|\d[-. ]\d|[A-Z]{2}\d\d|[/:]\+\d"
    r"|-[0-9]{2}-",
    re.IGNORECASE,
)
#: What stands there instead of a value: a name, a type, a place, a word of prose.
_NONE: Final = re.compile(
    r"[\[<({$%]|(?:str|int|bool|none|null|nil|true|false|string|required|optional|missing|empty|env|os|self"
    r"|process|config|settings|getenv|input|undefined|todo|xxx+|\*+|\.\.\.|withheld)\b[\w.\[\]()]*|-",
    re.IGNORECASE,
)
_PROSE: Final = re.compile(
    r"[a-z]+(?:ed|ing|ble|ory|ly|al|ent|ect|ong|ive|ure|ous|ten|ere|ful|word|words|hidden|unknown|stored)?[.!?)]*",
)


def readable(text: str) -> tuple[str, Sequence[int] | None]:
    """A text as it reads, and where each of its characters stands; None where all stay."""
    if text.isascii() or (unicodedata.is_normalized("NFKC", text) and not _UNSEEN.search(text)):
        return text, None
    shown: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        if unicodedata.category(char) == "Cf":
            continue
        plain = unicodedata.normalize("NFKC", char)
        shown.append(plain)
        places += [at] * len(plain)
    made = "".join(shown)
    return (text, None) if made == text else (made, places)


def leaks(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches of a readable text that give something away, each with its kind."""
    if not _SIGN.search(text):
        return
    for kind, form in _FORMS:
        for match in form.finditer(text):
            group = match.lastgroup or "v"
            if _gives(group, match[group]):
                yield *match.span(group), kind


def _gives(group: str, value: str) -> bool:
    if group == "iban":
        return _is_iban(value)
    bare = value.strip("\"'`")
    if len(bare) < 2 or _NONE.match(bare):
        return False
    if group == "said":
        # In prose, a word may only say how the password is.
        return not (bare.islower() and _PROSE.fullmatch(bare) and len(bare) < 14)
    return True


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1
