"""No password or key is assigned in a capsule.

`password=...` is read by whoever reads the capsule, and by every model it is
fed to. The format forbids embedded secrets.

Remove the value, change it where it is used, and name the place where it is
kept instead.

Misses: a secret without a word such as password, secret, token or API key
before it, a password of letters alone after a colon or `is`, and a key that
looks like a name (`v2-only`, `ed25519`), which may all be descriptions.
Placeholders (`<password>`, `$PASSWORD`, `***`) are passed over. Words for a
password are known in English, German, Spanish, French, Portuguese and Dutch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "S002"
NAME = "password"
SEVERITY = Severity.ERROR
SECTION = "1"
SINCE = "0.1.0"
NEEDS = "assigned"
_FACT = "writes must not stop"
GOOD = (
    example(),
    example(_FACT, "the password is rotated every 30 days"),
    example(_FACT, "set password=$DB_PASSWORD from the vault"),
    example("STYLE: short answers, numbers first", "VOCAB: token = one billing unit"),
)
BAD = (
    example(_FACT, "log in with password=" + "hunter2"),
    example(_FACT, "the API key is " + "9f8e7d6c5b4a"),
    example(_FACT, "DB_PASSWORD: " + "s3cr3t!pw"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each value that is assigned to a word for a secret."""
    for secret in subject.secrets:
        if secret.kind == "assigned":
            yield Finding(
                secret.span,
                f"this looks like {secret.what}",
                "remove it, change it where it is used, and name where it is kept instead",
            )
