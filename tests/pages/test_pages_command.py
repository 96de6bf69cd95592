"""`pcsf show` as a process: what it finds out, where it writes, how it ends."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import forks
import pytest
from attrs import evolve
from page_reading import complaints, parsed, words
from page_samples import KEY, SESSION, chain, small

import cso
from pcsf_lark.rules._rule import BASE

BROKEN = BASE.replace("HIGH", "URGENT")


def pcsf(*arguments, stdin=b"", cwd=None, **environment):
    """Run the command; its exit code, stdout and stderr."""
    env = {**os.environ, "COLUMNS": "100", **environment}
    done = forks.run(map(str, arguments), input=stdin, cwd=cwd, env=env)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def process(*arguments, cwd, **environment):
    """The same from the first line of Python on, which sees the environment."""
    done = subprocess.run(
        [sys.executable, "-m", "pcsf_lark", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path):
    """One of each that can be shown, and of each that cannot."""
    entries = chain(3)
    forged = [entries[0], evolve(entries[1], constraints=["forged"]), entries[2]]
    files = {
        "good.pcsf": BASE.encode(),
        "broken.pcsf": BROKEN.encode(),
        "object.json": cso.dumps(entries[2]),
        "faulty.json": cso.dumps(
            small(decisions=[evolve(small().decisions[0], depends_on=["gone"])])
        ),
        "chain.jsonl": b"".join(cso.dumps(entry) + b"\n" for entry in entries),
        "forged.jsonl": b"\r\n".join(map(cso.dumps, forged)),
        "array.json": b"[" + b",".join(map(cso.dumps, entries)) + b"]",
        "other.json": b'{"name": "x"}',
        "half.json": cso.dumps(entries[0])[:-9],
        "key": KEY,
        "empty.pcsf": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "none").mkdir()
    (tmp_path / "link.pcsf").symlink_to("good.pcsf")
    return tmp_path


SIGNED = ("--key-file", "key", "--session", SESSION)
#: Arguments, exit code, and what is said on the page or, for the last, on stderr.
CALLS = [
    (["good.pcsf"], 0, ["Index rebuild", "Conformant", "of 1,200 bytes"]),
    (["broken.pcsf"], 1, ["Not conformant", "URGENT", "HIGH, MED or LOW"]),
    (["empty.pcsf"], 1, ["Not conformant"]),
    (["object.json"], 0, ["size the cluster", "Signed, not verified"]),
    (["object.json", *SIGNED], 0, ["Signature verified"]),
    (["faulty.json"], 1, ["dangling", "gone"]),
    (["chain.jsonl"], 0, ["Window 3", "no key was given"]),
    (["chain.jsonl", *SIGNED], 0, ["Window 3", "Verified , from the first window to the last"]),
    (["array.json", *SIGNED], 0, ["Window 3", "Verified , from the first window to the last"]),
    (["forged.jsonl", *SIGNED], 1, ["Window 2", "Breaks here", "tag mismatch"]),
    (["other.json"], 1, ["no state object"]),
    (["half.json"], 1, ["not JSON"]),
    (["good.pcsf", "object.json", "chain.jsonl"], 0, ["3 parts", "Index rebuild", "Window 2"]),
    (["good.pcsf", "broken.pcsf"], 1, ["2 capsules", "with faults"]),
]


@pytest.mark.parametrize(("arguments", "code", "said"), CALLS, ids=[" ".join(c[0]) for c in CALLS])
def test_a_page_is_written_and_the_exit_code_tells(folder, arguments, code, said):
    found, out, err = pcsf("show", "--html", *arguments, cwd=folder)
    assert (found, err) == (code, "")
    assert list(complaints(out)) == []
    text = words(parsed(out)).replace("Verified,", "Verified ,")
    for part in said:
        assert part in text


@pytest.mark.parametrize(("form", "name"), [("--html", "broken.pcsf"), ("--markdown", "good.pcsf")])
def test_a_file_has_what_standard_output_would_have(folder, form, name):
    code, out, _ = pcsf("show", form, name, cwd=folder)
    assert pcsf("show", form, name, "-o", "page", cwd=folder) == (code, "", "")
    assert (folder / "page").read_text("utf-8") == out


@pytest.mark.parametrize(
    ("arguments", "code"), [c[:2] for c in CALLS], ids=[" ".join(c[0]) for c in CALLS]
)
def test_markdown_and_the_terminal_end_alike(folder, arguments, code):
    found, out, err = pcsf("show", "--markdown", *arguments, cwd=folder)
    assert (found, err) == (code, "")
    assert out.startswith("## ")
    found, out, err = pcsf("show", *arguments, cwd=folder)
    assert found == code
    assert out or err
    assert "\x1b" not in out + err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["good.pcsf", "object.json", "chain.jsonl"])
def test_standard_input_is_told_apart_too(folder, name):
    data = (folder / name).read_bytes()
    code, out, _ = pcsf("show", "--html", "-", stdin=data)
    assert code == 0
    assert words(parsed(out)).replace(" - ", f" {name} ") == words(
        parsed(pcsf("show", "--html", name, cwd=folder)[1])
    )


@pytest.mark.parametrize("form", ["--html", "--markdown"])
def test_the_same_input_gives_the_same_bytes_in_every_process(folder, form):
    arguments = ("show", form, "object.json", "chain.jsonl", "good.pcsf", "faulty.json")
    found = {process(*arguments, cwd=folder, PYTHONHASHSEED=seed)[1] for seed in ("1", "2")}
    assert len(found) == 1


REFUSED = [
    (["good.pcsf", "--html", "--markdown"], "one of --html and --markdown"),
    (["good.pcsf", "-o", "x.html"], "-o needs --html or --markdown"),
    (["-", "-", "--html"], "standard input (-) can be read once only"),
    (["object.json", "--html", "--key-file", "key"], "--key-file needs --session"),
    (["object.json", "--html", "--master", "--session", "s"], "--master goes with --key-file"),
    (["object.json", "--html", "--key-file", "gone", "--session", "s"], "gone: No such file"),
    (["gone.pcsf", "--html"], "gone.pcsf: No such file"),
    (["good.pcsf", "--html", "-o", "none/gone/x.html"], "not written"),
    (["good.pcsf", "--html", "-o", "./good.pcsf"], "./good.pcsf is what is shown"),
    (["object.json", ".", "--markdown", "-o", "good.pcsf"], "good.pcsf is what is shown"),
    (["gone.json", "good.pcsf", "--html", "-o", "link.pcsf"], "link.pcsf is what is shown"),
    (["sqlite:///none/new.db"], "the store is gone"),
]


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[r[1] for r in REFUSED])
def test_a_wrong_call_is_trouble(folder, arguments, said):
    before = contents(folder)
    code, out, err = pcsf("show", *arguments, cwd=folder)
    assert (code, out) == (2, "")
    assert err.startswith("pcsf: ")
    assert said in err
    assert contents(folder) == before


def test_what_is_there_is_shown_where_something_is_missing(folder):
    code, out, err = pcsf("show", "--html", "gone.pcsf", "good.pcsf", cwd=folder)
    assert code == 2
    assert "gone.pcsf" in err
    assert "Index rebuild" in words(parsed(out))


def test_a_folder_without_anything_has_no_page(folder):
    assert pcsf("show", "--html", "none", cwd=folder) == (
        0, "", "pcsf: there is nothing to show\n",
    )  # fmt: skip


def test_a_page_takes_a_files_place_and_mode(folder):
    page = folder / "page.html"
    page.write_text("old")
    page.chmod(0o640)
    assert pcsf("show", "--html", "good.pcsf", "-o", "page.html", cwd=folder)[0] == 0
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert page.read_text().startswith("<!doctype html>")
    assert not [path for path in folder.iterdir() if path.name.endswith(".tmp")]


def test_without_the_extra_it_names_the_command_that_brings_it(folder, tmp_path_factory):
    away = tmp_path_factory.mktemp("away")
    (away / "sitecustomize.py").write_text("import sys\nsys.modules['jinja2'] = None\n")
    path = {"PYTHONPATH": str(away)}
    code, out, err = process("show", "--html", "good.pcsf", "-o", "x.html", cwd=folder, **path)
    assert (code, out) == (2, "")
    assert err == "pcsf: HTML pages need the extra `html`: pip install 'pcsf-lark[html]'\n"
    assert not (folder / "x.html").exists()
    assert process("show", "--markdown", "good.pcsf", cwd=folder, **path)[0] == 0


def test_a_capsule_is_drawn_without_what_pages_and_objects_need(folder):
    script = (
        "import sys, os\n"
        "sys.argv = ['pcsf', 'show', 'good.pcsf']\n"
        "os._exit = lambda code: None\n"
        "from pcsf_lark.faces.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([n for n in ('jinja2', 'cso', 'sqlalchemy', 'lark') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_an_endless_file_is_not_read_to_its_end():
    if not Path("/dev/zero").exists():
        pytest.skip("/dev/zero is not there")
    code, out, _ = pcsf("show", "--html", "/dev/zero")
    assert code == 1
    assert "far more than 1,200 bytes" in words(parsed(out))
