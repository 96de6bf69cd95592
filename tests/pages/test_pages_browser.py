"""Pages in a real browser: nothing is asked for, nothing overflows, everything is legible."""

import devtools
import pytest
from page_samples import HOSTILE, PAGES, state

pytestmark = pytest.mark.skipif(devtools.program() is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def browser():
    with devtools.Browser() as running:
        yield running


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read_as_it_is(browser, tmp_path, name):
    path = tmp_path / "page.html"
    path.write_text(PAGES[name](), "utf-8")
    for width, scheme in ((1280, "light"), (360, "light"), (320, "dark")):
        asked, said = browser.open(path, width=width, scheme=scheme)
        assert asked == [path.as_uri()]
        assert said == []
        assert browser.overflow() == []
        ratio, what = browser.contrast()
        # WCAG 2.2, AA
        assert ratio >= 4.5, (scheme, ratio, what)
    browser.open(path, width=800, media="print", scheme="dark")
    ground = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    assert browser.evaluate("matchMedia('print').matches")
    wide = "[...document.querySelectorAll('svg[role=img]')].map((s) => s.getBoundingClientRect())"
    assert browser.evaluate(f"{wide}.every((box) => box.left >= 0 && box.right <= innerWidth)")


def test_schemes_differ(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGES["novel"](), "utf-8")
    grounds = set()
    for scheme in ("light", "dark"):
        browser.open(path, width=1280, scheme=scheme)
        grounds.add(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_the_policy_stops_what_would_load_or_run(browser, tmp_path):
    """The net below the escaping: were something to slip through, it would not load or run."""
    path = tmp_path / "page.html"
    slipped = (
        "<script>document.title = 'ran'</script><img src='http://127.0.0.1:9/x.png'>"
        "<b onclick='1' style='color:red'>x</b><form action='http://127.0.0.1:9/'></form></main>"
    )
    path.write_text(PAGES["novel"]().replace("</main>", slipped), "utf-8")
    _, said = browser.open(path, width=1280)
    assert len(said) >= 3
    assert all("Content Security Policy" in text for text in said)
    assert browser.evaluate("document.title") != "ran"
    colour = browser.evaluate("getComputedStyle(document.querySelector('b[onclick]')).color")
    assert colour != "rgb(255, 0, 0)"


def test_hostile_texts_are_seen_as_they_are(browser, tmp_path):
    from pcsf_lark.faces.pages.documents import html
    from pcsf_lark.faces.pages.state_view import state_view
    from pcsf_lark.faces.pages.visible import visible

    path = tmp_path / "page.html"
    path.write_text(html([state_view("x", state(HOSTILE))]), "utf-8")
    browser.open(path, width=1280)
    seen = browser.evaluate("document.body.textContent")
    for text in HOSTILE:
        assert visible(text[:200]) in seen
    assert browser.evaluate("document.querySelectorAll('script, img, b, form').length") == 0
