"""The command line: what it prints where, its exit codes, what it does to files."""

import io
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import forks
import jsonschema
import pytest
from attrs import evolve

import pcsf_lark
from pcsf_lark import resources
from pcsf_lark.faces import files
from pcsf_lark.model import Integrity
from pcsf_lark.rules import all_rules
from pcsf_lark.rules._rule import BASE
from pcsf_lark.source import Source

BROKEN = BASE.replace("HIGH", "URGENT")
COMPACT = BASE[: BASE.index("L1:")] + BASE[BASE.index("L1:") :].replace("\n\n", "\n")
FIVE = (
    BASE.replace("WORKING", "MEDIUM")
    .replace("hops=1", "hops=one")
    .replace("CHOICE", "DECISION")
    .replace("UNCERTAINTY: ", "UNCERTAINTY:  ")
    .replace("safe to build", "safe. Now build")
)
CHECK_SCHEMA = json.loads(resources.grammar("export/check.schema.json"))
AST_SCHEMA = json.loads(resources.grammar("export/ast.schema.json"))


def pcsf(*arguments, stdin=b"", cwd=None, **environment):
    """Run the command; its exit code, stdout and stderr."""
    env = {**os.environ, "COLUMNS": "100", **environment}
    done = forks.run(map(str, arguments), input=stdin, cwd=cwd, env=env)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def folder(tmp_path):
    """Two good capsules, one broken, and things that are not to be found."""
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "a.pcsf").write_text(BASE)
    (tmp_path / "b/broken.pcsf").write_text(BROKEN)
    (tmp_path / "b/compact.pcsf").write_text(COMPACT)
    (tmp_path / "b/notes.txt").write_text("no capsule")
    (tmp_path / ".hidden/x.pcsf").write_text("")
    return tmp_path


def test_check_finds_files_below_folders(folder):
    code, out, err = pcsf("check", "--format", "jsonl", ".", cwd=folder)
    results = [json.loads(line) for line in out.splitlines()]
    assert [result["path"] for result in results] == ["a.pcsf", "b/broken.pcsf", "b/compact.pcsf"]
    assert [result["conformant"] for result in results] == [True, False, True]
    assert (code, err) == (1, "")
    assert pcsf("check", "--format", "jsonl", cwd=folder)[1] == out
    twice = pcsf("check", "--format", "jsonl", "a.pcsf", "a.pcsf", ".", cwd=folder)[1]
    assert twice == out


def test_check_json_is_exact(folder):
    code, out, _ = pcsf("check", "--format", "json", folder / "b/broken.pcsf")
    assert code == 1
    (result,) = json.loads(out)
    finding = result["findings"].pop()
    assert result == {
        "path": str(folder / "b/broken.pcsf"),
        "bytes": len(BROKEN),
        "limit": 1200,
        "left": 1200 - len(BROKEN),
        "conformant": False,
        "layout": "spaced",
        "version": "v1.2",
        "findings": [],
    }
    place = BROKEN.index("URGENT")
    line = BROKEN[:place].count("\n") + 1
    column = place - BROKEN.rindex("\n", 0, place)
    assert finding.pop("message")
    assert "HIGH, MED or LOW" in finding.pop("help")
    assert finding == {
        "code": "C7",
        "name": "malformed-entry",
        "severity": "error",
        "line": line,
        "column": column,
        "end_line": line,
        "end_column": column + 6,
        "offset": place,
        "fix": None,
    }


@pytest.mark.parametrize("text", [BASE, BROKEN, COMPACT, FIVE, "", "\r\n", "\u2019" * 50_000])
def test_check_output_is_of_its_schema(text):
    out = pcsf("check", "--format", "json", "-", stdin=text)[1]
    for result in json.loads(out):
        jsonschema.validate(result, CHECK_SCHEMA)


def test_five_faults_five_places():
    code, out, _ = pcsf("check", "--format", "concise", "-", stdin=FIVE)
    lines = out.splitlines()[:-1]
    assert code == 1
    assert [line.split(" ")[1] for line in lines] == ["C4", "C12", "C7", "C8", "C9"]
    assert [int(line.split(":")[1]) for line in lines] == [2, 3, 6, 12, 20]


def test_stdin_has_a_name():
    assert json.loads(pcsf("check", "--format", "jsonl", "-", stdin=BASE)[1])["path"] == "-"
    out = pcsf("check", "--format", "jsonl", "--stdin-filename", "x.pcsf", "-", stdin=BASE)[1]
    assert json.loads(out)["path"] == "x.pcsf"


