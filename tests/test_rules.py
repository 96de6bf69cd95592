"""Each rule's own examples, and laws that hold for all rules."""

import re

import pytest

import pcsf_lark
from pcsf_lark.rules import all_rules, find_rule, resolve
from pcsf_lark.rules._rule import BASE

RULES = all_rules()
GOOD = [(rule, example) for rule in RULES for example in rule.good]
BAD = [(rule, example) for rule in RULES for example in rule.bad]


def _name(value):
    return value.code if hasattr(value, "code") else ""


@pytest.mark.parametrize(("rule", "example"), GOOD, ids=_name)
def test_silent_on_good(rule, example):
    found = pcsf_lark.check(example.data, profile=example.profile)
    assert rule.code not in {finding.code for finding in found.findings}


@pytest.mark.parametrize(("rule", "example"), BAD, ids=_name)
def test_fires_on_bad(rule, example):
    report = pcsf_lark.check(example.data, profile=example.profile)
    mine = [finding for finding in report.findings if finding.code == rule.code]
    assert mine
    for finding in mine:
        assert (finding.name, finding.severity) == (rule.name, rule.severity)
        assert finding.message
        assert finding.help
        assert 0 <= finding.span.offset <= finding.span.end <= len(example.data)
    assert report.conformant == (not rule.code.startswith("C"))


@pytest.mark.parametrize(("rule", "example"), BAD, ids=_name)
def test_safe_fix_ends_the_finding(rule, example):
    """Applied alone, a fix leaves fewer findings of its rule, and no new ones but a stale stamp."""
    before = pcsf_lark.check(example.data, profile=example.profile).findings
    for finding in before:
        if finding.code != rule.code or finding.fix is None:
            continue
        data = example.data
        for edit in sorted(finding.fix.edits, key=lambda e: -e.span.offset):
            data = data[: edit.span.offset] + edit.text.encode() + data[edit.span.end :]
        after = pcsf_lark.check(data, profile=example.profile).findings
        assert len(after) < len(before)
        assert {f.code for f in after} <= {f.code for f in before} | {"C11"}


@pytest.mark.parametrize("rule", RULES, ids=_name)
def test_is_documented(rule):
    assert re.fullmatch(r"[A-Z][0-9]+", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.check.__module__.rpartition(".")[2] == _file_name(rule)
    first, blank, *rest = rule.doc.split("\n")
    assert first.endswith(".")
    assert not blank
    assert "\n\n" in "\n".join(rest), "why it holds, and then what to write instead"
    assert rule.section
    assert rule.good
    assert rule.bad


def _file_name(rule):
    letter, number = rule.code[0].lower(), rule.code[1:]
    digits = number.zfill(2) if letter == "c" else number
    return f"{letter}{digits}_{rule.name.replace('-', '_')}"


def test_codes_and_names_are_unique():
    for attribute in ("code", "name"):
        values = [getattr(rule, attribute) for rule in RULES]
        assert len(set(values)) == len(values)


def test_base_is_clean():
    assert pcsf_lark.check(BASE).findings == ()


@pytest.mark.parametrize(
    ("selectors", "codes"),
    [
        (["C1"], {"C1"}),
        (["c1"], {"C1"}),
        (["C"], {f"C{n}" for n in range(13)}),
        (["V00"], {f"V00{n}" for n in range(1, 7)}),
        (["malformed-entry", "V003"], {"C7", "V003"}),
    ],
)
def test_selectors(selectors, codes):
    assert resolve(selectors) == codes


@pytest.mark.parametrize("selector", ["C99", "", "nothing", "x"])
def test_unknown_selector_names_a_way_out(selector):
    with pytest.raises(ValueError, match=r"did you mean|lists them"):
        resolve([selector])
    with pytest.raises(ValueError, match="no rule"):
        pcsf_lark.check(BASE, select=[selector])


def test_find_rule():
    assert find_rule("c7") is find_rule("malformed-entry") is find_rule("MALFORMED-ENTRY")
    assert find_rule("C77") is None


def test_selection_leaves_the_verdict_alone():
    report = pcsf_lark.check(BASE.replace("CHOICE", "DECISION"), select=["V"])
    assert not report.conformant
    assert report.findings == ()
