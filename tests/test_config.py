"""Configuration: which file holds, what each key does, what is refused; and baselines."""

import json
import os

import forks
import pytest

from pcsf_lark.rules._rule import BASE

BODY = BASE[BASE.index("L1:") :]
COMPACT = BASE.replace(BODY, BODY.replace("\n\n", "\n"))
BROKEN = BASE.replace("HIGH", "URGENT")
TONE = BASE.replace("STYLE", "TONE")


def pcsf(*arguments, stdin=b"", cwd=None):
    env = {**os.environ, "COLUMNS": "100"}
    done = forks.run(map(str, arguments), input=stdin, cwd=cwd, env=env)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def codes(folder, *arguments, **more):
    """Exit code, and for each file its codes."""
    code, out, err = pcsf("check", "--format", "jsonl", *arguments, cwd=folder, **more)
    assert "Traceback" not in err
    found = {
        r["path"]: [f["code"] for f in r["findings"]] for r in map(json.loads, out.splitlines())
    }
    return code, found


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep/deeper").mkdir(parents=True)
    (tmp_path / "a.pcsf").write_text(COMPACT)
    (tmp_path / "deep/b.pcsf").write_text(TONE)
    (tmp_path / "deep/deeper/c.pcsf").write_text(BROKEN)
    return tmp_path


FILES = ("a.pcsf", "deep/b.pcsf", "deep/deeper/c.pcsf")
PLAIN = {"a.pcsf": ["V001"], "deep/b.pcsf": ["Q006"], "deep/deeper/c.pcsf": ["C7"]}

#: A configuration at the top, and what it changes: exit code, codes by file (absent: not checked).
KEYS = [
    ("", 1, {}),
    ('ignore = ["C7"]', 0, {"deep/deeper/c.pcsf": []}),
    ('select = ["V", "unknown-dimension"]', 0, {"deep/deeper/c.pcsf": []}),
    ('select = ["C"]\nfail-on = "info"', 1, {"a.pcsf": [], "deep/b.pcsf": []}),
    ('ignore = ["C7", "V"]\nfail-on = "info"', 1, {"a.pcsf": [], "deep/deeper/c.pcsf": []}),
    ('ignore = ["C7", "Q"]\nfail-on = "warning"', 1, {"deep/b.pcsf": [], "deep/deeper/c.pcsf": []}),
    ('ignore = ["C7"]\nfail-on = "warning"\n[severity]\nV001 = "info"', 0, {"deep/deeper/c.pcsf": []}),
    ('ignore = ["C7"]\n[severity]\nV = "error"', 1, {"deep/deeper/c.pcsf": []}),
    ('ignore = ["C7"]\n[severity]\nV = "error"\ncompact-layout = "info"', 0, {"deep/deeper/c.pcsf": []}),
    ('[severity]\nC7 = "warning"', 0, {}),
    ('profile = "prose"\nignore = ["C7"]', 1, {"a.pcsf": ["C0"], "deep/deeper/c.pcsf": []}),
    ('profile = "abnf"\nselect = ["C0"]', 1, {"a.pcsf": [], "deep/b.pcsf": ["C0"], "deep/deeper/c.pcsf": ["C0"]}),
    ("budget = 400\nselect = ['Q016']", 0, {"a.pcsf": ["Q016"], "deep/b.pcsf": ["Q016"], "deep/deeper/c.pcsf": []}),
    ('exclude = ["deeper"]', 0, {"deep/deeper/c.pcsf": None}),
    ('exclude = ["deep/"]', 0, {"deep/b.pcsf": None, "deep/deeper/c.pcsf": None}),
    ('exclude = ["c.pcsf"]', 0, {"deep/deeper/c.pcsf": None}),
    ('exclude = ["deep/*.pcsf"]', 1, {"deep/b.pcsf": None}),
    ('exclude = ["deep/**/*.pcsf"]', 0, {"deep/b.pcsf": None, "deep/deeper/c.pcsf": None}),
    ('exclude = ["/deeper"]', 1, {}),
    ('exclude = ["?.pcsf"]', 0, dict.fromkeys(FILES)),
    ('[per-file-ignores]\n"deeper" = ["C7"]', 0, {"deep/deeper/c.pcsf": []}),
    ('[per-file-ignores]\n"deep/**" = ["C", "Q"]', 0, {"deep/b.pcsf": [], "deep/deeper/c.pcsf": []}),
    ('[per-file-ignores]\n"a.pcsf" = ["V"]\n"*.pcsf" = ["malformed-entry"]', 0, {"a.pcsf": [], "deep/deeper/c.pcsf": []}),
]  # fmt: skip


