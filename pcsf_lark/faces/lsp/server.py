"""The server itself: its session, its wire, and what it tells without being asked.

Laws of this file: a fault in one request is that request's error and no
other's. The text is taken whole at every change: a capsule is short, and
nothing can then be out of step. It ends with its editor, however that ends.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from pcsf_lark.faces.lsp.parent import alive, outlived
from pcsf_lark.faces.lsp.protocol import Frames, Protocol
from pcsf_lark.faces.lsp.session import Session
from pcsf_lark.faces.lsp.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import BinaryIO

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.faces.lsp.documents import Document
    from pcsf_lark.faces.lsp.judging import Judge

__all__ = ["Server"]


class Server(LanguageServer):
    """A language server with its session."""

    protocol: Protocol

    def __init__(self, judge: Judge) -> None:
        super().__init__(
            "pcsf",
            version("pcsf-lark"),
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
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

    def follow_editor(self) -> None:
        """End when the editor's process does, if it can be seen from here."""
        if self.process_id is not None and alive(self.process_id):
            self.session.aside(self._follow(self.process_id))

    async def _follow(self, process: int) -> None:
        await outlived(process)
        # Nobody is left to say goodbye to, and a thread waits for what nobody will send.
        os._exit(1)

    def watch(self, patterns: Iterable[str]) -> None:
        """Have the editor tell when such files change, if it can."""
        workspace = self.client_capabilities.workspace
        able = workspace and workspace.did_change_watched_files
        if not (able and able.dynamic_registration):
            return
        watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        wanted = types.RegistrationParams([types.Registration("configurations", method, options)])
        self.client_register_capability(wanted)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Tell of a fault of ours; what a request did wrong is its answer already."""
        if isinstance(error, BrokenPipeError):  # the editor has gone
            raise error
        if source is JsonRpcException:
            self.protocol.refuse_unread()
        elif not isinstance(error, JsonRpcException) or isinstance(error, JsonRpcInternalError):
            kind = type(error).__name__
            what = f"pcsf: a fault of pcsf itself, please report it: {kind}: {error}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, what))

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve until the editor leaves."""
        super().start_io(cast("BinaryIO", Frames(stdin or sys.stdin.buffer)), stdout)
