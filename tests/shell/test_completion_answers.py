"""What may stand at the cursor, as a shell is told it."""

import os
import re
import subprocess
import sys

import pytest
import typer

from pcsf_lark import resources
from pcsf_lark.faces.cli import app
from pcsf_lark.faces.cli.completion import answer
from pcsf_lark.faces.cli.completion.line import child, pieced
from pcsf_lark.faces.cli.completion.values import FREE, source
from pcsf_lark.rules import all_rules

ROOT = typer.main.get_command(app)


def asked(monkeypatch, *words, asker="zsh"):
    monkeypatch.setenv("_PCSF_COMPLETE", f"complete_{asker}")
    monkeypatch.setenv("_PCSF_WORDS", "\x1f".join(words))
    lines = answer(ROOT).splitlines()
    assert lines[0].startswith("answer\t")
    return [tuple(line.split("\t")) for line in lines[1:]]


def names(monkeypatch, *words, **more):
    return [value for kind, value, _ in asked(monkeypatch, *words, **more) if kind == "value"]


def commands(group=ROOT, path=()):
    for name in group.list_commands(None):
        command = child(group, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(commands())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["che"], ["check"]),
        (["f"], ["fmt", "fit"]),
        (["cso", "audit", ""], ["verify"]),
        (["cso", "au"], ["audit"]),
        (["nothing", ""], []),
        (["nothing", "--"], []),
        (["--v"], ["--version"]),
        (["--show-completion", ""], ["bash", "zsh", "fish"]),
        (["--install-completion=f"], ["--install-completion=fish"]),
        (["check", "--fo"], ["--format"]),
        (
            ["check", "--format", ""],
            ["human", "concise", "json", "jsonl", "sarif", "github", "agent"],
        ),
        (["check", "--format", "j"], ["json", "jsonl"]),
        (["check", "--format=j"], ["--format=json", "--format=jsonl"]),
        (["check", "--format", "json", "--fo"], []),
        (["check", "--format", "json", "--fail-on", "w"], ["warning"]),
        (["check", "a.pcsf", "--profile", "p"], ["prose"]),
        (["check", "-j", "4", "--fo"], ["--format"]),
        (["check", "--select", "Q001,vag"], ["Q001,vague-reason"]),
        (["check", "--select", "C1"], ["C1", "C10", "C11", "C12"]),
        (["check", "--ignore", "vague-r"], ["vague-reason"]),
        (["explain", "malformed-s"], ["malformed-seed"]),
        (["explain", "G101"], ["G101"]),
        (["explain", "C7", ""], []),
        (["check", "--", "--fo"], []),
        (["conformance", "run", "--level", "o"], ["ops"]),
        (["conformance", "list", "--index", "v1"], ["v1", "v1.1", "v1.2"]),
        (["conformance", "list", "--run", "valid/ch"], ["valid/chain/"]),
        (["grammar", "export", "--to", "gb"], ["gbnf"]),
        (["prompt", ""], ["compress", "resume"]),
        (["hook", "install", ""], ["claude-code", "pi", "opencode", "other"]),
        (["session", "view", "log", "--log-format", "c"], ["claude-code", "codex", "chat"]),
        (["kernel", "call", "--now", ""], []),
        (["check", "--jobs", ""], []),
    ],
    ids=" ".join,
)
def test_what_may_stand(monkeypatch, words, expected):
    assert names(monkeypatch, *words) == expected


@pytest.mark.parametrize(
    ("words", "patterns"),
    [
        (["check", ""], "*.pcsf"),
        (["check", "a.pcsf", ""], "*.pcsf"),
        (["stitch", "a.pcsf", ""], "*.pcsf"),
        (["check", "--config", ""], "*.toml"),
        (["check", "--config="], "*.toml"),
        (["grammar", "check", ""], "*.abnf *.txt"),
        (["cso", "show", ""], "*.cso *.json"),
        (["cso", "from-capsule", ""], "*.pcsf"),
        (["session", "view", ""], "*.json *.jsonl *.traj"),
        (["fit", "-o", ""], "*"),
    ],
    ids=" ".join,
)
def test_files_by_their_endings(monkeypatch, words, patterns):
    found = {value for kind, value, _ in asked(monkeypatch, *words) if kind == "file"}
    assert found == set(patterns.split())