def test_oversize_stdin_has_no_size():
    result = json.loads(pcsf("check", "--format", "jsonl", "-", stdin=b"x" * 70_000)[1])
    assert (result["bytes"], [f["code"] for f in result["findings"]]) == (None, ["C2"])


def test_human_points_at_the_place():
    code, out, err = pcsf("check", "-", stdin=BROKEN)
    assert (code, err) == (1, "")
    assert "URGENT\n" in out
    row = next(line for line in out.splitlines() if "^" in line)
    source = next(line for line in out.splitlines() if "| INCOMPLETE_TASK" in line)
    assert source[row.index("^") :].startswith("URGENT")
    assert row.count("^") == len("URGENT")
    assert "= help: write HIGH, MED or LOW" in out
    assert f"not conformant, {len(BROKEN)} of 1,200 bytes" in out
    assert "\x1b" not in out


def test_human_cannot_command_the_terminal():
    out = pcsf("check", "-", stdin=BASE.replace("online", "\x1b[2J\x07online"))[1]
    assert "\x1b" not in out
    assert "\x07" not in out


SELECTIONS = [
    (["--select", "C7"], BROKEN, 1, ["C7"]),
    (["--select", "V"], BROKEN, 0, []),
    (["--ignore", "malformed-entry"], BROKEN, 0, []),
    (["--ignore", "C8,C7"], BROKEN, 0, []),
    ([], COMPACT, 0, ["V001"]),
    (["--fail-on", "warning"], COMPACT, 1, ["V001"]),
    (["--fail-on", "warning", "--ignore", "V001"], COMPACT, 0, []),
    (["--profile", "prose"], COMPACT, 1, ["C0"]),
    (["--profile", "abnf"], COMPACT, 0, []),
    (["--profile", "abnf"], BASE, 1, ["C0"]),
]


@pytest.mark.parametrize(("options", "text", "code", "codes"), SELECTIONS)
def test_selection_and_profiles(options, text, code, codes):
    got, out, _ = pcsf("check", "--format", "jsonl", *options, "-", stdin=text)
    result = json.loads(out)
    assert (got, [finding["code"] for finding in result["findings"]]) == (code, codes)
    assert result["conformant"] == (text != BROKEN and codes in ([], ["V001"]))


TROUBLE = [
    (["check", "missing.pcsf"], "missing.pcsf: No such file"),
    (["check", "--select", "nothing"], "no rule has the code"),
    (["check", "--format", "xml"], "xml"),
    (["check", "--nothing"], "--nothing"),
    (["nothing"], "`pcsf --help` lists them"),
    (["chekc"], "did you mean `pcsf check`"),
    (["fmt", "missing.pcsf"], "missing.pcsf"),
    (["fmt"], "PATHS"),
    (["ast", "missing.pcsf"], "missing.pcsf"),
    (["ast", "."], "is a folder"),
    (["emit", "missing.json"], "missing.json"),
    (["emit", "."], "is a folder"),
    (["show", "missing.pcsf"], "missing.pcsf"),
    (["explain", "C99"], "no rule has the code"),
    (["explain", "C"], "13 rules"),
]


@pytest.mark.parametrize(("arguments", "message"), TROUBLE, ids=[" ".join(t[0]) for t in TROUBLE])
def test_trouble_is_2_on_stderr(arguments, message, tmp_path):
    code, out, err = pcsf(*arguments, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_trouble_outranks_findings(folder):
    code, out, err = pcsf("check", "b/broken.pcsf", "missing", "a.pcsf", cwd=folder)
    assert code == 2
    assert "C7" in out
    assert "a.pcsf: conformant" in out
    assert err.startswith("pcsf: missing: ")


def test_an_empty_folder_is_clean(tmp_path):
    assert pcsf("check", tmp_path) == (0, "", "")
    assert pcsf("check", "--format", "json", tmp_path) == (0, "[]\n", "")


def test_fmt_rewrites_in_place(folder):
    path = folder / "b/compact.pcsf"
    path.chmod(0o640)
    code, out, err = pcsf("fmt", path)
    assert (code, out) == (0, "")
    assert "rewrote" in err
    assert path.read_text() == BASE
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert pcsf("fmt", path) == (0, "", "")
    assert pcsf("fmt", "--check", path) == (0, "", "")
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "broken.pcsf",
        "compact.pcsf",
        "notes.txt",
    ]


def test_fmt_writes_through_a_link(folder):
    link = folder / "link.pcsf"
    link.symlink_to("b/compact.pcsf")
    assert pcsf("fmt", link)[0] == 0
    assert link.is_symlink()
    assert (folder / "b/compact.pcsf").read_text() == BASE


