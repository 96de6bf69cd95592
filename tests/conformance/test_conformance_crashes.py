"""No crash is an answer: what commands do to the runner, and what they write as they fall."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pcsf_lark.conformance import Answer, Case, Expected, cases, judge
from pcsf_lark.faces import asking
from pcsf_lark.faces.asking import MOST, ask
from pcsf_lark.faces.scoring import score

INVALID = [case for case in cases() if case.name.startswith("invalid/c2/1201")]
VALID = [case for case in cases() if case.name.startswith("valid/minimal/")]
PYTHON = [sys.executable, "-S"]


def outcomes(command, chosen=INVALID[:2], timeout=20.0):
    return score(command, chosen, suite=cases(), timeout=timeout, jobs=1)


def shell(text):
    return ["sh", "-c", text]


#: What a command does for a valid case, what that comes to, and what is said of it.
NO_ANSWER = [
    ("exit 1", "failed", "exit code 1, expected 0"),
    ("exit 3", "broken", "exit code 3"),
    ("kill -9 $$", "broken", "signal 9"),
    ("no-such-program-here", "broken", "exit code 127"),
    ("sleep 9", "broken", "too long"),
    ("kill -STOP $$", "broken", "too long"),
    ("trap '' TERM INT HUP; sleep 9", "broken", "too long"),
    ("exec >&- 2>&-; sleep 9", "broken", "too long"),
    ("cat >/dev/null; setsid sleep 9 & exit 1", "broken", "too long: it ended"),
    ("cat >/dev/null; setsid sleep 9 & exit 0", "broken", "too long: it ended"),
    ("yes; exit 0", "broken", f"{MOST:,} bytes"),
    ("yes >&2; exit 0", "broken", f"{MOST:,} bytes"),
]


def test_what_is_no_answer():
    """All at a time, since most of them wait for their time to be over."""
    asked = [row for row in NO_ANSWER if "setsid" not in row[0] or shutil.which("setsid")]
    start = time.monotonic()

    def ended(row):
        timeout = (2.0 if "setsid" in row[0] else 0.7) if "too long" in row[2] else 20.0
        (one,) = outcomes(shell(row[0]), VALID[:1], timeout=timeout)
        return one.result, one.detail

    with ThreadPoolExecutor(len(asked)) as pool:
        found = list(pool.map(ended, asked))
    assert time.monotonic() - start < 9
    for (text, result, says), (got, detail) in zip(asked, found, strict=True):
        assert (text, got) == (text, result)
        assert says in detail, text


@pytest.mark.parametrize(
    "text",
    [
        "sleep 9 & exit 1",
        "sleep 9 & exit 0",
        "sleep 9 >/dev/null 2>&1 </dev/null & exit 1",
        "(sleep 9 & sleep 9) & exit 0",
    ],
)
def test_nothing_of_a_case_outlives_it(text, tmp_path):
    """What was started is ended, and does not hold the case up."""
    note = tmp_path / "group"
    start = time.monotonic()
    answer = ask(shell(f"echo $$ >{note}; {text}"), VALID[0], 20.0)
    assert answer.exit == int("exit 1" in text)
    assert time.monotonic() - start < 8
    group = int(note.read_text())
    for _ in range(100):  # the killed may be reaped by another
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        if set(_states(group)) <= {"Z"}:
            return
        time.sleep(0.05)
    pytest.fail("a process of the group still runs")


def _states(group):
    """The states of the processes of a group, Z for those that wait to be reaped."""
    if not shutil.which("ps"):
        pytest.skip("there is no ps")
    done = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=False)
    rows = (line.split() for line in done.stdout.splitlines())
    return [state[0] for number, state in rows if int(number) == group]


@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 16) + 1, 300_000])
def test_input_of_any_size_is_given_and_output_taken(size):
    case = Case("x", (), bytes(range(256)) * (size // 256) + b"x" * (size % 256), Expected(0))
    assert ask(["cat"], case, 20.0).output == case.stdin
    assert ask(shell("exec 0<&-; exit 0"), case, 20.0).exit == 0
    assert ask(shell("sleep 0.1; exit 1"), case, 20.0).exit == 1
    closed = ask(shell("exec >&- 2>&-; test $(wc -c) = 0 || exit 1"), case, 20.0)
    assert closed.exit in (0, 1)


def test_output_up_to_the_limit_is_read():
    full = ask([*PYTHON, "-c", f"print('x' * {MOST - 1})"], VALID[0], 20.0)
    assert (full.exit, len(full.output)) == (0, MOST)
    over = ask([*PYTHON, "-c", f"print('x' * {MOST})"], VALID[0], 20.0)
    assert over.exit is None
    assert f"{MOST:,} bytes" in over.trouble


@pytest.mark.parametrize("text", ["sleep 60", "exec >&- 2>&-; sleep 60"])
def test_an_interrupt_ends_what_runs(text, tmp_path):
    note = tmp_path / "group"
    command = ["conformance", "run", "--timeout", "60", "--jobs", "2", "--run", "valid/minimal"]
    run = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pcsf_lark",
            *command,
            "--",
            "sh",
            "-c",
            f"echo $$ >>{note}; {text}",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    start = time.monotonic()
    while not note.exists() or len(note.read_text().split()) < 2:
        assert time.monotonic() - start < 50
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    assert run.communicate(timeout=30)[0] == b""
    assert run.returncode == 130
    for group in note.read_text().split():
        # What was killed may take a moment to die.
        while set(_states(int(group))) - {"Z"} and time.monotonic() - start < 50:
            time.sleep(0.05)
        assert set(_states(int(group))) <= {"Z"}


def test_late_writers_of_the_group_are_heard(monkeypatch):
    monkeypatch.setattr(asking, "_GRACE", 10.0)
    answer = ask(shell("(sleep 0.1; echo late) & exit 0"), VALID[0], 20.0)
    assert (answer.exit, answer.output) == (0, b"late\n")


#: Programs that never get as far as reading a capsule, all with exit code 1.
STILLBORN = {
    "a syntax error": [*PYTHON, "{}/syntax.py"],
    "a module that is missing": [sys.executable, "-m", "no_such_module_here"],
    "an import that fails": [*PYTHON, "-c", "import no_such_module_here"],
    "an exception group": [*PYTHON, "-c", "raise ExceptionGroup('many', [ValueError(1)])"],
    "an exception in silence": [
        *PYTHON,
        "-c",
        "import sys; sys.excepthook = lambda *_: None\n1/0",
    ],
    "words for an exception": [*PYTHON, "-c", "raise SystemExit('cannot open the rules file')"],
    "an error of lua": shell("echo 'lua: x.lua:1: boom' >&2; exit 1"),
    "a trace of lua": shell(
        "printf 'lua: x.lua:1: b\\nstack traceback:\\n\\t[C]: in ?\\n' >&2; exit 1"
    ),
    "an exception of elixir": shell("echo '** (RuntimeError) boom' >&2; exit 1"),
    "a missing jar": shell("echo 'Error: Unable to access jarfile foo.jar' >&2; exit 1"),
    "a missing class": shell("echo 'Error: Could not find or load main class X' >&2; exit 1"),
    "a head of haskell": shell("echo 'prog: Prelude.head: empty list' >&2; exit 1"),
    "a line of rust": shell("echo 'error: could not find `Cargo.toml`' >&2; exit 1"),
    "an unbound variable": ["bash", "-c", "set -eu; echo $NOPE"],
    "an unset parameter": ["bash", "-c", "set -eu; cat /no/such/file; exit 0"],
    "a command that fails": ["bash", "-c", "set -e; cat >/dev/null; false"],
    "a command that is missing": ["bash", "-c", "no_such_command_here || exit 1"],
    "a death of perl": ["perl", "-e", "$! = 1; die 'boom at all'"],
    "a death of perl with a line": ["perl", "-e", "$! = 1; <STDIN>; die 'boom'"],
    "node, thrown": ["node", "-e", "throw 'boom'"],
    "node, rejected": ["node", "-e", "Promise.reject(new Error('x'))"],
    "node, unread": ["node", "-e", "let x = ("],
    "nothing": ["false"],
}


@pytest.mark.parametrize("name", STILLBORN)
def test_who_accepts_nothing_refuses_nothing(name, tmp_path):
    (tmp_path / "syntax.py").write_text("def x(:\n")
    command = [part.replace("{}", str(tmp_path)) for part in STILLBORN[name]]
    if not shutil.which(command[0]):
        pytest.skip(f"there is no {command[0]}")
    assert ask(command, INVALID[0], 20.0).exit == 1
    found = outcomes(command)
    assert {one.result for one in found} == {"broken"}


def test_refusals_are_proved_by_any_valid_case():
    """A decoder of one version is proved by that, one asked for valid cases by those."""
    other = [case for case in INVALID if b":v1.1=" not in case.stdin]
    assert other
    found = outcomes(shell("grep -q '^===PCSF:v1.1===$'"), other)
    assert {one.result for one in found} == {"passed"}
    found = outcomes(shell("test $(wc -c) -lt 1201"), [*VALID, *INVALID])
    assert {one.result for one in found} == {"passed"}


def test_refusals_are_proved_within_an_operation_and_a_grammar():
    """Who can stamp may still not know what `fit` is."""
    stamps = (
        'test "$1" = stamp && exec "$0" -m pcsf_lark "$@"; echo "no such operation" >&2; exit 1'
    )
    command = ["sh", "-c", stamps, sys.executable]
    suite = cases("decoder", "ops")
    refused = [case for case in suite if case.expected.exit == 1]
    kinds = ("ops/fit/", "ops/stamp/", "ops/stitch/")
    chosen = [next(case for case in refused if case.name.startswith(kind)) for kind in kinds]
    found = score(command, chosen, suite=suite, timeout=30.0, jobs=2)
    assert [one.result for one in found] == ["broken", "passed", "broken"]
    assert "no such operation" in found[0].detail
    suite = cases("decoder", "grammar")
    chosen = [case for case in suite if case.expected.exit == 1][:3]
    found = score(["false"], chosen, suite=suite, timeout=30.0, jobs=2)
    assert {one.result for one in found} == {"broken"}


#: What runtimes write as they fall over one input, having read others.
TRACES = [
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nValueError: no',
    '  + Exception Group Traceback (most recent call last):\n  |   File "x.py", line 1\n  | E: m (1 sub-exception)',
    '  File "/x/late.py", line 1\n    def x(:\n          ^\nSyntaxError: invalid syntax',
    "/usr/bin/python3: No module named nosuch",
    "Fatal Python error: Segmentation fault",
    "file:///x.js:1\nthrow new Error('x')\n^\n\nError: x\n    at file:///x.js:1:7\n\nNode.js v20.20.2",
    "/x.js:1\n\nError: x\n    at Module._compile (internal/modules/cjs/loader.js:999:30)",
    "error: Uncaught (in promise) Error: boom\n    at file:///x.js:1:7",
    "error: no\n      at /x.ts:3:7\n\nBun v1.1.0 (Linux x64)",
    'Exception in thread "main" java.lang.NullPointerException\n\tat a.B.c(B.java:12)',
    "java.lang.IllegalStateException: no\n\tat a.b.C$1.<init>(C.java:12)",
    "Error: Unable to access jarfile foo.jar",
    "Error: Could not find or load main class X",
    "Unhandled exception. System.Exception: no",
    "x.rb:1:in '<main>': boom (RuntimeError)",
    "x.rb:1:in `f': undefined method 'x' for nil (NoMethodError)\n\nfoo.x\n   ^^",
    "boom at decoder.pl line 12.",
    "boom at ./decoder line 12, <STDIN> line 3.",
    "lua: x.lua:1: boom\nstack traceback:\n\t[C]: in ?",
    "PHP Fatal error:  Uncaught TypeError: no",
    "** (RuntimeError) boom\n    x.exs:1: (file)",
    "** (Jason.DecodeError) boom",
    "prog: Prelude.head: empty list\nCallStack (from HasCallStack):",
    "panic: no\n\ngoroutine 1 [running]:\nmain.main()",
    "thread 'main' panicked at src/main.rs:2:5:\nno",
    "thread 'main' (42) panicked at src/main.rs:2:5:\nno",
    "Segmentation fault (core dumped)",
    "./decoder: line 3:  4711 Segmentation fault      (core dumped) ./real",
    "./decoder: line 3: NOPE: unbound variable",
    "./decoder: line 3: jq: command not found",
    "./decoder: 3: NOPE: parameter not set",
    "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1",
]
#: What a program may well say of a capsule.
DIAGNOSTICS = [
    "line 3: header L3:INTERNAL: not found",
    "bad capsule (FormatError)",
    "capsule.pcsf:3:1: expected a field (SyntaxError)",
    "SyntaxError: line 3: two pipes",
    "Error: L3: header not found",
    "Entry not found: L1\nsee: a.b: not found",
    "decoder: line 3: META: no timestamp",
    "<stdin>: line 3: syntax error near `|'",
    "Parse error: syntax error, unexpected '|' in line 4",
    "error: unexpected pipe\n  at line 3:4:5\n  at L1 (stdin:3:4)",
    "\tat META(line:3)",
    "panic: no META line",
    "Uncaught mistakes: 3",
    "in 'L1: panicked at the deploy', a bare pipe",
    "bad entry: 'CHOICE | core dumped | Segmentation fault in the old reader'",
    "bad seed: 'Traceback (most recent call last): remember it'",
    "no L5 at line 12.",
    "refused: command not found in L5",
    "stack traceback: is no dimension",
    "",
]


@pytest.mark.parametrize("text", TRACES)
def test_traces_are_crashes_with_exit_code_1_alone(text):
    errors = f"reading ...\n{text}\n".encode()
    assert judge(INVALID[0], Answer(1, b"", errors)).result == "broken"
    assert judge(VALID[0], Answer(1, b"", errors)).result == "broken"
    # No runtime ends what fell with 0: what is said beside an acceptance is the program's own.
    assert judge(VALID[0], Answer(0, b"", errors)).result == "passed"
    assert judge(INVALID[0], Answer(0, b"", errors)).result == "failed"


@pytest.mark.parametrize("text", DIAGNOSTICS)
def test_no_diagnostic_is_a_crash(text):
    assert judge(INVALID[0], Answer(1, b"", f"{text}\n".encode())).result == "passed"


def test_a_refusal_in_words_counts_from_who_accepts():
    """The same last words for every refusal are no crash either, with something accepted."""
    text = (
        'test $(wc -c) -lt 1201 && exit 0; echo "line 3: header L3:INTERNAL: not found" >&2; exit 1'
    )
    assert {one.result for one in outcomes(shell(text))} == {"passed"}


def test_no_text_of_the_corpus_is_a_trace():
    """A refusal may quote the capsule that it refuses."""
    for case in cases():
        quoted = b"".join(b"> " + line + b"\n" for line in case.stdin.split(b"\n"))
        assert judge(case, Answer(1, b"", quoted)).result != "broken", case.name


TREE = next(case for case in cases("decoder", "tree") if case.name == "valid/minimal/new-thread")
CODES = next(case for case in cases("decoder", "codes") if case.name.startswith("invalid/c7/"))


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (b"", "not JSON"),
        (b"[" * 200_000 + b"]" * 200_000, "nested too deep"),
        (b'{"codes":' * 100_000, "nested too deep"),
        (b'{"codes": ["C1"], "codes": ["C7"]}', "'codes' twice"),
        ('{"codes": ["C7"]}'.encode("utf-16"), "not JSON"),
        ('{"codes": ["C7"]}'.encode("utf-32"), "not JSON"),
        (b'\xef\xbb\xbf{"codes": ["C7"]}', "not JSON"),
        (b'{"codes": ["\xff"]}', "not JSON"),
        (b"NaN", "NaN"),
        (b"-Infinity", "Infinity"),
        (b'{"codes": ["C7"]} x', "not JSON"),
        (b"1" * 10_000, "not JSON"),
    ],
)
def test_what_is_no_json_fails(output, says):
    for case in (TREE, CODES):
        found = judge(case, Answer(case.expected.exit, output))
        assert found.result == "failed"
        assert says in found.detail
        assert len(found.detail) <= 400


@pytest.mark.parametrize(
    "output",
    [b"null", b"[]", b'"C7"', b'{"codes": "C7"}', b'{"codes": [7]}', b'{"codes": [["C7"]]}', b"{}"],
)
def test_what_is_no_list_of_codes_fails(output):
    found = judge(CODES, Answer(1, output))
    assert (found.result, found.detail) == ("failed", 'standard output has no list "codes"')


def test_a_tree_that_differs_deep_down_is_told_shortly():
    deep = b'{"version": ' + b"[" * 500 + b"]" * 500 + b"}"
    found = judge(TREE, Answer(0, deep))
    assert found.result == "failed"
    assert found.detail.startswith(".version: [[[")
    wide = judge(CODES, Answer(1, b'{"codes": ["' + b"x" * 500_000 + b'"]}'))
    assert len(wide.detail) <= 400
