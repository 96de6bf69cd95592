"""The pages of the API: whole, linked, and no name without its sense."""

import re
import subprocess
import sys
from pathlib import Path

import griffe
import pytest
from apidocs.docstrings import file_of
from apidocs.markdown import api
from apidocs.pages import README, modules
from apidocs.public import PAGES, PUBLIC
from apidocs.reading import names, names_of
from library_raising import raised

ROOT = Path(__file__).parent.parent.parent
NAMES = list({name.obj.canonical_path: name for name in names()}.values())
SHORT = 120


def methods(name):
    return [one for one in name.members if one.kind == "method"]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name.path)
def test_every_name_says_what_it_is(name):
    summary = name.says.strip().split("\n\n")[0].split("\n")
    assert summary[0], f"{name.path}: without a docstring or a `#:` comment"
    assert len(summary[0]) <= SHORT
    if name.kind != "value":
        assert len(summary) == 1 or not summary[1].strip(), f"{name.path}: a summary is one line"
        assert summary[0].rstrip()[-1] in ".?:)", f"{name.path}: {summary[0]!r}"
    for one in methods(name):
        assert one.says.strip(), f"{name.path}.{one.name}: without a docstring"


@pytest.mark.parametrize(
    "name", [one for one in NAMES if one.kind in ("class", "exception")], ids=lambda name: name.path
)
def test_every_attribute_has_a_meaning(name):
    for one in name.members:
        if one.kind != "method":
            told = one.says or f"`{one.name}`" in name.says
            assert told, f"{name.path}.{one.name}: name it in the docstring, or under Attributes"


@pytest.mark.parametrize(
    "name",
    [one for one in NAMES if one.kind == "function" or methods(one)],
    ids=lambda name: name.path,
)
def test_what_is_raised_is_said(name):
    functions = [(name.name, name.obj, None, name.says)] if name.kind == "function" else []
    functions += [(one.name, one.obj, one.obj.parent.name, one.says) for one in methods(name)]
    for label, obj, owner, says in functions:
        for error in raised(file_of(obj), obj.name, owner):
            assert error in says, f"{name.path} {label}: raises {error} and does not say so"


def test_what_is_raised_is_found(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        "def one(x):\n    if x: raise ValueError('a')\n    _deep(x)\n    def later(): raise OSError\n"
        "def _deep(x):\n    try:\n        raise KeyError(x)\n    except KeyError:\n"
        "        raise TypeError from None\n"
        "def two(x):\n    try:\n        _deep(x)\n    except (TypeError, ValueError):\n"
        "        return later\n"
        "class Three:\n    def four(self): raise errors.Five()\n"
    )
    assert raised(path, "one") == {"ValueError", "TypeError"}
    assert raised(path, "two") == set()
    assert raised(path, "four", "Three") == {"Five"}


def test_the_table_is_what_the_modules_say():
    """Read, each name is one that the imported module gives, also where it loads it late."""
    listed = [module.name for module in PUBLIC]
    code = f"""
from importlib import import_module
for name in {listed}:
    module = import_module(name)
    found = [getattr(module, one) for one in module.__all__]
    print(name, *module.__all__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        module, *found = line.split()
        assert [name.name for name in names_of(module)] == found
    assert len(done.stdout.splitlines()) == len(PUBLIC)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_the_page_is_as_generated(page):
    shown = (ROOT / page.path).read_text("utf-8")
    assert api(page) in shown, "out of date; mend with: python tools/generate"
    readme = (ROOT / page.path).with_name("README.md").read_text("utf-8")
    assert "](API.md" in readme, "the README beside it does not lead to it"


def test_the_table_of_modules_is_as_generated():
    """And no page that people write holds more of what is generated than that."""
    assert modules() in (ROOT / README).read_text("utf-8"), "mend with: python tools/generate"
    for path in ROOT.glob("*/**/README.md"):
        if not {"build", ".venv-dev"} & set(path.parts):
            assert "<a id=" not in path.read_text("utf-8"), path


def anchors(path: Path) -> set[str]:
    text = path.read_text("utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return plain | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_links_reach_their_anchor(page):
    path = ROOT / page.path
    text = path.read_text("utf-8")
    known: dict[Path, set[str]] = {}
    links = re.findall(r"\]\((?!https?:)([^)\s]*)\)", text)
    assert links
    for link in links:
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            known.setdefault(target, anchors(target))
            assert anchor in known[target], link
    ids = re.findall(r'<a id="([^"]+)">', text)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_the_page_holds_all_there_is(page):
    text = (ROOT / page.path).read_text("utf-8")
    for module in PUBLIC:
        if module.page == page.path:
            for name in names_of(module.name):
                section = text.split(f'<a id="{name.path}"></a>\n')[1].split("<a id=")[0]
                for one in name.members:
                    assert one.name in section
                    if isinstance(one.obj, griffe.Attribute) and one.kind == "field":
                        assert f"| `{one.name}` |" in section


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_tables_have_even_rows(page):
    columns = 0
    for line in (ROOT / page.path).read_text("utf-8").split("\n"):
        if not line.startswith("|"):
            columns = 0
            continue
        cells = len(re.split(r"(?<!\\)\|", line)) - 2
        assert cells == (columns or cells), line
        columns = cells