@pytest.mark.parametrize("home", ["pcsf.toml", "pyproject.toml"])
@pytest.mark.parametrize(("text", "code", "changes"), KEYS, ids=[case[0] for case in KEYS])
def test_keys(folder, home, text, code, changes):
    if home == "pyproject.toml":
        text = "[project]\nname = 'x'\n\n[tool.pcsf]\n" + text.replace("\n[", "\n[tool.pcsf.")
        if "[tool.pcsf]\n[" in text:
            text = text.replace("[tool.pcsf]\n[", "[tool.pcsf.")
    (folder / home).write_text(text)
    expected = {path: changes.get(path, PLAIN[path]) for path in FILES}
    expected = {path: found for path, found in expected.items() if found is not None}
    assert codes(folder) == (code, expected)
    assert codes(folder, *FILES) == (code, expected), "named or found, a file is treated alike"
    assert codes(folder, "--isolated") == (1, PLAIN)


def test_the_nearest_configuration_holds(folder):
    (folder / "pcsf.toml").write_text('ignore = ["Q006", "C7"]')
    (folder / "deep/pyproject.toml").write_text("[tool.other]\nx = 1\n# pcsf is not here\n")
    (folder / "deep/deeper/pyproject.toml").write_text('[tool.pcsf]\nignore = ["V"]')
    assert codes(folder) == (1, {**PLAIN, "deep/b.pcsf": []})
    assert codes(folder / "deep/deeper", "c.pcsf") == (1, {"c.pcsf": ["C7"]})
    assert codes(folder / "deep", "b.pcsf") == (0, {"b.pcsf": []})
    (folder / "deep/deeper/pcsf.toml").write_text('ignore = ["C"]')
    assert codes(folder) == (0, {**PLAIN, "deep/b.pcsf": [], "deep/deeper/c.pcsf": []})


def test_one_configuration_for_all(folder):
    (folder / "deep/pcsf.toml").write_text('ignore = ["Q006"]')
    (folder / "mine.toml").write_text('ignore = ["C7"]')
    assert codes(folder, "--config", "mine.toml") == (0, {**PLAIN, "deep/deeper/c.pcsf": []})
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert codes(folder, "--config", "pyproject.toml") == (1, PLAIN)


def test_the_command_line_comes_first(folder):
    (folder / "pcsf.toml").write_text(
        'select = ["V"]\nfail-on = "info"\nprofile = "prose"\nignore = ["Q006"]'
    )
    nothing = {path: [] for path in FILES}
    assert codes(folder, "--select", "C7") == (1, {**nothing, "deep/deeper/c.pcsf": ["C7"]})
    assert codes(folder, "--select", "Q") == (0, nothing), "ignore of the configuration still holds"
    only = {**nothing, "a.pcsf": ["V001"]}
    assert codes(folder, "--profile", "interop") == (1, only)
    assert codes(folder, "--profile", "interop", "--fail-on", "error") == (0, only)
    assert codes(folder, "--profile", "interop", "--ignore", "V001") == (0, nothing)


def test_standard_input_goes_by_its_name(folder):
    (folder / "deep/pcsf.toml").write_text('ignore = ["C7"]')
    named = ("--stdin-filename", "deep/x.pcsf", "-")
    assert codes(folder, "-", stdin=BROKEN) == (1, {"-": ["C7"]})
    assert codes(folder, *named, stdin=BROKEN) == (0, {"deep/x.pcsf": []})


REFUSED = [
    ("selekt = []", "selekt: unknown key; did you mean 'select'?"),
    ("fail_on = 'error'", "fail_on: unknown key; did you mean 'fail-on'?"),
    ("zzz = 1", "zzz: unknown key; known are select"),
    ("select = 'C'", "select: expected an array of strings"),
    ("select = [1]", "select: expected strings"),
    ("select = ['C99']", "select: no rule has the code"),
    ("ignore = ['malformed-entri']", "did you mean 'malformed-entry'?"),
    ("exclude = 'x'", "exclude: expected an array"),
    ("fail-on = 'fatal'", "fail-on: expected one of error, warning, info, found 'fatal'"),
    ("profile = 'strict'", "profile: expected one of interop, abnf, prose"),
    ("budget = 0", "budget: expected bytes from 1 to 1,200"),
    ("budget = 1201", "budget: expected bytes"),
    ("budget = true", "budget: expected bytes"),
    ("severity = 'error'", "severity: expected a table"),
    ("[severity]\nV001 = 'loud'", "severity: 'V001': expected one of"),
    ("[severity]\nV001 = 'warn'", "found 'warn'; did you mean 'warning'?"),
    ("[severity]\nX1 = 'error'", "severity: no rule"),
    ("[per-file-ignores]\n'*' = 'C'", "per-file-ignores: '*': expected an array"),
    ("[per-file-ignores]\n'*' = ['X1']", "per-file-ignores: '*': no rule"),
    ("[rules]\nV001 = 1", "rules: unknown key; known are select"),
    (
        "[tool.pcsf]\nselect = ['C']",
        "tool: the table is for pyproject.toml; here its keys stand at the top",
    ),
    ("select = [", "not TOML"),
    (b"\xff", "not TOML"),
]


