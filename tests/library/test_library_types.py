"""The types of the public names, as a type checker of another project sees them."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from apidocs.docstrings import file_of
from apidocs.public import PUBLIC
from apidocs.reading import names, names_of

pytest.importorskip("mypy")

ROOT = Path(__file__).parent.parent.parent
USE = Path(__file__).parent / "typed_use.py"
CACHE = ROOT / ".mypy_cache/library"
PACKAGES = ("pcsf_lark", "cso", "kernel")

#: Where `Any` stands for a JSON value, for whatever a wire or a store keeps, and, in what
#: builds a value of the kernel, for the elements of a row, which the field's type tells.
JSON = {
    "pcsf_lark.Draft", "pcsf_lark.from_json", "pcsf_lark.to_json", "pcsf_lark.draft.Draft",
    "pcsf_lark.conformance.Expected", "pcsf_lark.relay.Notes",
    "cso.EventDraft", "cso.Event", "cso.CognitiveStateObject", "cso.from_crprotocol",
    "cso.from_members", "cso.members_of", "cso.parse_header", "cso.parse_headers",
    "cso.read_entries",
    "kernel.MessageContentStore", "kernel.Ports", "kernel.Problem", "kernel.check",
    "kernel.config_from_json", "kernel.merge_state", "kernel.message_from_json",
    "kernel.parse_compress_args", "kernel.range_from_json", "kernel.state_from_json",
    "kernel.store_from_json", "kernel.store_to_json", "kernel.to_json",
    "kernel.wire.Origin", "kernel.wire.decode", "kernel.wire.decode_value",
    "kernel.wire.detect", "kernel.wire.encode_value", "kernel.projection.Answer",
    "kernel.projection.CompactionResult", "kernel.projection.append",
    "kernel.projection.appender", "kernel.projection.before_compact",
    "kernel.projection.decode", "kernel.projection.encode", "kernel.projection.suffix_of",
    "kernel.projection.with_suffix",
}  # fmt: skip


def mypy(path: Path) -> str:
    """What mypy says of a file, strict, with no settings of ours."""
    command = [
        sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", CACHE, path,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def test_a_program_of_others_is_typed(tmp_path):
    path = tmp_path / "typed_use.py"
    path.write_bytes(USE.read_bytes())
    assert mypy(path).startswith("Success"), mypy(path)


def test_every_module_is_used():
    text = USE.read_text("utf-8")
    for module in PUBLIC:
        last = module.name.rpartition(".")[2]
        assert re.search(rf"\b{last}\b", text), module.name


#: A piece of the program to one that is wrong, and what a checker calls that.
WRONG = (
    ("span.line, int)", "span.line, str)", "assert-type"),
    ('select=["C", "Q"]', "select=1", "arg-type"),
    ("revision.result, cso", "revision.outcome, cso", "attr-defined"),
    ('"d", "other", because="f"', '"d", because="f"', "call-arg"),
)


def test_what_is_wrong_is_told(tmp_path):
    text = USE.read_text("utf-8")
    for old, new, _ in WRONG:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = tmp_path / "typed_use.py"
    path.write_text(text, "utf-8")
    said = mypy(path)
    for _, new, code in WRONG:
        number = text[: text.index(new)].count("\n") + 1
        assert re.search(rf":{number}: error: .*\[{code}\]", said), new


@pytest.fixture(scope="module")
def revealed(tmp_path_factory) -> dict[str, str]:
    """What mypy makes of every public function, constructor and value."""
    lines: list[str] = []
    places = {}
    for number, name in enumerate(names()):
        what = f"n{number}{'.__init__' if name.kind in ('class', 'exception') else ''}"
        lines += [f"from {name.module} import {name.name} as n{number}", f"reveal_type({what})"]
        places[len(lines)] = name.path
    path = tmp_path_factory.mktemp("revealed") / "revealed.py"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    said = mypy(path)
    assert "error:" not in said, said
    found = re.findall(r":(\d+): note: Revealed type is \"(.*)\"", said)
    return {places[int(line)]: what for line, what in found}


def test_every_name_has_a_type(revealed):
    assert set(revealed) == {name.path for name in names()}


@pytest.mark.parametrize("module", [module.name for module in PUBLIC])
def test_no_type_is_lost(revealed, module):
    """`Any` stands where JSON does, and nowhere else."""
    lost = {}
    for name in names_of(module):
        what = re.sub(r"typing\.(Iterable|Mapping)\[[^\]]*\bAny\]", "", revealed[name.path])
        if re.search(r"\bAny\b", what) and name.path not in JSON:
            lost[name.path] = revealed[name.path]
    assert lost == {}


def test_every_exception_to_that_is_needed(revealed):
    assert {path for path in JSON if not re.search(r"\bAny\b", revealed[path])} == set()


def test_the_packages_say_that_they_are_typed():
    for package in PACKAGES:
        assert (ROOT / package / "py.typed").is_file()


@pytest.mark.parametrize(
    "name", [one for one in names() if one.kind in ("class", "exception")], ids=lambda one: one.path
)
def test_attributes_are_declared_with_their_types(name):
    """What is set without a type is known to one checker and guessed by another."""
    tree = ast.parse(file_of(name.obj).read_text("utf-8"))
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name.obj.name)
    declared = {
        n.target.id if isinstance(n.target, ast.Name) else n.target.attr
        for n in ast.walk(body)
        if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name | ast.Attribute)
    }
    for method in body.body:
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            for node in ast.walk(method):
                targets = node.targets if isinstance(node, ast.Assign) else []
                for target in targets:
                    found = target.elts if isinstance(target, ast.Tuple) else [target]
                    for one in found:
                        if isinstance(one, ast.Attribute) and one.attr[0] != "_":
                            assert one.attr in declared, f"{name.path}.{one.attr}"
