"""Capsules as pages and as Markdown: the whole corpus, and the worst that bytes can be."""

import random
from pathlib import Path

import pytest
from capsules import generate, mutate
from page_reading import complaints, parsed, references, rendered, skeleton, words
from page_samples import HOSTILE, full

from pcsf_lark import api
from pcsf_lark.faces.pages.capsule_markdown import capsule_markdown
from pcsf_lark.faces.pages.capsule_view import capsule_view
from pcsf_lark.faces.pages.documents import html, markdown
from pcsf_lark.faces.pages.visible import visible
from pcsf_lark.faces.show.portrait import portrait
from pcsf_lark.source import Source
from pcsf_lark.spec import LAYERS, LIMIT

CORPUS = Path(__file__).parent.parent / "corpus"
FILES = sorted(CORPUS.rglob("*.pcsf"))
#: A page of any capsule is at most so long.
MOST = 30 * 1024


def view_of(data, name="a.pcsf"):
    return capsule_view(name, Source.of(data))


def spread(files, step):
    """Every so many files, and all of those that are like what people write."""
    return [f for i, f in enumerate(files) if i % step == 0 or f.parent.name == "realistic"]


@pytest.mark.parametrize("part", range(8))
def test_a_page_of_any_capsule_is_short_and_its_budget_adds_up(part):
    for path in FILES[part::8]:
        view = view_of(path.read_bytes(), str(path.relative_to(CORPUS)))
        assert len(html([view]).encode()) <= MOST, path
        if view.budget.used is not None:
            assert sum(share.size for share in view.budget.shares) == view.budget.used, path
        assert view.conformant == api.conformant(path.read_bytes()), path


@pytest.mark.parametrize("path", spread(FILES, 25), ids=lambda p: str(p.relative_to(CORPUS)))
def test_a_page_keeps_the_laws_and_holds_all_that_the_capsule_says(path):
    view = view_of(path.read_bytes())
    text = html([view])
    assert list(complaints(text)) == []
    assert text == html([view_of(path.read_bytes())])
    said = words(parsed(text))
    if view.conformant:
        tree = api.parse(path.read_bytes())
        values = [*tree.meta.values, tree.seed.text]
        values += [v for _, entries in tree.layers for entry in entries for v in entry.values]
        if tree.chain:
            values += tree.chain.values
        for value in values:
            assert " ".join(value.split()) in said
        assert ("Stamp verified" in said) == bool(tree.integrity)
    for found in view.findings:
        assert "\u00e2" not in found.before + found.marked + found.after + found.message
        assert f"{found.code} {found.name}, line {found.place}" in said
        assert " ".join(visible(found.message).split()) in said
    # What is wrong comes first where a capsule is not conformant.
    findings, layer = (text.index(f">{title}") for title in ("Findings ", "L1<"))
    assert (findings < layer) == (not view.conformant)
    assert view.budget.told in said


@pytest.mark.parametrize("path", spread(FILES, 25), ids=lambda p: str(p.relative_to(CORPUS)))
def test_markdown_says_the_same(path):
    view = view_of(path.read_bytes())
    made = capsule_markdown(view)
    root = rendered(made)
    said = words(root).replace("\u200b", "")
    assert references(root) == []
    for layer in view.layers:
        for entry in layer.entries:
            for text in (entry.token, entry.says, *(more for _, more in entry.more)):
                assert " ".join(visible(text).split()) in said
    for text in (view.topic, view.seed, view.budget.told):
        assert " ".join(visible(text).split()) in said
    for found in view.findings:
        assert f"{found.name} at {found.place}" in said


