"""Two readers and an oracle: the same verdict and the same tree on whatever text.

The fast reader (a generated regex), the LALR parser (Lark, generated grammar)
and, on a sample, Lark's Earley parser over the normal ABNF character by
character.
"""

import random

import pytest
from capsules import generate, mutants, mutate, texts
from hypothesis import HealthCheck, given, settings
from lark import Lark, UnexpectedInput

import pcsf_lark
from pcsf_lark import abnf, resources
from pcsf_lark.api import check_source
from pcsf_lark.source import Source
from pcsf_lark.syntax import fast, lark_reader

PROFILES = ("interop", "prose", "abnf")
SETTINGS = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def by_regex(text, profile):
    matched = fast.match(text, profile)
    return None if matched is None else fast.build(matched)


def same(text):
    text = text.encode("utf-8", "surrogatepass").decode("latin-1")
    for profile in PROFILES:
        quick, slow = by_regex(text, profile), lark_reader.read(text, profile)
        assert quick == slow, profile
        if quick is not None:
            assert pcsf_lark.to_json(quick) == pcsf_lark.to_json(slow)
            assert list(places(quick)) == list(places(slow))


def places(capsule):
    for node in (capsule.meta, capsule.chain, capsule.integrity, capsule.seed):
        yield node and node.at
    for _, entries in capsule.layers:
        yield from (entry.at for entry in entries)


@pytest.mark.parametrize("batch", range(10))
def test_on_ten_thousand(batch):
    """A quarter conformant, the rest near misses; both layouts; wrong case now and then."""
    rng = random.Random(batch)
    accepted = 0
    for _ in range(1000):
        text = generate(rng)
        if rng.random() < 0.75:
            text = mutate(rng, text.swapcase() if rng.random() < 0.1 else text)
        accepted += pcsf_lark.conformant(text)
        same(text)
    assert 250 < accepted < 750


@pytest.mark.parametrize("batch", range(4))
def test_the_verdict_is_what_the_rules_say(batch):
    """``conformant`` and a finding of the C family are one and the same."""
    rng = random.Random(100 + batch)
    for _ in range(600):
        text = mutate(rng, generate(rng))
        for profile in PROFILES:
            report = check_source(Source.of(text), profile=profile)
            broken = any(finding.code.startswith("C") for finding in report.findings)
            assert report.conformant == (not broken), (profile, report.findings)
            assert pcsf_lark.conformant(text, profile=profile) == report.conformant


@SETTINGS
@given(texts())
def test_on_conformant_capsules(text):
    assert by_regex(text, "interop") is not None
    same(text)


@SETTINGS
@given(mutants())
def test_on_near_misses(text):
    same(text)


@pytest.fixture(scope="module")
def oracle():
    """Earley parsers over the grammar as it is read and as it is printed, letter by letter."""
    errata = abnf.load_errata(resources.grammar("errata.toml"))

    def parser(*stages):
        text = abnf.apply_errata(resources.grammar("pcsf.abnf"), errata, stages=stages)
        written = abnf.to_lark(abnf.read(text))
        return Lark(
            written,
            parser="earley",
            lexer="dynamic",
            start="capsule",
            keep_all_tokens=True,
            maybe_placeholders=False,
        )

    return {"interop": parser("repair", "reading"), "abnf": parser("repair")}


def by_oracle(parser, text):
    """The tree as nested lists of (rule, text), or None."""
    try:
        tree = parser.parse(text)
    except UnexpectedInput:
        return None
    return {name: [flat(node) for node in tree.find_data(rule)] for name, rule in RULES.items()}


RULES = {
    "field": "field",
    "sentence": "sentence",
    "L1": "l1_entry",
    "L2": "l2_entry",
    "L3": "l3_entry",
    "L4": "l4_entry",
    "L5": "l5_entry",
    "dimension": "dimension",
    "timestamp": "timestamp",
}


def flat(tree):
    return "".join(str(leaf) for leaf in tree.scan_values(lambda _: True))


def as_oracle(capsule, text):
    """The same from an AST; lines are taken from the text, so that case stays as written."""
    lines = text.split("\n")

    def written(node):
        return lines[node.at[1] - 1]

    entries = {key: [written(entry) for entry in entries] for key, entries in capsule.layers}
    fields = [capsule.meta.topic, capsule.meta.domain]
    for entry in (*capsule.skeleton, *capsule.negative, *capsule.internal, *capsule.relation):
        fields += [v for n, v in zip(entry.FIELDS, entry.values, strict=True) if n not in TOKENS]
    fields += [entry.description for entry in capsule.loops]
    times = [written(capsule.meta)[-17:]]
    times += [written(capsule.chain)[-17:]] if capsule.chain else []
    return {
        "field": sorted(fields),
        "sentence": [capsule.seed.text],
        **entries,
        "dimension": [entry.dimension for entry in capsule.relation],
        "timestamp": times,
    }


TOKENS = ("type", "dimension")


@pytest.mark.parametrize("profile", ["interop", "abnf"])
def test_earley_oracle(oracle, profile):
    """A sample: character-level Earley takes tens of milliseconds a capsule."""
    rng = random.Random(7)
    layouts = ["compact"] if profile == "abnf" else ["spaced", "compact"]
    capsules = sorted((generate(rng, layouts=layouts) for _ in range(80)), key=len)[:40]
    sample = [*capsules, *(mutate(rng, text) for text in capsules)]
    accepted = 0
    for text in sample:
        raw = text.encode("utf-8", "surrogatepass").decode("latin-1")
        capsule, found = by_regex(raw, profile), by_oracle(oracle[profile], raw)
        assert (capsule is None) == (found is None), raw
        if capsule is not None:
            accepted += 1
            expected = as_oracle(capsule, raw)
            found["field"].sort()
            assert {k: sorted(v) for k, v in found.items()} == {
                k: sorted(v) for k, v in expected.items()
            }
    assert accepted > 20
