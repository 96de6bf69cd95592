"""`pcsf conformance report`: what its pages hold, whatever a command answers."""

from __future__ import annotations

import html.parser
import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve
from conformance_runs import KINDS, right, run_of, wrong
from hypothesis import given, settings
from hypothesis import strategies as st
from page_reading import complaints
from typer.testing import CliRunner

from pcsf_lark.conformance import Answer, cases
from pcsf_lark.conformance.record import PATIENCE, RESULTS, Row, Run
from pcsf_lark.conformance.record_json import from_json, to_json
from pcsf_lark.conformance.resting import codes
from pcsf_lark.export import normal
from pcsf_lark.faces.cli import app
from pcsf_lark.faces.cli.conformance.options import Asking
from pcsf_lark.faces.pages.suite_bytes import block
from pcsf_lark.faces.pages.suite_markdown import MOST, suite_markdown
from pcsf_lark.faces.pages.suite_view import suite_view
from pcsf_lark.faces.pages.visible import visible

pytest.importorskip("jinja2")
from pcsf_lark.faces.pages.suite_page import suite_page

#: Elements that a page may have; none of them runs or loads anything.
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section"),
    *("nav", "h1", "h2", "h3", "h4", "p", "a", "ul", "li", "dl", "div", "dt", "dd", "table"),
    *("thead", "tbody", "tr", "th", "td", "span", "code", "bdi", "strong", "details", "summary"),
    *("figure", "figcaption", "pre", "i", "b", "em", "mark", "svg", "path", "rect", "circle", "text"),
}  # fmt: skip
EMPTY = {"meta"}


