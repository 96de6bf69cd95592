"""Any bytes at all: a diagnostic that names fault and mend, never a traceback, little memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pcsf_lark
from pcsf_lark.rules._rule import BASE

UTF16 = [BASE.encode("utf-16"), BASE.encode("utf-16-le"), BASE.encode("utf-16-be")]
#: name, bytes, codes, what a message says, what a help says
NAMED = [
    ("empty", b"", {"C3", "C4", "C5", "C9"}, "the file is empty", "begin the file with"),
    ("bom", b"\xef\xbb\xbf" + BASE.encode(), {"C1"}, "byte-order mark", "without BOM"),
    ("crlf", BASE.replace("\n", "\r\n").encode(), {"C1"}, f"{BASE.count(chr(10))} carriage returns", "LF alone"),
    ("bom and crlf", b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode(), {"C1"}, "BOM", "LF"),
    ("nul", BASE.replace("online", "on\x00line", 1).encode(), {"C1"}, "NUL", "restore"),
    *((f"utf-16 {i}", data, {"C1"}, "UTF-16", "plain ASCII") for i, data in enumerate(UTF16)),
    ("fence", f"```text\n{BASE}```\n".encode(), {"C3"}, "a code fence", "remove it"),
    ("before", b"Here it is:\n\n" + BASE.encode(), {"C3"}, "before the capsule", "remove it"),
    ("after", BASE.encode() + b"\nHope this helps!\n", {"C3"}, "after the capsule", "remove it"),
    ("twice", BASE.encode() * 2, {"C3"}, "after the capsule", "one capsule a file"),
    ("tab", BASE.replace("a", "\t", 1).encode(), {"C1"}, "a tab", "single spaces"),
    ("escape", BASE.replace("a", "\x1b[31m", 1).encode(), {"C1"}, "0x1B", "remove it"),
    ("latin-1", BASE.replace("replica", "r\xe9plica", 1).encode("latin-1"), {"C1"}, "0xE9", "ASCII"),
    ("quote", BASE.replace("'", "\u2019").encode(), {"C1"}, "U+2019", "write `'`"),
    ("nbsp", BASE.replace("the ", "the\u00a0", 1).encode(), {"C1"}, "NO-BREAK SPACE", "a space"),
]  # fmt: skip


@pytest.mark.parametrize("case", NAMED, ids=lambda case: case[0])
def test_named_faults(case):
    _, data, codes, message, mend = case
    report = pcsf_lark.check(data)
    assert {finding.code for finding in report.findings} == codes
    assert any(message in finding.message for finding in report.findings)
    assert any(mend in finding.help for finding in report.findings)


def test_one_finding_a_kind_with_its_count():
    report = pcsf_lark.check(b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode())
    assert len(report.findings) == 2


@pytest.mark.parametrize("over", [0, 1, 1 << 20])
def test_the_bound_on_reading(over):
    data = BASE.replace("short", "short " * 20_000)[: 65_536 + over].ljust(65_536 + over, "x")
    codes = {finding.code for finding in pcsf_lark.check(data).findings}
    if over:
        assert codes == {"C2"}
        assert pcsf_lark.check(data).bytes == 65_536 + over
    else:
        assert {"C2", "C3"} <= codes


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(st.one_of(st.binary(max_size=400), st.text(max_size=200)))
def test_any_input_gets_a_verdict(data):
    for profile in ("interop", "prose", "abnf"):
        report = pcsf_lark.check(data, profile=profile)
        assert not report.conformant
        for finding in report.findings:
            assert finding.message
            assert finding.help
            assert 1 <= finding.span.line <= finding.span.end_line
            assert 0 <= finding.span.offset <= finding.span.end <= (report.bytes or 0)
    with pytest.raises(pcsf_lark.CapsuleError):
        pcsf_lark.parse(data)


#: 64 KiB of the worst that each rule could be given.
FLOODS = {
    "lines": "\n" * 65_536,
    "carriage returns": "\r" * 65_536,
    "wide": "\u2019\n" * 16_384,
    "control": "\x01\n" * 32_768,
    "entries": BASE.replace("L1:SKELETON\n", "L1:SKELETON\n" + "x\n" * 32_000),
    "pipes": BASE.replace("L1:SKELETON\n", "L1:SKELETON\n" + "|\n" * 32_000),
    "one line": BASE.replace("online", "| " * 31_000),
    "headers": "===PCSF:v1===\n" + "L1:SKELETON\n" * 5_400,
    "gaps": BASE.replace("L1:SKELETON\n", "L1:SKELETON\n" + "\n" * 60_000),
    "stray": BASE.replace("L1:SKELETON\n", "x\n" * 32_000 + "L1:SKELETON\n"),
    "chains": BASE.replace("CHAIN", "CHAIN: \n" * 8_000 + "CHAIN"),
    "spaces": BASE.replace("online", " " * 60_000),
    "stops": BASE.replace("SEED: The", "SEED: " + "No. A. " * 9_000),
    "dots": BASE.replace("SEED: The", "SEED: " + "." * 60_000),
    "marks": BASE.replace("SEED: The", "SEED: " + "?!" * 30_000 + "x"),
    "digits": BASE.replace("hops=1", "hops=" + "9" * 60_000),
    "zeros": BASE.replace("hops=1", "hops=" + "0" * 60_000),
    "fields": BASE.replace("writes", "a | " * 16_000),
}


#: Lines that the Lark parser explains.
LINES = {
    "an entry": BASE.replace("CHOICE | ", ""),
    "a chain": BASE.replace("hops=1", "hops=one"),
    "a stamp": BASE.replace("\n\nL1", "\nINTEGRITY: crc32=0 chars=x\n\nL1"),
}


@pytest.mark.parametrize("name", FLOODS)
def test_floods_are_bounded(name):
    data = FLOODS[name].encode()[:65_536]
    report = pcsf_lark.check(data)
    assert not report.conformant
    assert "C2" in {finding.code for finding in report.findings}
    for code in {finding.code for finding in report.findings}:
        assert sum(finding.code == code for finding in report.findings) <= 1200


#: Linux counts what a process held before `exec`: only a thin parent measures its child.
LAUNCHER = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))  # what is not linear takes minutes
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
sys.stderr.write(f"{usage.ru_maxrss} {os.waitstatus_to_exitcode(status)}")
"""


