"""`--install-completion`: a new shell completes, start-up files keep what they hold."""

import os
import shlex
import shutil
import stat
import subprocess

import forks
import pytest
from terminals import Terminal

from pcsf_lark.faces.cli.completion.shells import SHELLS, script

START = {"bash": ".bashrc", "zsh": ".zshrc"}
PLACE = {
    "bash": ".local/share/bash-completion/completions/pcsf",
    "zsh": ".local/share/zsh/site-functions/_pcsf",
    "fish": ".config/fish/completions/pcsf.fish",
}


@pytest.fixture
def home(tmp_path):
    here = tmp_path / "it's a home"
    (here / "bin").mkdir(parents=True)
    command = here / "bin/pcsf"
    command.write_text(f'#!/bin/sh\nexec {shlex.join(forks.command())} "$@"\n')
    command.chmod(0o755)
    return here


def environment(home):
    dropped = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR")
    return {
        **{name: value for name, value in os.environ.items() if name not in dropped},
        "HOME": str(home),
        "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }


def install(home, shell, **more):
    return subprocess.run(
        ["pcsf", "--install-completion", shell],
        env={**environment(home), **more},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_twice_is_as_once(home, shell):
    assert install(home, shell).returncode == 0
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    done = install(home, shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert str(home / PLACE[shell]) in done.stdout
    assert shell == "fish" or f"which {home / START[shell]} reads" in done.stdout
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
    assert (home / PLACE[shell]).read_text() == script(shell)


@pytest.mark.parametrize("shell", START)
@pytest.mark.parametrize("old", [b"# \xff\xfe no UTF-8\nalias a=b", b"", b"x=1\r\n\n\n"])
def test_a_start_up_file_keeps_what_it_holds(home, shell, old):
    start = home / START[shell]
    kept = home / "dotfiles"
    kept.write_bytes(old)
    kept.chmod(0o640)
    start.symlink_to(kept)
    assert install(home, shell).returncode == 0
    assert start.is_symlink()
    assert kept.read_bytes().startswith(old)
    added = kept.read_bytes()[len(old) :].strip(b"\n")
    assert added.count(b"\n") == 0
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert [path.name for path in home.iterdir() if path.name.startswith(".pcsf-")] == []


def test_places_that_the_environment_names_are_heeded(home):
    places = {"XDG_DATA_HOME": home / "d", "XDG_CONFIG_HOME": home / "c", "ZDOTDIR": home / "z"}
    (home / "z").mkdir()
    for shell in SHELLS:
        assert install(home, shell, **{k: str(v) for k, v in places.items()}).returncode == 0
    assert (home / "d/bash-completion/completions/pcsf").is_file()
    assert (home / "d/zsh/site-functions/_pcsf").is_file()
    assert (home / "c/fish/completions/pcsf.fish").is_file()
    assert (home / "z/.zshrc").is_file()


@pytest.mark.parametrize("named", ["", "here"])
@pytest.mark.parametrize("shell", SHELLS)
def test_a_home_that_is_no_place_is_told(home, shell, named):
    before = set(home.iterdir())
    done = install(home, shell, HOME=named)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"pcsf: HOME: {named!r} is no absolute path\n"
    assert set(home.iterdir()) == before


@pytest.mark.parametrize("shell", SHELLS)
def test_a_place_that_cannot_be_written_is_told(home, shell):
    for name in (".local", ".config"):
        (home / name).write_text("a file in the way")
    done = install(home, shell)
    assert done.returncode == 2
    assert done.stderr.startswith("pcsf: ")
    assert "Traceback" not in done.stderr
    assert not (home / ".bashrc").exists()


@pytest.mark.parametrize(
    ("shell", "command"),
    [
        ("bash", ["bash", "--noprofile", "-i"]),
        ("zsh", ["zsh", "-d", "-i"]),
        ("zsh with compinit before", ["zsh", "-d", "-i"]),
        ("fish", ["fish", "-i"]),
    ],
)
def test_a_new_shell_completes(home, shell, command):
    name, _, before = shell.partition(" ")
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    if before:
        (home / ".zshrc").write_text("autoload -Uz compinit && compinit -u\n")
    elif name == "zsh":
        (home / ".zshrc").touch()  # else zsh asks a new user what to write there
    assert install(home, name).returncode == 0
    with Terminal(command, columns=200, cwd=home, **environment(home)) as terminal:
        terminal.send(" echo re'a'dy\r")
        terminal.until("ready")
        terminal.until("\n")
        terminal.raw = b""
        terminal.send("pcsf explain malformed-s\t\r")
        terminal.until("SEED is one line with one non-empty sentence")


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_a_shell_whose_script_was_taken_away_starts_in_silence(home):
    assert install(home, "bash").returncode == 0
    (home / PLACE["bash"]).unlink()
    done = subprocess.run(
        [
            "bash",
            "-c",
            f". '{str(home / '.bashrc').replace(chr(39), chr(39) + chr(92) + chr(39) + chr(39))}'",
        ],
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
