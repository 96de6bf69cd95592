"""A change of the public surface is seen, and the version is one."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from apidocs.surface import SURFACE, change, surface

import pcsf_lark

ROOT = Path(__file__).parent.parent.parent
RECORD = (ROOT / SURFACE).read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_surface_is_as_recorded():
    now = surface(RECORD.split("\n")[0].removeprefix("# "))
    assert now == RECORD, change(RECORD, now)


@pytest.mark.parametrize(
    ("old", "new", "breaks"),
    [
        ("a.b(x: int) -> int\n", "a.b(x: int) -> int\na.c: str (field)\n", False),
        ("a.b(x: int) -> int\n", "a.b(x: int, y: int = 0) -> int\n", True),
        ("pcsf check\npcsf check --fix\n", "pcsf check\n", True),
        ("0 clean\n", "0 clean\n3 other\n", False),
    ],
)
def test_a_change_is_told(old, new, breaks):
    told = change(old, new)
    assert ("may break a caller" in told) is breaks
    assert "python tools/generate" in told
    assert "Changelog" in told
    for line in {*old.splitlines()} ^ {*new.splitlines()}:
        assert line in told


def test_the_record_holds_every_kind_of_thing():
    for line in (
        "pcsf_lark.check(data: Text, *, profile: str = 'interop', ",
        "pcsf_lark.Report.conformant: bool (field)\n",
        "pcsf_lark.Severity.ERROR = ",
        "cso.Fact: class Fact Fact(*, fact_id: str, ",
        "kernel.Session.view(token_count: float = 0) -> View\n",
        "\npcsf check --fix\n",
        "\npcsf grammar translate ",
        "\n1 findings\n",
        "\nrule C7 malformed-entry error\n",
        "\ncheck.schema.json sha256:",
        "\nentry point pygments.lexers pcsf\n",
        f"\nversion {PROJECT['version']}\n",
    ):
        assert line in RECORD, line
    assert ": ?" not in RECORD
    assert "TEXT TEXT" not in RECORD


def test_the_version_is_one():
    said = subprocess.run(
        [sys.executable, "-m", "pcsf_lark", "--version"], capture_output=True, text=True, check=True
    )
    assert said.stdout == f"pcsf {pcsf_lark.__version__}\n"
    assert pcsf_lark.__version__ == PROJECT["version"]


def test_the_changelog_tells_this_version():
    page = (ROOT / "README.md").read_text("utf-8")
    section = page.split("## Changelog\n")[1].split("\n## ")[0]
    assert f"**{PROJECT['version']}**" in section
    assert SURFACE in section


def test_asking_for_the_version_is_cheap():
    code = "import sys, pcsf_lark; pcsf_lark.__version__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"lark", "attrs", "typer", "pcsf_lark.api"} & set(done.stdout.split())
