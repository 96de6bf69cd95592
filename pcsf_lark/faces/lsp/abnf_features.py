"""What can be asked of a rule name in a grammar, and who answers.

Laws of this file: as in ``features``, whose table takes these in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from pcsf_lark.faces.lsp import abnf_renaming
from pcsf_lark.faces.lsp.answers import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pcsf_lark.faces.lsp.abnf_names import Name
    from pcsf_lark.faces.lsp.server import Server
    from pcsf_lark.faces.lsp.session import Read

__all__ = ["FEATURES"]


def _place(server: Server, params: Any) -> tuple[Read, int] | None:
    """The grammar that is asked about and the character in it; None where it is no grammar."""
    read = server.session.grammar(params.text_document.uri)
    if read is None:
        return None
    byte = server.wire(read.document).offset(params.position)
    return read, read.document.text.character(byte)


def _stretches(read: Read, names: Iterable[Name]) -> list[tuple[int, int]]:
    """Where names stand, in bytes."""
    text = read.document.text
    return [(text.byte(name.start), text.byte(name.end)) for name in names]


def _places(server: Server, params: Any, wanted: str) -> list[types.Location] | None:
    place = _place(server, params)
    name = place and place[0].grammar.at(place[1])
    if place is None or name is None:
        return None
    read = place[0]
    wire = server.wire(read.document)
    found = getattr(read.grammar, wanted)(name.name)
    return [wire.location(*stretch) for stretch in _stretches(read, found)]


def _definition(server: Server, params: types.DefinitionParams) -> list[types.Location] | None:
    return _places(server, params, "definitions")


def _references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    wanted = "occurrences" if params.context.include_declaration else "uses"
    return _places(server, params, wanted)


def _highlights(
    server: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    place = _place(server, params)
    name = place and place[0].grammar.at(place[1])
    if place is None or name is None:
        return None
    read = place[0]
    found = read.grammar.occurrences(name.name)
    kinds = types.DocumentHighlightKind
    wire = server.wire(read.document)
    return [
        types.DocumentHighlight(wire.area(*stretch), kinds.Write if one.defines else kinds.Read)
        for one, stretch in zip(found, _stretches(read, found), strict=True)
    ]


def _prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.Range | None:
    place = _place(server, params)
    if place is None or place[0].grammar.at(place[1]) is None:
        return None
    read, at = place
    try:
        name = abnf_renaming.renames(read.grammar, at)
    except abnf_renaming.RenameError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    return server.wire(read.document).area(*_stretches(read, [name])[0])


def _rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    place = _place(server, params)
    if place is None:
        return None
    read, at = place
    new = params.new_name
    try:
        found = abnf_renaming.renamed(read.grammar, at, new)
    except abnf_renaming.RenameError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    changes = (Change(*stretch, new) for stretch in _stretches(read, found))
    return server.wire(read.document).workspace_edit(changes)


#: Each method with its handler and what is said of it beforehand.
FEATURES: tuple[tuple[str, Callable[[Server, Any], Any], Any], ...] = (
    (types.TEXT_DOCUMENT_DEFINITION, _definition, None),
    (types.TEXT_DOCUMENT_REFERENCES, _references, None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, _highlights, None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, _prepare_rename, None),
    (types.TEXT_DOCUMENT_RENAME, _rename, types.RenameOptions(prepare_provider=True)),
)
