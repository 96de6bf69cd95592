"""What other ABNF tools get wrong, feature by feature and report by report: ours gets it right.

Each row: a grammar, texts of it, texts that are not. Lark parsers built from
the same grammar must give the same answers as `match`.
"""

import contextlib

import pytest
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import AbnfError, MatchError, inspect, load, read, to_abnf

#: The features that tools differ on.
FEATURES = {
    "prose of a known rule": ('a = <b> "!"\nb = "x"', ["x!"], ["!", "b!"]),
    "more alternatives": ('a = "x"\na =/ "y"', ["x", "y"], ["xy"]),
    "concatenated code points": ("a = %x61.62.63", ["abc"], ["ABC", "ab"]),
    "case-sensitive string": ('a = %s"aBc"', ["aBc"], ["abc", "ABC"]),
    "case-insensitive string, marked": ('a = %i"aBc"', ["abc", "ABC"], ["ab"]),
    "case-insensitive string": ('a = "abc"', ["abc", "ABC", "aBc"], ["ab\u0307c"]),
    "ASCII case only": ('a = "k"', ["k", "K"], ["\u212a"]),
    "exactly n": ('a = 2"x"', ["xx"], ["x", "xxx"]),
    "n to m": ('a = 1*2"x"', ["x", "xx"], ["", "xxx"]),
    "at most m": ('a = *2"x"', ["", "x", "xx"], ["xxx"]),
    "at least n": ('a = 2*"x"', ["xx", "xxxxx"], ["x"]),
    "zero times": ('a = 0"a" "b"', ["b"], ["ab"]),
    "comments, continuation, group": (
        'a = "x" ; one\n    ("y" / ; two\n   "z")\n; three',
        ["xy", "xz"],
        ["x"],
    ),
    "binary, decimal, ranges": ("a = %b1000001 %d66 %x43-44", ["ABC", "ABD"], ["ABE", "abc"]),
    "leading empty string": ('a = "" "x"', ["x"], [""]),
    "trailing empty string": ('a = "x" ""', ["x"], [""]),
    "only an empty string": ('a = ""', [""], ["x"]),
    "rule names ignore case": ('Foo = fOO-bar\nFOO-BAR = "x"', ["x"], [""]),
    "left recursion": ('a = a "+" "x" / "x"', ["x", "x+x", "x+x+x"], ["", "+x", "x+"]),
    "indirect left recursion": ('a = b "1" / "x"\nb = a "2"', ["x", "x21", "x2121"], ["x2", "1"]),
    "giving back": ('a = *"a" "a"', ["a", "aaaa"], ["", "b"]),
    "a choice is tried again": ('a = ("a" / "ab") "c"', ["ac", "abc"], ["ab"]),
    "indented grammar": ('    a = b\n    b = "x"\n', ["x"], [""]),
    "no final line end": ('a = b\nb = "x"', ["x"], [""]),
    "CRLF line ends": ('a = b\r\nb = "x"\r\n', ["x"], [""]),
    "beyond the basic plane": ("a = %x1F600 %x1F601-1F602", ["\U0001f600\U0001f602"], ["\ud83d"]),
    "core rule defined again, the same": ("a = 2LF\nLF = %x0A", ["\n\n"], ["\n"]),
    "count of a group": ('a = 2(DIGIT ":")', ["1:2:"], ["1:", "12:", "1:2"]),
    "nested counts": ('a = 2(2("x" ",") ";")', ["x,x,;x,x,;"], ["x,x,;"]),
    "metacharacters in ranges": (
        "a = %x23-5B / %x5D-7E",
        list("#[]^-~/"),
        ["\\", "\x7f", '"'],
    ),
    "nullable parts": ('a = *b "." *b\nb = ["x"] ["y"]', [".", "x.", "xy.yx"], ["", "xy"]),
}


def _lark_accepts(lark, text):
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("parser", ["match", "tree", "auto", "earley"])
def test_feature(name, parser):
    text, good, bad = FEATURES[name]
    grammar = load(text)
    if parser == "match":
        accepts = grammar.match
    elif parser == "tree":

        def accepts(one):
            try:
                tree = grammar.tree(one)
            except MatchError:
                return False
            assert "".join(tree.scan_values(lambda _: True)) == one
            return True

    else:
        lark = grammar.lark(parser)

        def accepts(one):
            return _lark_accepts(lark, one)

    assert [one for one in good + bad if accepts(one)] == good