def test_fmt_leaves_a_broken_capsule_alone(folder):
    code, out, err = pcsf("fmt", ".", cwd=folder)
    assert (code, out) == (1, "")
    assert "C7" in err
    assert (folder / "b/broken.pcsf").read_text() == BROKEN
    assert (folder / "b/compact.pcsf").read_text() == BASE
    assert pcsf("fmt", "-", stdin=BROKEN)[:2] == (1, "")


def test_fmt_check_and_diff_write_nothing(folder):
    path = folder / "b/compact.pcsf"
    code, out, _ = pcsf("fmt", "--check", path)
    assert (code, out) == (1, f"would rewrite {path}\n")
    code, out, _ = pcsf("fmt", "--diff", path)
    assert code == 1
    assert out.count("\n+\n") >= 1
    assert path.read_text() == COMPACT
    no_end = pcsf("fmt", "--diff", "-", stdin=BASE[:-1])[1]
    assert "\\ No newline at end of file" in no_end


def test_fmt_stdin_to_stdout():
    assert pcsf("fmt", "-", stdin=COMPACT) == (0, BASE, "")
    assert pcsf("fmt", "-", stdin=BASE[:-1]) == (0, BASE, "")


def test_fmt_restamps_only_when_asked(folder):
    stamped = pcsf_lark.format(evolve(pcsf_lark.parse(BASE), integrity=Integrity("", "")))
    path = folder / "stale.pcsf"
    path.write_bytes(stamped.replace(b"HIGH", b"LOW"))
    code, _, err = pcsf("fmt", path)
    assert code == 1
    assert "C11" in err
    assert pcsf("fmt", "--restamp", path)[0] == 0
    assert pcsf("check", path)[0] == 0


def test_a_failed_write_loses_nothing(folder, monkeypatch):
    from pcsf_lark.faces import files

    def fail(_):
        raise OSError(28, "No space left on device")

    path = folder / "a.pcsf"
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(files.Trouble, match="not written: No space left"):
        files.replace(str(path), b"new")
    assert path.read_text() == BASE
    assert [p.name for p in folder.glob(".a.pcsf*")] == []


def test_ast_and_emit_are_inverse():
    stamped = pcsf_lark.format(evolve(pcsf_lark.parse(BASE), integrity=Integrity("", "")))
    for text in (BASE.encode(), stamped):
        code, out, _ = pcsf("ast", "-", stdin=text)
        tree = json.loads(out)
        jsonschema.validate(tree, AST_SCHEMA)
        assert (code, list(tree)) == (0, list(AST_SCHEMA["properties"]))
        assert pcsf("emit", "-", stdin=out) == (0, text.decode(), "")


def test_ast_of_a_broken_capsule_is_its_check_object():
    code, out, _ = pcsf("ast", "-", stdin=BROKEN)
    result = json.loads(out)
    jsonschema.validate(result, CHECK_SCHEMA)
    assert (code, [f["code"] for f in result["findings"]]) == (1, ["C7"])
    assert pcsf("ast", "--format", "tree", "-", stdin=BROKEN)[1] == out


def test_ast_tree():
    out = pcsf("ast", "--format", "tree", "-", stdin=BASE)[1]
    assert "SkeletonEntry  6:1" in out
    assert "priority: HIGH" in out