def test_folders(monkeypatch):
    assert asked(monkeypatch, "mcp", "--root", "") == [("folder", "", "")]


def test_every_rule_is_known(monkeypatch):
    found = names(monkeypatch, "explain", "")
    assert {rule.code for rule in all_rules()} | {rule.name for rule in all_rules()} <= set(found)
    assert len(found) == len(set(found))


def test_rules_of_the_grammar_that_is_named(monkeypatch, tmp_path):
    grammar = tmp_path / "g.abnf"
    grammar.write_bytes(b"start = one two\r\n  one = %x41\n ; three = 3\ntwo =/ one\n\xff = 1\n")
    assert names(monkeypatch, "grammar", "translate", str(grammar), "--start", "") == [
        "start",
        "one",
    ]
    assert names(monkeypatch, "grammar", "check", str(grammar), "--lexical", "one,s") == [
        "one,start"
    ]
    assert names(monkeypatch, "grammar", "check", str(tmp_path / "gone"), "--start", "") == []
    assert names(monkeypatch, "grammar", "check", str(tmp_path), "--start", "") == []


@pytest.mark.parametrize("path", sorted(COMMANDS), ids=" ".join)
def test_every_value_has_a_source_or_is_known_to_be_free(path):
    command = COMMANDS[path]
    for parameter in command.params:
        flag = parameter.param_type_name == "option" and (parameter.is_flag or parameter.count)
        if flag or getattr(parameter.type, "choices", None):
            continue
        known = source(path, parameter.name) is not None
        assert known or parameter.name in FREE, (
            f"{parameter.name}: name its source in completion/values.py, or put it in FREE"
        )


def test_every_command_is_completed_with_its_summary(monkeypatch):
    for kind, value, meaning in asked(monkeypatch, ""):
        assert kind == "value"
        assert meaning, value
    assert names(monkeypatch, "") == ROOT.list_commands(None)


@pytest.mark.parametrize("path", sorted(COMMANDS), ids=" ".join)
def test_every_option_is_completed(monkeypatch, path):
    command = COMMANDS[path]
    shown = {
        name
        for parameter in command.params
        if parameter.param_type_name == "option" and not parameter.hidden
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    }
    assert set(names(monkeypatch, *path, "--")) == shown | {"--help"}


@pytest.mark.parametrize(
    ("raw", "words", "typed", "cut"),
    [
        ([""], [], "", 0),
        (["check", "--format", "=", "h"], ["check"], "--format=h", 9),
        (["check", "--format", "="], ["check"], "--format=", 9),
        (["check", "--format", "=", ""], ["check"], "--format=", 9),
        (["check", "--format", "=", "json", "b"], ["check", "--format=json"], "b", 0),
        (["relay", "--store", "sqlite", ":", "//x"], ["relay", "--store"], "sqlite://x", 7),
        (["check", "'a b'", '"c d'], ["check", "a b"], "c d", 0),
        (["check", r"a\ b", r"c\ "], ["check", "a b"], "c ", 0),
        (["check", "$(touch pwned)"], ["check"], "$(touch pwned)", 0),
        (["check", "`x`", "#a"], ["check", "`x`"], "#a", 0),
    ],
)
def test_words_that_bash_takes_apart(raw, words, typed, cut):
    assert pieced(raw, apart=True) == (words, typed, cut)


def test_nothing_of_bash_is_shown_twice(monkeypatch):
    found = asked(monkeypatch, "check", "--format", "=", "j", asker="bash")
    assert [value for _, value, _ in found] == ["json", "jsonl"]


def test_branches_are_those_of_the_relay_at_hand(monkeypatch, tmp_path):
    from relay_samples import KEY, NOW, capsule

    from pcsf_lark.relay import Repository
    from pcsf_lark.relay.glance import branches

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(*next(iter(KEY.items())))
    monkeypatch.delenv("PCSF_RELAY", raising=False)
    assert names(monkeypatch, "relay", "head", "--branch", "") == []
    with Repository.init()[0] as relay:
        relay.push(capsule(), now=NOW)
        expected = relay.branches()
        assert expected
        assert branches() == branches(store=".") == dict(expected)
    assert names(monkeypatch, "relay", "head", "--branch", "") == list(expected)
    assert names(monkeypatch, "relay", "show", "") == ["HEAD", *expected]
    assert branches(store="postgresql://nowhere/x") == {}
    (tmp_path / ".pcsf/state.db").write_bytes(b"no database")
    assert branches() == {}