@pytest.mark.parametrize("name", FEATURES)
def test_feature_survives_being_written(name):
    text, good, bad = FEATURES[name]
    again = load(to_abnf(load(text)))
    assert [one for one in good + bad if again.match(one)] == good


#: Reports of users of other tools: a text, and what is found in it (kind, line).
REPORTS = {
    "an alternative of a rule not yet defined": (
        'a =/ "x"\na = "y"',
        [("addition-first", 1), ("duplicate-rule", 2)],
    ),
    "names that differ by case alone": (
        'Natural-raw = "x"\nnatural-raw = "y"',
        [("duplicate-rule", 2)],
    ),
    "prose of nothing": ('a = <the usual> "x"', [("unbound-prose", 1)]),
    "undefined": ('a = b\nc = "x"', [("undefined-rule", 1), ("unused-rule", 2)]),
    "a name that begins with a digit": ('a = "x"\n3b = "y"', [("illegal-rule-name", 2)]),
    "left recursion": ('a = a "x" / "y"', [("left-recursion", 1)]),
    "greed": ('a = *"x" "x"', [("overlap", 1), ("token-end", 1)]),
    "two readings": ('a = b / c\nb = "x"\nc = %x58', [("ambiguous-choice", 1)]),
    "empty round": ('a = *["x"]', [("empty-repetition", 1)]),
    "no way out": ('a = "x" a', [("endless-rule", 1)]),
    "core rule": ('a = DIGIT\nDIGIT = "x"', [("core-rule-redefined", 2)]),
}


@pytest.mark.parametrize("name", REPORTS)
def test_report(name):
    text, expected = REPORTS[name]
    found = inspect(text)
    places = {(one.kind, one.line or 1) for one in found}
    assert set(expected) <= places, [str(one) for one in found]
    assert all(one.help for one in found)


def test_duplicates_name_both_lines():
    (found,) = [one for one in inspect('a = "x"\n\nA = "y"') if one.kind == "duplicate-rule"]
    assert (found.line, "line 1" in found.message) == (3, True)


def test_one_fault_hides_no_other():
    text = 'a = b / <nothing> / "x"\nB = *"y" "y"\n8c = "x"\nd = d "z" / e\n'
    kinds = {one.kind for one in inspect(text)}
    assert {"unbound-prose", "overlap", "illegal-rule-name", "left-recursion"} <= kinds
    assert {"undefined-rule", "unused-rule"} <= kinds


def test_strict_wants_what_the_rfc_wants():
    assert inspect('a = "x"\r\n', strict=True) == ()
    kinds = {one.kind for one in inspect('  a = "x"\n', strict=True)}
    assert kinds == {"line-end", "indentation"}
    assert inspect('  a = "x"') == ()


@pytest.mark.parametrize("text", ["", "; nothing\n", "\r\n\n"])
def test_no_rules(text):
    assert [one.kind for one in inspect(text)] == ["no-rules"]
    with pytest.raises(AbnfError, match="defines no rule"):
        load(text)


def test_a_conflict_is_told_in_abnf_names():
    """LALR that shifts where it should reduce refuses good text; strict LALR says so instead."""
    grammar = load('all = list LF tail\nlist = "L" *(LF item)\nitem = 1*%x61-7A\ntail = "T"\n')
    assert grammar.match("L\na\nb\nT")
    assert _lark_accepts(grammar.lark(), "L\na\nb\nT")
    ambiguous = load('sum = sum "+" sum / 1*DIGIT')
    note = ambiguous.translate().notes[0]
    assert (note.kind, note.rule, note.severity) == ("shift-reduce", "sum", "note")
    with pytest.raises(AbnfError, match="`sum`"):
        ambiguous.lark("lalr")
    with pytest.raises(ValueError, match="unknown parser"):
        ambiguous.lark("ll1")


