"""The manual pages: all that the help tells, in roff that no reader complains of."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import manual
import pytest
import roff
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsf_lark.faces.cli import app
from pcsf_lark.faces.cli.completion.line import child

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / manual.FOLDER
COMMANDS = typer.main.get_command(app).list_commands(None)

needs_mandoc = pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
needs_groff = pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
needs_man = pytest.mark.skipif(not shutil.which("man"), reason="man is not installed")


def formatted(text, *command):
    done = subprocess.run(command, input=text.encode("ascii"), capture_output=True, check=False)
    assert done.stderr == b""
    assert done.returncode == 0
    return re.sub(r".\x08", "", done.stdout.decode())


def pages():
    return sorted(path.name for path in FOLDER.glob("*"))


def test_there_is_a_page_a_command_and_no_other():
    assert pages() == sorted(manual.names())
    assert pages() == sorted(["pcsf.1", *(f"pcsf-{name}.1" for name in COMMANDS)])


@pytest.mark.parametrize("name", manual.names())
def test_a_page_is_what_the_commands_say_now(name):
    assert (FOLDER / name).read_text("ascii") == manual.page(name), "run tools/generate"


@needs_mandoc
@pytest.mark.parametrize("name", pages())
def test_mandoc_finds_nothing_wrong(name):
    formatted("", "mandoc", "-T", "lint", "-W", "warning", str(FOLDER / name))


@needs_groff
@pytest.mark.parametrize("name", pages())
def test_groff_finds_nothing_wrong(name):
    formatted("", "groff", "-man", "-ww", "-z", "-Tutf8", str(FOLDER / name))


def leaves(group, path=()):
    for name in group.list_commands(None):
        command = child(group, name)
        if hasattr(command, "list_commands"):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


@needs_mandoc
@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_tells_all_that_its_commands_take(name):
    shown = formatted(
        (FOLDER / f"pcsf-{name}.1").read_text("ascii"), "mandoc", "-T", "utf8", "-O", "width=400"
    )
    words = " ".join(shown.split())
    for path, command in leaves(typer.main.get_command(app)):
        if path[0] != name:
            continue
        for part in (f"pcsf {' '.join(path)}", *(example.what for example in command.examples)):
            assert " ".join(part.replace("`", "").split()) in words
        for line in (line for one in command.examples for line in one.command.split("\n")):
            assert " ".join(line.split()) in words
        for parameter in command.params:
            for option in (*parameter.opts, *parameter.secondary_opts):
                if option.startswith("-"):
                    assert re.search(rf"(?<![\w-]){option}(?![\w-])", words), option


def parts(page, kind):
    """A page's sections of a kind, by their heads."""
    found = re.split(rf"^\.{kind} (.*)$", page, flags=re.MULTILINE)[1:]
    ends = "SH" if kind == "SH" else "S[HS]"
    texts = (
        re.split(rf"^\.{ends} ", text, maxsplit=1, flags=re.MULTILINE)[0] for text in found[1::2]
    )
    return dict(zip(found[::2], texts, strict=True))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_verb_names_all_that_it_takes_and_what_is_common_means_one_thing(name):
    page = manual.page(f"pcsf-{name}.1")
    common = parts(page, "SH").get("COMMON OPTIONS", "")
    terms = re.findall(r"^\.TP\n(.*)$", common, re.MULTILINE)
    assert len(terms) == len(set(terms))
    verbs = parts(page, "SS")
    for path, command in leaves(typer.main.get_command(app)):
        if path[0] != name or len(path) == 1:
            continue
        told = verbs.pop(roff.escape(f"pcsf {' '.join(path)}"))
        for parameter in command.params:
            if parameter.param_type_name == "option":
                written = [roff.bold(option) for option in parameter.opts]
                assert any(one in told for one in written), parameter.opts
                # What it means stands there, or is the same as for all.
                meant = roff.prose(parameter.help).split("[")[0]
                everywhere = any(one in common for one in written) and meant in common
                assert meant in told or everywhere, parameter.opts
    assert verbs == {}


def test_the_first_page_tells_every_variable_of_the_environment():
    named = {
        found
        for package in ("pcsf_lark", "cso", "kernel")
        for path in (ROOT / package).rglob("*.py")
        for found in re.findall(r"[\"'](PCSF_[A-Z_]+)[\"']", path.read_text("utf-8"))
    }
    assert named
    assert named <= set(manual.ENVIRONMENT)
    page = (FOLDER / "pcsf.1").read_text("ascii")
    for name in manual.ENVIRONMENT:
        assert f"\\fB{name}\\fP" in page


TEXTS = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f\xad\xa0").filter(
        str.isprintable
    )
    | st.sampled_from(list(".'\\-\"`^~\n")),
    max_size=60,
)


@needs_mandoc
@settings(max_examples=60, derandomize=True, deadline=None)
@given(TEXTS)
def test_what_goes_in_comes_out(text):
    head = f"{roff.title('x', '2026-11-30', 'y')}\n{roff.heading('NAME')}\nx \\- y\n"
    page = f"{head}{roff.heading('REST')}\n{roff.verbatim(text)}\nlast\n"
    shown = formatted(page, "mandoc", "-T", "utf8", "-O", "width=400").split("REST\n")[1]
    kept = [line.strip() for line in text.split("\n")]
    found = [line.strip() for line in shown.split("\n") if line.strip()]
    assert found[: found.index("last")] == [line for line in kept if line]


@needs_groff
@settings(max_examples=40, derandomize=True, deadline=None)
@given(TEXTS.map(lambda text: text.replace("`", "") + " end"))
def test_prose_comes_out_in_groff_as_it_went_in(text):
    page = f"{roff.title('x', '2026-11-30', 'y')}\n.nh\n.ad l\n.SH REST\n{roff.prose(text)}\n.SH LAST\nx\n"
    shown = formatted(page, "groff", "-man", "-ww", "-Tutf8", "-P-c", "-rLL=400n", "-Kutf8")
    words = shown.split("REST\n")[1].split("\nLAST")[0].split()
    assert words == text.split()


def test_the_wheel_puts_them_where_man_looks():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]["wheel"]
    assert wheel["shared-data"][manual.FOLDER] == "share/man/man1"
    for source in wheel["shared-data"]:
        assert (ROOT / source).exists()


@needs_man
def test_man_finds_them_beside_the_command(tmp_path):
    """As an environment has them after `pip install`: `man` looks beside the folders of PATH."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/pcsf"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    shutil.copytree(FOLDER, tmp_path / "share/man/man1")
    settings_of = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAN", "PAGER"))
    }
    for words, wanted in ((["pcsf"], "PCSF(1)"), (["pcsf", "relay"], "PCSF-RELAY(1)")):
        done = subprocess.run(
            ["man", "-P", "cat", *words],
            env={
                **settings_of,
                "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "LC_ALL": "C.UTF-8",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert wanted in done.stdout, done.stderr
