"""The analyses, on grammars small enough to answer by hand."""

import pytest

from pcsf_lark.abnf import AbnfError, analyse, findings, read, scan, unused
from pcsf_lark.abnf.expressions.charset import END, CharSet

EXPRESSIONS = """
sum     = sum "+" product / product
product = product "*" atom / atom
atom    = "(" sum ")" / 1*DIGIT
"""


def _points(chars):
    return "".join("$" if point == END else chr(point) for point in chars)


def test_first_and_follow_of_expressions():
    facts = analyse(read(EXPRESSIONS))
    assert {name: _points(facts.first[name]) for name in ("sum", "product", "atom")} == {
        "sum": "(0123456789",
        "product": "(0123456789",
        "atom": "(0123456789",
    }
    assert _points(facts.follow["sum"]) == "$)+"
    assert _points(facts.follow["atom"]) == "$)*+"
    assert facts.rules == ("sum", "product", "atom", "DIGIT")


def test_nullable_rules_let_first_and_follow_through():
    facts = analyse(read('a = b c "z"\nb = *"x"\nc = ["y"] d\nd = b / ""\n'))
    assert facts.nullable == {"b", "c", "d"}
    assert _points(facts.first["a"]) == "XYZxyz"
    assert _points(facts.follow["b"]) == "XYZxyz"
    assert _points(facts.follow["c"]) == "Zz"


def test_follow_goes_round_repetitions():
    facts = analyse(read('a = 1*( b "," )\nb = "x"\nc = *b\n'), "a", "c")
    assert _points(facts.follow["b"]) == "$,Xx"


@pytest.mark.parametrize(
    ("grammar", "recursive", "left", "embedding"),
    [
        (EXPRESSIONS, {"sum", "product", "atom"}, {"sum", "product"}, {"sum", "product", "atom"}),
        ('a = "x" a / "x"', {"a"}, set(), set()),
        ('a = a "x" / "x"', {"a"}, {"a"}, set()),
        ('a = "(" a ")" / ""', {"a"}, set(), {"a"}),
        ('a = [b] a "x" / "y"\nb = "z"', {"a"}, {"a"}, {"a"}),
        ('a = b\nb = c\nc = a / "x"', {"a", "b", "c"}, {"a", "b", "c"}, set()),
        ('a = "x" b\nb = a "y" / ""', {"a", "b"}, set(), {"a", "b"}),
        ('a = *( "x" a )', {"a"}, set(), {"a"}),
        ("a = *DIGIT", set(), set(), set()),
    ],
)
def test_recursion(grammar, recursive, left, embedding):
    facts = analyse(read(grammar))
    found = (facts.recursive, facts.left_recursive, facts.self_embedding)
    assert found == (recursive, left, embedding)
    assert facts.is_regular == (not recursive)


@pytest.mark.parametrize(
    ("grammar", "places"),
    [
        ('a = *"a" "a"', [("a", 5, "Aa")]),
        ('a = *"a" "b"', []),
        ('a = f " | " f\nf = 1*%x20-7B', [("f", 5, " ")]),
        ('a = f "x"\nf = 1*g\ng = ["x"] "y"', [("f", 5, "Xx")]),
        ('a = 3"a" "a"', []),
        ('a = ["a"] *"b" "a"', [("a", 6, "Aa")]),
        ('a = *( *"a" "b" )', []),
        ('a = *( *"a" ["b"] )', [("a", 8, "Aa"), ("a", 14, "Bb")]),
    ],
)
def test_overlaps(grammar, places):
    found = analyse(read(grammar)).overlaps
    told = sorted((one.rule, one.at.column, _points(one.shared)) for one in found)
    assert told == places


def test_unused_rules():
    grammar = read('a = b\nb = "x"\nc = d\nd = c / "y"\n')
    assert [rule.name for rule in unused(grammar, "a")] == ["c", "d"]
    assert [rule.name for rule in unused(grammar, "A", "D")] == []


def test_findings_are_warnings_with_places():
    grammar = read('a = a "x" / 1*"y" "y"\nb = "z"\n')
    found = [(one.kind, one.line, one.column, one.rule, one.severity) for one in findings(grammar)]
    assert found == [
        ("left-recursion", 1, 1, "a", "warning"),
        ("overlap", 1, 13, "a", "warning"),
        ("unused-rule", 2, 1, "b", "warning"),
    ]


def test_unbound_names_are_refused_together():
    grammar, _ = scan("a = b <c d>\ne = f\n")
    with pytest.raises(AbnfError) as caught:
        analyse(grammar, "a", "g")
    assert [(one.kind, one.rule) for one in caught.value.problems] == [
        ("undefined-rule", "g"),
        ("undefined-rule", "a"),
        ("unbound-prose", "a"),
    ]


def test_many_rules_are_analysed_at_once():
    chain = "".join(f'r{number} = ["x"] r{number + 1}\n' for number in range(2000))
    facts = analyse(read(chain + 'r2000 = *"y" r0 / ""\n'))
    assert len(facts.nullable) == len(facts.recursive) == 2001


def test_charsets():
    digits, letters = CharSet.span(48, 57), CharSet(((65, 90), (97, 122)))
    both = digits | letters | CharSet.of(END, 58)
    assert both.ranges == ((-1, -1), (48, 58), (65, 90), (97, 122))
    assert (both - letters).ranges == ((-1, -1), (48, 58))
    assert (both & CharSet.span(0, 80)).ranges == ((48, 58), (65, 80))
    assert (CharSet.of(END, 0) - CharSet.of(0)).ranges == ((-1, -1),)
    assert (CharSet.of(END, 0) - CharSet.of(END)).ranges == ((0, 0),)
    assert (CharSet.of(0) | CharSet.of(END)).ranges == ((-1, -1), (0, 0))
    assert len(letters) == 52
    assert not CharSet(())
