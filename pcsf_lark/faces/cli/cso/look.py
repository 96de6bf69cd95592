"""`pcsf cso check`, `explain`, `graph` and `show`: nothing is changed."""

from __future__ import annotations

import enum
from typing import Annotated

import typer
from attrs import asdict

from pcsf_lark.faces.cli.cso.common import (
    answered,
    harmless_json,
    print_json,
    print_text,
)
from pcsf_lark.faces.cli.cso.options import (
    File,
    Ident,
    Shape,
    ShapeOption,
)

__all__ = ["check", "explain", "graph", "show"]

#: Codes of findings that are worth a look and no fault.
_NOTE = "note-"
#: More characters than any prompt has.
_AMPLE = 10**9


class Drawing(enum.StrEnum):
    """How a graph is drawn."""

    text = "text"
    json = "json"
    mermaid = "mermaid"
    dot = "dot"


def check(
    path: File,
    *,
    lenient: Annotated[
        bool,
        typer.Option("--lenient", help="Accept unknown members, and ids and tags of other forms."),
    ] = False,
    shape: ShapeOption = Shape.text,
) -> None:
    """List what is wrong with an object; notes alone exit 0.

    Examples:
        # Judge an object before it is signed; nothing is said of a sound one.
        pcsf cso check state.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        try:
            found = cso.check(read_object(path, strict=not lenient))
        except cso.ContentError as error:
            found = error.findings
        if shape is Shape.json:
            print_json({"path": path, "findings": [asdict(finding) for finding in found]})
        else:
            for finding in found:
                print_text(f"{path}: {finding}")
        raise typer.Exit(int(any(not finding.code.startswith(_NOTE) for finding in found)))


def explain(
    path: File,
    name: Ident,
    *,
    shape: ShapeOption = Shape.text,
) -> None:
    """Trace an item through all it rests on, down to tool results.

    Examples:
        # Ask why a decision was taken.
        pcsf cso explain state.json d1
        #=> decision d1: Keep the queue (40 ms will do)
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object
    from pcsf_lark.faces.cso.telling import explained, explanation

    with answered(path):
        found = cso.explain(read_object(path), name)
        if shape is Shape.json:
            print_json(explained(found))
        else:
            print_text("\n".join(explanation(found)))


def graph(
    path: File,
    *,
    shape: Annotated[
        Drawing,
        typer.Option("--format", help="Draw it so: for a terminal, a program, or another tool."),
    ] = Drawing.text,
) -> None:
    """Draw who rests on whom.

    Examples:
        # Draw the graph in a page of Markdown.
        pcsf cso graph state.json --format mermaid
        #=> flowchart BT
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        drawn = cso.draw(read_object(path), shape.value)
        if shape is Drawing.json:
            drawn = harmless_json(drawn)
        print_text(drawn, verbatim=shape is not Drawing.text)


def show(
    path: File,
    *,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Cut it to this many characters, and say what is cut. Default: all.",
            show_default=False,
        ),
    ] = None,
    shape: ShapeOption = Shape.text,
) -> None:
    """Print an object as a prompt would have it: goal and constraints are never cut.

    Examples:
        # Read a state.
        pcsf cso show state.json
        #=> Goal (AGENTIC): Build the index
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        value = read_object(path)
        page = cso.render(value, _AMPLE if budget is None else budget)
        if shape is Shape.json:
            print_json(
                {
                    "cso_id": value.cso_id,
                    "window_number": value.window_number,
                    "signed": bool(value.cso_hmac),
                    "verified": value.verified,
                    "text": page.text,
                    "size": page.size,
                    "left_out": {name: list(ids) for name, ids in page.left_out.items()},
                    "over": page.over,
                }
            )
        else:
            print_text(page.text, verbatim=True)