def worst():
    yield "full", full()
    yield "full, broken", full().replace(b"&", b"\x01")
    yield "full, tags", full().replace(b"&", b"<")
    yield "controls", b"\0" * LIMIT
    yield "lines of controls", b"\0\n" * (LIMIT // 2)
    yield "quotes", b'"\n' * (LIMIT // 2)
    yield "headers", (b"L1:SKELETON\n" * 200)[:LIMIT]
    yield "entries", b"===PCSF:v1===\nMETA: x\n\nL1:SKELETON\n" + b"CHOICE | \x01\x02 | &&\n" * 50
    yield "long lines", b"===PCSF:v1===\nL1:SKELETON\n" + (b"\x01&" * 9_000 + b"\n") * 3
    topped = full()
    start, end = topped.index(b"SEED: ") + 6, topped.index(b"\n===END")
    yield (
        "a long topic",
        (topped[:start] + b"x." + topped[end:]).replace(
            b"META: &", b"META: " + b"&" * (end - start - 1)
        ),
    )
    for char in ("\0", "\x9b", "\u200b", "\u202e", "\U000e0041", "&", "\u5de5"):
        for many in (40, 100, 300):
            rows = f"CHOICE | {char * many} | {char * many}\n" * 16
            body = "".join(f"{layer.header}\n{rows}\n" for layer in LAYERS)
            head = f"===PCSF:v1.2===\nMETA: {char * many} | b | DEEP | 2026-01-01T00:00Z\n\n"
            text = f"{head}{body}SEED: {char * 4 * many}\n===END===\n"
            yield f"{many} of {ord(char):X} in all fields", text.encode()
    yield "empty", b""
    yield "much too long", b"CHOICE | & | &\n" * 4_000
    yield "endless", b"&" * 70_000
    yield "not text", bytes(range(256)) * 4
    for size in (LIMIT, 20_000, 64_000):
        chance = random.Random(size)
        yield f"noise of {size}", chance.randbytes(size)
        lines = "".join(
            chance.choice(["L1:SKELETON\n", "META: & | &\n", "SEED: &\n", "\n", "CHOICE | & | |\n"])
            for _ in range(size // 12)
        )
        yield f"pieces of {size}", lines.encode()


WORST = dict(worst())


@pytest.mark.parametrize("name", WORST)
def test_the_worst_capsules_have_short_pages_that_keep_the_laws(name):
    view = view_of(WORST[name], name)
    text = html([view])
    assert len(text.encode()) <= MOST
    assert list(complaints(text)) == []
    assert references(rendered(markdown([view]))) == []
    assert view.sound == api.conformant(WORST[name])
    assert len(view.findings) + view.more_findings == len(view.report.findings)


def test_what_is_cut_of_a_broken_capsule_is_counted():
    """Findings and entries alike: none is left out without a word."""
    view = view_of(WORST["300 of 0 in all fields"])
    made = words(parsed(html([view])))
    assert len(view.findings) > 0
    assert (f"{view.more_findings:,} more findings" in made) == bool(view.more_findings)
    for layer in view.layers:
        assert layer.count == 16
        if layer.left_out:
            assert f"{layer.left_out} more entries are not shown" in made
    assert sum(len(layer.entries) for layer in view.layers) > 0
    # Text that costs little is cut no shorter than one of a capsule may be.
    long = "\u5de5" * 380
    said = [entry.says for entry in view_of(planted(long)).layers[0].entries]
    assert said == [long]


@pytest.mark.parametrize("char", ["\u00eb", "\u2019", "\u5de5", "\U0001f468"])
def test_text_that_is_not_ascii_is_read_as_what_it_is(char):
    """A curly quote is the commonest fault; it is shown as one, in whatever place it stands."""
    for many in (1, 3, 60):
        view = view_of(planted(f"a{char * many}b"))
        assert view.topic == f"a{char * many}b"
        assert view.layers[2].entries[0].says == f"a{char * many}b"
        shown = {
            text for f in view.findings for text in (f.before, f.marked, f.after) if char in text
        }
        assert shown
        for found in view.findings:
            for text in (found.before, found.marked, found.after, found.message):
                assert set(text) <= {*"\u2026\u2038", char} | {c for c in text if c.isascii()}
                assert "\\x" not in text
    view = view_of(planted("a").replace(b"SEED: a", b"SEED: \xff\x80"))
    assert view.seed == "\\xff\\x80"


@pytest.mark.parametrize("width", [None, 1, 3, 24, 79, 10_000])
def test_a_terminal_of_any_width_shows_all_that_the_capsule_says(capsys, width):
    path = CORPUS / "valid/realistic/novel.pcsf"
    portrait(view_of(path.read_bytes(), "\x1b[31m.pcsf"), colour=False, width=width)
    drawn = capsys.readouterr().out
    assert "\x1b" not in drawn
    said = "".join(drawn.split())
    tree = api.parse(path.read_bytes())
    lines = {line for line in drawn.splitlines() if line}
    assert max(map(len, lines)) <= max(width or 100, 20)
    for value in (tree.meta.topic, tree.seed.text):
        assert "".join(value.split()) in said


def test_the_full_capsule_is_full_and_conformant():
    assert len(full()) == LIMIT
    assert api.conformant(full())
    assert len(view_of(full()).findings) > 3


def test_mutants_have_pages():
    chance = random.Random(7)
    for _ in range(40):
        data = mutate(chance, generate(chance))
        data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        text = html([view_of(data)])
        assert len(text.encode()) <= MOST
        assert list(complaints(text)) == []


def planted(text):
    """A capsule with a text in every place that takes one."""
    head = f"===PCSF:v1.2===\nMETA: {text} | {text} | DEEP | 2026-01-01T00:00Z\n\n"
    body = (
        f"L1:SKELETON\nCHOICE | {text} | {text}\n\nL2:NEGATIVE\n{text} | {text} | {text}\n\n"
        f"L3:INTERNAL\nINTUITION: {text}\n\nL4:RELATION\nSTYLE: {text}\n\n"
        f"L5:LOOPS\nPROMISE | {text} | HIGH\n\nSEED: {text}\n===END===\n"
    )
    return (head + body).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("text", HOSTILE, ids=[repr(text[:20]) for text in HOSTILE])
def test_nothing_of_a_capsule_becomes_markup(text):
    view = view_of(planted(text), text)
    made = html([view])
    assert list(complaints(made)) == []
    # Of what is laid out by its findings, the layers and the head are compared.
    allowed = {tag for tag, *_ in skeleton(parsed(html([view_of(b"", "x")] * 2)))}
    allowed |= {tag for tag, *_ in skeleton(parsed(html([view_of(planted("x"), "x")] * 2)))}
    assert {tag for tag, *_ in skeleton(parsed(made))} <= allowed
    assert references(rendered(markdown([view]))) == []
    assert not any(hidden in made for hidden in "\u202e\u2066\x1b\0\x07\u200b\ufeff")


@pytest.mark.parametrize("text", [t for t in HOSTILE if t.isascii() and t.isprintable()][:12])
def test_a_conformant_capsule_is_laid_out_alike_whatever_it_says(text):
    text = text.replace("|", "/").strip()[:60]
    plain = "x" * len(text)
    one, other = view_of(planted(text)), view_of(planted(plain))
    pages = [html([view]).split("<h2>Findings")[0] for view in (one, other)]
    assert skeleton(parsed_part(pages[0])) == skeleton(parsed_part(pages[1]))
    texts = [markdown([view]).split("**Findings**")[0] for view in (one, other)]
    assert skeleton(rendered(texts[0])) == skeleton(rendered(texts[1]))
    assert text in words(parsed_part(pages[0]))
    assert text in words(rendered(texts[0])).replace("\u200b", "")


def parsed_part(text):
    import html5lib

    return html5lib.parse(text, namespaceHTMLElements=False)
