"""Secrets: what the built-in set finds, what the extra adds, and what neither takes for one."""

import sys

import pytest

import pcsf_lark
from pcsf_lark.rules import _secrets
from pcsf_lark.rules._rule import BASE

FACT = "writes must not stop"


def found(text, *, place=FACT):
    report = pcsf_lark.check(BASE.replace(place, text))
    return [
        (f.code, report.source.text[f.span.offset : f.span.end])
        for f in report.findings
        if f.code in ("S001", "S002", "S003")
    ]


@pytest.fixture(params=["built in", "with the extra"])
def detector(request, monkeypatch):
    _secrets._detector.cache_clear()
    if request.param == "built in":
        monkeypatch.setitem(sys.modules, "pcsf_lark.rules._detector", None)
    yield request.param
    _secrets._detector.cache_clear()


R36 = "a8Kd93jfKD02ldkfjS92kdmfLE03kdmfQ2xZ"
#: Put together here, so that no scanner takes this file for a leak.
KNOWN = [
    "AKIA" + "QYLPMN5HHHFPZAM2", "ASIA" + "QYLPMNHHHHFPZAMX", "ghp_" + R36, "github_pat_" + R36, "glpat-" + R36[:20],
    "sk-ant-" + R36, "sk-proj-" + R36, "sk_live_" + R36[:24], "AIza" + R36[:35], "hf_" + R36, "npm_" + R36,
    "pypi-" + R36 + R36, "SG." + R36[:22] + "." + R36, "xoxb-" + "123456789012-abcdefABCDEF",
    "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "-----BEGIN " + "PRIVATE KEY-----", "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
]  # fmt: skip


@pytest.mark.parametrize("secret", KNOWN, ids=lambda secret: secret[:8])
def test_known_forms(detector, secret):
    assert detector
    assert found(f"it is {secret} now") == [("S001", secret)]
    assert found(f"({secret})", place="short answers") == [("S001", secret)]
    report = pcsf_lark.check(BASE.replace("CHOICE", "choice").replace(FACT, secret))
    assert "S001" in {f.code for f in report.findings}, "a broken capsule leaks as well"


def test_a_password_in_an_address(detector):
    assert detector
    ((code, text),) = found("postgres://app:" + "s3cr3tpw@db.internal/main")
    assert code == "S001"
    assert text.startswith("postgres://app:s3cr3tpw@")


ASSIGNED = [
    "password=hunter2", "DB_PASSWORD=s3cret!", "password: hunter22", "pwd = 'swordfish'", "the token is a1b2c3d4e5",
    'api_key="abcdef"', "API-Key: 9f8e7d6c5b4a", "passphrase := correct1horse", "secret_key=abcDEF",
]  # fmt: skip
INNOCENT = [
    "the password is rotated every 30 days", "token = one billing unit", "password=$DB_PASSWORD", "password=<from the vault>",
    "password: ********", "secret=vault:kv/deploy", "the key is to measure first", "tokens: 1200 a capsule",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b broke it", "sha256 " + "0123456789abcdef" * 4, "id 6f1460f9-1f2e-4c3d-9a8b-0123456789ab",
    "tests/corpus/valid/realistic/data-warehouse-2.pcsf", "getHTTPResponseFromCacheLayer", "HYPOTHESIS_UNTESTED_2026_RUN_03",
    "see 2026-06-26T20:17Z and 2026-06-27T20:17Z", "pg_upgrade --link --old-datadir=/var/lib/postgresql/14", "https://example.org/a/b?c=d",
    "internationalization", "api_key=${KEY}", "the secret: start small",
]  # fmt: skip


@pytest.mark.parametrize("text", ASSIGNED)
def test_assignments(detector, text):
    assert detector
    assert [code for code, _ in found(f"log in with {text} first")] == ["S002"]


@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_secret(detector, text):
    assert detector
    assert found(f"{text}, so") == []


def test_random_strings(detector):
    assert detector
    for secret in (
        "Zk9sQ2xv" + "dHJ3N2pYcTFNbThkVQ",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd1",
    ):
        assert found(f"it is {secret} now") == [("S003", secret)]


def test_the_detector_adds_what_it_knows(detector):
    token = "SK" + "0123456789abcdef" * 2  # Twilio's form
    kinds = [code for code, _ in found(f"it is {token} now")]
    assert kinds == (["S001"] if detector == "with the extra" else ["S003"])


def test_the_detector_sees_few_lines(monkeypatch):
    seen = []

    def scan(line):
        seen.append(line)
        return iter(())

    monkeypatch.setattr(_secrets, "_detector", lambda: scan)
    pcsf_lark.check(BASE.replace(FACT, "the key is Zk9sQ2xv" + "dHJ3N2pYcTFNbThkVQ"))
    assert len(seen) == 1
    seen.clear()
    pcsf_lark.check(BASE)
    assert seen == []
