"""The library against the conformance corpus: verdict, codes, places, trees.

One test a file. What the files mean is told in ``tests/corpus/README.md``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pcsf_lark

CORPUS = Path(__file__).parent / "corpus"
LIMIT = 1200
ERRORS = [f"C{number}" for number in range(13)]
WARNINGS = ["V001", "V002", "V003", "V004"]
#: Fewest files a folder may hold before the suite counts as broken.
LEAST = {"valid": 150, "invalid": 250, "warn": 20, "mixed": 40, "profiles": 40}
#: What stands beside a capsule of each folder: must, may.
COMPANIONS = {
    "valid": ({".json"}, set()),
    "invalid": ({".expect"}, set()),
    "warn": ({".json", ".expect"}, set()),
    "mixed": ({".expect"}, set()),
    "profiles": ({".expect"}, {".json"}),
}


def files(folder):
    return sorted((CORPUS / folder).rglob("*.pcsf"))


def each(folder):
    found = files(folder)
    names = [path.relative_to(CORPUS / folder).as_posix().removesuffix(".pcsf") for path in found]
    return pytest.mark.parametrize("path", found, ids=names)


def beside(path, suffix):
    return path.with_name(path.name.removesuffix(".pcsf") + suffix)


def load(path, suffix):
    return json.loads(beside(path, suffix).read_text(encoding="ascii"))


def findings(report, initial):
    return [finding for finding in report.findings if finding.code.startswith(initial)]


def codes(report, initial):
    return {finding.code for finding in findings(report, initial)}


def judged(data, profile="interop"):
    """The report, once every way to ask for the verdict agrees."""
    report = pcsf_lark.check(data, profile=profile)
    assert report.conformant == (not findings(report, "C"))
    assert pcsf_lark.conformant(data, profile=profile) == report.conformant
    assert report.bytes == len(data)
    return report


def canonical_size(tree):
    """Bytes of the canonical text of a capsule without spare zeros."""
    return tree["bytes"] + 5 * (tree["layout"] == "compact") + (not tree["final_lf"])


def assert_tree(data, tree):
    """Bytes to tree, tree to canonical text, and that text to an equal capsule."""
    capsule = pcsf_lark.parse(data)
    assert pcsf_lark.to_json(capsule) == tree
    again = pcsf_lark.from_json(tree)
    if canonical_size(tree) > LIMIT:
        with pytest.raises(pcsf_lark.CapsuleError) as refused:
            pcsf_lark.format(again)
        assert {finding.code for finding in refused.value.diagnostics} == {"C2"}
        return
    text = pcsf_lark.format(again)
    assert pcsf_lark.parse(text) == capsule
    assert pcsf_lark.format(text) == text
    assert pcsf_lark.format(data) == text


@each("valid")
def test_valid(path):
    data, tree = path.read_bytes(), load(path, ".json")
    report = judged(data)
    assert [str(finding) for finding in findings(report, "C")] == []
    assert codes(report, "V") & set(WARNINGS) == (
        {"V001"} if tree["layout"] == "compact" else set()
    )
    assert (report.layout, report.version) == (tree["layout"], tree["version"])
    assert_tree(data, tree)


@each("warn")
def test_warn(path):
    data, tree = path.read_bytes(), load(path, ".json")
    report = judged(data)
    assert [str(finding) for finding in findings(report, "C")] == []
    assert codes(report, "V") & set(WARNINGS) == set(load(path, ".expect")["codes"])
    assert_tree(data, tree)


@each("invalid")
def test_invalid(path):
    expect = load(path, ".expect")
    report = judged(path.read_bytes())
    assert codes(report, "C") == set(expect["codes"])
    first = findings(report, "C")[0].span
    low, high = expect.get("lines") or (expect["line"],) * 2
    assert low <= first.line <= high
    assert first.column == expect.get("column", first.column)
    with pytest.raises(pcsf_lark.CapsuleError) as refused:
        pcsf_lark.parse(path.read_bytes())
    assert list(refused.value.diagnostics) == findings(report, "C")


@each("mixed")
def test_mixed(path):
    expect = load(path, ".expect")
    report = judged(path.read_bytes())
    assert codes(report, "C") == set(expect["codes"])
    if "findings" in expect:
        got = findings(report, "C")
        places = [(finding.code, finding.span.line) for finding in got]
        assert places == [(want["code"], want["line"]) for want in expect["findings"]]
        for finding, want in zip(got, expect["findings"], strict=True):
            assert finding.span.column == want.get("column", finding.span.column)


@each("profiles")
def test_profile(path):
    data, expect = path.read_bytes(), load(path, ".expect")
    assert codes(judged(data, expect["profile"]), "C") == set(expect["codes"])
    assert codes(judged(data), "C") == set(expect["interop"])
    if beside(path, ".json").exists():
        capsule = pcsf_lark.parse(data, profile=expect["profile"])
        assert pcsf_lark.to_json(capsule) == load(path, ".json")


@pytest.mark.parametrize("folder", sorted(LEAST))
def test_folder_is_not_thin(folder):
    assert len(files(folder)) >= LEAST[folder]


@pytest.mark.parametrize("code", ERRORS)
def test_each_error_has_files_of_its_own(code):
    found = files(f"invalid/{code.lower()}")
    assert len(found) >= 5
    assert all(load(path, ".expect")["codes"] == [code] for path in found)


@pytest.mark.parametrize("code", WARNINGS)
def test_each_warning_has_files(code):
    found = files(f"warn/{code.lower()}")
    assert len(found) >= 4
    assert all(code in load(path, ".expect")["codes"] for path in found)


def test_folders_are_known():
    assert {path.name for path in CORPUS.iterdir() if path.is_dir()} >= set(COMPANIONS)
    assert {path.name.upper() for path in (CORPUS / "invalid").iterdir()} == set(ERRORS)
    assert {path.name.upper() for path in (CORPUS / "warn").iterdir()} == set(WARNINGS)


@pytest.mark.parametrize("folder", sorted(COMPANIONS))
def test_companions_are_complete(folder):
    must, may = COMPANIONS[folder]
    for path in files(folder):
        assert all(beside(path, suffix).is_file() for suffix in must), path
    stems = {path.with_name(path.name.removesuffix(".pcsf")) for path in files(folder)}
    for path in (CORPUS / folder).rglob("*.*"):
        if path.is_file() and path.suffix != ".pcsf":
            assert path.suffix in must | may, path
            assert path.with_name(path.name.removesuffix(path.suffix)) in stems, path


def test_no_two_answers_for_the_same_bytes():
    seen = {}
    for folder in ("valid", "warn", "invalid", "mixed"):
        for path in files(folder):
            other = seen.setdefault(path.read_bytes(), path)
            assert other == path, f"{path} repeats {other}"


def test_every_profile_that_differs_has_files():
    assert {path.parent.name for path in files("profiles")} == {"abnf", "prose"}
    differing = [path for path in files("profiles") if _differs(load(path, ".expect"))]
    assert len(differing) >= 40


def _differs(expect):
    return set(expect["codes"]) != set(expect["interop"])
