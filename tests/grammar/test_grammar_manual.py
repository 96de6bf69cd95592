"""Pages, SARIF and schema of what `pcsf grammar check` finds."""

import json

import jsonschema
import pytest
from typer.testing import CliRunner

from pcsf_lark import resources
from pcsf_lark.abnf.kinds import CODES
from pcsf_lark.faces.cli import app
from pcsf_lark.faces.grammar_manual import kind_of, manual

SCHEMA = json.loads(resources.grammar("export/grammar-check.schema.json"))
CAPSULES = json.loads(resources.grammar("export/check.schema.json"))
GRAMMARS = {
    "sound": 'a = "x"\n',
    "empty": "",
    "illegal name": "8HEXLOW = DIGIT\na = b\n",
    "left recursion": 'a = a "x" / "x"\n',
    "no UTF-8": b'a = "\xe9"\n',
}


def pcsf(*arguments, stdin=None):
    return CliRunner().invoke(app, [str(a) for a in arguments], input=stdin)


def checked(form, text):
    done = pcsf("grammar", "check", "-", "--format", form, stdin=text)
    assert done.exit_code in (0, 1), done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", CODES)
def test_every_kind_has_a_page(kind):
    code = CODES[kind]
    for name in (code, code.lower(), kind, kind.upper()):
        done = pcsf("explain", name)
        assert done.exit_code == 0
        assert done.stdout == f"{code} {kind} (`pcsf grammar check`)\n\n{manual(code)}\n"
        assert kind_of(name) == kind
    first, _, rest = manual(code).partition("\n\n")
    assert first.endswith(".")
    assert rest.endswith(".")
    assert "\n" not in first + rest


@pytest.mark.parametrize(
    ("name", "says"),
    [("G", "G001 illegal-rule-name"), ("G999", "G217 not-checked"), ("g1", "G101 undefined-rule")],
)
def test_names_that_stand_for_none(name, says):
    done = pcsf("explain", name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert kind_of(name) is None


@pytest.mark.parametrize("name", GRAMMARS)
def test_reports_are_of_their_schema(name):
    for result in checked("json", GRAMMARS[name]):
        jsonschema.validate(result, SCHEMA)
        assert result["conformant"] == (name in ("sound", "left recursion"))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(result, CAPSULES)


def test_a_report_on_a_capsule_is_of_the_other_schema():
    (result,) = json.loads(pcsf("check", "-", "--format", "json", stdin="x").stdout)
    jsonschema.validate(result, CAPSULES)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(result, SCHEMA)


def test_sarif_carries_the_pages():
    (run,) = checked("sarif", GRAMMARS["illegal name"])["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} >= {"G001", "G101"}
    for rule in rules:
        page = manual(rule["id"])
        assert rule["fullDescription"]["text"] == rule["help"]["text"] == page
        assert rule["shortDescription"]["text"] == page.partition("\n")[0]
