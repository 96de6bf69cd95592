"""The folder that becomes the VS Code extension: what it names is there and up to date."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from pcsf_lark.abnf.core import CORE_RULES
from pcsf_lark.export import export

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tools/editors/vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text("utf-8"))
ABNF = json.loads((FOLDER / "syntaxes/abnf.tmLanguage.json").read_text("utf-8"))


def scopes(line):
    """The names that the grammar's patterns give to a line's parts, as TextMate finds them."""
    patterns = [ABNF["repository"]["comment"], ABNF["patterns"][1]]
    patterns += ABNF["repository"]["element"]["patterns"]
    found, at = [], 0
    while at < len(line):
        matches = ((re.compile(one["match"]).search(line, at), one) for one in patterns)
        hits = [(m.start(), n, m, one) for n, (m, one) in enumerate(matches) if m and m[0]]
        if not hits:
            break
        _, _, match, one = min(hits, key=lambda hit: hit[:2])
        if "name" in one:
            found.append((match[0], one["name"].split(".")[-2]))
        for group, what in one.get("captures", {}).items():
            if match[int(group)]:
                found.append((match[int(group)], what["name"].split(".")[-2]))
        at = match.end()
    return found


def test_everything_it_names_is_there():
    contributed = PACKAGE["contributes"]
    named = [PACKAGE["main"], *(one["path"] for one in contributed["grammars"])]
    named += [one["configuration"] for one in contributed["languages"]]
    for path in named:
        assert (FOLDER / path).is_file()
        if path.endswith(".json"):
            json.loads((FOLDER / path).read_text("utf-8"))
    assert {one["id"] for one in contributed["languages"]} == {"pcsf", "abnf"}


def test_it_has_the_packages_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert PACKAGE["version"] == project["version"]


def test_it_highlights_capsules_by_the_generated_grammar():
    grammar = (FOLDER / "syntaxes/pcsf.tmLanguage.json").read_text("utf-8")
    assert grammar == export("textmate")
    contributed = {one["language"]: one["scopeName"] for one in PACKAGE["contributes"]["grammars"]}
    assert contributed["pcsf"] == json.loads(grammar)["scopeName"]
    assert contributed["abnf"] == ABNF["scopeName"]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("a-b = c ; d", [("a-b", "rule"), ("=", "assignment"), ("c", "rule"), ("; d", "semicolon")]),
        ("a =/ 2DIGIT", [("a", "rule"), ("=/", "assignment"), ("2", "repetition"), ("DIGIT", "core")]),
        (
            '  / 1*3( %s"x;y" [digits] )',
            [
                ("/", "alternative"), ("1*3", "repetition"), ("(", "group"), ("%s", "case"),
                ('"x;y"', "double"), ("[", "group"), ("digits", "rule"), ("]", "group"),
                (")", "group"),
            ],
        ),
        (
            "  %x41-5A %d13.10 <any; text> *<x>",
            [
                ("%x41-5A", "numeric"), ("%d13.10", "numeric"), ("<any; text>", "prose"),
                ("*", "repetition"), ("<x>", "prose"),
            ],
        ),
    ],
)  # fmt: skip
def test_it_highlights_grammars(line, parts):
    assert scopes(line) == parts


def test_every_core_rule_is_known():
    for rule in CORE_RULES:
        assert scopes(f"  {rule.name}") == [(rule.name, "core")]
        assert scopes(f"  {rule.name.lower()}-x") == [(f"{rule.name.lower()}-x", "rule")]
