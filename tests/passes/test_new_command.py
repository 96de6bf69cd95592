"""`pcsf new`: a form to fill in, or a capsule completed from JSON."""

import pytest
from typer.testing import CliRunner

import pcsf_lark
from pcsf_lark.faces.cli import app
from pcsf_lark.rules._rule import BASE


def new(*arguments, stdin=None):
    done = CliRunner().invoke(app, ["new", *arguments], input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def test_new_is_a_conformant_form():
    code, out, _ = new("--now", "2026-01-02T03:04Z")
    assert code == 0
    report = pcsf_lark.check(out)
    assert report.conformant
    capsule = pcsf_lark.parse(out)
    assert capsule.meta.timestamp == "2026-01-02T03:04Z"
    assert all(len(entries) == 1 for _, entries in capsule.layers)
    assert pcsf_lark.conformant(new()[1])


FROM_JSON = [
    ('{"meta": {"topic": "t", "domain": "d"}, "seed": "One"}', 0, "META: t | d | WORKING | 2026-01-02T03:04Z"),
    ('{"meta": {"topic": "t", "domain": "d"}, "seed": "One", "L4": [{"dimension": "STYLE", "state": "s"}]}', 0, "STYLE: s"),
    ('{"meta": {"topic": "t", "domain": "d", "depth": "DEEP"}, "seed": "One", "integrity": {}}', 0, "INTEGRITY: "),
    ('{"meta": {"topic": "t", "domain": "d"}}', 1, "seed"),
    ('{"seed": "One"}', 1, "meta"),
    ('{"meta": {"topic": "t", "domain": "d"}, "seed": "One", "layers": []}', 1, "layers"),
    ('{"meta": {"topic": "t", "domain": "d"}, "seed": "One. Two. Three."}', 1, "C9"),
    ('{"meta": {"topic": "t", "domain": "d"}, "seed": "%s"}' % ("x" * 1300), 1, "C2"),
    ('{"meta": {"topic": "t", "domain": "d"}, "seed": "One", "seed": "Two"}', 1, "twice"),
    ('{"meta": {"topic": "t", "topic": "u", "domain": "d"}, "seed": "One"}', 1, "twice"),
    ('{"meta": {"topic": "\\ud800", "domain": "d"}, "seed": "One"}', 1, "C1"),
    ('{"meta": {"topic": "t", "domain": "d"}, "seed": NaN}', 1, "seed"),
    ('{"meta": %s}' % ("9" * 5000), 1, "integer string"),
    (BASE, 1, "pcsf ast"),
    ("\x00", 1, "line 1"),
    ("", 1, "line 1"),
    ("null", 1, "object"),
    (" " * 1_100_000, 1, "1,048,576 bytes"),
    ("[]", 1, "object"),
    ("{", 1, "line 1"),
    ("[" * 100_000, 1, "nested"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "part"), FROM_JSON, ids=range(len(FROM_JSON)))
def test_new_from_json(text, code, part):
    found, out, err = new("--from-json", "-", "--now", "2026-01-02T03:04Z", stdin=text)
    assert found == code
    assert part in (out if code == 0 else err)
    assert pcsf_lark.conformant(out) == (code == 0)
