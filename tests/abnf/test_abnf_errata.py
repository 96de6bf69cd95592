"""Errata: rows are complete, passages occur once, and stages build on each other."""

import tomllib
from pathlib import Path

import pytest

from pcsf_lark.abnf import ErratumError, apply_errata, check, load_errata, read, to_abnf

GRAMMAR = Path(__file__).parents[2] / "grammar"
PRINTED = (GRAMMAR / "pcsf.abnf").read_bytes().decode()
ERRATA = load_errata((GRAMMAR / "errata.toml").read_text("utf-8"))

ROW = """
[[erratum]]
id = "one"
stage = "repair"
production = "a"
as_written = 'a = "x"'
as_read = 'a = "y"'
evidence = "§1"
decision = "D1"
"""
TEXT = 'a = "x"\nb = a\n'


def _apply(row, text=TEXT, **options):
    return apply_errata(text, load_errata(row), **options)


def test_a_passage_is_replaced():
    assert _apply(ROW) == 'a = "y"\nb = a\n'


def test_an_empty_reading_removes_the_line():
    assert _apply(ROW.replace("""'a = "y"'""", '""')) == "b = a\n"


@pytest.mark.parametrize("text", ["b = a\n", TEXT + TEXT])
def test_a_passage_must_occur_once(text):
    with pytest.raises(ErratumError, match="one"):
        _apply(ROW, text)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (ROW.replace('decision = "D1"\n', ""), "missing decision"),
        (ROW + 'color = "red"\n', "unknown color"),
        (ROW.replace('"repair"', '"later"'), "stage"),
        (ROW + ROW, "taken"),
    ],
)
def test_faulty_rows_are_refused(row, says):
    with pytest.raises(ErratumError, match=says):
        load_errata(row)


def test_a_later_stage_sees_what_an_earlier_one_made():
    second = ROW.replace('"one"', '"two"').replace('"repair"', '"reading"')
    second = second.replace('a = "y"', 'a = "z"').replace('a = "x"', 'a = "y"')
    assert _apply(second + ROW) == 'a = "z"\nb = a\n'
    assert _apply(second + ROW, stages=["repair"]) == 'a = "y"\nb = a\n'
    with pytest.raises(ErratumError, match="two"):
        _apply(second + ROW, stages=["reading"])


def test_a_note_changes_nothing_but_must_quote():
    note = ROW.replace('"repair"', '"note"')
    assert _apply(note) == TEXT
    with pytest.raises(ErratumError, match="one"):
        _apply(note, "b = a\n")


def test_errata_are_values():
    with pytest.raises(AttributeError):
        ERRATA[0].id = "other"


def test_every_erratum_of_the_grammar_cites_and_decides():
    rows = tomllib.loads((GRAMMAR / "errata.toml").read_text("utf-8"))["erratum"]
    assert len(rows) == len(ERRATA) > 30
    for row in ERRATA:
        assert "§" in row.evidence
        assert row.decision.startswith("D")
        assert row.production
        assert row.why or row.stage == "note"


def test_repair_makes_the_printed_grammar_legal_and_no_more():
    faults = [found for found in check(PRINTED) if found.severity == "error"]
    assert [(found.kind, found.line, found.column) for found in faults] == [
        ("illegal-rule-name", 36, 1)
    ]
    repaired = apply_errata(PRINTED, ERRATA, stages=["repair"])
    assert [found.kind for found in check(repaired)] == ["core-rule-repeated"]
    lines = PRINTED.splitlines()
    assert repaired.splitlines() == lines[:35] + lines[36:]


def test_the_normal_grammar_is_all_errata_applied():
    normal = read(apply_errata(PRINTED, ERRATA))
    written = (GRAMMAR / "pcsf.normal.abnf").read_bytes().decode()
    assert read(written) == normal
    assert to_abnf(read(written)) in written
    assert not [found for found in check(written) if found.severity == "error"]
