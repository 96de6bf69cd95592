"""What an editor is told of a capsule, by the modules that know no protocol."""

import re
import time

import pytest
from capsules import mutants, texts
from hypothesis import given, settings
from hypothesis import strategies as st

import pcsf_lark
from pcsf_lark import spec
from pcsf_lark.faces.checking import Plan
from pcsf_lark.faces.lsp import (
    actions,
    completing,
    hovering,
    lenses,
    meanings,
    painting,
    selecting,
    symbols,
)
from pcsf_lark.faces.lsp.documents import Document
from pcsf_lark.faces.lsp.placing import row
from pcsf_lark.passes.fix import apply
from pcsf_lark.rules import all_rules
from pcsf_lark.rules._rule import BASE, STAMP

NOW = "2026-11-30T09:00Z"
PLAN = Plan()
STAMPED = BASE.replace("\n\nL1", f"\n{STAMP}\nL1", 1)


def document(text):
    return Document("file:///a.pcsf", "pcsf", 1, text)


def words(text, marker="^"):
    """The completions where a marker stands in a text, and the text after taking each."""
    at = text.index(marker)
    text = text.replace(marker, "", 1)
    items = completing.completions(pcsf_lark.check(text).outline, at, NOW)
    return {
        item.label: text[: item.change.start] + item.change.text + text[item.change.end :]
        for item in items
    }


def taken(text, action):
    data = text.encode()
    for start, end, new in reversed(action.changes):
        data = data[:start] + new.encode() + data[end:]
    return data


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("^", [f"===PCSF:{v}===" for v in reversed(spec.VERSIONS)]),
        ("===PC^", [f"===PCSF:{v}===" for v in reversed(spec.VERSIONS)]),
        ("===PCSF:v1.2===\n^", ["META:", "CHAIN: hops=", *(x.header for x in spec.LAYERS)]),
        (BASE.replace("WORKING", "^"), spec.DEPTHS),
        (BASE.replace("WORKING", "WOR^"), spec.DEPTHS),
        (BASE.replace("2026-05-04T09:30Z", "^"), [NOW]),
        (BASE.replace("CHOICE |", "^CHOICE |"), spec.LAYERS[0].types),
        (BASE.replace("CHOICE | build", "CHOICE | ^build"), []),
        (BASE.replace("dump and", "^dump and"), []),
        (BASE.replace("UNCERTAINTY:", "UN^:"), spec.LAYERS[2].types),
        (BASE.replace("STYLE:", "^:"), spec.DIMENSIONS),
        (BASE.replace("INCOMPLETE_TASK |", "^ |"), spec.LAYERS[4].types),
        (BASE.replace("HIGH", "^"), spec.PRIORITIES),
        (BASE.replace("| HIGH", "|^"), spec.PRIORITIES),
        (BASE.replace("\nL3:INTERNAL", "\nL3^"), ["L3:INTERNAL"]),
        (
            BASE.replace("SEED: The", "^").replace("===END===\n", ""),
            [*spec.LAYERS[4].types, "SEED:", spec.CLOSE],
        ),
    ],
)
def test_what_may_stand_at_a_place_is_offered(text, labels):
    assert list(words(text)) == list(labels)


@pytest.mark.parametrize(
    ("whole", "without", "label"),
    [
        (BASE, BASE.replace("===PCSF:v1.2===", "===PC^"), "===PCSF:v1.2==="),
        (BASE, BASE.replace("| WORKING |", "| ^ |"), "WORKING"),
        (BASE, BASE.replace("| HIGH", "|^"), "HIGH"),
        (BASE, BASE.replace("| HIGH", "| LO^W"), "HIGH"),
        (BASE, BASE.replace("CHOICE | build", "PIV^OT | build"), "CHOICE"),
        (BASE, BASE.replace("L3:INTERNAL", "^L3"), "L3:INTERNAL"),
        (BASE, BASE.replace("META: ", "ME^ "), "META:"),
        (BASE, BASE.replace("SEED: ", "S^ED: "), "SEED:"),
        (BASE.replace("2026-05-04T09:30Z", NOW), BASE.replace("2026-05-04T09:30Z", "^"), NOW),
    ],
)
def test_what_is_taken_fits_into_the_line(whole, without, label):
    assert words(without)[label] == whole


