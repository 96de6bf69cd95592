"""Forms of keys and tokens by which their issuers make them known.

Laws: a table alone; every form names a character and a piece that each secret of it holds,
so that a text without them costs a plain search; no form looks further than a few hundred
characters, so that none is slow.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["BY_SIGN", "FORMS"]

_KEY: Final = "-----BEGIN "

#: A character and a piece that every secret of the form holds, its name, the form.
FORMS: Final[Sequence[tuple[str, str, str, re.Pattern[str]]]] = tuple(
    (sign, piece, name, re.compile(form))
    for sign, piece, name, form in (
        ("-", _KEY, "private-key", _KEY + r"(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
        ("-", "AGE-SECRET-KEY-1", "private-key", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
        ("-", "PuTTY-User-Key-File-", "private-key", r"PuTTY-User-Key-File-\d"),
        ("-", "sk-", "api-key", r"(?<![\w-])sk-(?:ant|proj|svcacct|admin|or)-[\w-]{16,}"),
        ("-", "sk-", "api-key", r"(?<![\w-])sk-(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Za-z0-9_-]{20,}"),
        ("-", "sk-", "api-key", r"(?<![\w-])sk-(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{32,}"),
        ("-", "xai-", "api-key", r"(?<![\w-])xai-[A-Za-z0-9]{32,}"),
        ("-", "gl", "gitlab-token", r"(?<!\w)gl(?:pat|oas|rt|cbt|dt|ptt)-[\w-]{20,}"),
        ("-", "pypi-", "pypi-token", r"(?<!\w)pypi-[\w-]{32,}"),
        ("-", "xox", "slack-token", r"(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("-", "xapp-", "slack-token", r"(?<!\w)xapp-\d-[A-Za-z0-9-]{16,}"),
        ("-", "GOCSPX-", "google-key", r"(?<!\w)GOCSPX-[\w-]{20,}"),
        ("-", "curl", "command-password",
         r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?['\"]?[^\s:'\"$<>]{1,64}:[^\s'\"$<>{}]{4,}"),
        ("-", "mysql", "command-password",
         r"\bmysql\w*\b[^\n]{0,200}?\s-p['\"]?(?=[^\s]{0,60}\d)[^\s'\"$<>{}-][^\s'\"$<>{}]{5,}"),
        ("_", "k_live_", "stripe-key", r"(?<!\w)[rs]k_live_[A-Za-z0-9]{16,}"),
        ("_", "k_test_", "stripe-key", r"(?<!\w)[rs]k_test_[A-Za-z0-9]{16,}"),
        ("_", "whsec_", "stripe-key", r"(?<!\w)whsec_[A-Za-z0-9+/]{20,}"),
        ("_", "gsk_", "api-key", r"(?<!\w)gsk_[A-Za-z0-9]{32,}"),
        ("_", "gh", "github-token", r"(?<!\w)gh[oprsu]_[A-Za-z0-9]{36,}"),
        ("_", "github_pat_", "github-token", r"(?<!\w)github_pat_\w{22,}"),
        ("_", "hf_", "hugging-face-token", r"(?<!\w)hf_[A-Za-z0-9]{30,}"),
        ("_", "npm_", "npm-token", r"(?<!\w)npm_[A-Za-z0-9]{36}"),
        ("_", "_v1_", "digitalocean-token", r"(?<!\w)do[opr]_v1_[a-f0-9]{32,}"),
        ("_", "shp", "shopify-token", r"(?<!\w)shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{24,}"),
        ("h", "hvs.", "vault-token", r"(?<!\w)hvs\.[\w-]{20,}"),
        (".", ".", "discord-token", r"[MNO](?<![\w.-].)[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w.-])"),
        (":", ":AA", "telegram-token", r"(?<!\d)\d{8,10}:AA[\w-]{32,}"),
        ("A", "AKIA", "aws-key", r"(?<![A-Za-z0-9])AKIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("A", "ASIA", "aws-key", r"(?<![A-Za-z0-9])ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("A", "AIza", "google-key", r"(?<!\w)AIza[\w-]{35}"),
        ("A", "AccountKey=", "azure-key", r"\bAccountKey=[A-Za-z0-9+/]{32,}"),
        ("G", "SG.", "sendgrid-key", r"(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}"),
        ("J", "eyJ", "web-token", r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"),
        ("S", "SK", "twilio-key", r"(?<!\w)SK[0-9a-f]{32}(?!\w)"),
        ("/", "hooks.slack.com/", "slack-hook", r"hooks\.slack\.com/services/[\w/]{20,}"),
        ("@", "://", "address-password", r"://[^\s/:@<>$'\"]{0,64}:[^\s/:@<>$*{}'\"]{3,}@[\w.-]"),
        (" ", "earer ", "bearer-token", r"[Bb]earer (?=[\w.-]*\d)[A-Za-z0-9_.-]{20,}"),
        (" ", "EARER ", "bearer-token", r"BEARER (?=[\w.-]*\d)[A-Za-z0-9_.-]{20,}"),
        (" ", "asic ", "basic-credentials", r"(?i:authorization)\W{1,4}[Bb]asic [A-Za-z0-9+/]{12,}={0,2}"),
        (" ", "ASIC ", "basic-credentials", r"(?i:authorization)\W{1,4}BASIC [A-Za-z0-9+/]{12,}={0,2}"),
    )
)  # fmt: skip
BY_SIGN: Final[Mapping[str, Sequence[tuple[str, str, re.Pattern[str]]]]] = {
    sign: [form[1:] for form in FORMS if form[0] == sign]
    for sign in dict.fromkeys(form[0] for form in FORMS)
}
