"""What the documentation shows is what the commands print."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pcsf_lark.spec import DEPTHS, DIMENSIONS, LAYERS, PRIORITIES, VERSIONS

ROOT = Path(__file__).parent.parent


PAGES = [
    page
    for page in [ROOT / "README.md", *sorted(ROOT.glob("*/**/README.md"))]
    if not page.relative_to(ROOT).as_posix().startswith(".")
]


# A test for each page, which workers can share.
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if "\n```console\n" in page.read_text("utf-8")],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_the_documentation_shows_what_is_printed(page):
    done = subprocess.run(
        [sys.executable, ROOT / "tools/tour", "--check", page],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"


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