#: What may not be brought in at a key press: it takes longer than all the rest.
HEAVY = ("rich", "lark", "sqlalchemy", "pygls", "mcp", "pydantic", "cryptography", "jinja2")


@pytest.mark.parametrize(
    "words",
    [
        [""],
        ["check", "--"],
        ["check", "--select", ""],
        ["explain", ""],
        ["relay", "head", "--branch", ""],
        ["cso", ""],
        ["cso", "verify", "--"],
        ["session", "view", "--format", ""],
        ["aili", ""],
        ["conformance", "list", "--run", ""],
        ["mcp", "--"],
        ["lsp", "--"],
        ["draft", "--"],
    ],
    ids=" ".join,
)
def test_a_key_press_brings_nothing_heavy(words, tmp_path):
    code = (
        "import sys, os\n"
        "from pcsf_lark.faces import cli\n"
        "cli._leave = lambda code: None\n"
        "cli.main()\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "_PCSF_COMPLETE": "complete_fish", "_PCSF_WORDS": "\x1f".join(words)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("answer\t")
    assert done.stderr.strip() == "[]"


def test_an_answer_is_lines_of_printable_text(monkeypatch):
    hostile = "a\tb\nc\x1b[31m\x07 $(touch pwned) `x` \"'\\"
    monkeypatch.setattr(ROOT, "_verbs", {"check": ("check_command", hostile)})
    ((kind, value, meaning),) = asked(monkeypatch, "")
    assert (kind, value) == ("value", "check")
    assert meaning.isprintable()
    assert "$(touch pwned) `x`" in meaning


def test_words_are_never_run(tmp_path):
    target = tmp_path / "x.pcsf"
    target.write_text("untouched")
    done = subprocess.run(
        [sys.executable, "-m", "pcsf_lark", "fmt", str(target)],
        env={**os.environ, "_PCSF_COMPLETE": "complete_bash", "_PCSF_WORDS": f"fmt\x1f{target}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert target.read_text() == "untouched"
    assert re.match(r"answer\t", done.stdout)


def test_case_names_are_those_of_the_suite(monkeypatch):
    listed = (resources.corpus() / "index/level-verdict.txt").read_text().splitlines()
    first = next(line for line in listed if line.startswith("valid/"))
    folder = first.rpartition("/")[0] + "/"
    assert first in names(monkeypatch, "conformance", "list", "--run", folder)


@pytest.mark.parametrize(
    ("shell", "line", "expected"),
    [
        ("bash", "pcsf che", "check\n"),
        ("bash", "pcsf check --unsa", "--unsafe-fixes\n"),
        ("bash", "pcsf check --format ", "human\nconcise\njson\njsonl\nsarif\ngithub\nagent\n"),
        ("bash", "pcsf check ", "-\n"),
        ("zsh", "pcsf che", "_arguments '*: :(check)'\n"),
        ("zsh", "pcsf nothing ", "_files\n"),
        ("fish", "pcsf cso audit v", "verify\tJudge a trail: "),
    ],
)
def test_a_script_of_typers_is_answered(monkeypatch, shell, line, expected):
    monkeypatch.setenv("_PCSF_COMPLETE", f"complete_{shell}")
    for name, value in {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
        "_TYPER_COMPLETE_ARGS": line,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("_PCSF_WORDS", raising=False)
    assert answer(ROOT).startswith(expected)


def test_what_a_script_of_typers_would_evaluate_is_left_out(monkeypatch):
    hostile = {"$(touch pwned)": ("check_command", "$(touch pwned)"), "it's": ("x", "'")}
    monkeypatch.setattr(ROOT, "_verbs", hostile)
    monkeypatch.setenv("_PCSF_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "pcsf ")
    monkeypatch.delenv("_PCSF_WORDS", raising=False)
    assert answer(ROOT) == "_files\n"
