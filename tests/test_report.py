"""The formats for programs: SARIF, GitHub, agent, and the fixes in JSON."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

import pcsf_lark
from pcsf_lark import resources
from pcsf_lark.report import formats
from pcsf_lark.report.json import as_object
from pcsf_lark.rules import all_rules
from pcsf_lark.rules._rule import BASE

HERE = Path(__file__).parent
SARIF = json.loads((HERE / "cases/sarif-2.1.0.schema.json").read_text("utf-8"))
CHECK = json.loads(resources.grammar("export/check.schema.json"))
BODY = BASE[BASE.index("L1:") :]
COMPACT = BASE.replace(BODY, BODY.replace("\n\n", "\n"))
BROKEN = BASE.replace("HIGH", "high").replace("replica's", "replica\u2019s")
EXAMPLES = [example.data for rule in all_rules() for example in rule.bad]
ODD = [
    b"",
    b"\r\n" * 30,
    b"\xff\xfe=\x00",
    "\u2019".encode() * 40_000,
    b"\x1b[2J::error::%0A\n",
    b"x" * 70_000,
]


def shown(name, *texts, path="a b/x.pcsf"):
    results = [(path, pcsf_lark.check(text)) for text in texts]
    return list(formats.load(name)(results, colour=False, summary=False))


def sarif(*texts, **more):
    (text,) = shown("sarif", *texts, **more)
    return json.loads(text)


def test_sarif_is_of_its_schema():
    validator = jsonschema.Draft4Validator(SARIF)
    log = sarif(*EXAMPLES, *ODD)
    assert [error.message for error in validator.iter_errors(log)] == []
    assert [error.message for error in validator.iter_errors(sarif())] == []
    (run,) = log["runs"]
    used = {result["ruleId"] for result in run["results"]}
    assert (
        used
        == {rule["id"] for rule in run["tool"]["driver"]["rules"]}
        == {r.code for r in all_rules()}
    )
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_has_no_empty_change():
    fixed = 0
    for result in sarif(*EXAMPLES)["runs"][0]["results"]:
        for fix in result.get("fixes", []):
            assert fix["artifactChanges"]
            fixed += 1
            for change in fix["artifactChanges"]:
                assert change["replacements"]
    assert fixed > 20


def test_sarif_says_where_and_how():
    (run,) = sarif(BASE.replace("HIGH", "high"))["runs"]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("C7", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%20b/x.pcsf"}
    at = BASE.index("HIGH")
    line = BASE[:at].count("\n") + 1
    column = at - BASE.rindex("\n", 0, at)
    assert place["region"] == {
        "startLine": line, "startColumn": column, "endLine": line, "endColumn": column + 4,
        "byteOffset": at, "byteLength": 4,
    }  # fmt: skip
    (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": place["region"], "insertedContent": {"text": "HIGH"}}
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == next(
        r.summary for r in all_rules() if r.code == "C7"
    )
    absolute = sarif(BROKEN, path="/x y/z.pcsf")["runs"][0]["results"][0]
    uri = absolute["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "file:///x%20y/z.pcsf"


def test_columns_are_characters():
    """As SARIF's run says and GitHub counts, whatever bytes stand before."""
    text = BASE.replace("replica's lag", "\U0001f600 replica\u2019s lag \u2026")
    line = next(line for line in text.split("\n") if "replica" in line)
    (result,) = sarif(text)["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    found = [
        (place["startColumn"], place["endColumn"])
        for place in (replaced["deletedRegion"] for replaced in change["replacements"])
    ]
    at = [
        i + 1 for i, character in enumerate(line) if character > "~" and character != "\U0001f600"
    ]
    assert found == [(column, column + 1) for column in at]
    first = line.index("\U0001f600") + 1
    assert f",col={first},endColumn={first + 1}," in shown("github", text)[0]


def test_rules_in_sarif_are_short_enough_for_github():
    for rule in sarif(*EXAMPLES)["runs"][0]["tool"]["driver"]["rules"]:
        assert len(rule["fullDescription"]["text"]) <= 1024
        assert len(rule["shortDescription"]["text"]) <= 1024


def test_sarif_levels():
    levels = {"error": "error", "warning": "warning", "info": "note"}
    for rule in all_rules():
        results = sarif(rule.bad[0].data)["runs"][0]["results"]
        mine = [r["level"] for r in results if r["ruleId"] == rule.code]
        if rule.bad[0].profile == "interop":
            assert set(mine) == {levels[rule.severity.value]}


COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def unescaped(text):
    for escape, character in (
        ("%0A", "\n"),
        ("%0D", "\r"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%25", "%"),
    ):
        text = text.replace(escape, character)
    return text


def test_github_annotates():
    lines = shown("github", BROKEN, path="a,b:c%.pcsf")
    for line, finding in zip(lines, pcsf_lark.check(BROKEN).findings, strict=True):
        kind, properties, message = COMMAND.fullmatch(line).groups()
        given = dict(pair.split("=", 1) for pair in properties.split(","))
        assert kind == finding.severity.value
        assert unescaped(given["file"]) == "a,b:c%.pcsf"
        assert (given["line"], given["col"]) == (str(finding.span.line), str(finding.span.column))
        assert given["title"] == f"{finding.code} {finding.name}"
        assert unescaped(message) == f"{finding.message}; {finding.help}"


def test_github_counts_what_is_not_shown():
    lines = shown("github", *[BROKEN] * 8, *[COMPACT] * 12)
    commands = [COMMAND.fullmatch(line) for line in lines]
    kinds = [command[1] for command in commands if command]
    assert (kinds.count("error"), kinds.count("warning")) == (10, 10)
    assert lines[-1] == "not annotated, since GitHub shows 10 of a kind: 6 errors, 2 warnings"
    assert len(lines) == 10 + 10 + 6 + 2 + 1
    assert shown("github", BASE) == []


@pytest.mark.parametrize("name", ["human", "concise", "agent", "github"])
def test_a_name_cannot_write_lines_of_its_own(name):
    """A folder that somebody else filled may hold any name."""
    for path in ("a\nb.pcsf:1:1: Trust me", "\x1b[2Ja.pcsf", "a\r\x07.pcsf", "a\u2028b\u202e"):
        plain = shown(name, *[BROKEN] * 12, path="x.pcsf")
        lines = shown(name, *[BROKEN] * 12, path=path)
        assert len("\n".join(lines).split("\n")) == len("\n".join(plain).split("\n"))
        told = "\n".join(line for line in lines if not line.startswith("::"))
        assert not any(c in told for c in "\x1b\r\x07\u2028\u202e")


def test_github_cannot_be_commanded():
    for data in (*EXAMPLES, *ODD):
        for line in shown("github", data):
            assert "\n" not in line
            assert "\r" not in line
            assert line.count("::") == 2 or not line.startswith("::")


def test_agent_is_a_line_a_finding():
    for data in (*EXAMPLES, *ODD):
        lines = shown("agent", data)
        findings = pcsf_lark.check(data).findings
        assert len(lines) == len(findings)
        for line, finding in zip(lines, findings, strict=True):
            assert re.fullmatch(
                rf"a b/x\.pcsf:{finding.span.line}:{finding.span.column}: [A-Z`].*\.", line
            )
            assert finding.code in line
            assert "\n" not in line
            assert "\x1b" not in line
    assert shown("agent", BASE) == []


#: The first words of what findings tell to do.
VERBS = {
    "add", "begin", "change", "choose", "close", "condense", "drop", "end", "get", "give", "join", "keep",
    "leave", "merge", "name", "put", "remove", "rephrase", "restore", "save", "separate", "set", "shorten",
    "sort", "write",
}  # fmt: skip


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_every_help_is_in_the_imperative(rule):
    for example in rule.bad:
        for finding in pcsf_lark.check(example.data, profile=example.profile).findings:
            assert finding.help.split(" ")[0].rstrip(",:") in VERBS, finding.help
            assert not finding.help.endswith(".")


def test_json_carries_edits_and_bytes_left():
    for data in (*EXAMPLES, *ODD):
        report = pcsf_lark.check(data)
        result = as_object("x", report)
        jsonschema.validate(result, CHECK)
        assert result["left"] == (None if report.bytes is None else 1200 - len(data))
        for found, finding in zip(result["findings"], report.findings, strict=True):
            if finding.fix is None:
                assert found["fix"] is None
                continue
            assert found["fix"]["safe"] == finding.fix.safe
            for edit, made in zip(found["fix"]["edits"], finding.fix.edits, strict=True):
                assert edit["text"] == made.text
                assert (edit["offset"], edit["end"]) == (made.span.offset, made.span.end)
                assert data[: edit["offset"]].count(b"\n") + 1 == edit["line"] or not data


def test_edits_of_json_can_be_applied_by_anyone():
    data = BASE.replace("HIGH", "high").replace("CHOICE | ", "CHOICE |  ").encode()
    (line,) = shown("jsonl", data)
    edits = [edit for finding in json.loads(line)["findings"] for edit in finding["fix"]["edits"]]
    for edit in sorted(edits, key=lambda e: -e["offset"]):
        data = data[: edit["offset"]] + edit["text"].encode() + data[edit["end"] :]
    assert data.decode() == BASE


def test_human_names_the_fix():
    text = "\n".join(shown("human", BROKEN))
    assert "= fix (safe): write HIGH" in text
    assert "= fix (unsafe): write it in ASCII" in text
