"""`pcsf grammar` as a process: translate, check, export."""

import json
import re

import forks
import pytest
from lark import Lark

from pcsf_lark.export import FORMATS, export
from pcsf_lark.report.formats import FORMATS as REPORTS


def run(*args, stdin=None):
    return forks.run(["grammar", *map(str, args)], input=stdin, text=True)


@pytest.fixture
def uri(tmp_path):
    path = tmp_path / "uri.abnf"
    path.write_text("host = 1*ALPHA\nport = 1*DIGIT\n")
    return path


def test_translate_to_lalr_with_lexical_rules(tmp_path):
    path = tmp_path / "list.abnf"
    path.write_text('list = item *("," item)\nitem = 1*ALPHA [more]\nmore = "-" 1*DIGIT\n')
    done = run("translate", path, "--start", "list", "--lexical", "item,more", "--parser", "lalr")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith('// Lark(text, parser="lalr", start="list"')
    lark = Lark(done.stdout, parser="lalr", start="list", maybe_placeholders=False)
    assert [str(token) for token in lark.parse("ab-1,c").children] == ["ab-1", "c"]


def test_translate_falls_back_and_says_why(tmp_path):
    path = tmp_path / "sum.abnf"
    path.write_text('sum = sum "+" sum / 1*DIGIT\n')
    done = run("translate", path, "--start", "sum")
    assert done.returncode == 0
    assert "note: one token of look-ahead does not decide in `sum`" in done.stderr
    assert Lark(done.stdout, parser="earley", lexer="dynamic", start="sum").parse("1+2")
    strict = run("translate", path, "--start", "sum", "--parser", "lalr")
    assert (strict.returncode, strict.stdout) == (1, "")
    assert "G212 shift-reduce" in strict.stderr


def test_translate_to_regex_and_abnf(uri):
    done = run("translate", uri, "--start", "host", "--to", "regex")
    assert re.fullmatch(done.stdout.rstrip("\n"), "abc")
    done = run("translate", "-", "--to", "abnf", stdin='a="x"/b\nb=%d65\n')
    assert done.stdout == 'a = "x" / b\nb = %x41\n'


def test_imports(tmp_path, uri):
    path = tmp_path / "http.abnf"
    path.write_text('host-line = uri-host [":" port]\nuri-host = <host, see [URI], Section 3>\n')
    alone = run("translate", path)
    assert alone.returncode == 1
    assert "undefined-rule" in alone.stderr
    done = run("translate", path, "--import", uri, "--to", "regex")
    assert re.fullmatch(done.stdout.rstrip("\n"), "ab:80")


def test_translate_looks_at_what_the_start_leads_to():
    text = 'a = <nothing>\nb = "x"\n'
    assert run("translate", "-", "--start", "b", "--to", "regex", stdin=text).stdout == "[Xx]\n"
    assert "unbound-prose" in run("translate", "-", stdin=text).stderr


@pytest.mark.parametrize("to", ["lark", "abnf"])
@pytest.mark.parametrize("text", ["a = a", 'a = "x" a', 'a = b\nb = a "x"'])
def test_translate_refuses_what_matches_nothing(text, to):
    done = run("translate", "-", "--to", to, stdin=text)
    assert (done.returncode, done.stdout) == (1, "")
    assert "G205 endless-rule: rule `a` matches no text" in done.stderr
    assert "G205" in run("check", "-", stdin=text).stdout


def test_a_file_that_is_not_utf_8_is_told_so(tmp_path):
    path = tmp_path / "latin.abnf"
    path.write_bytes(b'a = "caf\xe9"\n')
    done = run("check", path, "--format", "concise")
    assert done.returncode == 1
    assert "byte 0xE9 at offset 8" in done.stdout
    path.write_bytes('a = "x"\n'.encode("utf-16"))
    assert "UTF-16" in run("translate", path).stderr


def test_bindings():
    done = run(
        "translate", "-", "--bind", "any char=%x61-7A", "--to", "regex", stdin="a = 2<any char>\n"
    )
    assert done.stdout == "[a-z]{2}\n"
    assert run("translate", "-", "--bind", "any char", stdin='a = "x"').returncode == 2


@pytest.mark.parametrize(
    ("args", "stdin", "code", "says"),
    [
        (
            ["translate", "-", "--start", "nope"],
            'a = "x"',
            2,
            "there is no rule 'nope'; rules are a",
        ),
        (["translate", "-", "--lexical", "nope"], 'a = "x"', 2, "there is no rule 'nope'"),
        (["translate", "/nowhere/x.abnf"], "", 2, "No such file"),
        (["translate", "-", "--to", "yacc"], "", 2, "yacc"),
        (["translate", "-"], "", 1, "no-rules"),
        (["translate", "-", "--to", "regex"], 'a = "(" [a] ")"', 1, "recursive"),
        (["check", "/nowhere/x.abnf"], "", 2, "No such file"),
        (["export", "--to", "yacc"], "", 2, "yacc"),
        (["export"], "", 2, "--to"),
    ],
)
def test_trouble(args, stdin, code, says):
    done = run(*args, stdin=stdin)
    assert (done.returncode, done.stdout) == (code, "")
    assert says in done.stderr


@pytest.mark.parametrize("form", REPORTS)
def test_check_in_every_format(form):
    done = run("check", "-", "--format", form, stdin='a = b\n8c = "x"\n')
    assert done.returncode == 1
    for code in ("G001", "G101"):
        assert code in done.stdout
    if form == "json":
        (result,) = json.loads(done.stdout)
        assert [one["code"] for one in result["findings"]] == ["G101", "G001"]
        assert result["limit"] is None
        assert [one["line"] for one in result["findings"]] == [1, 2]


def test_check_places_count_bytes():
    done = run("check", "-", "--format", "json", stdin="; \u00e9\u00e9\na = \u201cx\u201d\n")
    (finding,) = json.loads(done.stdout)[0]["findings"]
    assert (finding["code"], finding["line"], finding["column"]) == ("G008", 2, 5)
    assert (finding["offset"], finding["end_column"]) == (11, 8)


def test_warnings_do_not_fail_unless_asked():
    text = 'a = a "x" / "y"\n'
    assert run("check", "-", stdin=text).returncode == 0
    assert run("check", "-", "--fail-on", "warning", stdin=text).returncode == 1
    assert run("check", "-", "--strict", stdin=text).returncode == 1


def test_the_printed_grammar(tmp_path):
    """What the specification prints: one line too many, found, named, and dropped on request."""
    from pcsf_lark import resources

    path = tmp_path / "pcsf.abnf"
    path.write_bytes(resources.grammar("pcsf.abnf").encode())
    done = run("check", path, "--format", "concise")
    assert done.returncode == 1
    assert done.stdout.count("G001") == 1
    assert "G105 core-rule-repeated" in done.stdout
    assert run("translate", path, "--repair", "--to", "regex").returncode == 0


@pytest.mark.parametrize("form", FORMATS)
def test_export(form):
    done = run("export", "--to", form, "--layout", "spaced")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == export(form, "spaced")
