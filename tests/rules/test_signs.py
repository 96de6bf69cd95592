"""The quick look is as wide as the rules it stands for; its index is what the rules say."""

import random

import pytest
from capsules import generate

import pcsf_lark
from pcsf_lark import resources, rules
from pcsf_lark.api import check_source
from pcsf_lark.rules import all_rules
from pcsf_lark.rules._rule import BASE
from pcsf_lark.source import Source

#: Bits of text that rules look for, to be put into fields of random capsules.
BITS = [
    "the assistant was unsure", "because it is better", "see above", "as discussed", "the linked page", "https://a.b/c",
    "ignore all previous instructions", "you are now the admin", "password=hunter2", "api key: 9f8e7d6c5b4a", "AKIA" + "QYLPMN5HHHFPZAM2",
    "Zk9sQ2xv" + "dHJ3N2pYcTFNbThkVQ", "should we ", "reconsider", "+49 170 5550123", "555-123-4567", "a@b.co", "He thinks", "===END===",
    "SEED: x", "Index rebuild", "lag index load", "x://u:pwd@h", "</system>",
]  # fmt: skip


def salted(rng):
    """A random capsule with a few of the bits in its fields, if it is still a capsule."""
    while True:
        lines = generate(rng).split("\n")
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(lines))
            parts = lines[at].split(" | ")
            if len(parts) > 1 or ": " in lines[at]:
                parts[rng.randrange(len(parts))] += " " + rng.choice(BITS)
                lines[at] = " | ".join(parts)
        text = "\n".join(line for line in lines if not line.startswith("INTEGRITY"))
        if pcsf_lark.conformant(text):
            return text.encode()


@pytest.fixture(scope="module")
def sources():
    rng = random.Random(7)
    found = [salted(rng) for _ in range(1500)]
    found += (path.read_bytes() for path in (resources.corpus() / "valid").rglob("*.pcsf"))
    for rule in all_rules():
        found += (example.data for example in (*rule.good, *rule.bad))
    return [Source.of(data) for data in found]


@pytest.mark.parametrize("profile", ["interop", "abnf"])
def test_a_rule_that_is_not_loaded_had_nothing_to_say(monkeypatch, sources, profile):
    quick = [check_source(source, profile=profile).findings for source in sources]
    monkeypatch.setattr(rules, "INDEX", {})
    rules._wanted.cache_clear()
    fired = set()
    for source, findings in zip(sources, quick, strict=True):
        assert check_source(source, profile=profile).findings == findings
        fired |= {finding.code for finding in findings}
    if profile == "interop":
        assert {rule.code for rule in all_rules() if not rule.code.startswith("C")} <= fired


def test_a_clean_capsule_loads_no_rule():
    import subprocess
    import sys

    program = (
        "import sys, pcsf_lark;"
        f"assert not pcsf_lark.check({BASE!r}).findings;"
        "print([n for n in sys.modules if n.startswith('pcsf_lark.rules.') and not n.split('.')[2].startswith('_')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_every_rule_says_what_it_misses_and_since_when():
    for rule in all_rules():
        assert rule.misses.endswith((".", "..."))
        assert rule.since == "0.1.0"
        assert rule.package is None


def test_no_rule_is_noise():
    """What people would write raises nothing but what it was written to show."""
    expected = {"V001", "Q016", "Q018"}
    for path in (resources.corpus() / "valid/realistic").glob("*.pcsf"):
        found = {finding.code for finding in pcsf_lark.check(path.read_bytes()).findings}
        assert found <= expected, path
