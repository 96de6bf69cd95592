"""A capsule holds no secret of a known form.

A capsule is made to be handed on: into prompts, tickets, repositories, to
other vendors' models. An access token or a private key in it is leaked the
first time it does its work. The format forbids embedded secrets.

Remove it, revoke it, and name the place where it is kept instead.

Misses: tokens of services without a recognisable form, and secrets cut in
two. Known without the extra `secrets` are private key blocks, JSON web tokens,
passwords in addresses, and tokens of AWS, Anthropic, GitHub, GitLab, Google,
Hugging Face, npm, OpenAI, PyPI, SendGrid, Slack and Stripe; with it, all that
detect-secrets knows by form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "S001"
NAME = "secret"
SEVERITY = Severity.ERROR
SECTION = "1"
SINCE = "0.1.0"
NEEDS = "long-word"
_FACT = "writes must not stop"
GOOD = (example(), example(_FACT, "the token is in the vault under ci/deploy"))
# Written in two parts, so that no scanner takes this file for a leak.
BAD = (
    example(_FACT, "the key is AKIA" + "QYLPMN5HHHFPZAM2"),
    example(_FACT, "pushed with ghp_" + "a8Kd93jfKD02ldkfjS92kdmfLE03kdmfQ2xZ"),
    example(_FACT, "-----BEGIN " + "RSA PRIVATE KEY-----"),
    example(_FACT, "postgres://app:" + "s3cr3tpw@db.internal/main"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each stretch that has a known secret's form."""
    for secret in subject.secrets:
        if secret.kind == "known":
            yield Finding(
                secret.span,
                f"this looks like {secret.what}",
                "remove it, revoke it, and name where it is kept instead",
            )