def test_a_file_may_be_named_from_anywhere(folder):
    (folder / "pcsf.toml").write_bytes(
        b'\xef\xbb\xbfexclude = ["deep/b.pcsf"]\n[per-file-ignores]\n"deep/deeper/*" = ["C7"]\n'
    )
    there = {"../deep/deeper/c.pcsf": []}
    assert codes(folder / "deep", "../deep/deeper/c.pcsf", "../deep/b.pcsf") == (0, there)
    there = {"deeper/../deeper/c.pcsf": []}
    assert codes(folder / "deep", "deeper/../deeper/c.pcsf") == (0, there)
    named = ("--stdin-filename", "../deep/deeper/x.pcsf", "-")
    assert codes(folder / "deep", *named, stdin=BROKEN) == (0, {"../deep/deeper/x.pcsf": []})


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_wrong_configuration_is_trouble(folder, text, message):
    (folder / "pcsf.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    code, out, err = pcsf("check", ".", cwd=folder)
    assert (code, out) == (2, "")
    assert "pcsf.toml: " in err
    assert message in err
    assert "Traceback" not in err


def test_a_wrong_table_of_pyproject_names_itself(folder):
    (folder / "pyproject.toml").write_text("[tool.pcsf]\nignroe = []")
    code, _, err = pcsf("check", cwd=folder)
    assert code == 2
    assert "pyproject.toml: tool.pcsf.ignroe: unknown key; did you mean 'ignore'?" in err
    code, _, err = pcsf("check", "--config", "missing.toml", cwd=folder)
    assert code == 2
    assert "missing.toml: No such file" in err


# Baselines


def test_a_baseline_pardons_what_is_there_and_nothing_new(folder):
    arguments = ("--baseline", "base.json")
    code, out, err = pcsf("check", *arguments, "--write-baseline", cwd=folder)
    assert (code, out) == (0, "")
    assert err == "wrote 3 pardons to base.json\n"
    stored = json.loads((folder / "base.json").read_text())
    assert [item["rules"] for item in stored["pardons"]] == [["V001"], ["Q006"], ["C7"]]
    nothing = {path: [] for path in FILES}
    assert codes(folder, *arguments, "--fail-on", "info") == (0, nothing)
    # A capsule that moves takes its pardon along; one that is edited loses it.
    (folder / "deep/deeper/c.pcsf").rename(folder / "moved.pcsf")
    assert codes(folder, *arguments)[0] == 0
    (folder / "moved.pcsf").write_text(BROKEN.replace("dump", "copy"))
    assert codes(folder, *arguments, "moved.pcsf") == (1, {"moved.pcsf": ["C7"]})
    # Another rule's finding on the same bytes is not pardoned.
    assert codes(folder, *arguments, "--profile", "prose", "a.pcsf") == (1, {"a.pcsf": ["C0"]})


def test_a_baseline_is_written_whole_or_not_at_all(folder):
    """Through a link, with its mode kept, and with nothing left beside it."""
    (folder / "kept").write_text("old")
    (folder / "kept").chmod(0o640)
    (folder / "link").symlink_to("kept")
    before = set(folder.iterdir())
    assert pcsf("check", "--baseline", "link", "--write-baseline", cwd=folder)[0] == 0
    assert set(folder.iterdir()) == before
    assert (folder / "link").is_symlink()
    assert (folder / "kept").stat().st_mode & 0o777 == 0o640
    assert len(json.loads((folder / "kept").read_text())["pardons"]) == 3


def test_a_baseline_of_selected_rules_alone(folder):
    pcsf("check", "--baseline", "b", "--write-baseline", "--select", "V", cwd=folder)
    assert codes(folder, "--baseline", "b") == (1, {**PLAIN, "a.pcsf": []})
    # What is pardoned is not mended either.
    assert pcsf("check", "--baseline", "b", "--fix", "a.pcsf", cwd=folder)[0] == 0
    assert (folder / "a.pcsf").read_text() == COMPACT


@pytest.mark.parametrize(
    ("arguments", "stored", "message"),
    [
        (["--write-baseline"], None, "--write-baseline needs --baseline FILE"),
        (["--baseline", "b", "--write-baseline", "--fix"], None, "neither --fix nor --diff"),
        (["--baseline", "b"], None, "b: No such file"),
        (["--baseline", "b"], "{", "b: no baseline: not JSON"),
        (["--baseline", "b"], "[]", "b: no baseline; write one"),
        (["--baseline", "b"], '{"version": 1, "pardons": [{"sha256": 1}]}', "b: no baseline"),
        (["--baseline", "none/b", "--write-baseline"], None, "none/b: not written"),
        (["--unsafe-fixes"], None, "--unsafe-fixes needs --fix or --diff"),
        (["--restamp"], None, "--restamp needs --fix or --diff"),
    ],
)
def test_what_does_not_go_together_is_trouble(folder, arguments, stored, message):
    if stored is not None:
        (folder / "b").write_text(stored)
    code, out, err = pcsf("check", *arguments, cwd=folder)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
