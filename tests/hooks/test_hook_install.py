"""Telling agents of their hooks: shown, merged, twice, and refused rather than lost."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pcsf_lark.faces.cli import app
from pcsf_lark.hooks import agents
from pcsf_lark.hooks.claude_settings import EVENTS, merged
from pcsf_lark.hooks.settings_file import Refused, merge_settings, put_file

OURS = "pcsf hook claude-code"
FILES = {
    ("claude-code", "project"): "tide/.claude/settings.json",
    ("claude-code", "user"): "home/.claude/settings.json",
    ("pi", "project"): "tide/.pi/extensions/pcsf.js",
    ("pi", "user"): "home/.pi/agent/extensions/pcsf.js",
    ("opencode", "project"): "tide/.opencode/plugins/pcsf.js",
    ("opencode", "user"): "home/.config/opencode/plugins/pcsf.js",
}


@pytest.fixture
def told(tmp_path, monkeypatch):
    """`pcsf hook install …` in an empty project of an empty home."""
    for name in ("tide", "home", "bin"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "tide")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CLAUDE_CONFIG_DIR", "PI_CODING_AGENT_DIR", "OPENCODE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    pcsf = tmp_path / "bin" / "pcsf"
    pcsf.write_text("#!/bin/sh\n", "utf-8")
    pcsf.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return lambda *args: CliRunner().invoke(app, ["hook", "install", *args])


def commands(settings):
    return {
        event: [entry["command"] for group in groups for entry in group["hooks"]]
        for event, groups in settings["hooks"].items()
    }


@pytest.mark.parametrize("how", [(), ("--print",)])
def test_shown_is_what_is_written(told, tmp_path, how):
    for (agent, scope), name in FILES.items():
        shown = told(agent, *how, "--scope", scope)
        assert shown.exit_code == 0
        assert not (tmp_path / name).exists()
        assert name.partition("/")[2] in shown.stderr
        written = told(agent, "--write", "--scope", scope)
        assert written.exit_code == 0, written.output
        assert (tmp_path / name).read_text("utf-8").strip() == shown.stdout.strip()


def test_claude_code_is_told_of_three_events(told):
    shown = json.loads(told("claude-code", "--print").stdout)
    assert commands(shown) == {event: [OURS] for event in EVENTS}
    for groups in shown["hooks"].values():
        assert [set(group) for group in groups] == [{"hooks"}], "every source, trigger and reason"
        assert groups[0]["hooks"][0]["type"] == "command"
        assert 2 < groups[0]["hooks"][0]["timeout"] <= 60, "seconds; 1.5 are too few for an end"


@pytest.mark.parametrize("agent", ["claude-code", "pi", "opencode"])
def test_a_second_write_changes_nothing(told, tmp_path, agent):
    told(agent, "--write")
    path = tmp_path / FILES[agent, "project"]
    before, when = path.read_bytes(), path.stat().st_mtime_ns
    again = told(agent, "--write")
    assert "nothing to do" in again.stdout
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, when)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_the_recipe_is_to_be_read(told):
    shown = told("other", "--print")
    for words in ("pcsf relay init", "pcsf hook start", "pcsf hook save LOG"):
        assert words in shown.stdout
    assert told("other", "--write").exit_code == 2


def test_a_folder_the_environment_names(told, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "moved"))
    told("claude-code", "--write", "--scope", "user")
    assert (tmp_path / "moved" / "settings.json").is_file()


def test_a_command_that_is_not_on_the_path_is_named_in_full(told, monkeypatch):
    monkeypatch.setenv("PATH", "")
    shown = json.loads(told("claude-code", "--scope", "user").stdout)
    (line,) = {line for lines in commands(shown).values() for line in lines}
    assert line.endswith(" -P -m pcsf_lark hook claude-code")
    assert Path(line.split()[0].strip("'")).is_absolute()
    script = told("pi", "--scope", "user").stdout
    assert '"-P", "-m", "pcsf_lark"];' in script
    shared = json.loads(told("claude-code", "--scope", "project").stdout)
    assert commands(shared)["SessionEnd"] == [OURS], "a shared file names no place of this machine"


@pytest.mark.parametrize("args", [("vim",), (), ("claude-code", "--print", "--write")])
def test_wrong_calls(told, args):
    assert told(*args).exit_code == 2


# Settings that are there already

OTHER = {
    "model": "opus",
    "permissions": {"allow": ["Bash(ls:*)"], "deny": []},
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "audit"}]}],
        "SessionStart": [
            {"matcher": "startup", "hooks": [{"type": "command", "command": "echo pcsf"}]}
        ],
    },
    "env": {"A": "ü €", "B": "\u2028"},
    "number": 1e-7,
    "big": 12345678901234567890123,
}


def test_everything_else_stays(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(OTHER, indent=4, ensure_ascii=False), "utf-8")
    path.chmod(0o640)
    assert merge_settings(path, ("pcsf",))
    text = path.read_text("utf-8")
    found = json.loads(text)
    assert list(found) == list(OTHER)
    for name in OTHER.keys() - {"hooks"}:
        assert found[name] == OTHER[name]
    assert found["hooks"]["PreToolUse"] == OTHER["hooks"]["PreToolUse"]
    assert commands(found)["SessionStart"] == ["echo pcsf", OURS]
    assert '\n    "model"' in text, "indented as it was"
    assert "ü €" in text
    assert not text.endswith("\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert not merge_settings(path, ("pcsf",))


def test_a_moved_command_is_renewed_and_its_time_kept():
    old = merged({}, ("/old/python", "-m", "pcsf_lark"))
    old["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] = 55
    new = merged(old, ("pcsf",))
    assert commands(new) == {event: [OURS] for event in EVENTS}
    assert new["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 55


def test_a_link_is_written_through(tmp_path):
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    path = tmp_path / "settings.json"
    path.symlink_to(real)
    assert merge_settings(path, ("pcsf",))
    assert path.is_symlink()
    assert OURS in real.read_text("utf-8")


@pytest.mark.parametrize("text", ["", " \n", "{}"])
def test_an_empty_file_is_filled(tmp_path, text):
    path = tmp_path / "settings.json"
    path.write_text(text, "utf-8")
    assert merge_settings(path, ("pcsf",))
    assert commands(json.loads(path.read_text("utf-8"))) == {event: [OURS] for event in EVENTS}


REFUSED = {
    "comments": ('{\n  // mine\n  "model": "opus"\n}', "comments"),
    "a block comment": ('{"a": 1 /* mine */}', "comments"),
    "a last comma": ('{"a": [1,],}', "comments"),
    "no JSON": ('{"a": ', "no JSON"),
    "a list": ("[]", "no JSON object"),
    "a key twice": ('{"a": 1, "a": 2}', "stands twice"),
    "not a number": ('{"a": NaN}', "NaN"),
    "a number no double holds": ('{"a": 1e999}', "kept"),
    "a byte order mark": ("\ufeff{}", "no JSON"),
    "deep": ("[" * 100_000 + "]" * 100_000, "deep"),
    "hooks of another kind": ('{"hooks": []}', "`hooks` is no object"),
    "an event of another kind": ('{"hooks": {"SessionEnd": {}}}', "SessionEnd"),
    "a group of another kind": ('{"hooks": {"SessionEnd": ["x"]}}', "SessionEnd"),
    "a group without hooks": ('{"hooks": {"SessionEnd": [{"matcher": ""}]}}', "SessionEnd"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_merge_would_lose_is_refused(told, tmp_path, name):
    text, words = REFUSED[name]
    path = tmp_path / FILES["claude-code", "project"]
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    done = told("claude-code", "--write")
    assert done.exit_code == 1
    assert words in done.stderr
    assert path.read_text("utf-8") == text
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(Refused, match="UTF-8"):
        merge_settings(path, ("pcsf",))


def test_half_a_pair_is_kept(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"a": "\\ud83d"}', "utf-8")
    assert merge_settings(path, ("pcsf",))
    assert json.loads(path.read_text("utf-8"))["a"] == "\ud83d"


def test_a_file_changed_meanwhile_is_not_overwritten(tmp_path, monkeypatch):
    from pcsf_lark.hooks import settings_file

    path = tmp_path / "settings.json"
    path.write_text("{}", "utf-8")
    true = settings_file._spelled

    def slow(*args):
        path.write_text('{"theirs": 1}', "utf-8")
        return true(*args)

    monkeypatch.setattr(settings_file, "_spelled", slow)
    with pytest.raises(Refused, match="meanwhile"):
        merge_settings(path, ("pcsf",))
    assert path.read_text("utf-8") == '{"theirs": 1}'


def test_another_s_file_is_not_replaced_and_an_older_one_of_ours_is(tmp_path):
    path = tmp_path / "pcsf.js"
    path.write_text("export default () => {};\n", "utf-8")
    new = agents.shown("pi", ("pcsf",))
    with pytest.raises(Refused, match="another file"):
        put_file(path, new)
    path.write_text("// pcsf hook: an older one\n", "utf-8")
    assert put_file(path, new)
    assert path.read_text("utf-8") == new


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write all")
def test_a_folder_that_cannot_be_written_is_told(told, tmp_path):
    (tmp_path / "tide").chmod(0o500)
    done = told("pi", "--write")
    (tmp_path / "tide").chmod(0o700)
    assert done.exit_code == 1


# The page


def test_the_page_names_what_is_there():
    page = (Path(agents.__file__).parent / "README.md").read_text("utf-8")
    for agent in (*agents.AGENTS, agents.OTHER):
        assert agent in page
    for event in EVENTS:
        assert event in page
    for name in FILES.values():
        assert name.partition("/")[2].rpartition("/")[0] in page


#: Commands of others that look like ours; and calls of ours in words of one's own.
FOREIGN = (
    "my-backup pcsf.tar && other-tool hook claude-code",
    "other-tool hook claude-code",
    "echo pcsf | tee log; x hook claude-code",
    "pcsf-next hook claude-code",
    "notify 'pcsf hook claude-code",
)
BY_HAND = ("nice pcsf hook claude-code", "FOO=1 /opt/bin/pcsf hook claude-code")
WRITTEN = (
    "pcsf hook claude-code",
    "/opt/'a b'/pcsf hook claude-code",
    "/old/python -P -m pcsf_lark hook claude-code",
    "/old/python -m pcsf_lark hook claude-code",
)


def _settings_with(command):
    return {"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": command}]}]}}


def _commands(settings):
    groups = settings["hooks"]["SessionEnd"]
    return [entry["command"] for group in groups for entry in group["hooks"]]


@pytest.mark.parametrize("command", [*FOREIGN, *BY_HAND, *WRITTEN])
def test_only_our_own_commands_are_renewed(command):
    made = _commands(merged(_settings_with(command), ("pcsf",)))
    ours = "pcsf hook claude-code"
    if command in FOREIGN:
        assert made == [command, ours]
    else:
        assert made == [command if command in BY_HAND else ours]


def test_a_name_that_is_not_found_is_warned_of(desk, tmp_path):
    nowhere = str(tmp_path / "empty")
    done = desk.run("hook", "install", "claude-code", "--write", PATH=nowhere)
    assert done.returncode == 0
    assert b"not on the PATH" in done.stderr
    done = desk.run(
        "hook", "install", "claude-code", "--write", "--scope", "user",
        PATH=nowhere, CLAUDE_CONFIG_DIR=str(tmp_path / "user"),
    )  # fmt: skip
    assert b"not on the PATH" not in done.stderr
    text = (tmp_path / "user/settings.json").read_text()
    assert f"{sys.executable} -P -m pcsf_lark hook claude-code" in text


def test_an_installation_makes_kept_heads_anew():
    """Every module that a text of a head comes through is in its fingerprint, or below it."""
    from pcsf_lark.hooks import recall

    package = Path(recall.__file__).parent.parent
    for name in recall._MAKERS:
        assert (package / name).is_file()
    for name in recall._BESIDE:
        assert (package.parent / name).is_file()
