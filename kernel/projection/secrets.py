"""Secrets in a text: the well-known forms of keys, tokens and passwords.

Laws: a form is looked for only where a fixed piece of it stands, so that a text without
any costs a few plain searches; what is found is told by its name, never by its text;
placeholders and references to an environment are no secrets.
"""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["FORMS", "secret_in"]

#: A character and a piece that every secret of the form holds, its name, the form.
FORMS: Final[Sequence[tuple[str, str, str, re.Pattern[str]]]] = tuple(
    (sign, piece, name, re.compile(form))
    for sign, piece, name, form in (
        (
            "-",
            "-----BEGIN ",
            "private-key",
            r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
        ),
        ("-", "sk-", "api-key", r"(?<![\w-])sk-(?:ant|proj|svcacct|admin|or)-[\w-]{16,}"),
        ("-", "sk-", "api-key", r"(?<![\w-])sk-(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Za-z0-9_-]{20,}"),
        ("-", "gl", "gitlab-token", r"(?<!\w)gl(?:pat|oas|rt|cbt|dt|ptt)-[\w-]{20,}"),
        ("-", "pypi-", "pypi-token", r"(?<!\w)pypi-[\w-]{32,}"),
        ("-", "xox", "slack-token", r"(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("_", "k_live_", "stripe-key", r"(?<!\w)[rs]k_live_[A-Za-z0-9]{16,}"),
        ("_", "k_test_", "stripe-key", r"(?<!\w)[rs]k_test_[A-Za-z0-9]{16,}"),
        ("_", "gh", "github-token", r"(?<!\w)gh[oprsu]_[A-Za-z0-9]{36,}"),
        ("_", "github_pat_", "github-token", r"(?<!\w)github_pat_\w{22,}"),
        ("_", "hf_", "hugging-face-token", r"(?<!\w)hf_[A-Za-z0-9]{30,}"),
        ("_", "npm_", "npm-token", r"(?<!\w)npm_[A-Za-z0-9]{36}"),
        ("A", "AKIA", "aws-key", r"(?<![A-Za-z0-9])AKIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("A", "ASIA", "aws-key", r"(?<![A-Za-z0-9])ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("A", "AIza", "google-key", r"(?<!\w)AIza[\w-]{35}"),
        ("G", "SG.", "sendgrid-key", r"(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}"),
        ("J", "eyJ", "web-token", r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"),
        ("/", "hooks.slack.com/", "slack-hook", r"hooks\.slack\.com/services/[\w/]{20,}"),
        ("@", "://", "address-password", r"://[^\s/:@<>$'\"]{0,64}:[^\s/:@<>$*{}'\"]{3,}@[\w.-]"),
        (" ", "earer ", "bearer-token", r"[Bb]earer (?=[\w.-]*\d)[A-Za-z0-9_.-]{20,}"),
    )
)
_SIGNS: Final = tuple(dict.fromkeys(form[0] for form in FORMS))
_BY_SIGN: Final = {sign: [form[1:] for form in FORMS if form[0] == sign] for sign in _SIGNS}
#: Names that are given secrets, in lower case, and what gives them one.
_NAMES: Final = (
    "passw",
    "passphrase",
    "secret",
    "token",
    "credential",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "accesskey",
    "private_key",
)
_GIVEN: Final = re.compile(
    r"[a-z]{0,3}(?:[_-]?key)?\\?[\"']?\s{0,2}[:=]\s{0,2}"
    r"\\?(?P<quote>[\"'`]?)(?P<value>[^\s\\\"'`,;(){}\[\]<>$]{8,256})"
)
_PLACEHOLDER: Final = re.compile(
    r"(?:x{3,}|\*{3,}|\.{3}|your|example|change|redacted|hidden|placeholder|process\.|os\.|env|vault"
    r"|none|null|true|false|secrets?[.:/]|https?:|[a-z_]+\.[a-z_.]+$).*",
    re.IGNORECASE,
)


def secret_in(text: str) -> str | None:
    """Return the name of the first form of secret a text holds, None where it holds none."""
    for sign, forms in _BY_SIGN.items():
        if sign in text:
            for piece, name, form in forms:
                if piece in text and form.search(text):
                    return name
    if "=" not in text and ":" not in text:
        return None
    lower = text.lower()
    for name in _NAMES:
        if name in lower and _assigned(lower, name):
            return "assigned-secret"
    return None


def _assigned(text: str, name: str) -> bool:
    """Tell whether a value that looks chosen by nobody is given to a telling name."""
    at = text.find(name)
    while at >= 0:
        at += len(name)
        match = _GIVEN.match(text, at)
        if match is not None and _is_chosen(match["value"], quoted=bool(match["quote"])):
            return True
        at = text.find(name, at)
    return False


def _is_chosen(value: str, *, quoted: bool) -> bool:
    if _PLACEHOLDER.match(value):
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits >= 2 and letters >= 2:
        return True
    return quoted and digits + letters < len(value) and letters >= 2 and "_" not in value