def test_a_token_brings_the_separator_that_is_not_there_yet():
    assert "PIVOT | \n" in words(BASE.replace("\n\nL2", "\n^\n\nL2"))["PIVOT"]
    assert "MODE: \n" in words(BASE.replace("\n\nL5", "\n^\n\nL5"))["MODE"]


@pytest.mark.parametrize("text", [BASE, STAMPED], ids=["base", "stamped"])
def test_no_completion_spoils_a_line_that_is_what_it_is_to_be(text):
    """In a capsule without fault, no beginning of a line is offered in place of another."""
    outline = pcsf_lark.check(text).outline
    versions = {f"===PCSF:{version}===" for version in spec.VERSIONS}
    offered = 0
    for at in range(len(text)):
        for item in completing.completions(outline, at, NOW):
            start, end, new = item.change
            offered += 1
            if item.kind == "line" and item.label not in versions:
                assert not text[start:end]  # on a blank line, where more may be written
            elif text[start:end].strip():
                after = text[:start] + new + text[end:]
                codes = {one.code for one in pcsf_lark.check(after).findings}
                assert codes <= {"C11", "V004", *(f.code for f in pcsf_lark.check(text).findings)}
    assert offered > 200


@settings(derandomize=True, max_examples=100, deadline=None)
@given(mutants(), st.data())
def test_no_place_of_any_text_is_a_fault(text, data):
    report = pcsf_lark.check(text)
    at = data.draw(st.integers(0, len(report.source.data)))
    line = row(report.outline, at)
    assert all(line.start <= f.start <= f.end <= line.start + len(line.text) for f in line.fields)
    for item in completing.completions(report.outline, at, NOW):
        start, end, new = item.change
        assert line.start <= start <= end <= line.start + len(line.text)
        assert "\n" not in new
    found = hovering.hover(report, at)
    assert found is None or (found.text and 0 <= found.start <= found.end)
    inner = (at, at)
    for stretch in selecting.in_capsule(report.outline, at):
        assert stretch[0] <= inner[0] <= inner[1] <= stretch[1]
        inner = stretch
    end = 0
    for piece in painting.in_capsule(report.outline):
        assert end <= piece.start < piece.end <= len(report.source.data)
        assert b"\n" not in report.source.data[piece.start : piece.end]
        end = piece.end


def test_every_word_of_the_tables_has_a_meaning():
    for layer in spec.LAYERS:
        for name in layer.fields:
            assert meanings.FIELD_WORDS[layer.key, name]
            tokens = meanings.token_words(layer.key, name)
            wanted = {
                "type": layer.types,
                "dimension": spec.DIMENSIONS,
                "priority": spec.PRIORITIES,
            }
            assert tuple(tokens) == wanted.get(name, ())
    assert tuple(meanings.token_words("META", "depth")) == spec.DEPTHS


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("===PCSF", "version token"),
        ("META", "what the session was about"),
        ("Index", "META topic"),
        ("WORKING", "real work was done"),
        ("CHAIN", "stitched"),
        ("L2:NEG", "Up to 8 entries: `option | reason | lesson`"),
        ("CHOICE", "one way taken among several"),
        ("build the", "L1 fact"),
        ("UNCERTAINTY", "doubt"),
        ("STYLE", "how to talk"),
        ("HIGH", "begin with it"),
        ("SEED", "one sentence"),
        ("===END", "1,200 bytes"),
    ],
)
def test_what_is_pointed_at_is_explained(at, told):
    found = hovering.hover(pcsf_lark.check(BASE), BASE.index(at) + 1)
    assert told.lower() in found.text.lower()
    assert found.start <= BASE.index(at) + 1 <= found.end


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_a_finding_is_told_with_its_rules_page(rule):
    for example in rule.bad:
        report = pcsf_lark.check(example.data, profile=example.profile, select=[rule.code])
        for finding in report.findings:
            found = hovering.hover(report, finding.span.offset)
            if not report.source.oversize:
                assert finding.message in found.text
                assert rule.summary in found.text


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_every_fix_of_every_rule_is_on_offer_and_mends(rule):
    for example in rule.bad:
        plan = PLAN._replace(profile=example.profile, codes=pcsf_lark.api.chosen(["C", rule.code]))
        text = document(example.text)
        report = pcsf_lark.check(text.source.data, profile=example.profile, select=["C", rule.code])
        size = len(text.source.data)
        offered = list(actions.actions(text, report, plan, (0, size), [actions.QUICK_FIX]))
        mine = [one for one in offered if report.findings[one.finding].code == rule.code]
        fixable = [f for f in report.findings if f.code == rule.code and f.fix and f.fix.edits]
        full = pcsf_lark.fix(example.data, profile=example.profile, unsafe=True, select=[rule.code])
        if fixable and full != example.data:
            assert mine, example.text
        for one in mine:
            data = taken(example.text, one)
            assert data != example.data
            assert len(data) <= max(size, spec.LIMIT)
            was = pcsf_lark.conformant(example.data, profile=example.profile)
            assert not was or pcsf_lark.conformant(data, profile=example.profile)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(mutants())
