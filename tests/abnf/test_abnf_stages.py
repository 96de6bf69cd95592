"""Findings in two parts for those who type, and the same ones whatever the process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from pcsf_lark import abnf, resources
from pcsf_lark.abnf.inspecting.inspection import stages

CORPUS = Path(__file__).parents[1] / "corpus" / "grammar"
TEXTS = {path.stem: path.read_bytes().decode() for path in sorted(CORPUS.glob("*.abnf"))}
TEXTS["pcsf.normal"] = resources.grammar("pcsf.normal.abnf")
#: Not LALR in several places, so that there is a choice of what to tell.
CONFLICTS = {
    "palindrome": TEXTS["palindrome"],
    "postal-address": TEXTS["postal-address"],
    "three ways": 's = a "x" / b "x" / c "y"\na = "q"\nb = "q"\nc = "q" / a\n',
    "sums": 'e = e ("+" / "-" / "*" / "/") e / "n"\n',
}
TELL = """
import sys
from pcsf_lark import abnf
for text in sys.stdin.read().split("\\0"):
    print(*abnf.inspect(text), sep="\\n")
"""


@pytest.mark.parametrize("name", TEXTS)
def test_the_last_part_is_all_and_holds_the_first(name):
    parts = list(stages(TEXTS[name]))
    assert parts[-1] == abnf.inspect(TEXTS[name])
    assert set(parts[0]) <= set(parts[-1])
    assert len(parts) <= 2
    if any(one.severity == "error" for one in parts[0]):
        assert len(parts) == 1


@pytest.mark.parametrize("text", ["", "\n", "; x", "1 = 2", "\udcff", "a = a", '\0"'])
def test_every_text_has_a_first_part(text):
    assert list(stages(text))[-1] == abnf.inspect(text)


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_is_remembered_of_a_grammar_is_told_where_its_rules_are_now(name):
    text = CONFLICTS[name]
    found = abnf.inspect(text)
    assert {one.kind for one in found} & {"shift-reduce", "reduce-reduce"}
    moved = abnf.inspect(f"; a\n; b\n{text}")
    assert moved == tuple(evolve(one, line=one.line + 2, offset=one.offset + 8) for one in found)


def test_the_same_conflict_is_told_by_every_process():
    told = {
        subprocess.run(
            [sys.executable, "-c", TELL],
            input="\0".join(CONFLICTS.values()),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(1, 7)
    }
    assert len(told) == 1
    assert told.pop().count("does not decide") == len(CONFLICTS)
