"""What other ABNF tools get wrong, feature by feature and report by report: ours gets it right.

Each row: a grammar, texts of it, texts that are not. Lark parsers built from
the same grammar must give the same answers as `match`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import CODES, AbnfError, MatchError, check, inspect, load, read, to_abnf
from pcsf_lark.abnf.matching.chart import MAX_WORK, Recogniser

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
    "an element that is missing": ('a = "x" 2%', [("illegal-value", 1)]),
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
    assert {(one.kind, one.line) for one in inspect(text)} == {
        ("unbound-prose", 1),
        ("overlap", 2),
        ("illegal-rule-name", 3),
        ("unused-rule", 4),
        ("left-recursion", 4),
        ("undefined-rule", 4),
    }


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a = b / c\n", ["undefined-rule"] * 2),
        ("a = *b c\n", ["undefined-rule"] * 2),
        ("a = <b c> / <d e> / %x00-7F\n", ["unbound-prose"] * 2),
        ("a = b / %x00-10FFFE / %x10FFFF\n", ["undefined-rule", "ambiguous-choice"]),
        ("a = *b b\n", ["undefined-rule", "overlap"]),
    ],
)
def test_what_is_unknown_is_like_nothing_else(text, kinds):
    """Two rules that are missing are not taken to be the same; one is, with itself."""
    assert sorted(one.kind for one in inspect(text)) == sorted(kinds)


@pytest.mark.parametrize("definition", ['"x" DIGIT', "nope", "<prose>", 'DIGIT / "x"', "*HEXDIG b"])
def test_checking_never_raises_for_core_rules(definition):
    text = f"DIGIT = {definition}\nb = (\n"
    kinds = {one.kind for one in check(text)}
    assert {"core-rule-redefined", "unclosed-bracket"} <= kinds
    assert kinds <= {one.kind for one in inspect(text)}


def test_strict_wants_what_the_rfc_wants():
    assert inspect('a = "x"\r\n', strict=True) == ()
    kinds = {one.kind for one in inspect('  a = "x"\n', strict=True)}
    assert kinds == {"line-end", "indentation"}
    assert inspect('  a = "x"') == ()


def test_strict_reads_comments_too():
    text = 'a = "x" ; caf\u00e9\r\n; \u00fc\r\nb = a ";\u00e9" <;>\t;\ttab\r\n'
    found = [(one.kind, one.line, one.column) for one in inspect(text, strict=True)]
    assert found == [("illegal-character", 1, 14), ("illegal-character", 3, 9)]
    assert [one.line for one in inspect(text)] == [3]


def _latin(text):
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


def test_bytes_that_are_not_utf_8_are_told_with_their_offset():
    found = inspect(_latin('a = "caf\u00e9"\n; M\u00fcller\n'))
    told = [(one.kind, one.line, one.severity) for one in found]
    assert told == [("not-utf-8", 1, "warning"), ("illegal-character", 1, "error")]
    assert "byte 0xE9 at offset 8 (2 in all)" in found[0].message
    assert all("UTF-8" in one.help and "%x" not in one.help for one in found)
    assert load(_latin('a = "x" ; \u00e9\n')).match("x")
    (wide,) = inspect('a = "x"\n'.encode("utf-16").decode("utf-8", "surrogateescape"))
    assert (wide.kind, "UTF-16" in wide.message) == ("not-utf-8", True)


@pytest.mark.parametrize("method", ["match", "tree"])
def test_bytes_are_no_text(method):
    with pytest.raises(TypeError, match="str, not bytes; decode"):
        getattr(load('a = "x"'), method)(b"x")


def test_rules_without_an_end_promise_nothing():
    grammar = load('a = "x" b / "z" / *c\nb = "y" b\nc = "w" c')
    with pytest.raises(MatchError) as caught:
        grammar.tree("xyyyy")
    assert (caught.value.offset, sorted(map(chr, caught.value.expected))) == (0, ["Z", "z"])
    assert [one for one in ("", "z", "x", "w", "xy") if grammar.match(one)] == ["", "z"]
    for text in ("a = a", 'a = "x" a', 'a = b\nb = a "x"'):
        nothing = load(text)
        assert not any(map(nothing.match, ("", "x", "xx")))
        with pytest.raises(MatchError, match="expected nothing more"):
            nothing.tree("x")


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


def test_lark_breaks_ties_the_same_way_every_time():
    """Lark's dynamic lexer used to lose readings, or pick one at random; ours has none to lose."""
    script = """
from pcsf_lark.abnf import load
host = load("host = number / name\\nnumber = 1*DIGIT\\nname = 1*(DIGIT / ALPHA)")
pair = load('pair = first second\\nfirst = *"x"\\nsecond = *"x"')
print(host.lark("earley").parse("12"), pair.lark("earley").parse("xxx"))
lark = host.lark("earley").__class__(
    host.translate("earley").text, parser="earley", lexer="dynamic", start="host",
    ambiguity="explicit",
)
print(sorted(str(child.data) for child in lark.parse("12").children))
"""
    done = [
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": one},
        ).stdout
        for one in ("0", "1", "2")
    ]
    assert done[0] == done[1] == done[2]
    assert done[0].endswith("['host', 'host']\n")


def test_tokens_are_strings_and_know_their_place():
    """A faster Lark gives tokens that are no strings, and trees without places; ours rely on neither."""
    grammar = load('list = item *("," item)\nitem = 1*ALPHA', lexical=["item"])
    for token in grammar.tree("ab,c").scan_values(lambda _: True):
        assert isinstance(token, str)
        assert "ab,c"[token.start_pos : token.end_pos] == token
    tree = grammar.lark("lalr").parse("ab,c")
    assert [(token.value, token.start_pos) for token in tree.children] == [("ab", 0), ("c", 3)]
    assert (tree.meta.start_pos, tree.meta.end_pos) == (0, 4)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a = b c ;", None),
        ("a = 3", "lonely-repetition"),
        ('a = "x" /', "empty-alternative"),
        ('a = "x" % "y"', "illegal-value"),
        ('a = "x" &', "unexpected-text"),
        ("a = 2*", "lonely-repetition"),
        ("a =2", "unexpected-end"),
    ],
)
def test_faults_of_form(text, kind):
    found = [one.kind for one in check(text) if one.kind != "undefined-rule"]
    assert found == ([kind] if kind else [])


def test_every_code_has_a_test():
    """A kind of finding that no test names may have stopped being found."""
    root = Path(__file__).parents[1]
    texts = "".join(
        path.read_text("utf-8")
        for folder in (root / "abnf", root / "grammar")
        for path in folder.rglob("*")
        if path.suffix in (".py", ".toml")
    )
    assert [kind for kind in CODES if f'"{kind}"' not in texts] == []


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


def test_limits_say_what_to_do():
    assert MAX_WORK == 3_000_000
    recogniser = Recogniser(load('a = a a a / a a / "b" / ""'), "a")
    with pytest.raises(AbnfError, match="more than 50,000 steps") as caught:
        recogniser.chart("b" * 3000, limit=50_000)
    assert [(one.kind, bool(one.help)) for one in caught.value.problems] == [("work-limit", True)]
    many = "a = " + " ".join(["1*49b"] * 900) + '\nb = "x" / "y"\n'
    with pytest.raises(AbnfError, match="too many for Lark"):
        load(many).translate()
    with pytest.raises(AbnfError, match="more than 50,000 symbols"):
        load(f'a = "{"x" * 60_000}"').match("0x")


def test_imports_keep_their_meaning():
    """RFC 9110 defines `comment` and uses RFC 5322's `mailbox`, which has a `comment` of its own."""
    mail = load('mailbox = word comment\nword = 1*ALPHA\ncomment = "(" word ")"')
    text = 'from = mailbox comment\nmailbox = <mailbox, see [MAIL], Section 3>\ncomment = "#"\n'
    grammar = load(text, imports=[mail])
    assert grammar.match("ab(c)#")
    assert not grammar.match("ab##")
    assert load(to_abnf(read(text, imports=[mail])), imports=[mail]).match("ab(c)#")


def test_imports_see_the_ones_before_them():
    assert load("a = b", imports=['c = "x"', "b = c"]).match("x")
    assert load("a = b", imports=[load('c = "x"'), "d = <e f>\nb = c"]).match("x")
    with pytest.raises(AbnfError, match="`c` is not defined"):
        load("a = b", imports=["b = c", 'c = "x"'])


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
    with pytest.raises(AbnfError, match="no ABNF") as caught:
        load(text, bind={"any char": "(", "unless": '""'})
    assert [one.kind for one in caught.value.problems] == ["unreadable-binding"]
    assert [one.kind for one in inspect(text, bind={"any char": "("})] == ["unreadable-binding"]


def test_repair_drops_what_says_nothing():
    text = "a = 2HEX\n2HEX = 2HEXDIG\nHEX = HEXDIG\n"
    with pytest.raises(AbnfError, match="already means 2 x HEX"):
        load(text)
    assert load(text, repair=True).match("0F")
