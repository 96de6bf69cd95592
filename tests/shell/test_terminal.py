"""Colours and widths: on terminals of several sizes, in pipes, by what the environment asks."""

import json
import re
import unicodedata

import forks
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from terminals import pcsf, plain, surroundings

from pcsf_lark.report.folding import folded
from pcsf_lark.report.text import width
from pcsf_lark.rules._rule import BASE

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BROKEN = BASE.replace("HIGH", "URGENT")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("terminal")
    (here / "good.pcsf").write_text(BASE)
    (here / "bad.pcsf").write_text(BROKEN)
    (here / "other.pcsf").write_text(
        BASE.replace("safe to build", "safe to build, as far as anybody can tell from here")
    )
    wide = BASE.replace(
        "META: ",
        "META: \N{CJK UNIFIED IDEOGRAPH-65E5}" * 20 + " e\u0301\U0001f469\u200d\U0001f680 ",
    )
    (here / "wide.pcsf").write_text(wide, "utf-8")
    name = "a-rather-long-name-of-a-capsule-that-takes-its-room.pcsf"
    (here / name).write_text(BROKEN.replace("CHOICE", "DECISION"))
    talk = [
        {"role": "user", "content": "Please look at the index of the search. " * 20},
        {"role": "assistant", "content": "\N{HANGUL SYLLABLE HAN}" * 90 + " and more words. " * 20},
    ]
    (here / "chat.json").write_text(json.dumps(talk))
    pushes = (["relay", "init"], ["relay", "push", "good.pcsf"], ["relay", "push", "other.pcsf"])
    for words in pushes:
        done = forks.run(words, cwd=here, env=surroundings({"PCSF_RELAY_KEY": "5b" * 32}))
        assert done.returncode == 0, done.stderr
    return here


CALLS = [
    ["--help"],
    ["check", "--help"],
    ["relay", "--help"],
    ["relay", "push", "--help"],
    ["cso", "sign", "--help"],
    ["check"],
    ["check", "gone.pcsf"],
    ["check", "--nothing"],
    ["chekc"],
    ["show", "good.pcsf"],
    ["diff", "good.pcsf", "other.pcsf"],
    ["explain", "C7"],
    ["rules"],
    ["resume", "good.pcsf"],
    ["relay", "log"],
    ["relay", "show", "HEAD"],
    ["relay", "diff", "HEAD~1"],
    ["session", "status", "chat.json"],
    ["session", "view", "chat.json"],
    ["session", "search", "chat.json", "index"],
    ["--install-completion", "tcsh"],
]  # fmt: skip


def columns_of(line):
    return sum(
        0 if unicodedata.category(c) in {"Mn", "Me", "Cf"}
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in line
    )  # fmt: skip


def could_be_folded(line, columns):
    """Whether a line that is too wide has a place to break at that would have helped."""
    words = line.split()
    lead = len(line) - len(line.lstrip())
    return (
        len(words) > 1 and lead + columns_of(words[0]) < columns and columns_of(words[-1]) < columns
    )


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_no_line_is_wider_than_the_terminal(folder, words, columns):
    code, came = pcsf(*words, cwd=folder, columns=columns)
    assert code in (0, 1, 2)
    text = plain(came).replace("\r\n", "\n").split("\r")[-1]
    # Examples are to be copied as they are.
    text = text.partition("\nExamples:\n")[0]
    assert text.strip()
    over = [line for line in text.split("\n") if columns_of(line.rstrip()) > columns]
    assert [line for line in over if could_be_folded(line, columns)] == []


def test_a_wide_terminal_is_made_use_of(folder):
    _, narrow = pcsf("check", "bad.pcsf", cwd=folder, columns=40)
    _, wide = pcsf("check", "bad.pcsf", cwd=folder, columns=200)
    assert len(wide.split("\n")) < len(narrow.split("\n"))


def test_columns_come_before_what_the_terminal_says(folder):
    code, came = pcsf("rules", cwd=folder, columns=200, COLUMNS="40")
    assert code == 0
    assert max(map(columns_of, plain(came).splitlines())) <= 40


@pytest.mark.parametrize("given", ["", "0", "-5", "wide", "\N{SUPERSCRIPT TWO}"])
def test_columns_that_are_no_number_are_passed_over(folder, given):
    code, came = pcsf("rules", cwd=folder, columns=60, COLUMNS=given)
    assert code == 0
    assert max(map(columns_of, plain(came).splitlines())) <= 60


@pytest.mark.parametrize(
    "words",
    [["check"], ["diff", "good.pcsf", "other.pcsf"], ["rules"], ["relay", "log"]],
    ids=" ".join,
)
def test_a_pipe_is_never_folded(folder, words):
    texts = {
        forks.run(words, cwd=folder, env=surroundings({"COLUMNS": columns})).stdout
        for columns in ("20", "80", "200")
    }
    assert len(texts) == 1


