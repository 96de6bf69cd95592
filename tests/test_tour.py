"""What the documentation shows is what the commands print."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import forks
import pytest

from pcsf_lark.spec import DEPTHS, DIMENSIONS, LAYERS, PRIORITIES, VERSIONS

ROOT = Path(__file__).parent.parent


PAGES = [
    page
    for page in [ROOT / "README.md", *sorted(ROOT.glob("*/**/README.md"))]
    if not page.relative_to(ROOT).as_posix().startswith(".")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a `pcsf` that need not begin anew."""
    made = tmp_path_factory.mktemp("bin")
    script = made / "pcsf"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(forks.command())} "$@"\n', "utf-8")
    script.chmod(0o755)
    return made


# A test for each page, which workers can share.
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if "\n```console" in page.read_text("utf-8")],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_the_documentation_shows_what_is_printed(page, folder):
    done = subprocess.run(
        [sys.executable, ROOT / "tools/tour", "--check", "--bin", folder, page],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


FENCED = re.compile(r"^(```|~~~).*?^\1$|^<!--.*?-->$", re.MULTILINE | re.DOTALL)


def prose(page):
    """A page without its blocks of code."""
    return FENCED.sub("", page.read_text("utf-8"))


def anchors(page):
    """What links into a page may name: headings as GitHub names them, and marks."""
    text, found, count = prose(page), set(), {}
    for heading in re.findall(r"^#{1,6} (.+?)\s*$", text, re.MULTILINE):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        found.add(f"{slug}-{count[slug]}" if slug in count else slug)
        count[slug] = count.get(slug, 0) + 1
    return found | set(re.findall(r'<a id="([^"]+)"', text))


def test_links_lead_somewhere():
    pages = {page: anchors(page) for page in [*PAGES, *sorted(ROOT.glob("*/**/API.md"))]}
    for page in pages:
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)", re.sub(r"`[^`\n]*`", "", prose(page))):
            path, _, mark = link.partition("#")
            to = (page.parent / path).resolve() if path else page
            where = f"{page.relative_to(ROOT)}: {link}"
            assert to.exists(), where
            assert not mark or mark in pages[to], where


def test_every_page_can_be_reached_from_the_first():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        named = re.findall(r"\]\((?!https?:)([^)#\s]+\.md)", prose(page))
        waiting.extend((page.parent / path).resolve() for path in named)
    assert [page for page in PAGES if page not in reached] == []


def test_commands_leave_the_shell_where_it_is():
    # Whoever copies a page line by line has one shell for all of it; the tour has one a line.
    for page in PAGES:
        for line in re.findall(r"^\$ (.*)$", page.read_text("utf-8"), re.MULTILINE):
            outside = re.sub(r"\([^()]*\)|'[^']*'", "", line)
            assert not re.search(r"\b(cd|export|umask)\b", outside), f"{page}: {line}"


def test_commands_that_print_figures_exist():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/bench"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    there = set(done.stderr.removeprefix("usage: tools/bench NAME; there are ").strip().split(", "))
    for page in PAGES:
        named = set(re.findall(r"tools/bench ([a-z_]+)", page.read_text("utf-8")))
        assert named <= there, page


def test_the_first_page_names_every_extra():
    page = (ROOT / "README.md").read_text("utf-8")
    table = page[page.index("| extra | for |") : page.index("## What do you want to do?")]
    named = {
        name
        for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert named == set(project["optional-dependencies"])


def test_the_page_on_the_format_knows_every_token():
    text = (ROOT / "grammar/README.md").read_text("utf-8")
    page = text[text.index("## The format on one page") : text.index("## Three profiles")]
    for layer in LAYERS:
        row = next(line for line in page.split("\n") if line.startswith(f"| {layer.key} "))
        assert f"up to {layer.cap} " in row
        assert all(token in row for token in layer.types)
        assert f"{layer.header}\n" in page
    for token in (*DEPTHS, *DIMENSIONS, *PRIORITIES, *VERSIONS):
        assert token in page


def test_the_example_of_the_library_runs():
    text = (ROOT / "README.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "HIGH" in done.stdout
