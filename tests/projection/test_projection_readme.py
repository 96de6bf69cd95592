"""The package's page: its tables are those of the code, and its example runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import asdict

from kernel.projection.cooling.profiles import PROFILES, TOOLS
from kernel.projection.model import ARMS, CONTROLS
from kernel.projection.planning.pressure import STATES
from kernel.projection.settings.config import Config
from kernel.projection.settings.rules import RULES
from kernel.projection.surfaces import SURFACES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "kernel/projection"
PAGE = (PACKAGE / "README.md").read_text("utf-8")


def section(title):
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(text):
    return [
        [cell.strip() for cell in line.strip("|").split(" |")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]


def snake(name):
    return re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)


def default(name):
    value = asdict(Config())
    for part in name.split("."):
        value = value[snake(part)]
    return value


def spelled(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"`{value}`"
    return str(list(value)) if isinstance(value, tuple) else str(value)


def test_every_setting_is_listed_with_its_default():
    listed = {row[0].strip("`"): row[1] for row in rows(section("Settings")) if row[0] != "setting"}
    assert set(listed) == {*RULES, "cooling"}
    for name, shown in listed.items():
        assert shown == spelled(default(name)), name


def test_the_thresholds_are_those_of_the_settings():
    text = section("Thresholds")
    table = {row[0]: row for row in rows(text)}
    assert [row for row in table if row in STATES] == list(STATES)
    shares = asdict(Config().pressure).values()
    for state, share in zip(STATES[1:], shares, strict=True):
        assert float(table[state][1].split(",")[0]) == share
    economics = Config().economics
    turns = (
        economics.max_break_even_normal,
        economics.max_break_even_pressure,
        economics.max_break_even_force_semantic,
    )
    assert [int(table[state][2].split()[0]) for state in STATES[:3]] == list(turns)
    for profile in PROFILES:
        (row,) = [row for row in rows(text) if row[0].startswith(profile)]
        tools = {tool for tool, name in TOOLS.items() if name == profile}
        named = row[0].partition(": ")[2].split(", ")
        assert tools <= set(named), profile


@pytest.mark.parametrize("name", [*ARMS, *CONTROLS, *SURFACES])
def test_every_arm_switch_and_surface_is_named(name):
    assert f"`{name}`" in PAGE


def test_the_table_of_parts_names_every_module_and_only_tests_there_are():
    table = rows(section("What is where"))[1:]
    named = {name for row in table for name in re.findall(r"`([\w/]+)`", row[1])}
    modules = {
        path.relative_to(PACKAGE).with_suffix("").as_posix()
        for path in PACKAGE.rglob("*.py")
        if path.name != "__init__.py"
    }
    folders = {f"{name.split('/')[0]}/" for name in modules if "/" in name}
    told = {name for name in modules if name in named or f"{name.split('/')[0]}/" in named}
    assert modules - told == {"model"}
    assert {name for name in named if "pcsf_lark" not in name} <= modules | folders
    tests = {path.stem for path in (ROOT / "tests").glob("projection*/test_*.py")}
    for row in table:
        for name in re.findall(r"`(\w+)`", row[2]):
            assert name in tests or f"test_projection_{name}" in tests, name


def test_every_test_module_is_named():
    text = section("What is where")
    for path in (ROOT / "tests/projection").glob("test_*.py"):
        name = path.stem.removeprefix("test_projection_")
        if name not in ("package", "readme"):
            assert f"`{name}`" in text, name


def test_every_relative_link_leads_somewhere():
    links = re.findall(r"\]\(([^)\s]+)\)", PAGE)
    inside = [link for link in links if "://" not in link]
    assert inside
    for link in inside:
        name, _, heading = link.partition("#")
        assert (PACKAGE / name).exists(), link
        titles = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
        assert name or heading in {title.lower().replace(" ", "-") for title in titles}, link


def test_the_example_runs():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("17 NORMAL {'newest-user': 1")
    assert "aili.compact.tx.v3 {'action': 'off'}" in done.stdout
