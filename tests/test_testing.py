"""The strategies we offer keep their word."""

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pcsf_lark
from pcsf_lark.testing import capsules, mutations

quiet = settings(
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@quiet
@given(capsules())
def test_capsules_are_conformant_and_clean(text):
    report = pcsf_lark.check(text, select=["C", "V"])
    assert [one.code for one in report.findings if one.code != "V001"] == []
    assert report.conformant


def test_capsules_reach_the_limit_both_layouts_and_every_line():
    seen = Counter()

    # Half of them may have a CHAIN line, which few draws of any version have.
    @settings(quiet, max_examples=200)
    @given(capsules() | capsules(versions=["v1.2"]))
    def look(text):
        seen["limit"] += len(text) == 1200
        seen["below"] += len(text) == 1199
        seen["small"] += len(text) < 400
        seen["compact"] += "\nL1:SKELETON\nL2:NEGATIVE\n" in text
        seen["spaced"] += "\n\nL3:INTERNAL\n" in text
        seen["stamped"] += "INTEGRITY: " in text
        seen["chained"] += "CHAIN: " in text
        seen["both"] += "INTEGRITY: " in text and "CHAIN: " in text
        seen["no final line feed"] += not text.endswith("\n")
        seen["full"] += text.count(" | ") > 15

    look()
    assert all(seen.values()), seen


@quiet
@given(capsules(layouts=["compact"], versions=["v1"]))
def test_capsules_take_what_is_asked(text):
    capsule = pcsf_lark.parse(text)
    assert (capsule.layout, capsule.version) == ("compact", "v1")
    assert capsule.chain is capsule.integrity is None


def test_mutations_break_most_and_not_all():
    verdicts = Counter()

    @quiet
    @given(mutations(st.sampled_from(["===PCSF:v1===\n"]) | capsules()))
    def count(text):
        verdicts[pcsf_lark.check(text).conformant] += 1

    count()
    assert verdicts[False] > verdicts[True] > 0
