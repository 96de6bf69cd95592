"""The record of the public surface: what a change of it is seen in.

One line for each name with its types, each attribute, each command's argument and
option, each exit code, each rule and each JSON form. Meaning and order of the source are no part
of it.
"""

from __future__ import annotations

import hashlib
import tomllib
from functools import partial
from typing import TYPE_CHECKING, Any

from apidocs.declaring import type_of
from apidocs.docstrings import ROOT
from apidocs.markdown import signature
from apidocs.public import PUBLIC
from apidocs.reading import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apidocs.reading import Name

__all__ = ["SURFACE", "change", "surface"]

SURFACE = "tests/library/surface.txt"
_SCHEMAS = "grammar/export/*.schema.json"


def surface(notice: str) -> str:
    """The record's text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [f"# {notice}", f"version {project['version']}", f"python {project['requires-python']}"]
    for module in PUBLIC:
        lines += ["", f"# {module.name}"]
        for name in names_of(module.name):
            lines += _lines(name)
    lines += ["", "# commands", *_commands(), "", "# exit codes", *_exits()]
    lines += ["", "# rules", *_rules()]
    lines += ["", "# JSON forms", *_forms(), "", "# extras and entry points"]
    lines += [f"extra {name}" for name in sorted(project["optional-dependencies"])]
    for group, entries in sorted(project["entry-points"].items()):
        lines += [f"entry point {group} {name}" for name in sorted(entries)]
    lines += [f"script {name}" for name in sorted(project["scripts"])]
    return "\n".join(lines) + "\n"


def change(old: str, new: str) -> str:
    """What to say to who changed the surface: which lines, what that may break, what to do."""
    before, after = old.splitlines(), new.splitlines()
    gone = [f"- {line}" for line in before if line not in set(after)]
    come = [f"+ {line}" for line in after if line not in set(before)]
    may = (
        "Lines went or changed: this may break a caller. If it is meant, move the second number "
        "of the version while the first is 0, else the first."
        if gone
        else "Lines came: move the last number of the version while the first is 0, else the second."
    )
    return "\n".join(
        (
            "the public surface is not the recorded one:",
            *gone,
            *come,
            may,
            "Then tell it in README.md under Changelog, and record it: python tools/generate",
        )
    )


def _lines(name: Name) -> Iterator[str]:
    declared = " ".join(signature(name).split()).replace("( ", "(").replace(", )", ")")
    yield (
        f"{name.module}.{declared}"
        if name.kind in ("function", "value")
        else (f"{name.path}: {declared}")
    )
    for one in sorted(name.members, key=lambda member: member.name):
        if one.kind == "method":
            function = " ".join(_method(one.obj, one.name).split())
            yield f"{name.path}.{function}"
        elif one.kind == "member":
            yield f"{name.path}.{one.name} = {one.default}"
        else:
            yield f"{name.path}.{one.name}: {type_of(one.obj) or '?'} ({one.kind})"


def _method(obj: Any, name: str) -> str:
    from apidocs.declaring import parameters  # noqa: PLC0415 - for these alone

    pieces = parameters(list(obj.parameters)[0 if "staticmethod" in obj.labels else 1 :])
    return f"{name}({', '.join(pieces)}) -> {obj.returns}"


def _commands() -> Iterator[str]:
    import typer  # noqa: PLC0415 - a second, for this alone

    from pcsf_lark.faces.cli import app  # noqa: PLC0415 - likewise

    def walk(command: Any, name: str) -> Iterator[str]:
        yield name
        shown = (one for one in command.params if not getattr(one, "hidden", False))
        yield from sorted(f"{name} {_parameter(one)}" for one in shown)
        if hasattr(command, "list_commands"):
            load = getattr(command, "load", None) or partial(command.get_command, None)
            for one in sorted(command.list_commands(None)):
                yield from walk(load(one), f"{name} {one}")

    yield from walk(typer.main.get_command(app), "pcsf")


def _parameter(one: Any) -> str:
    if one.param_type_name == "argument":
        return f"{one.name.upper()}{'' if one.required else '?'}{'...' if one.nargs != 1 else ''}"
    words = "/".join([*one.opts, *one.secondary_opts])
    if getattr(one, "is_flag", False):
        return words
    choices = getattr(one.type, "choices", None)
    taken = "|".join(map(str, choices)) if choices else one.type.name.upper()
    return (
        f"{words} {taken}{' (many)' if one.multiple else ''}{' (required)' if one.required else ''}"
    )


def _exits() -> Iterator[str]:
    from pcsf_lark.faces import cli  # noqa: PLC0415 - likewise

    said = (cli.__doc__ or "").split("Exit codes of every subcommand: ")[1].split(".")[0]
    yield from " ".join(said.split()).split(", ")


def _rules() -> Iterator[str]:
    from pcsf_lark.rules import all_rules  # noqa: PLC0415 - likewise

    for rule in all_rules():
        if rule.package is None:
            preview = " (preview)" if rule.preview else ""
            yield f"rule {rule.code} {rule.name} {rule.severity.value}{preview}"


def _forms() -> Iterator[str]:
    for path in sorted(ROOT.glob(_SCHEMAS)):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        yield f"{path.name} sha256:{digest}"