def test_all_that_is_safe_is_what_fix_does(text):
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    page = document(text)
    report = pcsf_lark.check(page.source.data)
    found = list(actions.actions(page, report, PLAN, (0, 0), ["source.fixAll"]))
    wanted = pcsf_lark.fix(page.source.data)
    assert [taken(text, one) for one in found] == ([] if wanted == page.source.data else [wanted])


@pytest.mark.parametrize(
    "text",
    [
        " \n" * 20_000,
        "META: a | b | working | 2026-05-04T09:30Z \n" * 1_000,
        BASE.replace("\n", "\r\n") + "HIGH \n" * 2_000,
        "choice | “x”  | y | \n" * 2_000,
    ],
    ids=["blank", "meta", "dos", "entries"],
)
def test_long_broken_texts_are_mended_by_parts_and_at_once(text):
    page = document(text)
    report = pcsf_lark.check(page.source.data)
    start = time.process_time()
    for one in actions.actions(page, report, PLAN, (0, len(page.source.data))):
        data = taken(text, one)
        assert data != page.source.data
        if one.kind == actions.FIX_ALL:
            assert len(data) <= len(page.source.data)
            left = pcsf_lark.check(data).findings
            assert sum(f.code == "C1" for f in left) <= sum(f.code == "C1" for f in report.findings)
    # `fix`, which tries each mend, takes half a minute for one of these.
    assert time.process_time() - start < 5


def test_a_right_stamp_stays_right_and_a_stale_one_is_asked_about():
    text = STAMPED.replace("HIGH", "high")
    stale = document(text)
    report = pcsf_lark.check(stale.source.data)
    (fix,) = actions.actions(stale, report, PLAN, (0, len(text)), ["quickfix"])
    assert pcsf_lark.conformant(taken(text, fix))
    text = STAMPED.replace("Index", "Books")
    stale = document(text)
    report = pcsf_lark.check(stale.source.data)
    (fix,) = actions.actions(stale, report, PLAN, (0, len(text)), ["quickfix"])
    assert not fix.safe
    assert pcsf_lark.conformant(taken(text, fix))
    right = pcsf_lark.format(pcsf_lark.stamp(BASE.replace("STYLE", "style")))
    warned = document(right.decode())
    report = pcsf_lark.check(right)
    (fix, all_fixes) = actions.actions(warned, report, PLAN, (0, len(right)))
    for one in (fix, all_fixes):
        assert pcsf_lark.conformant(taken(right.decode(), one))


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, ["quickfix", "source.fixAll.pcsf"]),
        (["quickfix"], ["quickfix"]),
        (["source"], ["source.fixAll.pcsf"]),
        (["source.fixAll"], ["source.fixAll.pcsf"]),
        (["source.fixAll.pcsf"], ["source.fixAll.pcsf"]),
        (["source.fixAll.other", "refactor", "quick"], []),
        ([], []),
    ],
)
def test_the_kinds_that_are_asked_for_are_given(only, kinds):
    page = document(BASE.replace("HIGH", "high"))
    report = pcsf_lark.check(page.source.data)
    found = actions.actions(page, report, PLAN, (0, 2000), only)
    assert [one.kind for one in found] == kinds


