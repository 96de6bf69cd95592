"""Rules from other packages, installed as pip would install them."""

import json
import os

import forks
import pytest

from pcsf_lark.rules._rule import BASE

RULE = '''
"""Nobody shouts.

Capitals with a mark at their end are loud.

Write it in small letters.

Misses: shouting without a mark.
"""

from pcsf_lark import Edit, Fix, Severity
from pcsf_lark.rules import Example, Finding

CODE = "ACME001"
NAME = "shouting"
SEVERITY = Severity.WARNING
SECTION = "1"
SINCE = "1.0"
PREVIEW = {preview}
FORMER = ("loudness",)
GOOD = ()
BAD = ()


def check(subject):
    for loop in subject.capsule.loops if subject.capsule else ():
        span = loop.field_span("description")
        if loop.description.isupper():
            fix = Fix("say it softly", (Edit(span, loop.description.lower()),), safe=True)
            yield Finding(span, "this loop shouts", "write it in small letters", fix)
{more}
'''
LOUD = BASE.replace("measure replica lag", "MEASURE REPLICA LAG")


def install(site, *, point="acme = acme_rules.shouting", files=None, name="acme-rules"):
    """What `pip install` leaves of a wheel: the package and its .dist-info."""
    package = site / "acme_rules"
    package.mkdir(parents=True, exist_ok=True)
    for file, text in (files or {"__init__.py": "", "shouting.py": rule()}).items():
        (package / file).write_text(text)
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pcsf.rules]\n{point}\n")


def rule(*, preview=False, more="", **names):
    text = RULE.format(preview=preview, more=more)
    for key, value in names.items():
        text = text.replace(f'{key.upper()} = "', f'{key.upper()} = "{value}" or "')
    return text


def pcsf(site, *arguments, stdin=LOUD, **environment):
    env = {**os.environ, "PYTHONPATH": str(site), "COLUMNS": "100", **environment}
    done = forks.run(map(str, arguments), input=stdin, env=env)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def codes(site, *arguments, **more):
    _, out, _ = pcsf(site, "check", "--format", "jsonl", *arguments, "-", **more)
    return [finding["code"] for finding in json.loads(out)["findings"]]


@pytest.fixture
def site(tmp_path):
    return tmp_path / "site"


def test_a_rule_from_outside_is_a_rule(site):
    assert codes(site) == []
    install(site)
    assert codes(site) == ["ACME001"]
    assert codes(site, stdin=BASE) == []
    for selector in ("ACME001", "ACME", "shouting", "loudness"):
        assert codes(site, "--select", selector) == ["ACME001"]
        assert codes(site, "--ignore", selector) == []
    assert codes(site, "--select", "Q") == []
    assert pcsf(site, "check", "--fail-on", "warning", "-")[0] == 1
    assert "ACME001 shouting" in pcsf(site, "rules")[1]
    assert "Nobody shouts." in pcsf(site, "explain", "shouting")[1]
    assert pcsf(site, "check", "--fix", "-")[1] == BASE


def test_a_package_of_rules(site):
    second = rule(code="ACME002", name="more-shouting")
    install(
        site,
        point="acme = acme_rules",
        files={"__init__.py": "", "a.py": rule(), "b.py": second, "_helper.py": "raise SystemExit"},
    )
    assert codes(site) == ["ACME001", "ACME002"]


def test_a_rule_in_preview_runs_only_by_its_own_name(site):
    install(site, files={"__init__.py": "", "shouting.py": rule(preview=True)})
    assert codes(site) == []
    assert codes(site, "--ignore", "Q") == []
    assert codes(site, "--select", "C,Q") == []
    assert codes(site, "--select", "ACME001") == ["ACME001"]
    assert codes(site, "--select", "shouting,Q") == ["ACME001"]


UNUSABLE = {
    "no module": ({"point": "acme = acme_rules.nothing"}, "not loaded: ModuleNotFoundError"),
    "fails on import": ({"files": {"__init__.py": "", "shouting.py": "1 / 0"}}, "not loaded: ZeroDivisionError"),
    "no rule": ({"files": {"__init__.py": "", "shouting.py": "CODE = 'X1'"}}, "NAME is missing"),
    "a code that is none": ({"files": {"__init__.py": "", "shouting.py": rule(code="acme-1")}}, "a code is capitals"),
    "a code of the format": ({"files": {"__init__.py": "", "shouting.py": rule(code="C13")}}, "are the format's own"),
    "a code that is taken": ({"files": {"__init__.py": "", "shouting.py": rule(code="Q001")}}, "Q001 is taken by a rule of pcsf-lark"),
    "a name that is taken": ({"files": {"__init__.py": "", "shouting.py": rule(name="vague-reason")}}, "vague-reason is taken"),
    "fails at work": ({"files": {"__init__.py": "", "shouting.py": rule(more="    raise KeyError('x')")}}, "ACME001 of package acme-rules: it failed: KeyError"),
    "a severity in words": ({"files": {"__init__.py": "", "shouting.py": rule().replace("Severity.WARNING", "'warning'")}}, "ACME001 of package acme-rules: SEVERITY is of type str, not Severity"),
    "a code in digits": ({"files": {"__init__.py": "", "shouting.py": rule().replace('"ACME001"', "1")}}, "CODE is of type int, not str"),
    "a name in capitals": ({"files": {"__init__.py": "", "shouting.py": rule(name="ACME")}}, "a name is small letters"),
    "a check that is none": ({"files": {"__init__.py": "", "shouting.py": rule() + "\n\ncheck = 3\n"}}, "check is no function"),
    "yields no finding": ({"files": {"__init__.py": "", "shouting.py": rule(more="    yield 'loud'")}}, "it yields a str, not a Finding"),
    "yields no place": ({"files": {"__init__.py": "", "shouting.py": rule(more="    yield Finding(None, 'm', 'h')")}}, "the span of its Finding is a NoneType"),
    "ends the program": ({"files": {"__init__.py": "", "shouting.py": rule(more="    raise SystemExit(3)")}}, "it failed: SystemExit"),
}  # fmt: skip


@pytest.mark.parametrize(("package", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_rule_is_trouble_that_names_it(site, package, message):
    install(site, **package)
    code, _, err = pcsf(site, "check", "-", stdin=LOUD)
    assert code == 2
    assert message in err
    assert "acme-rules" in err


def test_a_text_that_the_grammar_refuses(site):
    install(site)
    assert codes(site, stdin=LOUD.replace("CHOICE", "choice")) == ["C7"]