REFUSED = [
    (BASE, "this is a capsule"),
    ('{"vresion": 1}', "version"),
    ("{", "line 1, column 2: not JSON"),
    ("[" * 100_000, "nested too deeply"),
    ("[]", "$: expected an object, found an array"),
    ("\udcff", "not JSON"),
    (json.dumps(pcsf_lark.to_json(pcsf_lark.parse(BASE))).replace("HIGH", "NOW"), "C7"),
    (json.dumps(pcsf_lark.to_json(pcsf_lark.parse(BASE))).replace("short", "sh\\nort"), "C7"),
    (json.dumps("x" * 1_100_000), "no capsule's JSON"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[r[1] for r in REFUSED])
def test_emit_refuses(text, message):
    code, out, err = pcsf("emit", "-", stdin=text.encode("utf-8", "surrogateescape"))
    assert (code, out) == (1, "")
    assert message in err
    assert "Traceback" not in err


def test_show_is_plain_in_a_pipe(folder):
    code, out, err = pcsf("show", folder / "a.pcsf")
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    for text in (
        "Index rebuild",
        "ruled out",
        "measure replica lag",
        f"{len(BASE)} of 1,200 bytes",
    ):
        assert text in out
    assert not any(line.endswith(" ") for line in out.splitlines())
    code, out, err = pcsf("show", ".", cwd=folder)
    assert code == 1
    assert "C7" in err


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_explain(rule):
    code, out, err = pcsf("explain", rule.name)
    assert (code, err) == (0, "")
    for text in (rule.code, rule.name, rule.summary, "Bad:"):
        assert text in out


def test_rules_lists_all():
    out = pcsf("rules")[1]
    assert [line.split()[0] for line in out.splitlines()] == [rule.code for rule in all_rules()]
    rows = json.loads(pcsf("rules", "--format", "json")[1])
    assert [row["name"] for row in rows] == [rule.name for rule in all_rules()]


def test_version_and_help():
    code, out, _ = pcsf("--version")
    assert code == 0
    assert out.startswith("pcsf 0.")
    code, out, _ = pcsf("--help")
    assert code == 0
    for command in ("check", "fmt", "show", "ast", "emit", "explain", "rules"):
        assert command in out
        assert pcsf(command, "--help")[0] == 0


def test_a_clean_check_loads_neither_lark_nor_rich(folder):
    script = (
        "import sys, os; sys.argv = ['pcsf', 'check', 'a.pcsf']\n"
        "os._exit = lambda code: print(code, sorted({'lark', 'rich', 'json'} & set(sys.modules)))\n"
        "from pcsf_lark.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def test_a_closed_pipe_ends_quietly(folder):
    for i in range(60):
        (folder / f"{i}.pcsf").write_text("\n" * 500)
    process = subprocess.Popen(
        [sys.executable, "-m", "pcsf_lark", "check", "."],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == -signal.SIGPIPE
    process.stderr.close()


def test_an_interrupt_ends_quietly():
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


INTERRUPTED = """
import sys
from pcsf_lark.faces import cli, files
read = files.Source.read
def told(*arguments):
    sys.stderr.write("ready\\n")
    sys.stderr.flush()
    return read(*arguments)
files.Source.read = told
sys.argv = ["pcsf", "check", "-"]
cli.main()
"""


class Typed(io.RawIOBase):
    """A terminal: it gives a line at a time, and tells its end once."""

    def __init__(self, *lines):
        self.lines = [*lines, b""]

    def readable(self):
        return True

    def readinto(self, buffer):
        line = self.lines.pop(0)
        buffer[: len(line)] = line
        return len(line)


@pytest.mark.parametrize("over", [io.BufferedReader, lambda raw: raw])
def test_the_end_of_what_is_typed_is_told_once(over):
    typed = Typed(b"one\n", b"two\n")
    assert Source.read(over(typed)).data == b"one\ntwo\n"
    assert typed.lines == []


def test_an_interrupt_takes_away_what_was_only_just_made(tmp_path, monkeypatch):
    make = os.open

    def interrupted(*arguments):
        os.close(make(*arguments))
        raise SystemExit(130)

    monkeypatch.setattr(files.os, "open", interrupted)
    with pytest.raises(SystemExit):
        files.write(str(tmp_path / "new"), b"x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("a.pcsf 2>&-", 0),
        ("a.pcsf >&-", 0),
        ("a.pcsf >&- 2>&-", 0),
        ("a.pcsf 2>/dev/full", 0),
        # Neither what was found nor that it cannot be said can be said.
        ("a.pcsf >/dev/full 2>&1", 2),
        ("gone.pcsf 2>/dev/full", 2),
    ],
)
def test_closed_streams_change_no_verdict(folder, rest, code):
    call = f"{sys.executable} -m pcsf_lark check {rest}"
    assert subprocess.run(["sh", "-c", call], cwd=folder, check=False).returncode == code


def test_a_closed_stdin_is_an_empty_one():
    call = f"{sys.executable} -m pcsf_lark check --format concise - <&-"
    done = subprocess.run(["sh", "-c", call], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the file is empty" in done.stdout
    assert done.stderr == ""


def test_odd_names_stop_nothing(folder):
    os.mkfifo(folder / "b/pipe.pcsf")
    (folder / "b/gone.pcsf").symlink_to("nowhere")
    code, out, err = pcsf("check", "--format", "concise", "x" * 5000, ".", cwd=folder)
    assert code == 2
    assert "a.pcsf: conformant" in out
    assert "File name too long" in err
    assert "gone.pcsf: No such file" in err
    assert "pipe.pcsf" not in out + err


def test_a_fault_of_our_own_is_trouble():
    script = (
        "from pcsf_lark.faces import cli, files\n"
        "files.find = None\n"
        "import sys; sys.argv = ['pcsf', 'show', 'x']\n"
        "import pcsf_lark.faces.cli.show_command as s; s.find = None\n"
        "cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("pcsf: a fault of pcsf itself")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
def test_a_full_disk_is_told():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pcsf_lark", "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert b"standard output: No space left" in done.stderr
