"""`pcsf conformance`: the calls, what it shows, our own answers and those of another language."""

from __future__ import annotations

import base64
import json
import math
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pcsf_lark.conformance import cases
from pcsf_lark.faces.cli import app

HERE = Path(__file__).parent
REFERENCE = [sys.executable, str(HERE / "reference.py")]
DECODER = HERE / "decoder.mjs"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def pcsf(*arguments):
    done = CliRunner().invoke(app, ["conformance", *map(str, arguments)])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def score(command, *options):
    """The JSON report of a run, and its exit code."""
    done = pcsf("run", "--format", "json", *options, "--", *command)
    assert done.exit_code in (0, 1), done.stderr
    return json.loads(done.stdout), done.exit_code


def runs(*globs):
    return [part for glob in globs for part in ("--run", glob)]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--level", "codes", *runs("mixed/bom*", "valid/minimal/new*")], []),
        (["--level", "tree", *runs("valid/minimal/[ns]*")], []),
        (["--level", "ops", *runs("ops/stamp/sta*", "ops/fit/a*")], []),
        (["--level", "grammar", *runs("grammar/crlf*")], []),
        (["--as", "encoder", *runs("valid/minimal/[ns]*")], ["emit"]),
        (["--as", "formatter", *runs("valid/minimal/s*", "invalid/c11/crc-one-digit")], ["fmt"]),
    ],
)
def test_our_own_answers(options, arguments):
    report, code = score([*REFERENCE, *arguments], *options)
    assert [one for one in report["cases"] if one["result"] != "passed"] == []
    assert (code, report["passed"]) == (0, len(report["cases"]))
    assert report["passed"] >= 2


def test_our_own_command_passes_at_level_ops():
    """`pcsf` itself is called as the protocol says: capsules on standard input."""
    command = [sys.executable, "-m", "pcsf_lark"]
    names = [case.name for case in cases("decoder", "ops")]
    report, code = score(command, "--level", "ops", *runs(*names[::10]))
    assert [one for one in report["cases"] if one["result"] != "passed"] == []
    assert (code, report["passed"]) == (0, len(names[::10]))
    asked = cases("decoder", "ops")[::10]
    assert {case.arguments[0] for case in asked} == {"fit", "stitch", "stamp"}
    assert {case.expected.exit for case in asked} == {0, 1}


@needs_node
def test_a_decoder_in_another_language_passes():
    """Through the command on one case of every other folder; `verdicts` asks it all cases."""
    folders = {case.name.rpartition("/")[0]: case.name for case in cases()}
    names = list(folders.values())[::2]
    report, code = score([NODE, DECODER], *runs(*names))
    assert [one for one in report["cases"] if one["result"] != "passed"] == []
    assert (code, report["passed"]) == (0, len(names))
    assert len(names) >= 15


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
#: Those that are caught by what the process does, not by verdicts.
PROCESSES = ("crashes on a carriage return", "hangs on a tab", "gives other exit codes")


@pytest.fixture(scope="module")
def decoders(tmp_path_factory):
    """The right decoder, and each broken one, as files."""
    folder, source = tmp_path_factory.mktemp("decoders"), DECODER.read_text("utf-8")
    paths = {"right": DECODER}
    for name, (right, wrong, _) in BROKEN.items():
        assert source.count(right) == 1
        paths[name] = folder / f"{name.replace(' ', '-')}.mjs"
        paths[name].write_text(source.replace(right, wrong), "utf-8")
    return paths


@pytest.fixture(scope="module")
def verdicts(decoders):
    """What each decoder says of each case of the suite, all in one process."""
    asked = {name: str(path) for name, path in decoders.items() if name != "hangs on a tab"}
    capsules = [base64.b64encode(case.stdin).decode() for case in cases()]
    command = [NODE, HERE / "verdicts.mjs", *asked.values()]
    done = subprocess.run(
        command, input=json.dumps(capsules).encode(), capture_output=True, check=True
    )
    found = json.loads(done.stdout)
    return {name: found[path] for name, path in asked.items()}


@needs_node
def test_the_decoder_is_right_on_every_case(verdicts):
    said = dict(zip([case.name for case in cases()], verdicts["right"], strict=True))
    assert said == {case.name: "vi"[case.expected.exit] for case in cases()}
    assert len(said) >= 1300


@needs_node
@pytest.mark.parametrize("name", [name for name in BROKEN if name not in PROCESSES])
def test_broken_decoders_are_caught(name, decoders, verdicts):
    """The suite tells them from the right one where they are broken; so does the command."""
    pairs = zip(cases(), verdicts[name], strict=True)
    wrong = [case.name for case, said in pairs if said != "vi"[case.expected.exit]]
    assert [one for one in wrong if one.startswith(BROKEN[name][2])]
    report, code = score([NODE, decoders[name]], *runs(wrong[0]))
    assert code == 1
    assert {one["result"] for one in report["cases"]} == {"failed"}


