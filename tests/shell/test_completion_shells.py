"""Completion as bash, zsh and fish themselves do it."""

import os
import shlex
import shutil
import subprocess

import forks
import pytest
from terminals import Terminal

from pcsf_lark.faces.cli.completion.shells import SHELLS, script

#: What a shell would take for its own if it were let: as values and as meanings.
HOSTILE = [
    (
        "plain",
        "a: b:c 'd' \"e\" `touch pwned` $(touch pwned) ${HOME} [x] {y} * ~ \\ % %F{red} | ; & #",
    ),
    ("co:lon", "$HOME"),
    ("do$(touch pwned)lar", "'"),
    ("ba`touch pwned`tick", '"'),
    ("qu'ote", "x"),
    ('tw"o', "\\"),
    ("br[acket]", "%"),
    ("sp ace", ":"),
    ("se;touch pwned", ""),
    ("sl\\ash", ""),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A home, and a folder with files of several endings; `pcsf` is a command in each of three.

    In `bin` it is a fork (`forks.py`), in `anew` a process whose parent is who started it.
    """
    here = tmp_path_factory.mktemp("shell")
    (here / "sub").mkdir()
    for name in ("one.pcsf", "two words.pcsf", "it's.pcsf", "other.txt"):
        (here / name).touch()
    for place, text in {
        "bin": f'exec {shlex.join(forks.command())} "$@"\n',
        "anew": f'exec {shlex.join(forks.COMMAND)} "$@"\n',
        "hostile": "printf '%b' "
        + shlex.quote(
            "answer\\t\\t\n"
            + "".join(f"value\t{v}\t{m}\n".replace("\\", "\\\\") for v, m in HOSTILE)
        )
        + "\n",
    }.items():
        (here / place).mkdir()
        command = here / place / "pcsf"
        command.write_text(f"#!/bin/sh\n{text}")
        command.chmod(0o755)
    for shell in SHELLS:
        (here / f"script.{shell}").write_text(script(shell))
    return here


def environment(folder, place="bin"):
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("_PCSF")},
        "PATH": f"{folder / place}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "ZDOTDIR": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "LC_ALL": "C.UTF-8",
    }


def shelled(folder, command, place="bin"):
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(folder, place),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.stderr == ""
    assert not (folder / "pwned").exists()
    return done.stdout


def bash(folder, *words, place="bin"):
    """What bash would offer for the last word, as it would be put into the line."""
    listed = " ".join(shlex.quote(word) for word in words)
    code = (
        f"source ./script.bash; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}\n"
        'complete -p pcsf >/dev/null; _pcsf "${COMP_WORDS[0]}"\n'
        "printf '%s\\0' \"${COMPREPLY[@]}\""
    )
    offered = shelled(folder, ["bash", "--norc", "-c", code], place).split("\0")[:-1]
    return [] if offered == [""] else offered


def fish(folder, line, place="bin"):
    """What fish would offer at the end of a line, with what it says of each."""
    code = f"source ./script.fish; complete -C {shlex.quote(line)}"
    lines = shelled(folder, ["fish", "--no-config", "-c", code], place).splitlines()
    return dict(one.partition("\t")[::2] for one in lines)


class Zsh(Terminal):
    """zsh at a prompt, with completion; ``line`` is what a TAB makes of a line."""

    def __init__(self, folder, place="bin", *, setup="source ./script.zsh", flags=("-f",)):
        super().__init__(
            ["zsh", *flags], columns=200, rows=100, cwd=folder, **environment(folder, place)
        )
        self.out = folder / f"told-{place}"
        self.send(
            f" PS1='%% '; {setup}; setopt no_list_beep\n"
            " tell() { zle expand-or-complete; print -r -- $BUFFER > told.new && "
            f"mv told.new {shlex.quote(str(self.out))}; BUFFER=; }}\n"
            " zle -N tell; bindkey '^T' tell; print re''ady\n"
        )
        self.until("ready")

    def line(self, typed):
        self.raw = b""
        self.out.unlink(missing_ok=True)
        self.send(typed + "\x14")
        for _ in range(200):
            if self.out.exists():
                return self.out.read_text().removesuffix("\n")
            self._read(0.05)
        raise AssertionError(self.text)

    def listed(self, typed, wanted):
        """What TAB lists below a line, as soon as a text is in it."""
        self.raw = b""
        self.send(f"{typed}\t")
        shown = self.until(wanted)
        self.send("\x15")
        return shown


COMPINIT = "autoload -Uz compinit; compinit -u -D; source ./script.zsh"


@pytest.fixture(scope="module")
def zsh(folder):
    if not shutil.which("zsh"):
        pytest.skip("zsh is not installed")
    with Zsh(folder, setup=COMPINIT) as shell:
        yield shell


needs_fish = pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")

#: What is typed, and what the one match makes of it, in words.
ONE = [
    (["che"], "check"),
    (["cso", "aud"], "audit"),
    (["cso", "audit", "v"], "verify"),
    (["check", "--form"], "--format"),
    (["check", "--format", "conc"], "concise"),
    (["explain", "malformed-s"], "malformed-seed"),
    (["check", "--select", "C1,vag"], "C1,vague-reason"),
    (["check", "on"], "one.pcsf"),
    (["check", "--config=on"], "--config=one.pcsf"),
    (["mcp", "--root", "su"], "sub/"),
]


@pytest.mark.parametrize(
    ("words", "match"), ONE, ids=lambda x: " ".join(x) if isinstance(x, list) else ""
)
def test_bash_completes(folder, words, match):
    if "=" in words[-1]:
        name, _, rest = words[-1].partition("=")
        words, match = [*words[:-1], name, "=", rest], match.partition("=")[2]
    assert bash(folder, "pcsf", *words) == [match.rstrip("/")]


def test_bash_takes_an_option_and_its_value_apart(folder):
    assert bash(folder, "pcsf", "check", "--format", "=", "j") == ["json", "jsonl"]
    assert bash(folder, "pcsf", "check", "--format", "=")[0] == "human"


def test_bash_offers_files_by_their_endings(folder):
    assert set(bash(folder, "pcsf", "check", "")) >= {"-", "one.pcsf", "two words.pcsf", "sub"}
    assert "other.txt" not in bash(folder, "pcsf", "check", "")
    assert bash(folder, "pcsf", "check", '"two w') == ["two words.pcsf"]
    assert bash(folder, "pcsf", "check", "two\\ w") == ["two words.pcsf"]


def test_bash_quotes_and_runs_nothing(folder):
    offered = bash(folder, "pcsf", "", place="hostile")
    assert [shlex.split(one) for one in offered] == [[value] for value, _ in HOSTILE]


def test_bash_completes_at_a_prompt(folder):
    with Terminal(
        ["bash", "--norc", "--noprofile", "-i"], cwd=folder, columns=200, **environment(folder)
    ) as shell:
        shell.send(" PS1='% '; bind 'set bell-style none'; source ./script.bash; echo re''ady\n")
        shell.until("ready")
        for typed, line in [
            ("pcsf che\t--form\tconc\t", "pcsf check --format concise"),
            ("pcsf check --format=jsonl --config=one\t", "pcsf check --format=jsonl --config=one"),
            ("pcsf check tw\t", "pcsf check two\\ words.pcsf"),
            ("pcsf check 'tw\t", "pcsf check 'two words.pcsf'"),
            ("pcsf conformance list --run valid/cha\t", "pcsf conformance list --run valid/chain/"),
        ]:
            shell.raw = b""
            shell.send(typed)
            shell.until(line)
            shell.send("\x15")


@pytest.mark.parametrize(
    ("words", "match"), ONE, ids=lambda x: " ".join(x) if isinstance(x, list) else ""
)
def test_zsh_completes(zsh, words, match):
    assert zsh.line(f"pcsf {' '.join(words)}").rstrip() == f"pcsf {' '.join([*words[:-1], match])}"


def test_zsh_offers_files_by_their_endings(zsh):
    assert "other.txt" not in zsh.listed("pcsf check ", "two\\ words.pcsf")
    assert zsh.line("pcsf check tw") == "pcsf check two\\ words.pcsf "
    assert zsh.line("pcsf check 'tw") == "pcsf check 'two words.pcsf' "
    assert zsh.line("pcsf check --format=conc") == "pcsf check --format=concise "


def test_zsh_says_what_a_command_does(zsh):
    assert "fit " in zsh.listed("pcsf f", "-- Write capsules in their canonical text")


def test_zsh_quotes_and_runs_nothing(folder):
    if not shutil.which("zsh"):
        pytest.skip("zsh is not installed")
    with Zsh(folder, "hostile", setup=COMPINIT) as shell:
        for value, _ in HOSTILE:
            assert shlex.split(shell.line(f"pcsf {value[:2]}")) == ["pcsf", value]
        assert shell.listed("pcsf ", HOSTILE[0][1])
    assert not (folder / "pwned").exists()


@needs_fish
@pytest.mark.parametrize(
    ("words", "match"), ONE, ids=lambda x: " ".join(x) if isinstance(x, list) else ""
)
def test_fish_completes(folder, words, match):
    found = fish(folder, f"pcsf {' '.join(words)}")
    assert list(found) == [match]


@needs_fish
def test_fish_offers_files_by_their_endings(folder):
    assert {"-", "one.pcsf", "two words.pcsf", "it's.pcsf", "sub/"} <= set(
        fish(folder, "pcsf check ")
    )
    assert "other.txt" not in fish(folder, "pcsf check ")
    assert list(fish(folder, "pcsf check two\\ w")) == ["two words.pcsf"]
    assert list(fish(folder, "pcsf check 'two w")) == ["two words.pcsf"]


@needs_fish
def test_fish_says_what_a_command_does_and_runs_nothing(folder):
    assert fish(folder, "pcsf fm")["fmt"].startswith("Write capsules in their canonical text")
    assert fish(folder, "pcsf ", place="hostile") == dict(HOSTILE)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_what_the_command_shows(folder, shell):
    shown = shelled(folder, ["pcsf", "--show-completion", shell])
    assert shown == script(shell)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_has_no_fault_that_its_shell_can_tell(folder, shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    shelled(folder, [shell, "-n", f"script.{shell}"])
    if shell == "bash" and shutil.which("shellcheck"):
        shelled(folder, ["shellcheck", "script.bash"])


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
@pytest.mark.parametrize("shell", ["tcsh", "PowerShell", "-", "bash zsh"])
def test_a_shell_that_is_not_known_is_told(folder, option, shell):
    done = subprocess.run(
        ["pcsf", option, shell],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[0].startswith("pcsf: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_the_calling_shell_is_told_by_itself(folder, shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    # Not its last command, which it would become.
    shown = shelled(folder, [shell, "-c", "pcsf --show-completion; true"], "anew")
    assert shown == script(shell)
