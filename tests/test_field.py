"""Faults that users of like tools reported, each as a test of its whole kind.

Sources, as collected: flake8 #202, gitgalaxy #1954 (line breaks that are none);
dockerfile-utils #63, envoy #2823 (a final line end a pass); moltis #652 (no
hard budget); sh #1053, experiential #354, pistachio #640 (links replaced);
rustfmt #5376 (exit code on standard input); ux-ui-agent-skills #7 (unreadable
counted as clean); asciidoc-linter #24, aider #1247 (bytes outside the locale);
nah #66, ECC #1983, mise #12040 (concurrent writers); protolint #133 (nothing
to lint).
"""

import json
import os
import stat
import subprocess

import forks
import pytest

import pcsf_lark
from pcsf_lark.mending import fix
from pcsf_lark.rules._rule import BASE

BODY = BASE[BASE.index("L1:") :]
COMPACT = BASE.replace(BODY, BODY.replace("\n\n", "\n"))
BROKEN = BASE.replace("HIGH", "URGENT")


def pcsf(*arguments, stdin=b"", cwd=None, **environment):
    env = {**os.environ, **environment}
    done = forks.run(map(str, arguments), input=stdin, cwd=cwd, env=env, timeout=120)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def lines(text):
    return [finding.span.line for finding in pcsf_lark.check(text).findings]


#: What str.splitlines, or a terminal, takes for the end of a line, and LF is not.
BREAKS = ["\x0b", "\x0c", "\r", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\x00"]


@pytest.mark.parametrize("character", BREAKS, ids=ascii)
@pytest.mark.parametrize("place", ["online", "dump and", "short answers", "Index"])
def test_lf_alone_ends_a_line(character, place):
    text = BASE.replace(place, place[:2] + character + place[2:], 1).replace("HIGH", "URGENT")
    first, last = pcsf_lark.check(text).findings
    data = text.encode()
    at = data.index(character.encode())
    assert (first.code, first.span.offset) == ("C1", at)
    assert first.span.line == data[:at].count(b"\n") + 1
    assert first.span.column == at - data.rfind(b"\n", 0, at)
    assert (last.code, last.span.line) == ("C7", BASE[: BASE.index("HIGH")].count("\n") + 1)


@pytest.mark.parametrize(
    "end", ["", "\n", "\n\n", "\n" * 9, "\n \n", "\r\n", "\r\n\r\n"], ids=ascii
)
def test_one_final_line_end_however_often(end):
    once = fix(BASE[:-1] + end)
    assert once.decode() == BASE
    assert fix(once) == once
    assert pcsf_lark.format(once) == once
    assert pcsf("fmt", "--check", "-", stdin=once)[0] == 0


@pytest.mark.parametrize("over", [-1, 0, 1, 2, 700])
def test_the_budget_is_hard(over):
    room = 1200 - len(BASE) + over
    low = "".join(f"PROMISE | tell {n} | LOW\n" for n in range(3))
    fill = "x" * (room - len(low) - len("UNRESOLVED: \n"))
    text = BASE.replace("\n\nL4", f"\nUNRESOLVED: {fill}\n\nL4").replace(
        "| HIGH\n", "| HIGH\n" + low
    )
    assert len(text) == 1200 + over
    report = pcsf_lark.check(text)
    assert report.conformant == (over <= 0)
    assert ("C2" in {f.code for f in report.findings}) == (over > 0)
    fitted = fix(text, unsafe=True)
    assert len(fitted) <= 1200
    assert pcsf_lark.conformant(fitted)
    # What may go goes first: the last low loop before any state, all of them before much of it.
    gone = [line for line in text.splitlines() if line not in fitted.decode().splitlines()]
    dropped = [line for line in gone if line.endswith("LOW")]
    assert dropped == list(reversed(low.splitlines()))[: len(dropped)][::-1]
    assert bool(gone) == (over > 0)
    assert (len(dropped) == 3) >= any(line.startswith("UNRESOLVED") for line in gone)


@pytest.mark.parametrize("command", [["fmt"], ["check", "--fix"]], ids=" ".join)
def test_a_link_stays_a_link(command, tmp_path):
    (tmp_path / "store").mkdir()
    real = tmp_path / "store/real.pcsf"
    real.write_text(COMPACT)
    real.chmod(0o640)
    (tmp_path / "one.pcsf").symlink_to("store/real.pcsf")
    (tmp_path / "two.pcsf").symlink_to("one.pcsf")
    assert pcsf(*command, tmp_path / "two.pcsf")[0] == 0
    assert (tmp_path / "one.pcsf").is_symlink()
    assert (tmp_path / "two.pcsf").is_symlink()
    assert real.read_text() == BASE
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [p.name for p in real.parent.iterdir()] == ["real.pcsf"]


CALLS = [
    ["check"],
    ["check", "--diff"],
    ["check", "--fix"],
    ["check", "--format", "json"],
    ["check", "--format", "sarif"],
    ["check", "--format", "github"],
    ["check", "--format", "agent"],
    ["check", "--profile", "prose"],
    ["check", "--fail-on", "info"],
    ["fmt", "--check"],
    ["fmt", "--diff"],
    ["ast"],
    ["show"],
]


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize(
    "text",
    [BASE, BROKEN, COMPACT, BASE.replace("HIGH", "high"), "", BASE[:-1]],
    ids=["good", "broken", "compact", "case", "empty", "no end"],
)
def test_standard_input_and_files_exit_alike(call, text, tmp_path):
    (tmp_path / "x.pcsf").write_text(text)
    piped = pcsf(*call, "-", stdin=text, cwd=tmp_path)[0]
    assert piped == pcsf(*call, "x.pcsf", cwd=tmp_path)[0]
    assert piped in (0, 1)


def test_what_cannot_be_read_is_told_and_the_rest_is_checked(tmp_path):
    (tmp_path / "ok.pcsf").write_text(BASE)
    (tmp_path / "latin1.pcsf").write_bytes(BASE.replace("online", "\xf6nline").encode("latin-1"))
    (tmp_path / "dangling.pcsf").symlink_to("nowhere")
    (tmp_path / "after.pcsf").write_text(BASE)
    names = ["ok.pcsf", "latin1.pcsf", "missing.pcsf", "dangling.pcsf", "after.pcsf"]
    for output in ("jsonl", "concise"):
        code, out, err = pcsf("check", "--format", output, *names, cwd=tmp_path)
        assert code == 2
        assert sorted(line.split(b": ")[1] for line in err.splitlines()) == [
            b"dangling.pcsf",
            b"missing.pcsf",
        ]
        if output == "jsonl":
            results = {r["path"]: r["conformant"] for r in map(json.loads, out.splitlines())}
            assert results == {"ok.pcsf": True, "latin1.pcsf": False, "after.pcsf": True}


LOCALES = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONUTF8": "1"},
]


