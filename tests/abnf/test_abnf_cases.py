"""Every case of cases/*.toml: what a grammar accepts, how it is written, what is wrong with it.

A case has a `grammar` (with `rest` added on a line of its own), a `start`
(else the first rule), texts to `accept` and to `reject`, its `normal` ABNF,
and its `problems`, which are all that may be found. `regular = false` says
that there is no regular expression.
"""

import re
import time
import tomllib
from pathlib import Path

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import AbnfError, check, lark_name, read, to_abnf, to_lark, to_regex

CASES = {
    f"{path.stem}/{name}": case
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for name, case in tomllib.loads(path.read_text("utf-8")).items()
}


def _text(case):
    rest = case.get("rest")
    return case["grammar"] + (f"\n{rest}\n" if rest else "")


def _with(key):
    return pytest.mark.parametrize("name", [name for name, case in CASES.items() if key in case])


def _start(case, grammar):
    return case.get("start", grammar.rules[0].name)


def earley_accepts(lark, text):
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


def test_cases_are_there():
    assert len(CASES) > 90
    assert all({"accept", "problems"} & case.keys() for case in CASES.values())


@_with("accept")
def test_earley_agrees(name):
    case = CASES[name]
    grammar = read(_text(case))
    start = _start(case, grammar)
    lark = Lark(to_lark(grammar, start), parser="earley", lexer="dynamic", start=lark_name(start))
    assert [text for text in case["accept"] if not earley_accepts(lark, text)] == []
    assert [text for text in case["reject"] if earley_accepts(lark, text)] == []


@_with("accept")
def test_regex_agrees(name):
    case = CASES[name]
    grammar = read(_text(case))
    start = _start(case, grammar)
    if not case.get("regular", True):
        with pytest.raises(AbnfError) as caught:
            to_regex(grammar, start)
        assert [found.kind for found in caught.value.problems] == ["recursive-rule"]
        return
    regex = re.compile(to_regex(grammar, start))
    assert [text for text in case["accept"] if not regex.fullmatch(text)] == []
    assert [text for text in case["reject"] if regex.fullmatch(text)] == []


@_with("accept")
def test_written_abnf_reads_back(name):
    grammar = read(_text(CASES[name]))
    assert read(to_abnf(grammar)) == grammar
    assert read(to_abnf(grammar, newline="\r\n")) == grammar


@_with("normal")
def test_normal_form(name):
    case = CASES[name]
    assert to_abnf(read(_text(case))).strip() == case["normal"].strip()


@pytest.mark.parametrize("name", CASES)
def test_problems(name):
    case = CASES[name]
    found = check(_text(case))
    wanted = case.get("problems", [])
    told = [(one.line, one.column, one.kind, one.rule, one.severity) for one in found]
    assert told == [
        (one["line"], one["column"], one["kind"], one["rule"], one.get("severity", "error"))
        for one in wanted
    ]
    for problem, one in zip(found, wanted, strict=True):
        assert one.get("says", "") in problem.message
        assert one.get("helps", "") in problem.help
        assert problem.help or problem.severity == "note"
        assert problem.offset == _offset(_text(case), problem.line, problem.column)


@_with("problems")
def test_read_raises_all_errors_together(name):
    text = _text(CASES[name])
    if all(found.severity != "error" for found in check(text)):
        assert read(text) is not None
        return
    with pytest.raises(AbnfError) as caught:
        read(text)
    assert caught.value.problems == check(text)
    assert all(str(found) in str(caught.value) for found in check(text))


def _offset(text, line, column):
    return sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200_000,
        "a = " + "(" * 200_000,
        "a = " + '"' * 200_001,
        "a = " + "x" * 200_000 + "!",
        "x" * 200_000,
        "a = x" + " " * 200_000 + "!",
        "a = x " + ";;;;" * 50_000 + "!\n" + " !",
        "a = " + "/ " * 100_000,
        "a = " + "b " * 50_000 + "=",
        "\n" * 200_000,
        "a =\r" * 50_000,
        "a = x\n" * 3_000,
        "".join(f"a{n} = b{n}\n" for n in range(1_000)),
        "a = %x" + "4" * 200_000,
        "a = " + "9" * 200_000 + "x",
        "a = " + "0" * 200_000 + "1x",
        "\x00\ufffe\ud800" * 10_000,
    ],
    ids=range(17),
)
def test_any_text_is_checked_in_bounded_time(text):
    begun = time.process_time()
    assert check(text) or not text.strip()
    assert time.process_time() - begun < 5
