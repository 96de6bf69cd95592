"""`pcsf conformance`: our own answers, answers in another language, and answers that are wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REFERENCE = [sys.executable, str(HERE / "reference.py")]
DECODER = HERE / "decoder.mjs"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def pcsf(*arguments):
    command = [sys.executable, "-m", "pcsf_lark", "conformance", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def score(command, *options):
    """The JSON report of a run, and its exit code."""
    done = pcsf("run", "--format", "json", *options, "--", *command)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout), done.returncode


def runs(*globs):
    return [part for glob in globs for part in ("--run", glob)]


@pytest.mark.parametrize(
    ("options", "arguments", "least"),
    [
        (["--level", "codes", *runs("mixed/*a", "mixed/*e", "invalid/c1/*f")], [], 15),
        (["--level", "tree", *runs("warn/v00[1-3]", "valid/minimal")], [], 15),
        (["--level", "ops", *runs("ops/*/*[a-f]")], [], 15),
        (["--level", "grammar", *runs("grammar/[acp]*")], [], 30),
        (["--as", "encoder", *runs("valid/minimal", "warn/v00[2-4]")], ["emit"], 15),
        (["--as", "formatter", *runs("warn/v00[1-3]", "invalid/c11/*[a-d]")], ["fmt"], 15),
    ],
)
def test_our_own_answers(options, arguments, least):
    report, code = score([*REFERENCE, *arguments], *options)
    assert [one for one in report["cases"] if one["result"] != "passed"] == []
    assert (code, report["passed"]) == (0, len(report["cases"]))
    assert report["passed"] >= least


@needs_node
def test_a_decoder_in_another_language_passes():
    report, code = score([NODE, str(DECODER)])
    assert [one for one in report["cases"] if one["result"] != "passed"] == []
    assert code == 0
    assert report["passed"] >= 1300


#: What is wrong with a decoder: the line it has, the line it has instead, and cases that tell.
BROKEN = {
    "knows the first version only": ("(?:\\\\.[12])?", "", "valid/tokens"),
    "counts L1 to thirteen": ("TEXT, TEXT), 12],", "TEXT, TEXT), 13],", "invalid/c6"),
    "knows no compact layout": ('?? capsule("").exec(text)', "", "valid/layout"),
    "takes a byte too much": ("text.length > 1200", "text.length > 1201", "invalid/c2"),
    "has months of 31 days alone": ("DAYS[month - 1] + leap", "31", "invalid/c4"),
    "takes two sentences": ("sentences(seed) > 1", "sentences(seed) > 2", "invalid/c9"),
    "knows no abbreviations": ("!SHORT.test", "!!SHORT.test", "valid/sentence"),
    "never looks at the checksum": ("crc32(bare) === parseInt(crc, 16) && ", "", "invalid/c11"),
    "keeps the stamp's line end": (
        'text.replace(stamp, "")',
        'text.replace(stamp, "\\n")',
        "valid/integrity",
    ),
    "takes any case": ("\\n?$`,\n  );", '\\n?$`,\n    "i",\n  );', "invalid/c7"),
    "wants a final line feed": ("===END===\\n?$", "===END===\\n$", "valid/layout"),
    "takes spaces at an edge": ('"(?! )[ -{}~]+(?<! )"', '"[ -{}~]+"', "invalid/c8"),
    "takes any number of final line feeds": ("===END===\\n?$", "===END===\\n*$", "invalid/c3"),
    "crashes on a carriage return": (
        "function valid(text) {",
        'function valid(text) {\n  if (text.includes("\\r")) throw new Error("no");',
        "invalid/c1",
    ),
    "hangs on a tab": (
        "function valid(text) {",
        'function valid(text) {\n  while (text.includes("\\t"));',
        "invalid/c1/tab*",
    ),
    "gives other exit codes": ("? 0 : 1", "? 0 : 2", "invalid/c10/*a*"),
}


@needs_node
@pytest.mark.parametrize("name", BROKEN)
def test_broken_decoders_are_caught(name, tmp_path):
    right, wrong, telling = BROKEN[name]
    source = DECODER.read_text("utf-8")
    assert source.count(right) == 1
    spoiled = tmp_path / "decoder.mjs"
    spoiled.write_text(source.replace(right, wrong), "utf-8")
    report, code = score([NODE, str(spoiled)], "--timeout", "3", *runs(telling))
    wrongs = [one for one in report["cases"] if one["result"] in ("failed", "broken")]
    assert code == 1
    assert wrongs
    crash = name.startswith(("crashes", "hangs", "gives"))
    assert {one["result"] for one in wrongs} == {"broken" if crash else "failed"}


@pytest.mark.parametrize(
    ("command", "result", "says"),
    [
        (["false"], "failed", "exit code 1, expected 0"),
        (["sh", "-c", "exit 3"], "broken", "exit code 3"),
        (["sh", "-c", "kill -9 $$"], "broken", "signal 9"),
        (["sh", "-c", "no-such-program-here"], "broken", "exit code 127"),
        (["sh", "-c", "sleep 9"], "broken", "too long"),
        ([sys.executable, "-S", "-c", "1/0"], "broken", "ZeroDivisionError"),
    ],
)
def test_what_is_no_answer(command, result, says):
    report, code = score(command, "--timeout", "0.5", *runs("valid/minimal/s*"))
    assert code == 1
    assert {one["result"] for one in report["cases"]} == {result}
    assert all(says in one["detail"] for one in report["cases"])


def test_a_crash_is_no_refusal():
    report, _ = score([sys.executable, "-S", "-c", "1/0"], *runs("invalid/c2"))
    assert (report["passed"], report["broken"]) == (0, len(report["cases"]))
    quiet, _ = score(["false"], *runs("invalid/c2"))
    assert quiet["passed"] == len(quiet["cases"])


def test_codes_and_trees_are_compared():
    answer = 'echo \'{"codes": ["C2", "C9"]}\'; exit 1'
    report, _ = score(["sh", "-c", answer], "--level", "codes", *runs("invalid/c2/1201-long-seed"))
    assert [one["detail"] for one in report["cases"]] == ["codes: not expected C9"]
    report, _ = score(["sh", "-c", "exit 1"], "--level", "codes", *runs("invalid/c2/1201*"))
    assert {one["result"] for one in report["cases"]} == {"failed"}
    report, _ = score(["echo", "{}"], "--level", "tree", *runs("valid/minimal/new-thread"))
    assert "missing" in report["cases"][0]["detail"]


def test_formats():
    arguments = ["--run", "valid/minimal", "--skip", "*/shortest*"]
    tap = pcsf("run", "--format", "tap", *arguments, "--", "false").stdout.splitlines()
    assert tap[0] == "TAP version 14"
    assert tap[1].startswith("1..5 ")
    assert sum(line.startswith("not ok") for line in tap) == 3
    assert sum(line.endswith("# SKIP") for line in tap) == 2
    junit = pcsf("run", "--format", "junit", *arguments, "--", "false").stdout
    suite = ET.fromstring(junit)  # noqa: S314 - it is our own
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("5", "3", "2")
    human = pcsf("run", *arguments, "--", "false").stdout
    assert human.endswith("0 of 3 cases passed (3 failed, 2 skipped)\n")


def test_skipped_cases_must_fail_when_asked():
    arguments = ["--run", "invalid/c2", "--run", "valid/minimal", "--skip", "invalid/*"]
    report, _ = score(["false"], *arguments, "--skip-must-fail")
    details = {one["detail"] for one in report["cases"] if one["name"].startswith("invalid")}
    assert details == {"passes, though it is skipped"}
    report, code = score(["true"], *arguments, "--skip-must-fail")
    assert code == 0
    assert {one["result"] for one in report["cases"]} == {"passed", "skipped"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "--run", "no-such-*", "--", "true"], "no case is selected"),
        (["run", "--skip", "*", "--", "true"], "no case is selected"),
        (["run", "--run", "valid/minimal", "--", "/no/such/command"], "No such file"),
        (["run", "--as", "encoder", "--level", "codes", "--", "true"], "for decoders"),
        (["run", "--index", "v9", "--", "true"], "there are"),
        (["run"], "COMMAND"),
        (["run", "--level", "all", "--", "true"], "all"),
        (["list", "--run", "no-such-*"], "no case is selected"),
    ],
)
def test_mistakes_in_the_call(arguments, says):
    done = pcsf(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_list():
    lines = pcsf("list", "--run", "invalid/c7").stdout.splitlines()
    assert len(lines) >= 100
    assert all(line.startswith("invalid/c7/") and "exit 1" in line for line in lines)
    rows = json.loads(pcsf("list", "--level", "ops", "--format", "json").stdout)
    assert {row["arguments"][0] for row in rows} == {"fit", "stitch", "stamp"}
    compact = pcsf("list", "--index", "compact").stdout.splitlines()
    assert compact
    assert all("exit 0" in line for line in compact)
