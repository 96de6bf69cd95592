"""Answers in the protocol's form: offsets become lines and characters, words its numbers.

Laws of this file: nothing is decided here. A client that cannot show Markdown
or nested symbols, as it said when it came, gets plain text and flat ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.lsp.documents import Replacement
from pcsf_lark.faces.lsp.painting import COLOURS
from pcsf_lark.faces.lsp.positions import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.faces.lsp.answers import Action, Change, Fold, Hover, Item, Lens, Symbol
    from pcsf_lark.faces.lsp.documents import Document
    from pcsf_lark.faces.lsp.painting import Piece

__all__ = ["Wire", "replacements"]

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_ITEMS = {
    "line": types.CompletionItemKind.Keyword,
    "value": types.CompletionItemKind.EnumMember,
    "rule": types.CompletionItemKind.Function,
}
_SYMBOLS = {
    "layer": types.SymbolKind.Namespace,
    "entry": types.SymbolKind.String,
    "field": types.SymbolKind.Field,
    "rule": types.SymbolKind.Function,
}
#: Editors show what carries this tag faded.
_FADED = {"G106"}
_MARKS = re.compile(r"\*\*|^```.*\n?|`|^---$", re.MULTILINE)


def replacements(changes: Iterable[types.TextDocumentContentChangeEvent]) -> list[Replacement]:
    """What an editor says it changed."""
    found = []
    for change in changes:
        area = getattr(change, "range", None)
        if area is None:
            found.append(Replacement(change.text))
        else:
            ends = (Place(at.line, at.character) for at in (area.start, area.end))
            found.append(Replacement(change.text, *ends))
    return found


class Wire:
    """Puts what concerns one document into the protocol's form."""

    def __init__(self, document: Document, encoding: str, client: types.ClientCapabilities) -> None:
        self._document = document
        self._encoding = encoding
        abilities = client.text_document or types.TextDocumentClientCapabilities()
        shown = abilities.hover and abilities.hover.content_format
        self._plain = bool(shown) and types.MarkupKind.Markdown not in (shown or ())
        symbols = abilities.document_symbol
        self._nested = bool(symbols and symbols.hierarchical_document_symbol_support)

    def offset(self, position: types.Position) -> int:
        """The byte at a position."""
        return self._document.text.offset(position.line, position.character, self._encoding)

    def area(self, start: int, end: int) -> types.Range:
        """The range of a stretch of bytes."""
        text, encoding = self._document.text, self._encoding
        first, last = text.place(start, encoding), text.place(end, encoding, up=True)
        return types.Range(types.Position(*first), types.Position(*last))

    def location(self, start: int, end: int) -> types.Location:
        """The same with the document's address."""
        return types.Location(self._document.uri, self.area(start, end))

    def edit(self, change: Change) -> types.TextEdit:
        """A change to the text."""
        return types.TextEdit(self.area(change.start, change.end), change.text)

    def diagnostic(self, finding: Diagnostic) -> types.Diagnostic:
        """A finding."""
        return types.Diagnostic(
            range=self.area(finding.span.offset, finding.span.end),
            message=f"{finding.message}\n{finding.help}" if finding.help else finding.message,
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            source=f"pcsf {finding.name}",
            tags=[types.DiagnosticTag.Unnecessary] if finding.code in _FADED else None,
        )

    def hover(self, found: Hover) -> types.Hover:
        """What is said of a stretch."""
        kind = types.MarkupKind.PlainText if self._plain else types.MarkupKind.Markdown
        text = _MARKS.sub("", found.text) if self._plain else found.text
        return types.Hover(types.MarkupContent(kind, text), self.area(found.start, found.end))

    def items(self, found: Iterable[Item]) -> list[types.CompletionItem]:
        """Completions, in the order they come."""
        return [
            types.CompletionItem(
                label=item.label,
                kind=_ITEMS[item.kind],
                detail=item.detail,
                sort_text=f"{number:04}",
                filter_text=item.change.text.lstrip(),
                text_edit=self.edit(item.change),
            )
            for number, item in enumerate(found)
        ]

    def lens(self, found: Lens) -> types.CodeLens:
        """A remark above a line; it leads nowhere."""
        return types.CodeLens(self.area(found.start, found.start), types.Command(found.title, ""))

    def fold(self, found: Fold) -> types.FoldingRange:
        """A stretch that can be closed."""
        area = self.area(found.start, found.end)
        kind = types.FoldingRangeKind.Comment if found.comment else types.FoldingRangeKind.Region
        return types.FoldingRange(area.start.line, area.end.line, kind=kind)

    def selection(self, found: Sequence[tuple[int, int]], byte: int) -> types.SelectionRange:
        """Stretches around a byte, inner ones first, each with the next one as its parent."""
        around = None
        for stretch in reversed(found):
            around = types.SelectionRange(self.area(*stretch), around)
        return around or types.SelectionRange(self.area(byte, byte))

    def colours(self, found: Iterable[Piece]) -> types.SemanticTokens:
        """Pieces as five numbers each, places counted from the piece before."""
        data: list[int] = []
        line = character = 0
        for piece in found:
            area = self.area(piece.start, piece.end)
            start, end = area.start, area.end
            if start.line != end.line or start.character >= end.character:
                continue
            character = character if start.line == line else 0
            ahead = start.line - line, start.character - character
            data += *ahead, end.character - start.character, COLOURS.index(piece.colour), 0
            line, character = start.line, start.character
        return types.SemanticTokens(data)

    def symbols(
        self, found: Iterable[Symbol]
    ) -> Sequence[types.DocumentSymbol] | Sequence[types.SymbolInformation]:
        """The document's parts."""
        if self._nested:
            return [self._symbol(symbol) for symbol in found]
        return [
            types.SymbolInformation(
                location=self.location(part.start, part.end),
                name=part.name,
                kind=_SYMBOLS[part.kind],
                container_name=whole.name if part is not whole else None,
            )
            for whole in found
            for part in (whole, *whole.children)
        ]

    def _symbol(self, found: Symbol) -> types.DocumentSymbol:
        return types.DocumentSymbol(
            name=found.name,
            detail=found.detail,
            kind=_SYMBOLS[found.kind],
            range=self.area(found.start, found.end),
            selection_range=self.area(found.name_start, found.name_end),
            children=[self._symbol(child) for child in found.children],
        )

    def action(self, found: Action, findings: Sequence[Diagnostic]) -> types.CodeAction:
        """A mend on offer; editors apply a preferred one without asking."""
        mended = None if found.finding is None else [self.diagnostic(findings[found.finding])]
        return types.CodeAction(
            title=found.title,
            kind=found.kind,
            diagnostics=mended,
            is_preferred=True if found.safe and mended else None,
            edit=self.workspace_edit(found.changes),
        )

    def workspace_edit(self, changes: Iterable[Change]) -> types.WorkspaceEdit:
        """Changes to this document alone."""
        return types.WorkspaceEdit(changes={self._document.uri: [self.edit(c) for c in changes]})