ODD = BASE.encode().replace(
    b"online", bytes([0x98, 0xFF, 0xC3, 0x28, 0xF0, 0x9F]) + "\u4e2d\u2019".encode()
)


@pytest.mark.parametrize(
    "output", ["human", "concise", "json", "jsonl", "sarif", "github", "agent"]
)
@pytest.mark.parametrize("locale", LOCALES, ids=str)
def test_any_byte_under_any_locale(locale, output):
    code, out, _ = pcsf("check", "--format", output, "-", stdin=ODD, **locale)
    assert code == 1
    assert b"C1" in out


@pytest.mark.parametrize("locale", LOCALES, ids=str)
def test_any_byte_is_mended_under_any_locale(locale):
    assert pcsf("check", "--diff", "--unsafe-fixes", "-", stdin=ODD, **locale)[0] == 1


@pytest.mark.parametrize("command", [["check", "--fix", "--unsafe-fixes"], ["fmt"]], ids=" ".join)
def test_writers_at_the_same_time_leave_a_whole_file(command, tmp_path):
    path = tmp_path / "x.pcsf"
    allowed = {BASE.encode(), COMPACT.encode()}
    for _ in range(8):
        path.write_text(COMPACT)
        running = [
            subprocess.Popen(
                [*forks.command(), *command, str(path)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for _ in range(3)
        ]
        while any(process.poll() is None for process in running):
            assert path.read_bytes() in allowed
        for process in running:
            _, err = process.communicate()
            assert process.returncode == 0, err
        assert path.read_text() == BASE
        assert [p.name for p in tmp_path.iterdir()] == ["x.pcsf"]


@pytest.mark.parametrize(
    "command",
    [["check"], ["check", "--fix"], ["check", "--diff"], ["fmt"], ["fmt", "--check"]],
    ids=" ".join,
)
def test_nothing_to_do_is_clean_and_a_missing_path_is_trouble(command, tmp_path):
    (tmp_path / "empty").mkdir()
    assert pcsf(*command, "empty", cwd=tmp_path) == (0, b"", b"")
    if command[0] == "check":
        assert pcsf(*command, cwd=tmp_path) == (0, b"", b"")
    code, out, err = pcsf(*command, "nosuch.pcsf", "empty", cwd=tmp_path)
    assert (code, out) == (2, b"")
    assert b"nosuch.pcsf" in err
    assert b"missing path is trouble" in pcsf("check", "--help")[1].replace(b"\n", b" ")
