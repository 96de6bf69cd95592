"""The examples of `grammar/README.md` run, and its table names every export."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pcsf_lark.export import FORMATS

settings.register_profile(
    "readme",
    derandomize=True,
    database=None,
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
GRAMMAR = Path(__file__).parent.parent.parent / "grammar"
PAGE = (GRAMMAR / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_examples_run(number):
    code = EXAMPLES[number]
    if "llguidance" in code:
        pytest.importorskip("llguidance")
    names = {"__name__": "example"}
    settings.load_profile("readme")
    try:
        exec(compile(code, f"example {number}", "exec"), names)  # noqa: S102 - it is our own
        for name, test in names.items():
            if name.startswith("test_"):
                test()
    finally:
        settings.load_profile("default")


def test_there_are_examples_of_both():
    assert any("LLMatcher" in code for code in EXAMPLES)
    assert any("@given" in code for code in EXAMPLES)


def test_every_file_and_every_form_is_named():
    for path in (*GRAMMAR.iterdir(), *(GRAMMAR / "export").iterdir()):
        if path.is_file() and path.name != "README.md":
            assert path.name in PAGE, path
    table = PAGE[PAGE.index("## For other tools") : PAGE.index("### Strategies")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [
        "llguidance", "gbnf", "lark", "regex", "abnf", "textmate", "railroad",
    ]  # fmt: skip
    assert set(FORMATS) == set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
