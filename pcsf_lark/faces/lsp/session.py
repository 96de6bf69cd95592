"""One editor's session: its open documents, what is known of each, and who is told.

Laws of this file: what is told of a document concerns the text that the editor
has now; an answer that comes too late is dropped. Capsules are judged at once,
grammars, which may take long, aside, the newest text alone: what is quick to
find as soon as it is found, the rest once the writer pauses.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from pcsf_lark.faces.lsp.abnf_names import Grammar
from pcsf_lark.faces.lsp.documents import ABNF, Desk, Document
from pcsf_lark.faces.lsp.judging import judge_grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
    from typing import Any

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.faces.checking import Plan
    from pcsf_lark.faces.lsp.documents import Replacement
    from pcsf_lark.faces.lsp.judging import Judge
    from pcsf_lark.report import Report

__all__ = ["Judged", "Read", "Session"]

#: Seconds without a change until a grammar is looked through for what takes long to find.
_PAUSE = 0.3


class Judged(NamedTuple):
    """A capsule and its report."""

    document: Document
    plan: Plan
    report: Report


class Read(NamedTuple):
    """A grammar, its names, and its report as soon as there is one."""

    document: Document
    grammar: Grammar
    report: Report | None


class Session:
    """What an editor has open.

    ``publish`` is told the findings of a document whenever they are new,
    ``complain`` what is wrong besides the texts.
    """

    def __init__(
        self,
        judge: Judge,
        publish: Callable[[Document, Sequence[Diagnostic]], None],
        complain: Callable[[str], None],
    ) -> None:
        self._judge = judge
        self._publish, self._complain = publish, complain
        self._desk = Desk()
        self._judged: dict[str, Judged] = {}
        self._read: dict[str, Read] = {}
        # Of each kind one at a time; what is quick does not wait for what is not.
        self._quick, self._thorough = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self._tasks: set[asyncio.Future[None]] = set()

    def open(self, document: Document) -> None:
        """Take a document that the editor shows now, new or changed."""
        self._desk.put(document)
        if document.language == ABNF:
            grammar = Grammar("" if document.huge else document.text.characters)
            self._read[document.uri] = Read(document, grammar, None)
            self.aside(self._look(document))
        else:
            self._judge_capsule(document)

    def change(
        self, uri: str, version: int | None, changes: Iterable[Replacement], encoding: str
    ) -> None:
        """Take what an open document became."""
        document = self._desk.get(uri)
        if document is not None:
            self.open(document.after(version, changes, encoding))

    def close(self, uri: str) -> None:
        """Let go of a document; nothing is said of it any more."""
        document = self._desk.get(uri)
        for known in (self._judged, self._read):
            known.pop(uri, None)
        self._desk.close(uri)
        if document is not None:
            self._publish(document, ())

    def forget(self) -> None:
        """Have configurations read anew when they are needed next."""
        self._judge.forget()

    def renew(self) -> None:
        """Judge all anew: a configuration may have changed."""
        self._judge.forget()
        for document in self._desk:
            if document.language != ABNF:
                self._judge_capsule(document)

    def aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin something that nobody waits for."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def end(self) -> None:
        """Wait for nothing that is still going on."""
        for worker in (self._quick, self._thorough):
            worker.shutdown(wait=False, cancel_futures=True)

    def capsule(self, uri: str) -> Judged | None:
        """The capsule at an address, None where there is none."""
        return self._judged.get(uri)

    def grammar(self, uri: str) -> Read | None:
        """The grammar at an address, None where there is none."""
        return self._read.get(uri)

    def document(self, uri: str) -> Document | None:
        """The document at an address, whatever it is."""
        return self._desk.get(uri)

    def _judge_capsule(self, document: Document) -> None:
        plan = self._judge.plan(document)
        if plan is None:
            self._judged.pop(document.uri, None)
            self._publish(document, ())
        else:
            report = self._judge.report(document, plan)
            self._judged[document.uri] = Judged(document, plan, report)
            self._publish(document, report.findings)
        for trouble in self._judge.troubles():
            self._complain(trouble)

    async def _look(self, document: Document) -> None:
        """Judge a grammar aside, unless it has changed again by then."""
        reports = judge_grammar(document)
        await self._look_on(document, reports, self._quick)
        await asyncio.sleep(_PAUSE)
        await self._look_on(document, reports, self._thorough)

    async def _look_on(
        self, document: Document, reports: Iterator[Report], worker: ThreadPoolExecutor
    ) -> None:
        """Tell the next report on a grammar, where there is another and it is still wanted."""

        def work() -> Report | None:
            return next(reports, None) if self._desk.current(document) else None

        report = await asyncio.get_running_loop().run_in_executor(worker, work)
        read = self._read.get(document.uri)
        if report is None or read is None or read.document is not document:
            return
        if read.report is None or read.report.findings != report.findings:
            self._publish(document, report.findings)
        self._read[document.uri] = read._replace(report=report)
