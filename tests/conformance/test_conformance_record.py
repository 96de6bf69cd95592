"""The record of a run: written and read back, and what is no record told as what it is."""

from __future__ import annotations

import json

import pytest
from attrs import evolve
from conformance_runs import KINDS, right, run_of, wrong
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsf_lark.conformance import Answer, Case, Expected, judge
from pcsf_lark.conformance.record import RESULTS, Row, Run, Selection, recorded
from pcsf_lark.conformance.record_json import from_json, to_json
from pcsf_lark.conformance.reports import FORMATS

WORDS = st.text(max_size=30)


def test_levels_are_all_there():
    assert {level for _, level in KINDS} == {"verdict", "codes", "tree", "ops", "grammar"}


@pytest.mark.parametrize(("role", "level"), KINDS)
def test_a_record_is_read_as_it_was_written(role, level):
    run = run_of(wrong, role, level)
    assert run.rows
    assert all(row.evidence for row in run.rows)
    text = to_json(run)
    assert text.isascii()
    assert from_json(text) == run
    good = run_of(right, role, level)
    assert good.clean
    assert not any(row.evidence for row in good.rows)
    assert from_json(to_json(good)) == good


@given(
    st.builds(Case, WORDS, st.lists(WORDS).map(tuple), st.binary(max_size=40), st.builds(
        Expected,
        st.sampled_from([0, 1]),
        st.none() | st.binary(max_size=40),
        st.none() | st.dictionaries(WORDS, WORDS, max_size=3),
        st.none() | st.frozensets(WORDS, max_size=3),
    ), WORDS, st.none() | st.just((2, 5))),
    st.builds(Answer, st.none() | st.integers(-20, 300), st.binary(), st.binary(), trouble=WORDS),
    WORDS,
)  # fmt: skip
@settings(max_examples=60, derandomize=True)
def test_any_outcome_is_read_as_it_was_written(case, answer, title):
    run = Run(title, recorded([judge(case, answer)]))
    assert from_json(to_json(run)) == run


def test_files_of_the_suite_are_held_by_name():
    """No path of the machine is in a record; what the files hold is."""
    for level in ("ops", "grammar"):
        run = run_of(wrong, level=level)
        text = to_json(run)
        assert __file__.partition("/tests/")[0] not in text
        named = [row.evidence for row in run.rows if row.evidence.files]
        assert named
        for found in named:
            assert all(name in found.arguments and data for name, data in found.files)
            assert all(name.startswith(("ops/", "corpus/")) for name, _ in found.files)


def test_no_more_than_excerpts_are_held():
    flood = b"x" * 10_000_000
    run = run_of(
        lambda _: Answer(3, flood, flood + b"the end"), fits=lambda name: "minimal" in name
    )
    for row in run.rows:
        assert (row.evidence.output.size, row.evidence.errors.size) == (10_000_000, 10_000_007)
        assert row.evidence.errors.data.endswith(b"the end")
    assert len(to_json(run)) < 40_000


def test_a_record_of_an_older_version_is_read():
    """Before answers were kept a case had a name, a result, a detail, a section and a time."""
    case = {"name": "valid/x/y", "result": "failed", "detail": "d", "spec": "2.1", "seconds": 1}
    old = {"title": "t", "passed": 0, "failed": 1, "broken": 0, "skipped": 0, "cases": [case]}
    run = from_json(json.dumps(old))
    assert run == Run("t", (Row("valid/x/y", "failed", "d", "2.1", 1.0),))
    assert (run.suite, run.selection, run.clean) == (None, Selection(), False)
    assert run.timeout is None
    assert FORMATS["human"](run).startswith("failed  valid/x/y: d\n")


CASE = json.loads(
    to_json(run_of(wrong, level="tree", fits=lambda name: name.endswith("new-thread")))
)


def _with(*path, value):
    """A record with another value at a path."""
    found = json.loads(json.dumps(CASE))
    place = found
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(found)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("\x00", "is no JSON"),
        ("[" * 100_000, "nested too deep"),
        ("1" * 5_000, "is no JSON"),
        ("[]", "is no record of a run"),
        ("null", "is no record of a run"),
        ("3", "is no record of a run"),
        ('{"title": "t"}', "is no record of a run"),
        ('{"version": "2.1.0", "runs": []}', "is no record of a run"),
        (_with("title", value=3), "title is 3; expected a string"),
        (_with("cases", value={}), "cases is an object; expected a list"),
        (_with("cases", 0, value="x"), 'cases[0] is "x"; expected an object'),
        (_with("cases", 0, "name", value=None), "cases[0].name is null; expected a string"),
        (_with("cases", 0, "result", value="won"), 'cases[0].result is "won"; expected one of'),
        (_with("cases", 0, "seconds", value="1"), 'cases[0].seconds is "1"; expected a number'),
        (_with("cases", 0, "answer", value=[]), "cases[0].answer is a list; expected an object"),
        (_with("cases", 0, "answer", "exit", value=True), "cases[0].answer.exit is true"),
        (_with("cases", 0, "answer", "output", value={"bytes": 1}), "answer.output.text is missing"),
        (_with("cases", 0, "input", value={"base64": "?"}), "cases[0].input.base64 is no Base64"),
        (_with("cases", 0, "lines", value=[3, 2]), "cases[0].lines is a list; expected the first"),
        (_with("cases", 0, "lines", value="3"), 'cases[0].lines is "3"; expected the first'),
        (_with("cases", 0, "files", value=[1]), "cases[0].files[0] is 1; expected an object"),
        (_with("cases", 0, "arguments", value=[1]), "cases[0].arguments[0] is 1"),
        (_with("cases", 0, "expected", value=0), "cases[0].expected is 0; expected an object"),
        (
            _with("cases", 0, "expected", "tree", value=json.loads("[" * 99 + "]" * 99)),
            "cases[0].expected.tree is nested too deep",
        ),
        (_with("timeout", value="1"), 'timeout is "1"; expected a number'),
        (_with("suite", value=1.5), "suite is 1.5; expected a whole number"),
        (_with("selection", "run", value=["a", 1]), "selection.run[1] is 1; expected a string"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_told(text, says):
    with pytest.raises(ValueError, match=r".") as caught:
        from_json(text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(st.lists(st.integers(0, 40), max_size=4), JSON)
@settings(max_examples=150, derandomize=True)
def test_a_record_changed_anywhere_is_read_or_refused(path, value):
    """Whatever stands where, reading ends with a record or a ValueError."""
    found = json.loads(json.dumps(CASE))
    place = found
    for step in path:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = keys[step % len(keys)]
        if not isinstance(place[key], (dict, list)):
            place[key] = value
            break
        place = place[key]
    try:
        run = from_json(json.dumps(found))
    except ValueError:
        return
    assert {row.result for row in run.rows} <= set(RESULTS)
    for render in FORMATS.values():
        assert render(run)


def test_times_are_no_part_of_what_a_record_says():
    run = run_of(wrong, fits=lambda name: "minimal" in name)
    later = evolve(run, rows=tuple(evolve(row, seconds=row.seconds + 1) for row in run.rows))
    assert later == run