@needs_node
def test_broken_processes_are_caught(decoders, verdicts):
    crashing, hanging, odd = PROCESSES
    crash = dict(zip([case.name for case in cases()], verdicts[crashing], strict=True))
    thrown = [name for name, said in crash.items() if said == "x"]
    assert thrown
    # It accepts what is valid, so its refusals count; and a crash is none.
    report, _ = score([NODE, decoders[crashing]], *runs(*thrown[:2], "valid/minimal/new*"))
    found = {one["name"]: one["result"] for one in report["cases"]}
    assert found == {**dict.fromkeys(thrown[:2], "broken"), "valid/minimal/new-thread": "passed"}
    tab = next(case.name for case in cases() if b"\t" in case.stdin)
    report, _ = score([NODE, decoders[hanging]], "--timeout", "1", *runs(tab))
    assert [(one["result"], one["detail"]) for one in report["cases"]] == [
        ("broken", "took too long")
    ]
    report, _ = score([NODE, decoders[odd]], *runs("invalid/c10/0x"))
    assert {one["result"] for one in report["cases"]} == {"broken"}


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


@pytest.mark.parametrize("form", ["human", "tap", "junit", "json"])
def test_what_a_command_says_steers_no_terminal(form):
    said = r"printf '\033[31m\007\302\233red \000\377\357\277\277' >&2; exit 3"
    arguments = ["--format", form, "--run", "valid/minimal/new*", "--", "sh", "-c", said, "\x1b\n"]
    shown = pcsf("run", *arguments).stdout
    assert "red" in shown
    assert [char for char in shown if not char.isprintable() and char != "\n"] == []
    if form == "junit":
        ET.fromstring(shown)  # noqa: S314 - it is our own
    if form == "human":
        assert len(shown.splitlines()) == 2


def test_skipped_cases_must_fail_when_asked():
    arguments = ["--run", "invalid/c2/1201-s*", "--run", "valid/minimal/s*", "--skip", "invalid/*"]
    report, code = score(REFERENCE, *arguments, "--skip-must-fail")
    details = {one["detail"] for one in report["cases"] if one["name"].startswith("invalid")}
    assert (details, code) == ({"passes, though it is skipped"}, 1)
    report, code = score(["true"], *arguments, "--skip-must-fail")
    assert code == 0
    assert {one["result"] for one in report["cases"]} == {"passed", "skipped"}


@pytest.mark.parametrize(
    ("command", "result", "code"),
    [
        ("exit 0", "skipped", 0),  # it fails still, as it should
        ("exit 3", "broken", 1),  # no answer is no failure
        ("kill -9 $$", "broken", 1),
        ("exit 1", "broken", 1),  # it refuses everything
        ("test $(wc -c) -lt 1201 && exit 0; echo Node.js v20.1.0 >&2; exit 1", "broken", 1),
        ("test $(wc -c) -lt 1201", "failed", 1),  # it passes
    ],
)
def test_a_list_of_skipped_cases_is_checked_on_its_own(command, result, code):
    """All cases may be skipped, when skipped ones are asked; a crash is told."""
    arguments = [*runs("invalid/c2/1201*"), "--skip", "invalid", "--skip-must-fail"]
    report, found = score(["sh", "-c", command], *arguments)
    assert {one["result"] for one in report["cases"]} == {result}
    assert found == code


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "--run", "no-such-*", "--", "true"], "no case is selected"),
        (["run", "--skip", "*", "--", "true"], "no case is selected"),
        (["run", "--run", "no-such-*", "--skip-must-fail", "--", "true"], "no case is selected"),
        (["run", "--run", "valid/minimal", "--", "/no/such/command"], "No such file"),
        (["run", "--run", "valid/minimal", "--", str(HERE)], "Permission denied"),
        (["run", "--as", "encoder", "--level", "codes", "--", "true"], "for decoders"),
        (["run", "--as", "formatter", "--level", "tree", "--", "true"], "--as formatter"),
        (["run", "--index", "v9", "--", "true"], "there are compact"),
        (["run", "--index", "../v1", "--", "true"], "there are compact"),
        (["run", "--index", "", "--", "true"], "there are compact"),
        (["run"], "COMMAND"),
        (["run", "--level", "all", "--", "true"], "all"),
        (["run", "--jobs", "1000", "--", "true"], "256"),
        (["list", "--run", "no-such-*"], "no case is selected"),
        *[
            (["run", "--timeout", value, "--", "true"], "0.01 to 3600")
            for value in ("nan", "inf", "-inf", "1e20", "0", "-1", "3600.1")
        ],
    ],
)
def test_mistakes_in_the_call(arguments, says):
    done = pcsf(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr


def test_the_longest_and_the_shortest_time_are_taken():
    report, _ = score(["true"], "--timeout", "3600", *runs("valid/minimal/new*"))
    assert report["passed"] == 1
    report, _ = score(["sleep", "9"], "--timeout", "0.01", *runs("valid/minimal/new*"))
    assert report["broken"] == 1
    assert math.isclose(report["cases"][0]["seconds"], 0, abs_tol=5)


def test_list():
    lines = pcsf("list", "--run", "invalid/c7").stdout.splitlines()
    assert len(lines) >= 100
    assert all(line.startswith("invalid/c7/") and "exit 1" in line for line in lines)
    rows = json.loads(pcsf("list", "--level", "ops", "--format", "json").stdout)
    assert {row["arguments"][0] for row in rows} == {"fit", "stitch", "stamp"}
    compact = pcsf("list", "--index", "compact").stdout.splitlines()
    assert compact
    assert all("exit 0" in line for line in compact)