def peak(*arguments, stdin=os.devnull):
    """The greatest resident set of a `pcsf` process, in KiB, and its exit code."""
    command = [sys.executable, "-S", "-E", "-c", LAUNCHER, sys.executable, "-m", "pcsf_lark"]
    with Path(stdin).open("rb") as stream:
        done = subprocess.run(
            [*command, *map(str, arguments)],
            stdin=stream,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
    used, code = done.stderr.split()[-2:]
    return int(used), int(code)


@pytest.fixture(scope="module")
def yardstick(tmp_path_factory):
    """The peak of checking an empty capsule."""
    path = tmp_path_factory.mktemp("empty") / "empty.pcsf"
    head, *_ = BASE.partition("CHAIN")
    layers = "L1:SKELETON\n\nL2:NEGATIVE\n\nL3:INTERNAL\n\nL4:RELATION\n\nL5:LOOPS\n"
    path.write_text(f"{head}\n{layers}\nSEED: Nothing yet\n===END===\n")
    return min(peak("check", path)[0] for _ in range(3))


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux alone")
@pytest.mark.parametrize(
    "name", [*(case[0] for case in NAMED), "1 GiB", "1 GiB of stdin", *FLOODS, *LINES]
)
def test_memory_is_bounded(name, yardstick, tmp_path):
    path = tmp_path / "input.pcsf"
    if name.startswith("1 GiB"):
        with path.open("wb") as stream:
            stream.truncate(1 << 30)
    else:
        texts = {case[0]: case[1] for case in NAMED} | FLOODS | LINES
        data = texts[name]
        path.write_bytes(data if isinstance(data, bytes) else data.encode()[:65_536])
    from_stdin = name.endswith("stdin")
    used, code = peak(
        "check", "-" if from_stdin else path, stdin=path if from_stdin else os.devnull
    )
    assert code == 1
    assert used - yardstick <= 8 * 1024