@pytest.mark.parametrize(
    "words",
    [["ast", "good.pcsf"], ["emit", "tree.json"], ["grammar", "export", "--to", "gbnf"]],
    ids=" ".join,
)
def test_what_is_to_be_copied_is_not_folded(folder, words):
    tree = forks.run(["ast", "good.pcsf"], cwd=folder)
    (folder / "tree.json").write_bytes(tree.stdout)
    piped = forks.run(words, cwd=folder, text=True)
    assert piped.returncode == 0
    _, came = pcsf(*words, cwd=folder, columns=40)
    assert plain(came).replace("\r\n", "\n") == piped.stdout


#: What the environment says; whether a terminal has colours, and whether a pipe has.
ASKED = [
    ({}, True, False),
    ({"NO_COLOR": "1"}, False, False),
    ({"NO_COLOR": "0"}, False, False),
    ({"NO_COLOR": ""}, True, False),
    ({"FORCE_COLOR": "1"}, True, True),
    ({"FORCE_COLOR": "0"}, True, False),
    ({"FORCE_COLOR": ""}, True, False),
    ({"CLICOLOR_FORCE": "1"}, True, True),
    ({"CLICOLOR_FORCE": "0"}, True, False),
    ({"CLICOLOR": "0"}, False, False),
    ({"CLICOLOR": "1"}, True, False),
    ({"CLICOLOR": "0", "FORCE_COLOR": "1"}, True, True),
    ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    ({"TERM": "dumb"}, False, False),
    ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ({"GITHUB_ACTIONS": "true"}, True, False),
]


def shown(value):
    return (
        " ".join(f"{name}={text}" for name, text in value.items())
        if isinstance(value, dict)
        else ""
    )


@pytest.mark.parametrize(("environment", "terminal", "pipe"), ASKED, ids=shown)
@pytest.mark.parametrize("words", [["check", "bad.pcsf"], ["show", "good.pcsf"]], ids=" ".join)
def test_colours_by_one_rule(folder, words, environment, terminal, pipe):
    _, drawn = pcsf(*words, cwd=folder, **environment)
    assert bool(COLOUR.search(drawn)) == terminal
    piped = forks.run(words, cwd=folder, env=surroundings(environment), text=True)
    assert bool(COLOUR.search(piped.stdout)) == pipe


@pytest.mark.parametrize(
    "words", [["--help"], ["check", "--help"], ["check", "--nothing"]], ids=" ".join
)
def test_help_and_misuse_have_no_colours(folder, words):
    _, drawn = pcsf(*words, cwd=folder, FORCE_COLOR="1", GITHUB_ACTIONS="true")
    assert "\x1b" not in drawn


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize(
    "words",
    [
        ["show", "good.pcsf"],
        ["--help"],
        ["check", "--help"],
        ["check"],
        ["relay", "log"],
        ["explain", "C7"],
    ],
    ids=" ".join,
)
def test_an_old_encoding_gets_what_it_can_show(folder, words, encoding):
    given = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = forks.run(words, cwd=folder, env=surroundings(given))
    assert done.returncode in (0, 1)
    text = done.stdout.decode(encoding) + done.stderr.decode(encoding)
    if words != ["check"]:  # which shows what stands in a file
        assert text.isascii()
        assert "\\u" not in text


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_any_locale_will_do(folder, locale):
    done = forks.run(
        ["show", "good.pcsf", "wide.pcsf"], cwd=folder, env=surroundings({"LC_ALL": locale})
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"\n" in done.stdout


LINES = st.text(
    st.sampled_from("ab  cd\n-\N{CJK UNIFIED IDEOGRAPH-65E5}\u0301\N{GRINNING FACE}"), max_size=200
)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(LINES, st.integers(1, 60), st.integers(0, 30), st.none() | st.integers(0, 12))
def test_folding_loses_no_word_and_keeps_to_the_columns(text, columns, taken, hang):
    done = folded(text, columns, taken=taken, hang=hang)
    assert done.split() == text.split()
    room = max(columns, 20)
    for number, line in enumerate(done.split("\n")):
        used = width(line.rstrip()) + (0 if number else taken)
        assert used <= room or len(line.split()) <= 1 or not could_be_folded(line, room)
    assert folded(text, None) == text
    if all(width(line) + taken <= room for line in text.split("\n")):
        assert done == text


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("abc", 3),
        ("\N{CJK UNIFIED IDEOGRAPH-65E5}\N{CJK UNIFIED IDEOGRAPH-672C}", 4),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}", 2),
        ("e\u0301", 1),
        ("\N{HANGUL SYLLABLE HAN}", 2),
        ("\N{GRINNING FACE}", 2),
        ("a\N{ZERO WIDTH JOINER}b", 2),
        ("a\N{VARIATION SELECTOR-16}", 1),
        ("\N{COMBINING ENCLOSING KEYCAP}", 0),
        ("\N{SOFT HYPHEN}", 0),
    ],
)
def test_how_many_columns_a_text_takes(text, columns):
    assert width(text) == columns
