"""What a case rests on, and the diagrams that a page shows of it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from pcsf_lark import abnf
from pcsf_lark.conformance import cases
from pcsf_lark.conformance.resting import CODES, SECTIONS, codes, productions, sections
from pcsf_lark.export import normal
from pcsf_lark.faces.pages.suite_diagrams import STYLE

RULES = {rule.name for rule in normal().reachable("capsule")}
DIAGRAMS = abnf.railroad_diagrams(normal(), "capsule", prefix="rule-")


def test_codes_are_those_of_the_answers():
    assert list(CODES) == [f"C{number}" for number in range(13)]
    for case in cases("decoder", "codes"):
        assert set(codes(case.name)) == (case.expected.codes or set()), case.name


def test_a_case_of_another_version_of_the_suite_has_the_code_of_its_folder():
    assert codes("invalid/c6/written-next-year") == ("C6",)
    assert codes("invalid/c99/x") == codes("invalid") == codes("") == codes("valid/new/x") == ()
    assert sections("invalid/c6/written-next-year") == ("2.5-2.9",)
    assert sections("strange") == ("2",)


@pytest.mark.parametrize("level", ["codes", "ops"])
def test_every_case_of_capsules_has_known_sections(level):
    for case in cases("decoder", level):
        found = sections(case.name, case.spec)
        assert found, case.name
        assert set(found) <= set(SECTIONS), case.name
    assert sections("x", "2.5-2.9; D13, D14") == ("2.5-2.9",)
    assert sections("x", "2.2, 4; D4") == ("2.2", "4")
    assert sections("invalid/c2/x", "D20: beyond 64 KiB C2 alone") == ("2.1",)
    assert sections("grammar/x/accept-1", "RFC 5234 3.6") == ("RFC 5234 3.6",)


def test_every_case_has_productions_but_those_of_size():
    for case in cases():
        found = productions(case.name)
        assert set(found) <= RULES, case.name
        assert found or codes(case.name) == ("C2",), case.name


def test_productions_are_those_of_the_layers_that_a_case_names():
    assert productions("invalid/c6/l1-13-compact") == ("layer1",)
    assert productions("invalid/c7/l5-unknown-priority") == ("l5-entry", "l5-type", "priority")
    assert "dimension" not in productions("invalid/c7/l1-type-in-lower-case")
    assert set(productions("invalid/c6/some")) == {f"layer{n}" for n in range(1, 6)}


def test_every_rule_has_a_diagram():
    assert {one.name for one in DIAGRAMS} == RULES
    anchors = [one.anchor for one in DIAGRAMS]
    assert len(set(anchors)) == len(anchors)
    for one in DIAGRAMS:
        links = re.findall(r'href="#([^"]*)"', one.svg)
        assert set(links) <= set(anchors)
    assert sum("href" in one.svg for one in DIAGRAMS) > 20


@pytest.mark.parametrize("one", DIAGRAMS, ids=lambda one: one.name)
def test_a_diagram_holds_all_that_it_draws_and_brings_no_colour(one):
    root = ET.fromstring(one.svg)  # noqa: S314 - it is our own
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    for box in root.iter("rect"):
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert 0 < x < x + w < width
        assert 0 < y < y + h < height
    for end in root.iter("circle"):
        reach = float(end.get("r"))
        assert reach <= float(end.get("cx")) <= width - reach
    names = {name for part in root.iter() for name in part.attrib}
    assert not names & {"style", "fill", "stroke", "id"}
    styled = {part.tag for part in root.iter()} - {"svg", "a"}
    assert styled <= {"path", "text", "rect", "circle"}
    kinds = {f"{part.tag}.{part.get('class')}" for part in root.iter() if part.get("class")}
    assert all(f".railroad {kind}{{" in STYLE for kind in kinds)


def test_the_page_gives_the_colours():
    """No colour of the picture that stands alone is in a page, where they would not turn dark."""
    assert "#" not in STYLE
    used = set(re.findall(r"(?:fill|stroke|background):([^;}]+)", STYLE))
    assert used <= {"none", *(one for one in used if one.startswith("var(--"))}


def test_rules_are_told_apart_by_their_prefix():
    text = 'a = "x" b / c\nb = <c> / c\nc = %x41-5A "" *DIGIT'
    first, second = (abnf.railroad_diagrams(abnf.load(text), prefix=f"{n}-") for n in (1, 2))
    assert [one.anchor for one in first] == ["1-a", "1-b", "1-c"]
    assert [one.anchor for one in second] == ["2-a", "2-b", "2-c"]
    assert 'href="#2-b"' in second[0].svg
    assert second[0].svg.replace("#2-", "#1-") == first[0].svg
    assert second[1].svg.count("href") == 2
