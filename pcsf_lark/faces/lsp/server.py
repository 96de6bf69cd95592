"""The server itself: its session, its wire, and what it tells without being asked.

Laws of this file: a fault in one request is that request's error and no
other's. The text is taken whole at every change: a capsule is short, and
nothing can then be out of step.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter

from pcsf_lark.faces.lsp.session import Session
from pcsf_lark.faces.lsp.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.faces.lsp.documents import Document
    from pcsf_lark.faces.lsp.judging import Judge

__all__ = ["Server"]


class Server(LanguageServer):
    """A language server with its session."""

    def __init__(self, judge: Judge) -> None:
        super().__init__(
            "pcsf",
            version("pcsf-lark"),
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=_Protocol,
            converter_factory=default_converter,
        )
        self.session = Session(judge, self._publish, self.complain)
        #: Whether the editor said goodbye before it left.
        self.told_to_stop = False

    @property
    def encoding(self) -> str:
        """What the client's positions count."""
        return str(self.server_capabilities.position_encoding or "utf-16")

    def wire(self, document: Document) -> Wire:
        """The form that answers about a document take."""
        return Wire(document, self.encoding, self.client_capabilities)

    def _publish(self, document: Document, findings: Sequence[Diagnostic]) -> None:
        wire = self.wire(document)
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(
                document.uri, [wire.diagnostic(one) for one in findings], document.version
            )
        )

    def complain(self, text: str) -> None:
        """Show the writer what keeps the server from its work."""
        shown = types.ShowMessageParams(types.MessageType.Warning, f"pcsf: {text}")
        self.window_show_message(shown)

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 - pygls names it
        """Tell of a fault of ours; what a request did wrong is its answer already."""
        if isinstance(error, JsonRpcException) and not isinstance(error, JsonRpcInternalError):
            return
        what = f"pcsf: a fault of pcsf itself, please report it: {type(error).__name__}: {error}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, what))


class _Protocol(LanguageServerProtocol):
    """Answers requests that cannot be read, too: an editor would wait for them."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise
