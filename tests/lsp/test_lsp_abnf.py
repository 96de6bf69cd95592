"""Rule names in an editor, against what the grammar toolkit reads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsf_lark import abnf, resources
from pcsf_lark.abnf.nodes import Reference, key, walk
from pcsf_lark.faces.lsp import abnf_telling, painting, selecting
from pcsf_lark.faces.lsp.abnf_names import CORE, Grammar
from pcsf_lark.faces.lsp.abnf_renaming import RenameError, renamed, renames
from pcsf_lark.faces.lsp.documents import Document
from pcsf_lark.faces.lsp.judging import judge_grammar
from pcsf_lark.faces.lsp.positions import Text

SAMPLE = """\
; what a number is; the word digit here is no name
; and neither is this: NUMBER
number = [ sign ] 1*Digit / %x2D "digit" %s"digit"  ; digit
SIGN   = "+" / <the digit sign> / <Digit>
digit  = %d48-57 / %x41
number =/ 2digit 3*4( DIGIT-group )
digit-group = digit
"""


def grammars():
    yield "sample", SAMPLE
    for name in ("pcsf.abnf", "pcsf.normal.abnf", "export/generation.abnf"):
        yield name, resources.grammar(name)


GRAMMARS = dict(grammars())


def at(text, marker, shift=0):
    return text.index(marker) + shift


@pytest.mark.parametrize("name", GRAMMARS)
def test_the_names_are_those_that_the_toolkit_reads(name):
    text = GRAMMARS[name]
    read, _ = abnf.scan(text, shadow_core=True)
    known = {rule.key for rule in (*read.rules, *read.scope)}
    wanted = set()
    for rule in read:
        for node in walk(rule.definition):
            if isinstance(node, Reference):
                wanted.add((node.at.offset, node.name))
            elif isinstance(node, abnf.Prose) and key(node.text.strip()) in known:
                wanted.add((node.at.offset + 1, node.text.strip()))
    grammar = Grammar(text)
    faulty = [r for r in grammar.rules if not text[r.start].isalpha()]
    found = {
        (one.start, one.name)
        for one in grammar.names
        if not one.defines and not any(r.start <= one.start < r.end for r in faulty)
    }
    assert found == wanted
    defined = {one.key for one in grammar.names if one.defines}
    assert defined == {rule.key for rule in read.rules}
    assert all(text[one.start : one.end] == one.name for one in grammar.names)


def test_every_spelling_is_found_and_nothing_else():
    grammar = Grammar(SAMPLE)
    found = grammar.occurrences("DIGIT")
    assert [one.name for one in found] == ["Digit", "Digit", "digit", "digit", "digit"]
    assert [one.name for one in grammar.definitions("dIGIT")] == ["digit"]
    assert len(grammar.definitions("number")) == 2
    assert len(grammar.uses("digit")) == 4
    assert grammar.at(0) is None
    assert grammar.at(at(SAMPLE, '"digit"', 2)) is None


@pytest.mark.parametrize("name", GRAMMARS)
def test_renaming_changes_the_name_and_nothing_else(name):
    text = GRAMMARS[name]
    before, _ = abnf.scan(text, shadow_core=True)
    grammar = Grammar(text)
    for old in {one.key: one for one in grammar.names if one.defines}.values():
        places = renamed(grammar, old.start, "Quite-New-1")
        new = text
        for place in reversed(places):
            new = new[: place.start] + "Quite-New-1" + new[place.end :]
        after, _ = abnf.scan(new, shadow_core=True)
        assert old.key not in {rule.key for rule in after.rules}
        wanted = {old.key: "quite-new-1"}
        assert [rule.key for rule in after.rules] == [
            wanted.get(rule.key, rule.key) for rule in before.rules
        ]
        if old.key in CORE:
            continue
        back = Grammar(new)
        again = new
        for place in reversed(renamed(back, back.definitions("quite-new-1")[0].start, old.name)):
            again = again[: place.start] + old.name + again[place.end :]
        assert again.lower() == text.lower()


@pytest.mark.parametrize(
    ("marker", "shift", "new", "reason"),
    [
        ("SIGN ", 1, "number", "defined already, on line 3"),
        ("SIGN ", 1, "Digit-Group", "already"),
        ("SIGN ", 1, "wsp", "core rule"),
        ("SIGN ", 1, "2x", "no rule name"),
        ("SIGN ", 1, "a_b", "no rule name"),
        ("SIGN ", 1, "", "no rule name"),
        ("SIGN ", 1, "a\n", "no rule name"),
        ("SIGN ", 1, "é", "no rule name"),
        ("what a number", 3, "x", "no rule name here"),
    ],
)
def test_a_name_that_will_not_do_is_refused(marker, shift, new, reason):
    with pytest.raises(RenameError, match=reason):
        renamed(Grammar(SAMPLE), at(SAMPLE, marker, shift), new)


def test_core_rules_keep_their_names_unless_the_text_has_its_own():
    with pytest.raises(RenameError, match="core rule"):
        renames(Grammar("a = 2DIGIT\n"), 6)
    assert renames(Grammar("a = 2LF\nLF = %x0A\n"), 6).name == "LF"
    assert len(renamed(Grammar("a = b B\n"), 4, "c")) == 2
    assert [one.name for one in renamed(Grammar("a = b B\n"), 4, "B")] == ["b", "B"]


@settings(derandomize=True, max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*'ab=/;"<>%x()[] \n', "a-b", "=/", "%x41", "é", "\r\n", " = ", "1*", "LF"]
        ),
        max_size=25,
    ).map("".join)
)
def test_no_text_is_a_fault(text):
    made, grammar = Text(text), Grammar(text)
    for byte in filter(made.aligned, range(len(made.data) + 1)):
        found = abnf_telling.hover(made, grammar, None, byte)
        assert found is None or found.start <= byte <= found.end
        for item in abnf_telling.completions(made, grammar, byte):
            assert made.aligned(item.change.start)
            assert item.change.start <= byte <= item.change.end
        inner = (byte, byte)
        for stretch in selecting.in_grammar(made, grammar, byte):
            assert stretch[0] <= inner[0] <= inner[1] <= stretch[1]
            inner = stretch
    end = 0
    for piece in painting.in_grammar(made, grammar):
        assert end <= piece.start < piece.end
        assert not set(made.data[piece.start : piece.end]) & {10, 13}
        end = piece.end
    list(abnf_telling.symbols(made, grammar))
    for fold in abnf_telling.folds(made, grammar):
        assert b"\n" in made.data[fold.start : fold.end]


def test_a_name_is_told_with_its_definition_wherever_it_is():
    made, grammar = Text("; é\n" + SAMPLE), Grammar("; é\n" + SAMPLE)
    for marker, told in [
        ("1*Digit", "digit  = %d48-57 / %x41"),
        ("number =/", "number =/ 2digit"),
        ("sign ]", 'SIGN   = "+"'),
    ]:
        place = made.byte(at(made.characters, marker, 2))
        assert told in abnf_telling.hover(made, grammar, None, place).text
    core = Text("a = 2dquote\n")
    found = abnf_telling.hover(core, Grammar(core.characters), None, 6)
    assert "DQUOTE = %x22" in found.text
    assert (found.start, found.end) == (5, 11)
    assert abnf_telling.hover(made, grammar, None, 0) is None


def test_a_finding_is_told_with_its_page():
    document = Document("file:///a.abnf", "abnf", 1, "a = b\n")
    (report,) = judge_grammar(document)
    found = abnf_telling.hover(document.text, Grammar("a = b\n"), report, 4)
    assert "G101 undefined-rule" in found.text
    assert report.explain("G101").split("\n")[0] in found.text


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("a = ^\nbc = a\n", True),
        ("a = b^\nbc = a\n", True),
        ("a = 2*3b^\nbc = a\n", True),
        ('a = "b^"\nbc = a\n', False),
        ("a = b ; b^\nbc = a\n", False),
        ("a = %x^\nbc = a\n", False),
        ("a = %x4^\nbc = a\n", False),
        ('a = "x" b^\nbc = a\n', True),
    ],
)
def test_names_are_offered_where_a_name_may_stand(text, offered):
    byte = text.index("^")
    text = text.replace("^", "")
    items = {one.label: one for one in abnf_telling.completions(Text(text), Grammar(text), byte)}
    assert bool(items) == offered
    if offered:
        assert {"bc", *(rule.name for rule in CORE.values())} <= items.keys()
        start, end, new = items["bc"].change
        assert text[:start] + new + text[end:] == text[:byte].rstrip("b") + "bc" + text[byte:]


def test_symbols_and_folds():
    made, grammar = Text(SAMPLE), Grammar(SAMPLE)
    found = list(abnf_telling.symbols(made, grammar))
    names = ["number", "SIGN", "digit", "number", "digit-group"]
    assert [symbol.name for symbol in found] == names
    assert found[2].detail == "= %d48-57 / %x41"
    folds = [(f.start, f.end, f.comment) for f in abnf_telling.folds(made, grammar)]
    assert folds == [(0, SAMPLE.index("\nnumber"), True)]
    long = "a = b\n    / c\n"
    assert [tuple(f)[:2] for f in abnf_telling.folds(Text(long), Grammar(long))] == [(0, 13)]


def test_grammars_too_long_to_check_while_typing_say_so():
    text = "; comment\n" * 7000 + "a = b\n"
    (report,) = judge_grammar(Document("file:///a.abnf", "abnf", 1, text))
    (finding,) = report.findings
    assert finding.code == "G217"
    assert "65,536" in finding.message
