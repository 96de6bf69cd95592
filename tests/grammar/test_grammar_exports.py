"""The exports that parse, show or explain: Lark, regex, ABNF, TextMate, Pygments, railroad."""

import functools
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

import pcsf_lark
from pcsf_lark import abnf
from pcsf_lark.abnf.matching.chart import Recogniser
from pcsf_lark.export import FORMATS, LAYOUTS, export, generation, normal
from pcsf_lark.export.highlighting import KINDS
from pcsf_lark.faces.highlight import PcsfLexer
from pcsf_lark.spec import LAYERS

CORPUS = Path(__file__).parent.parent / "corpus"
FILES = [path for path in sorted(CORPUS.rglob("*.pcsf")) if path.stat().st_size < 4096]
TEXTS = {path: path.read_bytes().decode("latin-1") for path in FILES}


def _lark(text):
    lark = Lark(text, parser="lalr", start="capsule", maybe_placeholders=False, strict=True)

    def accepts(one):
        try:
            lark.parse(one)
        except UnexpectedInput:
            return False
        return True

    return accepts


def _regex(text):
    return re.compile(text.strip()).fullmatch


def _abnf(text):
    return abnf.load(text, start="capsule").match


@functools.cache
def _verdicts(layout):
    recogniser = Recogniser(generation(layout), "capsule", fused=True)
    return {path: recogniser.accepts(text) for path, text in TEXTS.items()}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("form", "reader"), [("lark", _lark), ("regex", _regex), ("abnf", _abnf)])
def test_forms_speak_one_language(form, reader, layout):
    accepts, verdicts = reader(export(form, layout)), _verdicts(layout)
    wrong = [path for path, text in TEXTS.items() if bool(accepts(text)) != verdicts[path]]
    assert wrong == []
    assert sum(verdicts.values()) >= 50


def test_lark_gives_a_tree_with_a_node_for_every_line():
    text = (CORPUS / "valid" / "realistic").glob("*.pcsf")
    source = next(iter(sorted(text))).read_text("ascii")
    tree = Lark(export("lark"), parser="lalr", start="capsule").parse(source)
    capsule = pcsf_lark.parse(source)
    for layer in LAYERS:
        rows = list(tree.find_data(f"l{layer.number}_entry"))
        assert len(rows) == len(getattr(capsule, layer.attribute))


def test_caps_are_counted():
    for layer in LAYERS:
        rule = generation()[f"layer{layer.number}"]
        counts = [n.max for n in abnf.nodes.walk(rule.definition) if isinstance(n, abnf.Repetition)]
        assert counts == [layer.cap]
    assert not pcsf_lark.check(_full(13)).conformant
    accepts = Recogniser(generation(), "capsule").accepts
    assert (accepts(_full(12)), accepts(_full(13))) == (True, False)


def _full(rows):
    return (
        "===PCSF:v1===\nMETA: a | b | DEEP | 2026-01-01T00:00Z\n\nL1:SKELETON\n"
        + "PIVOT | a | b\n" * rows
        + "\nL2:NEGATIVE\n\nL3:INTERNAL\n\nL4:RELATION\n\nL5:LOOPS\n\nSEED: x\n===END===\n"
    )


#: Every export, told by its length and hash; and a grammar with conflicts, told by its notes.
EXPORTS = """
import hashlib
from pcsf_lark import abnf
from pcsf_lark.export import FORMATS, LAYOUTS, export
for form in FORMATS:
    for layout in LAYOUTS:
        text = export(form, layout)
        assert text.endswith("\\n")
        print(form, layout, len(text), hashlib.sha256(text.encode()).hexdigest())
loose = abnf.load('a = *b (c / d) root\\nb = "x"\\nc = 1*"x"\\nd = *ALPHA\\nroot = "r" start\\nstart = "s"')
print(loose.translate(), abnf.to_gbnf(loose, "a"), abnf.to_llguidance(loose, "a", []))
"""


