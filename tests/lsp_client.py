"""An editor for tests: pygls's own client, talking to a real `pcsf lsp` over its pipes.

The client lives in a thread with an event loop; tests ask and wait. The server is a fork
(`forks.py`) unless it shall begin anew.
"""

import asyncio
import contextlib
import itertools
import os
import threading

import forks
from lsprotocol import types
from pygls.lsp.client import LanguageClient

#: Longer than anything takes on a busy machine.
PATIENCE = 60


class Editor:
    """A session: documents opened and changed, requests answered, what was published kept."""

    def __init__(
        self, *arguments, cwd=None, capabilities=None, environment=None, process=None, anew=False
    ):
        self.published = {}
        self.messages = []
        self.registrations = []
        self._news = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.client = LanguageClient("tests", "1")
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda one: self._told(one))  # noqa: PLW0108 - it is given attributes
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda one: self._heard(one.message))
        self.client.feature(types.WINDOW_LOG_MESSAGE)(lambda one: self._heard(one.message))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda one: self._register(one))  # noqa: PLW0108 - likewise
        self._wait(
            self.client.start_io(
                *(forks.COMMAND if anew else forks.command()),
                *("lsp", *arguments),
                cwd=cwd,
                env={**os.environ, **(environment or {})},
            )
        )
        given = types.InitializeParams(
            capabilities or types.ClientCapabilities(), process_id=process
        )
        self.server = self.ask("initialize", given).capabilities
        self.client.initialized(types.InitializedParams())

    def _wait(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    def _told(self, params):
        with self._news:
            self.published.setdefault(params.uri, []).append(params)
            self._news.notify_all()

    def _heard(self, text):
        with self._news:
            self.messages.append(text)
            self._news.notify_all()

    def _register(self, params):
        with self._news:
            self.registrations += params.registrations
            self._news.notify_all()

    def registered(self, method):
        """Wait until the server wants to be told of something."""
        with self._news:
            wanted = lambda: any(one.method == method for one in self.registrations)  # noqa: E731
            assert self._news.wait_for(wanted, PATIENCE)

    def ask(self, method, params=None):
        """A request's answer; raises JsonRpcException for an error."""

        async def send():
            return await self.client.protocol.send_request_async(method, params)

        return self._wait(send())

    def tell(self, method, params=None):
        async def send():
            self.client.protocol.notify(method, params)

        self._wait(send())

    def open(self, uri, text, language="pcsf", version=1):
        document = types.TextDocumentItem(uri, language, version, text)
        self.tell("textDocument/didOpen", types.DidOpenTextDocumentParams(document))

    def change(self, uri, version, *changes):
        """Change an open document; a string is its whole new text."""
        parts = [
            types.TextDocumentContentChangeWholeDocument(one) if isinstance(one, str) else one
            for one in changes
        ]
        which = types.VersionedTextDocumentIdentifier(version, uri)
        self.tell("textDocument/didChange", types.DidChangeTextDocumentParams(which, parts))

    def close(self, uri):
        which = types.TextDocumentIdentifier(uri)
        self.tell("textDocument/didClose", types.DidCloseTextDocumentParams(which))

    def findings(self, uri, version=1):
        """What was published of a document's version, waiting for it."""
        with self._news:
            assert self._news.wait_for(
                lambda: any(one.version == version for one in self.published.get(uri, ())), PATIENCE
            )
            return next(
                o for o in reversed(self.published[uri]) if o.version == version
            ).diagnostics

    def settled(self, uri, codes, version=1):
        """Wait until these, and no others, are the findings published last of a version."""

        def last():
            told = [one for one in self.published.get(uri, ()) if one.version == version]
            return [one.code for one in told[-1].diagnostics] if told else None

        with self._news:
            assert self._news.wait_for(lambda: last() == list(codes), PATIENCE), (last(), codes)
            return self.published[uri][-1].diagnostics

    def heard(self, text):
        """Wait for a message that holds a text."""
        with self._news:
            return self._news.wait_for(
                lambda: any(text in message for message in self.messages), PATIENCE
            )

    def at(self, method, uri, line, character, **more):
        """A request about a place of a document."""
        where = {
            "text_document": types.TextDocumentIdentifier(uri),
            "position": types.Position(line, character),
        }
        return self.ask(method, types.METHOD_TO_TYPES[method][2](**where, **more))

    def about(self, method, uri, **more):
        """A request about a document."""
        document = types.TextDocumentIdentifier(uri)
        return self.ask(method, types.METHOD_TO_TYPES[method][2](text_document=document, **more))

    def actions(self, uri, area=None, only=None):
        area = area or types.Range(types.Position(0, 0), types.Position(9999, 0))
        context = types.CodeActionContext([], only)
        return self.about("textDocument/codeAction", uri, range=area, context=context)

    def leave(self):
        """Say goodbye as editors do; the server's exit code."""
        self.ask("shutdown")
        self.tell("exit")
        return self.gone()

    def gone(self):
        """The server's exit code, once it has ended by itself."""

        async def wait():
            return await self.client._server.wait()

        code = self._wait(wait())
        self.end()
        return code

    def end(self):
        if not self._thread.is_alive():
            return
        process = self.client._server
        with contextlib.suppress(ProcessLookupError):
            process.kill()

        async def stop():
            await process.wait()
            await self.client.stop()

        self._wait(stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def lines_of(text):
    """A text's lines as the protocol has them, each with its end."""
    found, start, at = [], 0, 0
    while at < len(text):
        at += 2 if text[at : at + 2] == "\r\n" else 1
        if text[at - 1] in "\r\n":
            found.append(text[start:at])
            start = at
    return [*found, text[start:]]


def offset_of(text, position):
    """The character at a position that counts UTF-16 units, worked out unit by unit."""
    lines = lines_of(text)
    line = lines[position.line].rstrip("\r\n")
    units = at = 0
    while units < position.character:
        units += 2 if ord(line[at]) > 0xFFFF else 1
        at += 1
    assert units == position.character
    return sum(map(len, lines[: position.line])) + at


def edited(text, edits):
    """A text with an editor's edits made, last one first."""
    spans = [(offset_of(text, e.range.start), offset_of(text, e.range.end), e) for e in edits]
    spans.sort(key=lambda one: one[:2])
    for (_, end, _), (start, _, _) in itertools.pairwise(spans):
        assert end <= start, "edits overlap"
    for start, end, edit in reversed(spans):
        text = text[:start] + edit.new_text + text[end:]
    return text


def marked(text, area):
    """What a range covers."""
    return text[offset_of(text, area.start) : offset_of(text, area.end)]
