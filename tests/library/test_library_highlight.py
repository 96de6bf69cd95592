"""Colours: every character of a capsule is what the tree says it is, in Pygments and TextMate.

For ABNF Pygments brings a lexer of its own; that it copes with what we write and read
is tested here.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pcsf_lark
from pcsf_lark.export import export
from pcsf_lark.export.highlighting import KINDS
from pcsf_lark.faces.highlight import PcsfLexer
from pcsf_lark.spec import CLOSE, LAYERS

pygments = pytest.importorskip("pygments")
from pygments.lexers import get_lexer_by_name, guess_lexer  # noqa: E402 - it may not be there
from pygments.token import Error, Literal, Token, Whitespace, string_to_tokentype  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_bytes()
    for path in sorted((ROOT / "tests/corpus").rglob("*.pcsf"))
}
CONFORMANT = {name: data for name, data in TEXTS.items() if pcsf_lark.conformant(data)}

#: A kind of text to what it is called in TextMate's and in Pygments' words: both name one
#: thing, a keyword, a constant, a number, a name, a mark or a text.
CLASSES = {
    "frame": ("keyword", "Keyword"),
    "header": ("entity.name", "Keyword"),
    "key": ("keyword", "Keyword"),
    "separator": ("punctuation", "Punctuation"),
    "type": ("constant.language", "Name.Constant"),
    "priority": ("constant.language", "Name.Builtin"),
    "dimension": ("variable.parameter", "Name.Attribute"),
    "time": ("constant.numeric", "Literal.Date"),
    "number": ("constant.numeric", "Literal.Number"),
    "hex": ("constant.numeric", "Literal.Number"),
    "text": ("string.unquoted", "Text"),
    "seed": ("string.unquoted", "Literal.String"),
}
FIELDS = {
    "depth": "type", "timestamp": "time", "hops": "number", "origin": "time", "crc32": "hex",
    "chars": "number", "type": "type", "dimension": "dimension", "priority": "priority",
}  # fmt: skip


def test_both_name_the_same_thing():
    assert set(KINDS) == set(CLASSES)
    for kind, (scope, token) in KINDS.items():
        assert scope.startswith(CLASSES[kind][0]), kind
        assert token.startswith(CLASSES[kind][1]), kind
        assert string_to_tokentype(token) in string_to_tokentype(CLASSES[kind][1])
    assert len({scope for scope, _ in KINDS.values()}) == len(KINDS)
    assert len({token for _, token in KINDS.values()}) == len(KINDS)


def expected(text: str, capsule: pcsf_lark.Capsule) -> list[str | None]:
    """The kind of every character, from the tree; None for line ends."""
    kinds: list[str | None] = [None] * len(text)

    def put(start: int, size: int, kind: str) -> None:
        kinds[start : start + size] = [kind] * size

    at = 0
    headers = {layer.header for layer in LAYERS}
    for number, line in enumerate(text.split("\n")):
        if number == 0 or line == CLOSE:
            put(at, len(line), "frame")
        elif line in headers:
            put(at, len(line), "header")
        at += len(line) + 1
    nodes = [capsule.meta, capsule.chain, capsule.integrity, capsule.seed]
    nodes += [entry for _, entries in capsule.layers for entry in entries]
    for node in filter(None, nodes):
        joint = "key" if node in (capsule.chain, capsule.integrity) else "separator"
        put(node.span.offset, len(node.line), joint)
        put(node.span.offset, len(node.PREFIX), "key")
        for name in node.FIELDS:
            span = node.field_span(name)
            kind = FIELDS.get(name, "seed" if node is capsule.seed else "text")
            put(span.offset, span.end - span.offset, kind)
    return kinds


LEXER = PcsfLexer()
TOKENS = {kind: string_to_tokentype(token) for kind, (_, token) in KINDS.items()}
SCOPES = {kind: scope for kind, (scope, _) in KINDS.items()}
GRAMMAR = json.loads(export("textmate"))["repository"]


@pytest.mark.parametrize(("colours", "names"), [("painted", TOKENS), ("scoped", SCOPES)])
def test_every_character_of_a_capsule_has_its_colour(colours, names):
    made = {"painted": painted, "scoped": scoped}[colours]
    wrong = []
    for name, data in CONFORMANT.items():
        text = data.decode()
        wanted = [kind and names[kind] for kind in expected(text, pcsf_lark.parse(text))]
        if list(made(text)) != wanted:
            wrong.append(name)
    assert wrong == []
    assert len(CONFORMANT) > 300


def painted(text):
    """What Pygments makes of every character; None for line ends."""
    for kind, value in LEXER.get_tokens(text):
        yield from [None if kind is Whitespace else kind] * len(value)


def scoped(text):
    """What the TextMate grammar makes of every character, as its engine would."""
    section = None
    for number, line in enumerate(text.split("\n")):
        if number:
            yield None
        if section and re.match(section["end"], line):
            section = None
        if section is None:
            section = next(
                (o for o in GRAMMAR.values() if re.match(o.get("begin", "(?!)"), line)), None
            )
            if section is not None:
                yield from spread(re.match(section["begin"], line), section["beginCaptures"])
                continue
        patterns = (section or GRAMMAR["header"])["patterns"]
        for pattern in patterns if line else ():
            found = re.match(pattern["match"], line)
            if found:
                yield from spread(found, pattern.get("captures", {}))
                break
        else:
            yield from [None] * len(line)


def spread(found, captures):
    for number, group in enumerate(found.groups(), start=1):
        yield from [captures[str(number)]["name"]] * len(group)


def test_nothing_of_a_text_is_lost():
    lexer = PcsfLexer()
    for name, data in TEXTS.items():
        text = data.decode("latin-1")
        values = [value for _, _, value in lexer.get_tokens_unprocessed(text)]
        assert "".join(values) == text, name


def test_what_cannot_stand_is_an_error_of_its_line_alone():
    text = CONFORMANT["tests/corpus/valid/realistic/novel.pcsf"].decode()
    lines = text.split("\n")
    for number, line in enumerate(lines[2:-3], start=2):
        if line:
            changed = "\n".join([*lines[:number], f"?{line}|", *lines[number + 1 :]])
            tokens = list(PcsfLexer().get_tokens(changed))
            assert (Error, f"?{line}|") in tokens
            assert "".join(value for _, value in tokens) == changed


def test_the_lexer_is_found_and_sure_of_itself():
    text = CONFORMANT["tests/corpus/valid/realistic/novel.pcsf"].decode()
    assert isinstance(get_lexer_by_name("pcsf"), PcsfLexer)
    assert isinstance(guess_lexer(text), PcsfLexer)
    assert PcsfLexer.analyse_text("a text of another kind") == 0


def test_the_command_finds_it(tmp_path):
    path = tmp_path / "one.pcsf"
    path.write_bytes(CONFORMANT["tests/corpus/valid/realistic/novel.pcsf"])
    for options in (["-l", "pcsf"], []):
        command = [sys.executable, "-m", "pygments", *options, "-f", "raw", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "Token.Name.Constant\t'CHOICE'\n" in done.stdout
        assert "Token.Error" not in done.stdout


def test_the_entry_point_is_declared():
    from importlib.metadata import entry_points

    (found,) = entry_points(group="pygments.lexers", name="pcsf")
    assert found.load() is PcsfLexer


ABNF = [
    *sorted((ROOT / "grammar").rglob("*.abnf")),
    *sorted((ROOT / "tests/abnf").rglob("*.abnf")),
]


@pytest.mark.parametrize("path", ABNF, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pygments_reads_our_abnf(path):
    text = path.read_bytes().decode().replace("\r\n", "\n")
    tokens = list(get_lexer_by_name("abnf", stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert [value for kind, value in tokens if kind is Error] == []


@pytest.mark.parametrize(
    ("text", "piece", "kind"),
    [
        ('a = %s"Ab"', '%s"Ab"', Literal),
        ('a = %i"Ab"', '%i"Ab"', Literal),
        ('a = "Ab"', '"Ab"', Literal),
        ("a = %x41-5A", "%x41-5A", Literal),
        ("a = %d13.10", "%d13.10", Literal),
        ("a = 1*2DIGIT", "DIGIT", Token.Keyword),
        ("a = 1*2DIGIT", "1*2", Token.Operator),
        ("a =/ b", "=/", Token.Operator),
        ("meta-line = b", "meta-line", Token.Name.Class),
        ("a = b ; why", "; why", Token.Comment.Single),
    ],
)
def test_pygments_knows_the_words_of_abnf(text, piece, kind):
    assert (kind, piece) in list(get_lexer_by_name("abnf").get_tokens(text))
