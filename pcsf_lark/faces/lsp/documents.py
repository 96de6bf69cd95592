"""The documents that are open in the editor, each as the editor has it.

Laws of this file: a document is a value; a change makes a new one, so that
whoever worked on the old one can tell that it is gone. Nothing is read from
disk: a document that was not opened is none.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from pcsf_lark.faces.lsp.positions import Text
from pcsf_lark.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.faces.lsp.positions import Place

__all__ = ["ABNF", "CAPSULE", "Desk", "Document", "Replacement"]

#: The languages, by the identifiers that editors give them.
CAPSULE, ABNF = "pcsf", "abnf"


class Replacement(NamedTuple):
    """What an editor changed: the text between two places, or all where there are none."""

    text: str
    start: Place | None = None
    end: Place | None = None


class Document:
    """One text in the editor, at one version."""

    def __init__(self, uri: str, language: str, version: int | None, text: str) -> None:
        self.uri = uri
        self.version = version
        self.text = Text(text)
        self.language = _language(uri, language)

    @cached_property
    def path(self) -> str | None:
        """The path of its file, None where it is no file of this machine."""
        try:
            parts = urlsplit(self.uri)
        except ValueError:  # such as an address with one bracket
            return None
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            return None
        path = unquote(parts.path, errors="surrogateescape")
        # file:///c:/x is the path c:/x
        path = path[1:] if path[2:3] == ":" else path
        return path if path.startswith("/") or path[1:2] == ":" else None

    @property
    def name(self) -> str:
        """Its path, or for one that has none yet what its configuration is found by."""
        return self.path or "untitled.pcsf"

    @cached_property
    def source(self) -> Source:
        """The text as the library takes it."""
        return Source.of(self.text.data)

    @property
    def huge(self) -> bool:
        """Whether it is longer than anything that is looked into (D20)."""
        return self.source.oversize

    def after(
        self, version: int | None, changes: Iterable[Replacement], encoding: str = "utf-16"
    ) -> Document:
        """The document after changes, each made to what the one before left."""
        text = self.text
        for change in changes:
            if change.start is None or change.end is None:
                text = Text(change.text)
                continue
            start = text.offset(*change.start, encoding)
            end = max(text.offset(*change.end, encoding), start)
            whole = text.data[:start] + Text(change.text).data + text.data[end:]
            text = Text(whole.decode())
        return Document(self.uri, self.language, version, text.characters)


def _language(uri: str, language: str) -> str:
    """What its name says, or else what the editor calls it; a capsule if nothing does.

    The name comes first: Emacs calls all that one server looks after by one language.
    """
    for known in (CAPSULE, ABNF):
        if uri.lower().endswith(f".{known}"):
            return known
    return ABNF if language == ABNF else CAPSULE


class Desk:
    """The open documents, by address."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def put(self, document: Document) -> Document:
        """Open a document, or replace it by what it became."""
        self._open[document.uri] = document
        return document

    def get(self, uri: str) -> Document | None:
        """The document at an address, None where none is open."""
        return self._open.get(uri)

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._open.pop(uri, None)

    def current(self, document: Document) -> bool:
        """Whether a document is what the editor shows now."""
        return self._open.get(document.uri) is document
