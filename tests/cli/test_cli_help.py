"""Pages of help: what they say of every word a command takes, and what they load for it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from command_tree import TREE
from typer.testing import CliRunner

import cso
from pcsf_lark.faces.cli import app, help_page
from pcsf_lark.faces.cli.lazy import Group

TESTS = Path(__file__).parents[1]
GROUPS = {path: command for path, command in TREE.items() if isinstance(command, Group)}
LEAVES = {path: command for path, command in TREE.items() if path not in GROUPS}
NEEDING = {
    path: [one for one in command.params if one.required]
    for path, command in LEAVES.items()
    if any(one.required for one in command.params)
}
#: What an agent calls, and may add to: that ends in no usage error.
LENIENT = [("hook", name) for name in ("claude-code", "start", "save")]
STRICT = [path for path in TREE if path not in LENIENT]
#: What no page of help may load: it would take longer than the page.
HEAVY = ("cryptography", "cso", "jinja2", "kernel", "lark", "mcp", "pygls", "rich", "sqlalchemy")
PAGES = """
import sys
sys.path.insert(0, sys.argv[1])
from command_tree import TREE
import typer
for path, command in TREE.items():
    context = typer.Context(command, info_name="pcsf")
    assert "Examples:" in command.get_help(context), path
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""


def run(*words):
    """Run a command in this process: exit code, stdout, stderr."""
    done = CliRunner().invoke(app, list(words), prog_name="pcsf")
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("path", TREE, ids=" ".join)
def test_a_page_begins_with_usage_and_ends_with_examples(path):
    code, out, err = run(*path, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: {' '.join(('pcsf', *path))} ")
    block = TREE[path].block
    shown = "".join(f"  {line}".rstrip() + "\n" for line in block.split("\n"))
    assert out.endswith(f"\nExamples:\n{shown}")
    assert run(*path, "-h") == (0, out, "")


def test_no_page_loads_what_its_command_works_with():
    done = subprocess.run(
        [sys.executable, "-c", PAGES, str(TESTS)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert {"pcsf_lark", "typer"} < loaded
    assert not loaded & set(HEAVY)


@pytest.mark.parametrize("path", GROUPS, ids=" ".join)
def test_a_group_says_of_a_command_what_it_says_itself(path):
    group = GROUPS[path]
    assert group.list_commands()
    for name in group.list_commands():
        said = group.get_command(None, name).help
        own = TREE[(*path, name)].help.split("\n\n")[0]
        assert said == " ".join(own.split()), name


@pytest.mark.parametrize("path", TREE, ids=" ".join)
def test_what_a_command_does_is_an_order_in_one_sentence(path):
    first = " ".join(TREE[path].help.split("\n\n")[0].split())
    assert re.match(r"[A-Z][a-z]+,? ", first), first
    assert first.endswith("."), first
    assert len(first) <= 110, first
    assert not first.split()[0].endswith("s"), first


@pytest.mark.parametrize("path", TREE, ids=" ".join)
def test_every_word_a_command_takes_is_explained(path):
    for one in TREE[path].params:
        name = one.opts[0]
        assert one.help, name
        assert re.match(r"[A-Za-z`-]", one.help), f"{name}: {one.help}"
        assert one.help.endswith("."), f"{name}: {one.help}"
        shown = one.show_default and str(one.default) not in ("None", "False", "", "[]")
        assert not (shown and "Default:" in one.help), f"{name} says its default twice"
        if one.param_type_name == "argument":
            assert re.search("[A-Z]|[|]", one.metavar or ""), f"{name}: {one.metavar}"
        elif not one.is_flag:
            assert one.metavar or hasattr(one.type, "choices"), f"{name} names a type alone"
            # What is eager does something else than the command does: it has no default.
            told = one.required or one.is_eager or shown
            assert told or "efault" in one.help, f"{name}: {one.help}"


@pytest.mark.parametrize("path", GROUPS, ids=" ".join)
def test_a_misspelt_command_gets_the_nearest_one(path):
    group = " ".join(("pcsf", *path))
    name = GROUPS[path].list_commands()[0]
    code, out, err = run(*path, name + "x")
    assert (code, out) == (2, "")
    assert err == f"pcsf: there is no command '{name}x'; did you mean `{group} {name}`?\n"
    code, out, err = run(*path, "zzzzzz")
    assert (code, out) == (2, "")
    assert err == f"pcsf: there is no command 'zzzzzz'; `{group} --help` lists them\n"


@pytest.mark.parametrize("path", GROUPS, ids=" ".join)
def test_a_group_alone_shows_its_page_as_for_a_wrong_call(path):
    assert run(*path) == (2, "", run(*path, "--help")[1])


@pytest.mark.parametrize("path", NEEDING, ids=" ".join)
def test_what_is_missing_is_named_with_an_example(path):
    code, out, err = run(*path)
    assert (code, out) == (2, "")
    first, usage, example, more = err.rstrip("\n").split("\n", 3)
    missing = {one.metavar for one in NEEDING[path]} | {one.opts[0] for one in NEEDING[path]}
    assert re.match("pcsf: Missing (argument|option) '", first)
    assert any(f"'{name}'" in first for name in missing), first
    words = " ".join(("pcsf", *path))
    assert usage.startswith(f"Usage: {words} ")
    assert example == f"Example: {TREE[path].examples[0].command}".split("\n")[0]
    assert more.endswith(f"`{words} --help` says more.")


@pytest.mark.parametrize("path", STRICT, ids=" ".join)
def test_a_misspelt_option_is_named(path):
    code, out, err = run(*path, "--hlep")
    assert (code, out) == (2, "")
    assert err.startswith("pcsf: No such option: --hlep")
    assert err.endswith(f"`{' '.join(('pcsf', *path))} --help` says more.\n")


@pytest.mark.parametrize("path", STRICT, ids=" ".join)
def test_a_value_that_is_missing_is_named_by_the_page_that_explains_it(path):
    valued = [
        one for one in TREE[path].params if one.param_type_name == "option" and not one.is_flag
    ]
    if not valued or path == ():  # where the last ones may do without
        return
    code, out, err = run(*path, valued[0].opts[0])
    assert (code, out) == (2, "")
    words = " ".join(("pcsf", *path))
    first, usage, *_, last = err.splitlines()
    assert first == f"pcsf: Option '{valued[0].opts[0]}' requires an argument."
    assert usage.startswith(f"Usage: {words} ")
    assert last == f"`{words} --help` says more."


@pytest.mark.parametrize("path", TREE, ids=" ".join)
def test_no_word_of_a_page_is_cut_at_any_width(path, monkeypatch):
    def words(room):
        monkeypatch.setattr(help_page, "columns", lambda _: room)
        return TREE[path].get_help(typer.Context(TREE[path], info_name="pcsf")).split()

    assert words(1) == words(33) == words(60) == words(500)


def test_choices_that_help_writes_anew_are_those_of_the_package():
    (mode,) = (one for one in TREE["cso", "from-capsule"].params if one.name == "mode")
    assert list(mode.type.choices) == [mode.value for mode in cso.Mode]