@settings(derandomize=True, max_examples=100, deadline=None)
@given(texts())
def test_formatting_is_what_fmt_does(text):
    text = text.decode() if isinstance(text, bytes) else text
    try:
        wanted = pcsf_lark.format(text)
    except pcsf_lark.CapsuleError:
        with pytest.raises(actions.Refused):
            actions.formatted(document(text))
        return
    change = actions.formatted(document(text))
    data = text.encode()
    for start, end, new in reversed(change):
        data = data[:start] + new.encode() + data[end:]
    assert data == wanted
    assert bool(change) == (data != text.encode())


def test_two_long_texts_differ_where_their_ends_do_not():
    old = "\n".join(f"a{n}" for n in range(3000))
    new = old.replace("a1500\n", "").replace("a1600", "é").encode()
    ((start, end, text),) = actions.changes(document(old), new)
    assert old[:start].encode() + text.encode() + old[end:].encode() == new
    assert end - start < 1000


def test_the_lenses_tell_the_bytes_left_in_all_and_by_layer():
    found = {lens.start: lens.title for lens in lenses.lenses(pcsf_lark.check(BASE))}
    left = spec.LIMIT - len(BASE)
    assert found[0] == f"{len(BASE)} of 1,200 bytes, {left} left"
    for layer in spec.LAYERS:
        title = found[BASE.index(layer.header)]
        entry = BASE[BASE.index(layer.header) :].split("\n")[1]
        assert title == (
            f"{layer.key}: {len(entry) + 1} bytes, {left} left in all; "
            f"1 of {layer.cap} entries, {layer.cap - 1} left"
        )
    full = BASE.replace("STYLE: short answers, numbers first\n", f"MODE: {'x' * 190}\n" * 6)
    over = [lens.title for lens in lenses.lenses(pcsf_lark.check(full))]
    assert re.fullmatch(r"1,\d+ of 1,200 bytes, \d+ too many", over[0])
    assert over[4].endswith("6 of 5 entries, 1 too many")


def test_the_symbols_are_the_parts_and_the_folds_the_layers():
    outline = pcsf_lark.check(BASE.replace("measure", "mésure")).outline
    found = list(symbols.symbols(outline))
    headers = [layer.header for layer in spec.LAYERS]
    assert [symbol.name for symbol in found] == ["META", "CHAIN", *headers, "SEED"]
    assert [child.name for symbol in found for child in symbol.children] == [
        "CHOICE", "dump and reload", "UNCERTAINTY", "STYLE", "INCOMPLETE_TASK",
    ]  # fmt: skip
    assert found[6].children[0].detail == "mésure replica lag | HIGH"
    for symbol in found:
        assert symbol.start <= symbol.name_start <= symbol.name_end <= symbol.end
        assert all(symbol.start <= one.start <= one.end <= symbol.end for one in symbol.children)
    lines = [
        (outline.source.index(f.start), outline.source.index(f.end)) for f in symbols.folds(outline)
    ]
    assert lines == [(0, 2), (4, 5), (7, 8), (10, 11), (13, 14), (16, 17)]


def test_huge_texts_get_one_remark():
    report = pcsf_lark.check("x" * (spec.READ_LIMIT + 1))
    assert [lens.title for lens in lenses.lenses(report)] == [
        "more than the 1,200 bytes that a capsule may have"
    ]
    assert hovering.hover(report, 0) is None
    assert apply(b"", ()) == b""
