"""`pcsf ast`: a capsule's tree, for programs and for the eye."""

from __future__ import annotations

import enum
import json
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.api import check_source, parse_source
from pcsf_lark.emit import to_json
from pcsf_lark.faces.cli.options import OnePath, Profile, ProfileOption, StdinName
from pcsf_lark.faces.cli.terminal import say, trouble
from pcsf_lark.faces.files import STDIN, Trouble, read
from pcsf_lark.report.json import as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule, Node

__all__ = ["command"]


class Tree(enum.StrEnum):
    """How the tree is shown."""

    json = "json"
    tree = "tree"


def command(
    path: OnePath,
    *,
    output: Annotated[
        Tree, typer.Option("--format", help="Print the tree in this form.")
    ] = Tree.json,
    profile: ProfileOption = Profile.interop,
    stdin_filename: StdinName = None,
) -> None:
    """Print a capsule's tree, or what is wrong where it has none, and exit 1 then.

    What is wrong is one object, as `pcsf check --format json` lists them.

    Examples:
        # Hand a capsule to a program.
        pcsf ast capsule.pcsf
        #=> {
        # Look at its tree.
        pcsf ast capsule.pcsf --format tree
        #=> capsule v1.2 spaced ...
    """
    try:
        source = read(path)
    except Trouble as error:
        trouble(error)
    report = check_source(source, profile=profile.value)
    if not report.conformant:
        name = (stdin_filename or STDIN) if path == STDIN else path
        say(json.dumps(as_object(name, report), indent=1))
        raise typer.Exit(1)
    capsule = parse_source(source, profile=profile.value)
    if output is Tree.json:
        say(json.dumps(to_json(capsule), indent=1))
    else:
        say("\n".join(_tree(capsule)))


def _tree(capsule: Capsule) -> Iterator[str]:
    yield f"capsule {capsule.version} {capsule.layout} {capsule.size} bytes"
    for node in (capsule.meta, capsule.chain, capsule.integrity):
        if node:
            yield from _node(node, "  ")
    for key, entries in capsule.layers:
        yield f"  {key}"
        for entry in entries:
            yield from _node(entry, "    ")
    yield from _node(capsule.seed, "  ")


def _node(node: Node, indent: str) -> Iterator[str]:
    at = f"  {node.span.line}:{node.span.column}" if node.span else ""
    yield f"{indent}{type(node).__name__}{at}"
    for name, value in zip(node.FIELDS, node.values, strict=True):
        yield f"{indent}  {name}: {value}"