class Page(html.parser.HTMLParser):
    """What a page consists of; fails on elements that are closed in the wrong order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.used = Counter(), [], Counter()
        self.texts, self.attributes, self.titles, self.levels = [], [], [], []
        self._open = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.used[tag] += 1
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        self.attributes += attrs
        found = dict(attrs)
        if "id" in found:
            self.ids[found["id"]] += 1
        if "href" in found:
            self.links.append(found["href"])
        if tag not in EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] == ["title"]:
            self.titles.append(data)
        elif self._open[-1:] != ["style"]:
            self.texts.append(data)

    @cached_property
    def text(self):
        return "".join(self.texts)


def made(run, **more):
    return suite_page(suite_view(run, **more))


def sound(text):
    """The page, which holds the laws of every page."""
    page = Page(text)
    assert set(page.used) <= ELEMENTS
    assert max(page.ids.values()) == 1
    steps = [after - before for before, after in pairwise(page.levels)]
    assert page.levels[0] == 1
    assert max(steps, default=0) <= 1  # no level of headings is left out
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    names = {name for name, _ in page.attributes}
    assert not names & {"src", "style", "srcset", "xlink:href", "action"}
    assert not [name for name in names if name.startswith("on")]
    assert "url(" not in text
    assert "@import" not in text
    policy = re.search(r'Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert visible(text) == text
    return page


@cache
def all_wrong(kind):
    return run_of(wrong, *kind)


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_a_page_of_nothing_but_failures_is_bounded(kind):
    run = all_wrong(kind)
    text = made(run)
    assert len(text.encode()) < 800_000
    assert f"0 of {len(run.rows):,} cases passed" in text
    # Each wrong case is shown or named; one is in the record once.
    assert 20 <= text.count('<details class="case"') <= 120
    assert [row.name for row in run.rows if row.name not in text] == []


@pytest.mark.parametrize(
    "kind", [("decoder", "grammar"), ("decoder", "ops"), ("encoder", "verdict")]
)
def test_a_page_of_nothing_but_failures_is_sound(kind):
    sound(made(all_wrong(kind)))


def test_a_page_of_the_whole_suite_passed_is_small():
    run = run_of(right)
    text = made(run)
    page = sound(text)
    assert len(run.rows) >= 1_300
    assert len(text.encode()) <= 400_000
    assert "What is wrong" not in text
    assert f"{len(run.rows):,} of {len(run.rows):,} cases passed" in page.text
    assert all(row.name.rpartition("/")[2] in page.text for row in run.rows)


def test_every_rule_has_a_diagram_in_the_page():
    text = made(run_of(wrong, fits=lambda name: name.startswith("valid/minimal")))
    assert list(complaints(text)) == []  # what a browser's own reader of HTML sees
    ids = sound(text).ids
    assert {f"rule-{rule.key}" for rule in normal().reachable("capsule")} <= set(ids)


def test_wrong_cases_of_grammars_have_the_diagrams_of_those():
    page = sound(made(all_wrong(("decoder", "grammar"))))
    grammars = {case.arguments[1] for case in cases("decoder", "grammar")}
    assert len([name for name in page.ids if re.fullmatch(r"rule-\d+", name)]) == len(grammars)


def test_a_case_tells_what_was_asked_expected_and_answered():
    name = "invalid/c6/l4-14"
    case = next(case for case in cases("decoder", "codes") if case.name == name)
    said = Answer(1, b'{"codes": ["C7"]}', b"wrong\ttype\n")
    run = run_of(lambda _: said, level="codes", fits=lambda one: one == name)
    text = made(run)
    page = sound(text)
    assert f"case-{name.replace('/', '-')}" in page.ids
    for words in (
        "codes: missing C6; not expected C7",
        "Rests on 2.5-2.9; D14.",
        "The fault is at line 16.",
        "refused: exit code 1, codes C6",
        '{"codes": ["C7"]}',
        "wrong\\ttype\n",
        case.stdin.decode(),
    ):
        assert words in page.text
    marked = re.findall(r"<mark>(.*?)</mark>", text, re.DOTALL)
    assert [Page(f"<pre>{one}</pre>").text for one in marked] == [
        case.stdin.decode().splitlines(keepends=True)[15]
    ]
    assert next(link for link in page.links if "layer" in link) == "#rule-layer4"


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_every_wrong_case_tells_what_it_rests_on(kind):
    for group in suite_view(all_wrong(kind)).groups:
        for case in group.cases:
            assert case.spec, case.name
            assert case.rules or kind[1] == "ops" or "C2" in codes(case.name), case.name


def test_the_line_that_repeats_a_run_asks_as_it_did():
    """With its options, and with its patience where that is not what everybody has."""
    run = run_of(right, "decoder", "tree", fits=lambda name: name.startswith("valid/minimal"))
    line = "pcsf conformance run --level tree --run x* --timeout 2.5 -- a command"
    for text in (Page(made(run)).text, suite_markdown(suite_view(run))):
        assert line.replace("x*", "'x*'") in text
    assert "seconds a case2.5" in "".join(Page(made(run)).text.split("\n"))
    usual = evolve(run, timeout=PATIENCE)
    assert "--timeout" not in made(usual)
    assert Asking().timeout == PATIENCE


def test_the_first_line_that_differs_is_marked_on_both_sides():
    def near(case):
        return Answer(0, case.expected.output.replace(b"META: ", b"META:  "))

    run = run_of(near, "formatter", fits=lambda name: name == "valid/minimal/new-thread")
    text = made(run)
    marked = re.findall(r"<mark>(.*?)</mark>", text, re.DOTALL)
    lines = [Page(f"<pre>{one}</pre>").text for one in marked]
    assert len(lines) == 2
    assert lines[1] == lines[0].replace("META: ", "META:  ")
    assert Page(text).text.count(lines[0]) == 2  # as input, and as what is right


HOSTILE = [
    b"<script>alert(1)</script><img src=x onerror=alert(1)>",
    b"\"'><svg onload=alert(1)>&lt;b&gt;&#60;i&#62;",
    b"</pre></main></body></html><h1>mine",
    b"<!-- ]]> --> {{ view }} {% raw %}",
    b"\x1b[31mred\x1b]0;title\x07\x1b[2J\r\x00\x7f",
    "\u202eevil\u2066 \u200bhidden\ufeff \U000e0041 \ue000".encode(),
    b"```\n````\n# heading\n| a | b |\n@someone #12 <b>",
    b"\xff\xfe\xed\xa0\x80 broken UTF-8",
    b"y" * 2_000_000,
    b"\n" * 300_000,
    "\N{ARABIC LETTER ALEF}\N{HEBREW LETTER ALEF} \N{SNOWMAN}".encode(),
]


@pytest.mark.parametrize("said", HOSTILE, ids=lambda said: repr(said[:12]))
def test_what_a_command_prints_stays_text(said):
    """Whether it failed (exit code 1) or gave no answer (exit code 3)."""

    def answer(case):
        return Answer(1 if "shortest" in case.name else 3, said, said)

    run = run_of(answer, fits=lambda name: name.startswith("valid/mi"))
    assert {row.result for row in run.rows} == {"failed", "broken"}
    name = said[:2_000].decode("latin-1")
    text = made(run, name=name)
    assert made(from_json(to_json(run)), name=name) == text
    page = sound(text)
    assert len(text) < 250_000
    assert page.used["h1"] == 1
    if said.isascii() and said.decode().isprintable() and len(said) < 1_000:
        assert page.text.count(said.decode()) >= 10  # twice in each of five cases


@pytest.mark.parametrize("said", HOSTILE, ids=lambda said: repr(said[:12]))
def test_what_a_command_prints_stays_in_its_fence(said):
    run = run_of(lambda _: Answer(3, said, said), fits=lambda name: name.startswith("valid/mi"))
    text = suite_markdown(suite_view(run))
    assert len(text) <= MOST
    outside, fence = [], ""
    for line in text.split("\n"):
        mark = re.match(r"`{3,}", line)
        if fence and line == fence:
            fence = ""
        elif not fence and mark:
            assert line == f"{mark[0]}text"
            fence = mark[0]
        elif not fence:
            outside.append(line)
    assert fence == ""
    # Outside there is nothing that would be markup or a heading of the command's own.
    rest = re.sub(r"(`+).+?\1", "", "\n".join(outside))
    assert "<script" not in rest
    assert "<b>" not in rest
    heads = [line for line in outside if line.startswith("#")]
    kinds = ("# PCSF conformance: ", "## By ", "## Most often", "## What is wrong", "### broken: ")
    assert [line for line in heads if not line.startswith(kinds)] == []
    assert visible(text) == text


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_markdown_is_bounded_and_counts_what_it_leaves_out(kind):
    run = all_wrong(kind)
    text = suite_markdown(suite_view(run))
    assert len(text) <= MOST
    assert f"**0 of {len(run.rows):,} cases passed**" in text
    shown = len(re.findall(r"^(?:### |- )(?:failed|broken): ", text, re.MULTILINE))
    left = re.search(r"^([\d,]+) more wrong answers? not shown here\.$", text, re.MULTILINE)
    assert shown + int(left[1].replace(",", "") if left else 0) == len(run.rows)


NAMES = st.text(st.characters(codec="utf-8") | st.sampled_from("/<>&\"'-c1"), max_size=20)
ROWS = st.lists(st.builds(Row, NAMES, st.sampled_from(RESULTS), NAMES, NAMES), max_size=12)


@given(st.builds(Run, NAMES, ROWS.map(tuple), st.lists(NAMES).map(tuple), NAMES, NAMES, NAMES))
@settings(max_examples=12, derandomize=True, deadline=None)
def test_any_record_has_a_sound_page(run):
    text = made(run)
    sound(text)
    assert made(run) == text
    assert len(suite_markdown(suite_view(run))) <= MOST


def test_a_record_without_end_has_a_page_with_one():
    """Names, folders and words beyond all measure are counted, not shown."""
    rows = [
        Row(f"folder-{number}/{'x' * 5_000}/{result}", result, "why " * 5_000, "9.9" * 5_000)
        for number in range(400)
        for result in RESULTS
    ]
    rows += [Row("invalid/c1/same", "failed")] * 50
    text = made(Run("t" * 100_000, tuple(rows)))
    sound(text)
    assert len(text) < 2_500_000
    assert "more in other folders are not listed" in text


@given(st.binary(max_size=200), st.integers(0, 220), st.booleans())
@settings(max_examples=200, derandomize=True)
def test_what_is_shown_of_bytes_is_what_they_are(data, room, words):
    """Escapes, which are told apart from what looks like them, read back as the bytes."""
    found = block("title", data, room, words=words)
    kept = data[-room:] if words else data[:room]
    back = b""
    for line in found.lines:
        for span in line.spans:
            if span.kind == "escape" and not words:
                back += span.text.encode().decode("unicode_escape").encode("latin-1")
            elif span.kind != "escape":
                back += span.text.encode()
                assert span.text.isprintable() or span.text == "\n"
    if not words:
        assert back == kept
    missing = len(data) - len(kept)
    assert found.left.startswith(f"{missing} byte") if missing else found.left == ""


def test_the_same_run_has_the_same_page_and_no_time():
    run = all_wrong(("decoder", "codes"))
    again = run_of(wrong, "decoder", "codes")
    assert made(run) == made(again)
    assert not re.search(r"\b20[2-9]\d-\d\d-\d\d\b", made(run_of(right)))
    assert "2031-01-02" in made(run, date="2031-01-02")


def test_scores_add_up():
    """Half of the codes wrong: the verdict is right where the codes are not."""

    def halved(case):
        if case.expected.codes and len(case.stdin) % 2:
            return Answer(1, b'{"codes": []}')
        return right(case)

    view = suite_view(run_of(halved, level="codes"))
    levels = {score.name: score for score in view.tables[0].scores}
    assert levels["verdict"].wrong == 0
    assert levels["codes"].wrong == view.wrong > 100
    kinds = next(table for table in view.tables if table.title == "By kind")
    assert sum(score.passed for score in kinds.scores) == view.passed
    assert sum(score.wrong for score in kinds.scores) == view.wrong
    rules = next(table for table in view.tables if table.title == "By rule")
    assert [score.name for score in rules.scores] == [f"C{number}" for number in range(13)]
    assert sum(group.count for group in view.groups) == view.wrong


# The command.


def pcsf(*arguments, **more):
    done = CliRunner().invoke(app, ["conformance", *map(str, arguments)], **more)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize("form", ["--html", "--markdown"])
@pytest.mark.parametrize(("command", "code"), [("true", 0), ("false", 1)])
def test_a_page_of_a_run_is_that_of_its_record(form, command, code, tmp_path):
    """One way or the other: the same page, the exit code of `run`."""
    chosen = ["--run", "valid/minimal", "--jobs", "1"]
    run = pcsf("run", *chosen, "--format", "json", "--", command)
    (tmp_path / "results.json").write_text(run.stdout)
    direct = pcsf("report", form, *chosen, "--", command)
    later = pcsf("report", form, tmp_path / "results.json")
    piped = pcsf("report", form, "-", input=run.stdout)
    assert direct.stdout == later.stdout == piped.stdout != ""
    assert {one.exit_code for one in (run, direct, later, piped)} == {code}
    target = tmp_path / "page"
    written = pcsf("report", form, tmp_path / "results.json", "-o", target)
    assert (written.exit_code, written.stdout) == (code, "")
    assert target.read_text("utf-8") == direct.stdout
    assert "chosen by" in direct.stdout


def test_the_title_and_the_date_are_as_they_are_given(tmp_path):
    path = tmp_path / "results.json"
    path.write_text(to_json(run_of(right, fits=lambda name: "minimal" in name)))
    given = ["--name", "Décodeur <2.0>", "--date", "2026-05-04"]
    page = sound(pcsf("report", "--html", path, *given).stdout)
    assert "Décodeur <2.0>" in page.text
    assert page.titles == ["Décodeur <2.0>: PCSF conformance"]
    assert "2026-05-04" in page.text
    assert "a command" in page.text  # what was run is told besides


def test_the_real_process_reports():
    """Through the interpreter, with a program that prints what a browser would obey."""
    said = "print('<b>no</b>\\x1b[1m'); raise SystemExit(1)"
    command = [
        "report",
        "--html",
        "--run",
        "valid/minimal/n*",
        "--",
        sys.executable,
        "-S",
        "-c",
        said,
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pcsf_lark", "conformance", *command],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert "<b>no</b>\\x1b[1m" in sound(done.stdout.decode()).text


def test_without_the_extra_nothing_runs_and_the_mend_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    mark = tmp_path / "ran"
    done = pcsf("report", "--html", "--run", "valid/minimal", "--", "touch", mark)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pip install 'pcsf-lark[html]'" in done.stderr
    assert not mark.exists()
    assert pcsf("report", "--markdown", "--run", "valid/minimal", "--", "true").exit_code == 0


RECORD = to_json(run_of(right, fits=lambda name: "minimal" in name))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["report"], "RESULTS.json | -- COMMAND"),
        (["report", "{}/good.json"], "--html or --markdown"),
        (["report", "--html", "--markdown", "{}/good.json"], "--html or --markdown"),
        (["report", "--html", "{}/none.json"], "none.json: No such file"),
        (["report", "--html", "{}/folder.json"], "folder.json: is a folder"),
        (["report", "--html", "{}/bad.json"], "bad.json: is no JSON"),
        (["report", "--html", "{}/sarif.json"], "sarif.json: is no record of a run"),
        (["report", "--html", "{}/latin.json"], "latin.json: cases is 3"),
        (["report", "--html", "--level", "codes", "{}/good.json"], "is the record of a run"),
        (["report", "--html", "--run", "valid", "{}/good.json"], "is the record of a run"),
        (["report", "--html", "--jobs", "3", "{}/good.json"], "is the record of a run"),
        (["report", "--html", "--date", "tomorrow", "{}/good.json"], "YYYY-MM-DD"),
        (["report", "--html", "--date", "2026-13-01", "{}/good.json"], "YYYY-MM-DD"),
        (["report", "--html", "-o", "{}/no/such/folder", "{}/good.json"], "not written"),
        (["report", "--html", "-o", "{}/good.json", "{}/good.json"], "good.json is what is shown"),
        (["report", "--html", "--run", "no-such-*", "--", "true"], "no case is selected"),
        (["report", "--html", "--run", "valid/minimal", "--", "/no/such"], "No such file"),
        (["report", "--html", "--timeout", "nan", "--", "true"], "0.01 to 3600"),
        (["report", "--html", "--as", "encoder", "--level", "tree", "--", "x"], "for decoders"),
    ],
)
def test_mistakes_in_the_call_of_report(arguments, says, tmp_path):
    (tmp_path / "good.json").write_text(RECORD)
    (tmp_path / "bad.json").write_text(RECORD[:-9])
    (tmp_path / "sarif.json").write_text('{"version": "2.1.0", "runs": []}')
    (tmp_path / "latin.json").write_bytes(b'{"title": "\xe9", "cases": 3}')
    (tmp_path / "folder.json").mkdir()
    done = pcsf(*[one.replace("{}", str(tmp_path)) for one in arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert (tmp_path / "good.json").read_text() == RECORD


def test_a_file_that_is_no_record_for_its_length_is_not_read_whole(tmp_path, monkeypatch):
    from pcsf_lark.faces.cli.conformance import reporting

    monkeypatch.setattr(reporting, "_MOST", len(RECORD))
    (tmp_path / "good.json").write_text(RECORD)
    (tmp_path / "long.json").write_text(RECORD + " ")
    assert pcsf("report", "--html", tmp_path / "good.json").exit_code == 0
    done = pcsf("report", "--html", tmp_path / "long.json")
    assert done.exit_code == 2
    assert f"is longer than {len(RECORD):,} bytes" in done.stderr


def test_the_picture_beside_the_page_of_the_suite_is_there():
    folder = Path(__file__).parents[2] / "pcsf_lark" / "conformance"
    named = re.findall(r"!\[[^]]+\]\(([^)]+\.png)\)", (folder / "README.md").read_text("utf-8"))
    assert named
    for name in named:
        data = (folder / name).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert len(data) < 150_000


def test_json_of_a_run_keeps_what_it_had():
    """Programs that read it before answers were kept still find what they look for."""
    found = json.loads(
        pcsf("run", "--format", "json", "--run", "valid/minimal", "--", "false").stdout
    )
    assert {"title", *RESULTS, "cases"} <= set(found)
    for case in found["cases"]:
        assert {"name", "result", "detail", "spec", "seconds"} <= set(case)
        assert case["answer"]["exit"] == 1
