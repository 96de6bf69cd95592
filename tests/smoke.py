"""Run by tools/smoke against an installed wheel, alone in an empty folder."""

import json
import pathlib
import subprocess
import sys

import cso
import kernel
import pcsf_lark
from pcsf_lark import resources
from pcsf_lark.rules._rule import BASE


def pcsf(*arguments, stdin=b""):
    """Run the installed command; exit code and stdout."""
    done = subprocess.run(["pcsf", *arguments], input=stdin, capture_output=True, check=False)
    if b"Traceback" in done.stderr:
        raise AssertionError(done.stderr.decode())
    return done.returncode, done.stdout


def main():
    """Use every part once; raises where something is not as it should be."""
    here = pathlib.Path.cwd()
    for package in (pcsf_lark, cso, kernel):
        home = pathlib.Path(package.__file__)
        assert "site-packages" in home.parts, f"{home} is not the installed one"
        assert (home.parent / "py.typed").is_file()
    valid = sorted((resources.corpus() / "valid").rglob("*.pcsf"))
    assert len(valid) > 100
    for path in valid:
        assert pcsf_lark.conformant(path.read_bytes()), path
    # Through Lark and the shipped grammar: a malformed line is explained.
    (finding,) = pcsf_lark.check(BASE.replace("hops=1", "hops=one")).findings
    assert finding.code == "C12"
    assert "expected digits" in finding.message
    assert json.loads(resources.grammar("export/ast.schema.json"))["title"]

    capsule = valid[0].read_bytes()
    (here / "one.pcsf").write_bytes(capsule)
    assert pcsf("check", "one.pcsf")[0] == 0
    assert pcsf("check", "-", stdin=capsule + b"\n")[0] == 1
    assert pcsf("check", "missing.pcsf")[0] == 2
    code, tree = pcsf("ast", "one.pcsf")
    assert code == 0
    assert pcsf("emit", "-", stdin=tree) == (0, pcsf_lark.format(capsule))
    assert pcsf("show", "one.pcsf")[0] == 0
    assert pcsf("show", "--markdown", "one.pcsf")[1].startswith(b"## ")
    # The templates are there; what fills them is an extra.
    pages = pathlib.Path(pcsf_lark.__file__).parent / "faces/pages/templates"
    assert {"page.html", "page.css", "show.html"} <= {path.name for path in pages.iterdir()}
    assert pcsf("show", "--html", "one.pcsf") == (2, b"")
    assert pcsf("explain", "C7")[0] == 0
    assert pcsf("--version")[1].startswith(b"pcsf ")
    done = subprocess.run(
        [sys.executable, "-m", "pcsf_lark", "rules"], capture_output=True, check=True
    )
    assert b"C12" in done.stdout
    # Pygments comes with rich; the lexer is found by its entry point.
    done = subprocess.run(
        [sys.executable, "-m", "pygments", "-l", "pcsf", "-f", "raw", "one.pcsf"],
        capture_output=True,
        check=True,
    )
    assert b"Token.Keyword.Namespace" in done.stdout
    assert b"Token.Error" not in done.stdout
    print(f"smoke: {len(valid)} capsules read by the installed wheel")  # noqa: T201 - its report


if __name__ == "__main__":
    main()
