"""What `ls` promises: the top level, who touches the world, the shipped surface.

Who may import whom is checked by import-linter; its contracts stand in
pyproject.toml.
"""

import ast
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOP = {"pyproject.toml", "README.md", "grammar", "pcsf_lark", "cso", "kernel", "tests", "tools"}
#: Modules through which code reaches files, clock, environment or chance.
WORLD = {
    *("os", "sys", "io", "pathlib", "tempfile", "shutil", "subprocess", "socket", "signal"),
    *("time", "datetime", "random", "secrets", "uuid", "logging", "threading", "asyncio"),
}
#: The edges, where such modules belong, and what each may use besides.
EDGES = {
    "pcsf_lark/faces": WORLD,
    "pcsf_lark/__main__.py": WORLD,
    "pcsf_lark/resources.py": {"pathlib"},
    # The repository of state: its folder, keys, clock and store.
    "pcsf_lark/relay": WORLD,
    # What agents call: their streams, processes and settings.
    "pcsf_lark/hooks": WORLD,
    # Rules are found as files of their folder, and in packages that are installed.
    "pcsf_lark/rules/__init__.py": {"os"},
    "pcsf_lark/rules/_installed.py": {"os", "sys"},
    # A strategy draws dates; it reads no clock.
    "pcsf_lark/testing.py": {"datetime"},
    # The suite is files; what asks commands is a face.
    "pcsf_lark/conformance": {"pathlib"},
    "cso/store": WORLD,
    "kernel/sessions": WORLD,
    # The one door to a log that is written to; what else knows dates reads them from entries.
    "kernel/projection/log/logfile.py": WORLD,
    "kernel/projection/log/storage.py": WORLD,
    "kernel/projection/log/usage.py": {"datetime"},
}


PACKAGES = ("pcsf_lark", "cso", "kernel")


def sources(package):
    return sorted((ROOT / package).rglob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_the_top_level_holds_what_was_agreed():
    listed = subprocess.run(
        ["git", "ls-tree", "--name-only", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("no checkout: an unpacked archive holds what it holds")
    assert {name for name in listed.stdout.split("\n") if name and not name.startswith(".")} == TOP


@pytest.mark.parametrize("package", PACKAGES)
def test_only_the_edges_touch_the_world(package):
    touched = {}
    for path in sources(package):
        name = path.relative_to(ROOT).as_posix()
        allowed = next((what for edge, what in EDGES.items() if name.startswith(edge)), set())
        touched[name] = set(imported(path)) & WORLD - allowed
    assert len(touched) > 20
    assert {name: found for name, found in touched.items() if found} == {}


def test_the_wheel_carries_the_three_packages_the_law_and_the_corpus():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["pcsf_lark", "cso", "kernel"]
    assert set(wheel["force-include"]) >= {"grammar", "tests/corpus"}
    for package in wheel["packages"]:
        assert (ROOT / package / "py.typed").is_file()