def test_exports_are_deterministic():
    """The same in every process, however its sets and dictionaries are seeded."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", EXPORTS],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "4242")
    }
    (output,) = outputs
    assert output.count(" any ") == len(FORMATS)


@pytest.mark.parametrize("form", FORMATS)
def test_unknown_layouts_are_refused(form):
    with pytest.raises(ValueError, match="unknown layout"):
        export(form, "diagonal")
    with pytest.raises(ValueError, match="known are llguidance"):
        export("yacc")


def _conformant():
    return [
        (path, text)
        for path, text in TEXTS.items()
        if "profiles" not in path.parts and pcsf_lark.conformant(path.read_bytes())
    ]


def test_pygments_knows_every_line_of_a_valid_capsule():
    from pygments.token import Error

    lexer = PcsfLexer(stripnl=False, ensurenl=False)
    for path, text in _conformant():
        tokens = list(lexer.get_tokens(text))
        assert "".join(value for _, value in tokens) == text
        assert not [value for kind, value in tokens if kind is Error], path


def test_pygments_finds_the_lexer_by_name_and_file():
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename

    assert type(get_lexer_by_name("pcsf")).__name__ == "PcsfLexer"
    assert type(get_lexer_for_filename("a.pcsf")).__name__ == "PcsfLexer"


def test_pygments_marks_what_cannot_stand_there():
    from pygments.token import Error

    text = _full(1).replace("PIVOT | a | b", "TURN | a | b")
    wrong = [value for kind, value in PcsfLexer().get_tokens(text) if kind is Error]
    assert wrong == ["TURN | a | b"]


def _scopes(grammar, text):
    """What the TextMate grammar makes of each line, as its engine would: the innermost section."""
    section, found = None, []
    for line in text.split("\n"):
        if section and re.match(section["end"], line):
            section = None
        if section is None:
            opened = [
                one
                for one in grammar["repository"].values()
                if "begin" in one and re.match(one["begin"], line)
            ]
            if opened:
                section = opened[0]
                found.append(section["beginCaptures"]["1"]["name"])
                continue
        patterns = (section or grammar["repository"]["header"])["patterns"]
        rule = next((one for one in patterns if re.match(one["match"], line)), None)
        if rule is None or "name" in rule:
            found.append(rule and rule["name"])
            continue
        match = re.match(rule["match"], line)
        assert "".join(match.groups()) == line
        found += [capture["name"] for capture in rule["captures"].values()]
    return found


def test_textmate_knows_every_line_of_a_valid_capsule():
    grammar = json.loads(export("textmate"))
    assert grammar["scopeName"] == "text.pcsf"
    known = {scope for scope, _ in KINDS.values()}
    used = set()
    for path, text in _conformant():
        scopes = _scopes(grammar, text)
        assert set(scopes) - {None} <= known, path
        assert scopes.count(None) == text.split("\n").count(""), path
        used |= set(scopes)
    assert used >= known
    assert "invalid.illegal.line.pcsf" in _scopes(grammar, _full(1).replace("PIVOT", "TURN"))


def test_railroad_is_a_picture_of_every_rule():
    root = ET.fromstring(export("railroad"))  # noqa: S314 - it is our own
    space = "{http://www.w3.org/2000/svg}"
    ids = {group.get("id") for group in root.iter(f"{space}g")}
    assert ids == {rule.key for rule in normal().reachable("capsule")}
    links = {link.get("href") for link in root.iter(f"{space}a")}
    assert links <= {f"#{one}" for one in ids}
    width, height = float(root.get("width")), float(root.get("height"))
    for box in root.iter(f"{space}rect"):
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert x >= 0 <= y
        assert x + w <= width
        assert y + h <= height


def _boxes(svg):
    space = "{http://www.w3.org/2000/svg}"
    return [
        tuple(float(box.get(name)) for name in ("x", "y", "width", "height"))
        for box in ET.fromstring(svg).iter(f"{space}rect")  # noqa: S314 - likewise
    ]


@pytest.mark.parametrize(
    "text",
    [
        'a = 2*5("x" / *("y" ["z" / "w"]) "v") "u"',
        "a = " + " ".join(f'"{"word" * 5}{n}"' for n in range(20)),
        'a = [["x"] 3("y" / ("z" / "w") "v")] *("s" *"t")',
    ],
)
def test_boxes_never_overlap(text):
    boxes = _boxes(abnf.to_railroad(abnf.load(text)))
    assert len(boxes) >= 5
    for number, (x, y, w, h) in enumerate(boxes):
        for left, top, width, height in boxes[number + 1 :]:
            apart = x + w <= left or left + width <= x or y + h <= top or top + height <= y
            assert apart


def test_gbnf_refuses_left_recursion():
    with pytest.raises(abnf.AbnfError, match="left recursion"):
        abnf.to_gbnf(abnf.load('a = a "x" / "y"'), "a")


def test_gbnf_keeps_case_and_escapes_what_ends_a_class():
    written = abnf.to_gbnf(abnf.load('a = "k" %s"k" %x22-5D'), "a")
    assert written == 'root ::= a\na ::= [Kk] "k" ["-\\x5D]\n'
