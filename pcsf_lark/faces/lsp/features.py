"""What an editor can ask, and who answers.

Laws of this file: a handler looks up the document, asks a module that knows
nothing of the protocol, and puts the answer on the wire; nothing more. Of a
document that is not open nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from pcsf_lark.faces.cli.clock import utc_now
from pcsf_lark.faces.config import NAMES
from pcsf_lark.faces.lsp import (
    abnf_features,
    abnf_telling,
    actions,
    completing,
    hovering,
    lenses,
    painting,
    selecting,
    symbols,
)
from pcsf_lark.faces.lsp.documents import Document
from pcsf_lark.faces.lsp.server import Server
from pcsf_lark.faces.lsp.wire import replacements

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.faces.lsp.judging import Judge

__all__ = ["build"]


def _begun(server: Server, _params: object) -> None:
    server.follow_editor()
    server.watch([f"**/{name}" for name in NAMES])


def _opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    given = params.text_document
    server.session.forget()
    server.session.open(Document(given.uri, given.language_id, given.version, given.text))


def _changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    given = params.text_document
    changes = replacements(params.content_changes)
    server.session.change(given.uri, given.version, changes, server.encoding)


def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    server.session.close(params.text_document.uri)


def _renew(server: Server, _params: object) -> None:
    server.session.renew()


def _stopped(server: Server, _params: object) -> None:
    server.told_to_stop = True


def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    uri = params.text_document.uri
    found = None
    if judged := server.session.capsule(uri):
        wire = server.wire(judged.document)
        found = hovering.hover(judged.report, wire.offset(params.position))
    elif read := server.session.grammar(uri):
        wire = server.wire(read.document)
        at = wire.offset(params.position)
        found = abnf_telling.hover(read.document.text, read.grammar, read.report, at)
    return wire.hover(found) if found else None


def _completion(server: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
    uri = params.text_document.uri
    if (judged := server.session.capsule(uri)) and not judged.document.huge:
        wire = server.wire(judged.document)
        at = wire.offset(params.position)
        return wire.items(completing.completions(judged.report.outline, at, utc_now()))
    if read := server.session.grammar(uri):
        wire = server.wire(read.document)
        at = wire.offset(params.position)
        return wire.items(abnf_telling.completions(read.document.text, read.grammar, at))
    return []


def _lenses(server: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    judged = server.session.capsule(params.text_document.uri)
    if judged is None:
        return []
    wire = server.wire(judged.document)
    return [wire.lens(lens) for lens in lenses.lenses(judged.report)]


def _symbols(server: Server, params: types.DocumentSymbolParams) -> Any:
    uri = params.text_document.uri
    if (judged := server.session.capsule(uri)) and not judged.document.huge:
        return server.wire(judged.document).symbols(symbols.symbols(judged.report.outline))
    if read := server.session.grammar(uri):
        found = abnf_telling.symbols(read.document.text, read.grammar)
        return server.wire(read.document).symbols(found)
    return []


def _folds(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    uri = params.text_document.uri
    if (judged := server.session.capsule(uri)) and not judged.document.huge:
        wire = server.wire(judged.document)
        return [wire.fold(fold) for fold in symbols.folds(judged.report.outline)]
    if read := server.session.grammar(uri):
        wire = server.wire(read.document)
        return [wire.fold(one) for one in abnf_telling.folds(read.document.text, read.grammar)]
    return []


def _selections(
    server: Server, params: types.SelectionRangeParams
) -> list[types.SelectionRange] | None:
    uri = params.text_document.uri
    document = server.session.document(uri)
    if document is None or document.huge:
        return None
    wire = server.wire(document)
    found = []
    for at in map(wire.offset, params.positions):
        if judged := server.session.capsule(uri):
            stretches = selecting.in_capsule(judged.report.outline, at)
        elif read := server.session.grammar(uri):
            stretches = selecting.in_grammar(document.text, read.grammar, at)
        else:  # a capsule that the configuration excludes
            return None
        found.append(wire.selection(stretches, at))
    return found


def _colours(server: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    uri = params.text_document.uri
    if (judged := server.session.capsule(uri)) and not judged.document.huge:
        return server.wire(judged.document).colours(painting.in_capsule(judged.report.outline))
    if read := server.session.grammar(uri):
        found = painting.in_grammar(read.document.text, read.grammar)
        return server.wire(read.document).colours(found)
    return None


def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    judged = server.session.capsule(params.text_document.uri)
    if judged is None:
        return []
    document, plan, report = judged
    wire = server.wire(document)
    start, end = wire.offset(params.range.start), wire.offset(params.range.end)
    only = None if params.context.only is None else [str(kind) for kind in params.context.only]
    found = actions.actions(document, report, plan, (start, end), only)
    return [wire.action(action, report.findings) for action in found]


def _format(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    judged = server.session.capsule(params.text_document.uri)
    if judged is None:
        return None
    try:
        found = actions.formatted(judged.document)
    except actions.Refused as error:
        server.complain(str(error))
        return None
    wire = server.wire(judged.document)
    return [wire.edit(change) for change in found]


#: What asks for completions without being told: what ends a key, a bar, the space after them.
_TRIGGERS = ["|", " ", ":", "="]

#: Each method with its handler and what is said of it beforehand.
_FEATURES: tuple[tuple[str, Callable[[Server, Any], Any], Any], ...] = (
    (types.INITIALIZED, _begun, None),
    (types.TEXT_DOCUMENT_DID_OPEN, _opened, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, _changed, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, _closed, None),
    (types.TEXT_DOCUMENT_DID_SAVE, _renew, None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, _renew, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, _renew, None),
    (types.SHUTDOWN, _stopped, None),
    (types.TEXT_DOCUMENT_HOVER, _hover, None),
    (
        types.TEXT_DOCUMENT_COMPLETION,
        _completion,
        types.CompletionOptions(trigger_characters=_TRIGGERS),
    ),
    (types.TEXT_DOCUMENT_CODE_LENS, _lenses, types.CodeLensOptions(resolve_provider=False)),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _symbols, None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, _folds, None),
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        _actions,
        types.CodeActionOptions(code_action_kinds=[actions.QUICK_FIX, actions.FIX_ALL]),
    ),
    (types.TEXT_DOCUMENT_FORMATTING, _format, None),
    (types.TEXT_DOCUMENT_SELECTION_RANGE, _selections, None),
    (
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        _colours,
        types.SemanticTokensLegend(list(painting.COLOURS), []),
    ),
    *abnf_features.FEATURES,
)


def build(judge: Judge) -> Server:
    """A server that judges capsules so, ready to be started."""
    server = Server(judge)
    for method, handler, options in _FEATURES:
        server.feature(method, options)(_bound(server, handler))
    return server


def _bound(server: Server, handler: Callable[[Server, Any], Any]) -> Callable[[Any], Any]:
    def answer(params: Any) -> Any:
        return handler(server, params)

    answer.__name__ = handler.__name__
    return answer
