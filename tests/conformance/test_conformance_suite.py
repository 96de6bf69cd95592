"""The suite itself: enough of everything, indices in step, and answers of one mind."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from pcsf_lark import abnf, resources
from pcsf_lark.conformance import Answer, cases, judge, select
from pcsf_lark.conformance.indexing import INDICES, indexed
from pcsf_lark.conformance.suite import index

HERE = Path(__file__).parent
CORPUS = HERE.parent / "corpus"
GRAMMARS = sorted((CORPUS / "grammar").glob("*.json"))


def test_enough_cases():
    names = [case.name for case in cases()]
    assert len(set(names)) == len(names)
    assert len([name for name in names if name.startswith("valid/")]) >= 150
    assert len([name for name in names if name.startswith("invalid/")]) >= 250
    for code in range(13):
        assert len([name for name in names if name.startswith(f"invalid/c{code}/")]) >= 5


def test_every_size_and_byte_class():
    valid = [case.stdin for case in cases() if case.expected.exit == 0]
    invalid = [case.stdin for case in cases() if case.expected.exit == 1]
    assert {1199, 1200} <= {len(data) for data in valid}
    assert {0, 1, 1201} <= {len(data) for data in invalid}
    printable = {*range(0x20, 0x7F)} - {ord("|")}
    assert set().union(*valid) >= printable | {0x0A}
    controls = {*range(0x20), 0x7F} - {0x0A}
    assert set().union(*invalid) >= controls | {0x80, 0xA0, 0xC3, 0xE2, 0xEF, 0xF0, 0xFF}


def test_resources_are_found():
    assert resources.corpus().samefile(CORPUS)
    assert (resources.operations() / "README.md").is_file()


@pytest.mark.parametrize("name", INDICES)
def test_indices(name):
    """What the files list is what the suite holds."""
    assert index(name) == frozenset(indexed()[name])
    assert index(name)


@pytest.mark.parametrize("name", ["v9", "", ".", "../v1", "../index/v1", "v1.txt", "/v1", "v\0"])
def test_unknown_index(name):
    with pytest.raises(KeyError, match="there are compact"):
        index(name)


def test_versions_and_layouts_part_the_valid_cases():
    valid = {case.name for case in cases() if case.expected.exit == 0}
    versions = [index(version) & valid for version in ("v1", "v1.1", "v1.2")]
    assert sum(map(len, versions)) == len(valid)
    assert not index("spaced") & index("compact")


@pytest.mark.parametrize("path", GRAMMARS, ids=[path.stem for path in GRAMMARS])
def test_grammar_cases(path):
    about = json.loads(path.read_text("utf-8"))
    grammar = abnf.load(path.with_suffix(".abnf").read_bytes().decode(), start=about["start"])
    texts = about["accept"] + about["reject"]
    assert [text for text in texts if grammar.match(text)] == about["accept"]
    assert about["accept"]
    assert about["spec"]


def test_selection_by_glob_and_folder():
    chosen, skipped = select(cases(), ["valid/layout", "warn/v00[12]/*"], ["*/compact*"])
    names = {case.name.rpartition("/")[0] for case in chosen}
    assert names == {"valid/layout", "warn/v001", "warn/v002"}
    assert skipped
    assert all("/compact" in case.name for case in skipped)


@pytest.mark.parametrize(("role", "level"), [("reader", "verdict"), ("decoder", "all")])
def test_unknown_roles_and_levels(role, level):
    with pytest.raises(ValueError, match="no cases"):
        cases(role, level)


def test_encoders_are_held_to_the_bytes_of_the_corpus():
    """Where a file is canonical already, what an encoder must give is that file."""
    held = 0
    for case in cases("encoder"):
        path = CORPUS / f"{case.name}.pcsf"
        tree = json.loads(case.stdin)
        plain = tree["layout"] == "spaced" and tree["final_lf"] and not tree["integrity"]
        if plain and case.name.startswith("valid/"):
            assert case.expected.output == path.read_bytes(), case.name
            held += 1
    assert held >= 150


def reference():
    """The module `reference.py` beside this one."""
    spec = importlib.util.spec_from_file_location("reference", HERE / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("role", "levels", "arguments"),
    [
        ("decoder", ["verdict", "codes", "tree"], []),
        ("decoder", ["ops"], []),
        ("decoder", ["grammar"], []),
        ("encoder", ["verdict"], ["emit"]),
        ("formatter", ["verdict"], ["fmt"]),
    ],
)
def test_our_own_answers_are_right_in_every_case(role, levels, arguments):
    answered = reference().answered  # decodes a capsule once for all levels
    for level in levels:
        for case in cases(role, level):
            code, output = answered([*arguments, *case.arguments], case.stdin)
            outcome = judge(case, Answer(code, output))
            assert (outcome.result, outcome.detail) == ("passed", ""), (level, case.name)
