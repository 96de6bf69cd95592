"""Messages as they come off the pipe: which are taken, and what the others are told.

Laws of this file: every request is answered, whatever it is; nothing that a
client can send is a fault of ours. A notification that cannot be used is
dropped, as JSON-RPC has it. Texts are kept once, by the session: what pygls
would keep of them besides is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cattrs import transform_error
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

if TYPE_CHECKING:
    from typing import BinaryIO

    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

__all__ = ["MAX_MESSAGE", "Frames", "Protocol"]

#: Bytes of a message. A document of ten million characters takes up to sixty.
MAX_MESSAGE = 128 * 1024 * 1024
#: Bytes of a header line.
_MAX_LINE = 8 * 1024
_PIECE = 1024 * 1024
#: Names of header fields have no case; pygls knows one spelling.
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,18})[ \t]*\r?\n", re.IGNORECASE)
#: What stands for a message that is too long to be read; it is no JSON.
_UNREAD = b"too long"
#: What stands for a header line that means nothing.
_PASSED_OVER = b"-\r\n"

_SNAKE = re.compile(r"_([a-z])")

#: What pygls does with documents before it asks us.
_KEPT_TWICE = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)
_INVALID_REQUEST = types.ErrorCodes.InvalidRequest
_INVALID_PARAMS = types.ErrorCodes.InvalidParams
_NOT_YET = types.ErrorCodes.ServerNotInitialized


class Frames:
    """A stream of messages, of which none is read that is too long."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """A header line; the end of the stream is empty."""
        line = self._stream.readline(_MAX_LINE)
        if (found := _LENGTH.fullmatch(line)) is not None:
            return b"Content-Length: %d\r\n" % int(found[1])
        # A length that is none, such as one of a thousand digits, is no header.
        return _PASSED_OVER if line[:14].lower() == b"content-length" else line

    def read(self, size: int) -> bytes:
        """A message of this many bytes."""
        if size <= MAX_MESSAGE:
            return self._stream.read(size)
        while size > 0 and (piece := self._stream.read(min(size, _PIECE))):
            size -= len(piece)
        return _UNREAD


class Protocol(LanguageServerProtocol):
    """The protocol's rules about messages and their order."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._begun = False
        for method in _KEPT_TWICE:
            self.fm.builtin_features.pop(method, None)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Leave each object of a message as it is: the message is judged whole."""
        return data

    def handle_message(self, message: Any) -> None:
        """Take a message, or say why not."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self._refuse(message, _INVALID_REQUEST, "this is no message of JSON-RPC 2.0")
        elif "method" in message:
            self._take(message)
        elif not ("id" in message and message.keys() & {"result", "error"}):
            self._refuse(message, _INVALID_REQUEST, "neither a method nor a result")
        elif _is_id(message["id"]):
            self._answered(message)

    def refuse_unread(self) -> None:
        """Answer a message that is no JSON, or too long."""
        why = f"this is no JSON in UTF-8 of at most {MAX_MESSAGE:,} bytes"
        self._refuse({"id": None}, types.ErrorCodes.ParseError, why)

    def _take(self, message: dict[str, Any]) -> None:
        """Take a request or a notification."""
        method = message["method"]
        if not isinstance(method, str):
            self._refuse(message, _INVALID_REQUEST, "`method` is no string")
        elif "id" in message and not _is_id(message["id"]):
            self._refuse(message, _INVALID_REQUEST, "`id` is neither a string nor an integer")
        elif (out_of_order := self._out_of_order(method)) is not None:
            self._refuse(message, *out_of_order)
        elif (taken := self._structured(message)) is not None:
            self._begun = self._begun or method == types.INITIALIZE
            super().handle_message(taken)

    def _structured(self, message: dict[str, Any]) -> Any:
        """The message as a value, None where it has been refused."""
        method = message["method"]
        if method == types.SHUTDOWN:  # some clients send an empty object
            message = {**message, "params": None}
        elif self.get_message_type(method) is None:  # unknown, with parameters or without
            message = {"params": None, **message}
        try:
            taken = super().structure_message(message)
        except JsonRpcException as error:
            self._refuse(message, _INVALID_PARAMS, _reason(error))
            return None
        cancels = method == types.CANCEL_REQUEST
        return None if cancels and not _is_id(taken.params.id) else taken

    def _answered(self, message: dict[str, Any]) -> None:
        """Take what a client answers to a request of ours; one that is none changes nothing."""
        try:
            taken = super().structure_message(message)
        except JsonRpcException:
            return
        super().handle_message(taken)

    def _out_of_order(self, method: str) -> tuple[types.ErrorCodes, str] | None:
        """Why a method has no place where the session stands; None where it has."""
        if method == types.EXIT:
            return None
        if self._shutdown:
            return _INVALID_REQUEST, "the server was told to shut down"
        if not self._begun and method != types.INITIALIZE:
            return _NOT_YET, "the server waits for `initialize`"
        if self._begun and method == types.INITIALIZE:
            return _INVALID_REQUEST, "the server is initialized already"
        return None

    def _refuse(self, message: Any, code: types.ErrorCodes, why: str) -> None:
        """Answer with an error, unless it is a notification, which nobody waits for."""
        found = message.get("id") if isinstance(message, dict) else None
        if isinstance(message, dict) and "method" in message and "id" not in message:
            return
        # Where no id can be known it is null, which lsprotocol would leave out.
        answer = {
            "jsonrpc": self.VERSION,
            "id": found if _is_id(found) else None,
            "error": {"code": code.value, "message": why},
        }
        self._send_data(answer)


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _reason(error: JsonRpcException) -> str:
    """What in the parameters is wrong, and where."""
    cause = error.__cause__
    found = transform_error(cause) if cause is not None else []
    # Clients know the fields by other names than ours: processId for process_id.
    told = (_SNAKE.sub(lambda part: part[1].upper(), one) for one in found[:3])
    return "; ".join(["Invalid Params", *told])
