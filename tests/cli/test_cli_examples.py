"""Every command through the real process: the examples that its page of help ends with."""

import re
import subprocess

import pytest
from command_tree import TREE, environment

from pcsf_lark.faces.cli.examples import Example, examples_of
from pcsf_lark.faces.cli.help_page import split
from pcsf_lark.faces.cli.lazy import Group

EXAMPLES = {example.command: example for command in TREE.values() for example in command.examples}
#: Commands a reader of the module must find; the rest is found by the walk.
KNOWN = [("check",), ("show",), ("mcp",), ("relay", "push"), ("cso", "audit", "verify")]


def calls(command):
    """The words behind each `pcsf` of a shell's lines."""
    return [part.split() for part in re.findall(r"(?:^|[|&\n] *)pcsf ([^|&\n]*)", command)]


def test_the_walk_finds_every_command():
    assert set(KNOWN) < set(TREE)
    leaves = [path for path, command in TREE.items() if not isinstance(command, Group)]
    assert len(leaves) > 90
    for path, command in TREE.items():
        if isinstance(command, Group):
            below = {other for other in TREE if other[:-1] == path and other != path}
            assert {(*path, name) for name in command.list_commands()} == below


@pytest.mark.parametrize("path", TREE, ids=" ".join)
def test_every_command_is_called_by_an_example_of_its_own(path):
    own = [words for example in TREE[path].examples for words in calls(example.command)]
    assert any(words[: len(path)] == list(path) for words in own), own
    assert not any({"-h", "--help", "--version"} & set(words) for words in own)


@pytest.mark.parametrize("path", TREE, ids=" ".join)
def test_examples_are_short_and_say_what_they_are_for(path):
    for example in TREE[path].examples:
        assert re.fullmatch(r"[A-Z][^\n]*\.", example.what), example.what
        assert all(len(line) <= 98 for line in example.command.split("\n")), example.command


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_does_what_it_says(example, folder):
    before = {name: seen(folder / name) for name in example.writes}
    done = subprocess.run(
        ["sh", "-c", example.command],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == example.exit, done.stdout + done.stderr
    for name, old in before.items():
        assert seen(folder / name) not in (None, old), f"{name} was not written"
    if example.output:
        assert begins(done.stdout, example.output) or begins(done.stderr, example.output), (
            done.stdout[:500] + done.stderr[:500]
        )
    else:
        assert done.stdout == ""
        assert example.writes or example.exit or done.stderr == ""


def seen(path):
    """What is in a file, None where there is none."""
    return path.read_bytes() if path.exists() else None


def begins(text, lines):
    """Whether a text begins with lines in which `...` is anything."""
    patterns = [re.escape(line).replace(r"\.\.\.", ".*") for line in lines]
    found = text.split("\n")[: len(lines)]
    fits = [re.fullmatch(*pair) is not None for pair in zip(patterns, found, strict=False)]
    return text != "" and fits == [True] * len(lines)


def test_a_block_is_read():
    text = """Do it.

    More.

    Examples:
        # One way.
        pcsf do a \\
          b
        #=> exit 1
        #=> writes x/y
        #=> done ...
        # Another.
        pcsf do
    """
    body, block = split(text)
    assert body == "Do it.\n\nMore."
    assert block.startswith("# One way.\npcsf do a \\\n  b\n#=> exit 1\n")
    assert examples_of(block) == (
        Example("One way.", "pcsf do a \\\n  b", 1, ("x/y",), ("done ...",)),
        Example("Another.", "pcsf do"),
    )
    assert (split("Do it."), examples_of("")) == (("Do it.", ""), ())


@pytest.mark.parametrize(
    "block", ["pcsf do", "# Only words.", "# A.\n#=> x\npcsf do", "# A.\npcsf do\n#=> x\npcsf do"]
)
def test_a_block_of_another_form_is_refused(block):
    with pytest.raises(ValueError, match="an example is"):
        examples_of(block)


@pytest.mark.parametrize(
    ("text", "lines", "holds"),
    [
        ("one\ntwo\n", ["one"], True),
        ("one\ntwo\n", ["one", "two"], True),
        ("one more\n", ["one ..."], True),
        ("one more\n", ["one"], False),
        ("two\none\n", ["one"], False),
        ("one", ["one", "two"], False),
        ("", ["..."], False),
    ],
)
def test_what_output_begins_with(text, lines, holds):
    assert begins(text, lines) is holds
