"""Reading pages as a browser does, and Markdown as GitHub does, for the tests of pages."""

import base64
import hashlib
import itertools
import re

import cmarkgfm
import html5lib
from cmarkgfm.cmark import Options

#: Attributes that a browser loads something for, or goes somewhere with.
LOADING = {"src", "srcset", "href", "action", "formaction", "data", "poster", "background", "ping"}


def parsed(text):
    """The document's root; a parse error is an error."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(text)


def skeleton(root):
    """Every element with the names of its attributes, in order."""
    return [
        (element.tag, *sorted(element.attrib))
        for element in root.iter()
        if type(element.tag) is str
    ]


def words(root):
    """The text that a document shows, white space collapsed."""
    shown = root.find("body")
    return " ".join("".join((root if shown is None else shown).itertext()).split())


def complaints(text):
    """What is wrong with a page by the laws that all pages share."""
    root = parsed(text)
    elements = [element for element in root.iter() if type(element.tag) is str]
    ids = [element.get("id") for element in elements if element.get("id")]
    yield from (f"id twice: {name}" for name in set(ids) if ids.count(name) > 1)
    if root.get("lang") != "en":
        yield "no language"
    levels = [int(e.tag[1]) for e in elements if re.fullmatch("h[1-6]", e.tag)]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"not one first heading: {levels}"
    yield from (f"h{a} before h{b}" for a, b in itertools.pairwise(levels) if b > a + 1)
    for element in elements:
        yield from _complaints(element, ids)
    styles = [element for element in elements if element.tag == "style"]
    digest = base64.b64encode(hashlib.sha256(styles[0].text.encode()).digest()).decode()
    policy = next(e.get("content") for e in elements if e.get("http-equiv"))
    if len(styles) != 1 or f"'sha256-{digest}'" not in policy or "default-src 'none'" not in policy:
        yield f"the policy is not of this style: {policy}"
    if re.search(r"url\(|@import|expression", styles[0].text):
        yield "the style loads something"


def _complaints(element, ids):
    name = element.tag.rpartition("}")[2]
    if name in (
        "script",
        "iframe",
        "object",
        "embed",
        "link",
        "img",
        "form",
        "base",
        "use",
        "image",
    ):
        yield f"element {name}"
    for attribute, value in element.attrib.items():
        if attribute in LOADING and not (value.startswith("#") and value[1:] in ids):
            yield f"{name} {attribute}={value}"
        if attribute == "style" or attribute.startswith("on"):
            yield f"{name} {attribute}"
        if attribute == "aria-labelledby" and not set(value.split()) <= set(ids):
            yield f"{name} is labelled by nothing: {value}"
    if name == "svg" and element.get("role") == "img":
        kinds = {child.tag.rpartition("}")[2] for child in element}
        if not {"title", "desc"} <= kinds:
            yield "a picture without words"
    if name == "th" and not element.get("scope"):
        yield "a table header without scope"


def rendered(markdown):
    """Markdown as GitHub reads it, HTML in it let through, so that what there is is seen."""
    outside = re.sub(
        r"(`+)[^`](?:.*?[^`])??\1(?!`)", "", markdown.replace("\\`", ""), flags=re.DOTALL
    )
    assert "$" not in outside, "a formula may begin here"
    text = cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE)
    return html5lib.parseFragment(text, namespaceHTMLElements=False)


#: What GitHub makes something of in text that was read already; not in code.
REFERENCES = re.compile(
    r"@[A-Za-z0-9]|(?:^|\W)#[0-9]|\bGH-[0-9]|https?://|www\.|:[a-z0-9+_-]+:",
    re.IGNORECASE,
)


def references(root):
    """The places of a rendered text that GitHub would make links or names of."""
    return [text for text in _texts(root) if REFERENCES.search(text)]


def _texts(element, *, inside=False):
    inside = inside or element.tag in ("code", "pre")
    if element.text and not inside:
        yield element.text
    for child in element:
        yield from _texts(child, inside=inside)
        if child.tail and not inside:
            yield child.tail
