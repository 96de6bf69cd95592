"""The regex writer: form, captures, cuts, and what it refuses."""

import re
import time

import pytest

from pcsf_lark.abnf import AbnfError, read, to_regex

WORDS = "a = word *(1*SP word)\nword = 1*(%x21-7B / %x7D-7E)\n"


@pytest.mark.parametrize(
    ("grammar", "regex"),
    [
        ('a = "x"', "[Xx]"),
        ('a = "abc"', "(?ai:ABC)"),
        ('a = %s"abc"', "abc"),
        ('a = "GET " 1*DIGIT', "(?ai:GET )[0-9]+"),
        ("a = %x41-5A / %x5B / %x61-7A / DIGIT", r"[0-9A-\[a-z]"),
        ('a = 2*3"-" *"-" ["-"]', "-{2,3}-*-?"),
        ("a = *(*(1*DIGIT))", "[0-9]*"),
        (WORDS, "(?! )[!-{}~ ]+(?<! )".replace("!-{}~ ", " -{}~")),
        ('a = %s"x" / %s"y" / ""', "[xy]?"),
        ('a = *(%s"x" 1*DIGIT LF)', r"(?:(?>x[0-9]+\n))*+"),
        ('a = *(LF %s"x" 1*DIGIT)', r"(?:(?>\nx[0-9]+(?![^\n])))*+"),
        ('a = *(%s"x" *%s"y") %s"xyx"', "(?:xy*)*xyx"),
    ],
)
def test_form(grammar, regex):
    assert to_regex(read(grammar)) == regex


def test_a_run_without_edge_spaces_is_the_words():
    regex = re.compile(to_regex(read(WORDS)))
    for text in ("a", "a b", "a  b", "ab cd"):
        assert regex.fullmatch(text)
    for text in ("", " ", " a", "a ", " a ", "a|b"):
        assert not regex.fullmatch(text)


def test_case_is_ignored_in_ascii_only():
    regex = re.compile(to_regex(read('a = "kiss"')))
    assert regex.fullmatch("KiSS")
    for text in ("\u212aiss", "ki\u017f\u017f", "k\u0130ss"):
        assert not regex.fullmatch(text)


def test_captures():
    grammar = read('a = [name "="] value\nname = 1*ALPHA\nvalue = 1*DIGIT\n')
    regex = re.compile(to_regex(grammar, captures={"NAME": "n", "value": "v"}))
    assert regex.fullmatch("ab=12").groupdict() == {"n": "ab", "v": "12"}
    assert regex.fullmatch("12").groupdict() == {"n": None, "v": "12"}


@pytest.mark.parametrize(
    "grammar",
    [
        'a = b "-" b\nb = DIGIT\n',
        "a = *b\nb = DIGIT\n",
        "a = 2b\nb = DIGIT\n",
        'a = "x"\nb = DIGIT\n',
        'a = c / b\nc = "x" b\nb = DIGIT\n',
    ],
)
def test_a_rule_is_captured_only_where_it_occurs_once(grammar):
    with pytest.raises(AbnfError) as caught:
        to_regex(read(grammar), "a", captures={"b": "b"})
    assert [(found.kind, found.rule) for found in caught.value.problems] == [("capture", "b")]


@pytest.mark.parametrize(
    "grammar",
    [
        'a = "(" [a] ")"',
        'a = b\nb = "x" / a b\n',
        "a = a",
    ],
)
def test_recursion_is_refused(grammar):
    with pytest.raises(AbnfError) as caught:
        to_regex(read(grammar), "a")
    assert {found.kind for found in caught.value.problems} == {"recursive-rule"}


def test_growth_is_refused_in_bounded_time():
    doubling = "".join(f"r{number} = r{number + 1} r{number + 1}\n" for number in range(60))
    begun = time.process_time()
    with pytest.raises(AbnfError) as caught:
        to_regex(read(doubling + 'r60 = "x" / "yz"\n'), "r0")
    assert [found.kind for found in caught.value.problems] == ["size-limit"]
    assert time.process_time() - begun < 5


def test_long_chains_of_rules_are_no_recursion_for_python():
    chain = "".join(f'r{number} = "x" / "yz" r{number + 1}\n' for number in range(1500))
    with pytest.raises(AbnfError) as caught:
        to_regex(read(chain + 'r1500 = "x"\n'), "r0")
    assert [found.kind for found in caught.value.problems] == ["size-limit"]
    flat = "".join(f'r{number} = "x" r{number + 1}\n' for number in range(1500))
    assert re.fullmatch(to_regex(read(flat + 'r1500 = "y"\n'), "r0"), "x" * 1500 + "Y")


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        ("a = *(1*DIGIT LF)", "1\n" * 20_000 + "x"),
        ("a = *(LF 1*DIGIT) LF LF", "\n1" * 20_000 + "x"),
        (WORDS, "a " * 20_000),
        ('a = *(f ", " f LF)\nf = w *(1*SP w)\nw = 1*%x2D-7E\n', "a b, c d\n" * 5_000 + "a b, c "),
    ],
)
def test_near_misses_take_linear_time(grammar, text):
    regex = re.compile(to_regex(read(grammar)))
    begun = time.process_time()
    assert not regex.fullmatch(text)
    assert time.process_time() - begun < 1
