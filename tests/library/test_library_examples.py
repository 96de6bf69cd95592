"""Every example of the documentation runs: in docstrings, and in every README."""

import ast
import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from apidocs.docstrings import file_of
from apidocs.public import PAGES
from apidocs.reading import names
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent.parent
FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LOG = ROOT / "tests/draft/logs/harbour.jsonl"

#: What each verb that the first steps need must show at work.
VERBS = (
    "pcsf_lark.check", "pcsf_lark.conformant", "pcsf_lark.diff", "pcsf_lark.draft",
    "pcsf_lark.fit", "pcsf_lark.fix", "pcsf_lark.format", "pcsf_lark.from_cso",
    "pcsf_lark.from_json", "pcsf_lark.parse", "pcsf_lark.stamp", "pcsf_lark.stitch",
    "pcsf_lark.to_cso", "pcsf_lark.to_json", "pcsf_lark.protocols.compress.compress_prompt",
    "pcsf_lark.protocols.notice.Notice", "pcsf_lark.protocols.resume.resume_prompt",
    "pcsf_lark.rules.find_rule", "pcsf_lark.export.export", "pcsf_lark.testing.capsules",
    "pcsf_lark.testing.mutations", "pcsf_lark.abnf.load", "pcsf_lark.abnf.translate",
    "pcsf_lark.abnf.check", "pcsf_lark.abnf.to_regex", "pcsf_lark.conformance.judge",
    "cso.dumps", "cso.explain", "cso.invalidate", "cso.relay", "cso.revise", "cso.slice_of",
    "kernel.apply_compression", "kernel.decompress", "kernel.plan", "kernel.process_turn",
    "kernel.search", "kernel.wire.decode", "kernel.sessions.read_session",
    "kernel.projection.take",
)  # fmt: skip
#: Pages whose blocks another test runs, since they need more than a folder.
ELSEWHERE = {
    "grammar/README.md": "tests/grammar/test_grammar_readme.py",
    "cso/README.md": "tests/cso/test_cso_readme.py",
}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


settings.register_profile(
    "docstrings",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
MODULES = sorted({module_of(file_of(name.obj)) for name in names()})


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    importlib.import_module(module)  # a name of its package may hide a module
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    settings.load_profile("docstrings")
    try:
        for test in doctest.DocTestFinder().find(sys.modules[module], module):
            runner.run(test, out=said.append)
    finally:
        settings.load_profile("default")
    assert runner.failures == 0, "".join(said)


def test_every_verb_shows_itself():
    shown = {name.path for name in names() if ">>> " in name.says}
    assert [verb for verb in VERBS if verb not in shown] == []


def pages() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = [ROOT / line for line in listed.stdout.splitlines()]
    return found or sorted(p for p in ROOT.glob("*/**/*.md") if ".venv-dev" not in p.parts)


def blocks(kinds: tuple[str, ...]) -> list[tuple[str, int, str, str]]:
    """Every block of these kinds that people wrote: page, line, what follows the kind, code."""
    found = []
    for page in pages():
        if page.name == "API.md":
            continue  # its sessions are those of the docstrings
        text = page.read_text("utf-8")
        for block in FENCE.finditer(text):
            if block[1] in kinds:
                line = text[: block.start()].count("\n") + 1
                found.append((page.relative_to(ROOT).as_posix(), line, block[2], block[3]))
    return found


PYTHON = [one for one in blocks(("python", "py", "python3")) if one[0] not in ELSEWHERE]


def scene(page: str, folder: Path) -> dict[str, str]:
    """A folder to run a page's block in: the checkout's tests, a log, and where needed a relay."""
    (folder / "tests").symlink_to(ROOT / "tests")
    (folder / "session.jsonl").write_bytes(LOG.read_bytes())
    here = Path(sys.executable).parent
    settings = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    settings["PYTHONPATH"] = str(ROOT)
    if page == "pcsf_lark/relay/README.md":
        begin = [sys.executable, "-m", "pcsf_lark", "relay", "init", "."]
        subprocess.run(begin, cwd=folder, env=settings, check=True, capture_output=True)
    return settings


@pytest.mark.parametrize(
    ("page", "code"),
    [pytest.param(page, code, id=f"{page}:{line}") for page, line, _, code in PYTHON],
)
def test_blocks_of_python(page, code, tmp_path):
    for needed in re.findall(r"^(?:from|import) (mcp|sqlalchemy|hypothesis)\b", code, re.MULTILINE):
        pytest.importorskip(needed)
    if "relay" in page:
        pytest.importorskip("sqlalchemy")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=scene(page, tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_blocks_that_another_test_runs():
    written = {page for page, _, _, _ in blocks(("python", "py", "pycon"))}
    assert set(ELSEWHERE) <= written
    for page, test in ELSEWHERE.items():
        assert "README" in (ROOT / test).read_text("utf-8"), page
    assert {page for page, _, _, _ in blocks(("pycon",))} == {"cso/README.md"}


@pytest.mark.parametrize("path", [page.path for page in PAGES])
def test_generated_blocks(path):
    """Signatures are Python; sessions are those of the docstrings, which run above."""
    page = ROOT / path
    said = "".join(name.says for name in names())
    for block in FENCE.finditer(page.read_text("utf-8")):
        if block[1] == "py":
            for declared in re.split(r"\n(?=\S*\()(?!\))", block[3].strip()):
                ast.parse(as_code(declared))
        elif block[1] == "pycon":
            first = block[3].split("\n")[0]
            assert first in said or first in (ROOT / "pcsf_lark/__init__.py").read_text("utf-8")


def as_code(declared: str) -> str:
    """A signature as a statement that a parser takes."""
    declared = declared.removeprefix("classmethod ")
    if declared.startswith("class ") or re.match(r"\w+(: .*| = .*)$", declared, re.DOTALL):
        head = declared.split("\n")[0]
        return f"{head}: ..." if declared.startswith("class ") else declared
    name, _, rest = declared.partition("(")
    return f"def {name.replace('.', '_')}({rest}: ..."