def test_ties_are_broken_by_the_order_written():
    grammar = load("host = number / name\nnumber = 1*DIGIT\nname = 1*(DIGIT / ALPHA)")
    assert [child.data for child in grammar.tree("12").children] == ["number"]
    assert [child.data for child in grammar.tree("1a").children] == ["name"]
    pair = load('pair = first second\nfirst = *"x"\nsecond = *"x"')
    first, second = pair.tree("xxx").children
    assert (first.children, second.children) == (["xxx"], [])


def test_tree_speaks_abnf():
    tree = load('list = item *("," item)\nitem = 1*ALPHA', lexical=["item"]).tree("ab,c")
    assert tree.data == "list"
    assert [getattr(child, "data", child) for child in tree.children] == ["item", ",", "item"]
    assert tree.children[0].children[0].start_pos == 0


def test_mismatch_says_where_and_what_was_expected():
    with pytest.raises(MatchError) as caught:
        load('a = "x" 1*DIGIT').tree("x!")
    assert caught.value.offset == 1
    assert "found '!', expected '0' to '9'" in str(caught.value)
    with pytest.raises(MatchError, match="the end of the text"):
        load('a = "x" 1*DIGIT').tree("x")


@pytest.mark.parametrize(
    "text",
    [
        'a = 100000(100000(100000"x" ","))',
        "\n".join(['a0 = "x"', *(f"a{i} = a{i - 1} a{i - 1}" for i in range(1, 70))]),
        "a = " + " ".join(["*b"] * 60) + '\nb = *"x" *"y"\n',
        'a = a a a / a a / "b" / ""',
    ],
)
def test_explosions_end_in_bounded_time(text):
    grammar = load(text, start=text.rpartition("\n")[2].split(" ")[0] if "a0" in text else "a")
    for action in (lambda: grammar.match("b" * 200), lambda: grammar.translate().build()):
        with contextlib.suppress(AbnfError):
            action()


def test_limits_say_what_to_do():
    with pytest.raises(AbnfError, match="more than 3,000,000 steps") as caught:
        load('a = a a a / a a / "b" / ""').match("b" * 3000)
    assert [(one.kind, bool(one.help)) for one in caught.value.problems] == [("work-limit", True)]
    huge = "a = " + " ".join(f'"{n}" b' for n in range(30_000)) + '\nb = "x" / "y"\n'
    with pytest.raises(AbnfError, match="too many for Lark"):
        load(huge).translate()
    with pytest.raises(AbnfError, match="more than 50,000 symbols"):
        load(huge).match("0x")


def test_imports_keep_their_meaning():
    """RFC 9110 defines `comment` and uses RFC 5322's `mailbox`, which has a `comment` of its own."""
    mail = load('mailbox = word comment\nword = 1*ALPHA\ncomment = "(" word ")"')
    text = 'from = mailbox comment\nmailbox = <mailbox, see [MAIL], Section 3>\ncomment = "#"\n'
    grammar = load(text, imports=[mail])
    assert grammar.match("ab(c)#")
    assert not grammar.match("ab##")
    assert load(to_abnf(read(text, imports=[mail])), imports=[mail]).match("ab(c)#")


def test_doubtful_imports_are_told():
    one, two = load('x = "1"'), load('x = "2"')
    text = "a = x"
    assert load(text, imports=[one, two]).match("1")
    assert [found.kind for found in inspect(text, imports=[one, two])] == ["doubtful-import"]


def test_prose_can_be_bound():
    text = "a = <any char> <unless>\n"
    with pytest.raises(AbnfError, match="describes no text"):
        load(text)
    grammar = load(text, bind={"any char": "%x20-7E", "unless": "*DIGIT"})
    assert grammar.match("~12")
    with pytest.raises(AbnfError, match="no ABNF"):
        load(text, bind={"any char": "(", "unless": '""'})


def test_repair_drops_what_says_nothing():
    text = "a = 2HEX\n2HEX = 2HEXDIG\nHEX = HEXDIG\n"
    with pytest.raises(AbnfError, match="already means 2 x HEX"):
        load(text)
    assert load(text, repair=True).match("0F")
