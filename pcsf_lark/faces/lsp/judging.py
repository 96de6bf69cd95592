"""Documents to reports, by the configuration that holds for them.

Laws of this file: a document gets a report whatever is wrong with it, with its
configuration or with a rule from outside; what is wrong besides the text is
told by ``Judge.troubles``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.abnf.inspecting.inspection import stages
from pcsf_lark.abnf.problems import problem
from pcsf_lark.api import check_source
from pcsf_lark.faces import planning
from pcsf_lark.faces.checking import Plan
from pcsf_lark.faces.config import Configurations
from pcsf_lark.faces.files import STDIN, Trouble
from pcsf_lark.faces.grammars import report as grammar_report
from pcsf_lark.faces.lsp.documents import ABNF
from pcsf_lark.report import Report
from pcsf_lark.rules import RuleError, load, modules
from pcsf_lark.spec import READ_LIMIT
from pcsf_lark.syntax.recovery import recover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.lsp.documents import Document

__all__ = ["Judge", "judge_grammar"]


class Judge:
    """Checks capsules as `pcsf check` would check their files.

    ``config`` and ``isolated`` are that command's options. Configurations are
    read once; ``forget`` has them read anew.
    """

    def __init__(self, config: str | None = None, *, isolated: bool = False) -> None:
        self._config, self._isolated = config, isolated
        self._troubles: list[str] = []
        self._told: set[str] = set()
        self.forget()

    def forget(self) -> None:
        """Look for configurations anew; raises ConfigError for the one given, if it is wrong."""
        self._configurations = Configurations(self._config, isolated=self._isolated)

    def troubles(self) -> list[str]:
        """What went wrong besides the texts since this was asked last, each told once."""
        found = [text for text in dict.fromkeys(self._troubles) if text not in self._told]
        self._told.update(found)
        self._troubles.clear()
        return found

    def plan(self, document: Document) -> Plan | None:
        """What a capsule is checked by; None where its configuration excludes it."""
        given = Plan(path=document.path or STDIN, name=document.name)
        try:
            settings = self._configurations.of(document.name)
            if settings is None:
                return given
            return planning.plan(
                given, settings, profile=None, fail_on=None, select=None, ignore=()
            )
        except (Trouble, ValueError) as error:
            self._troubles.append(str(error))
            return given
        except RecursionError:  # no file lies that deep
            return given

    def report(self, document: Document, plan: Plan) -> Report:
        """A capsule's report."""

        def ask(codes: frozenset[str] | None) -> Report:
            return check_source(
                document.source, profile=plan.profile, codes=codes, budget=plan.budget
            )

        try:
            found = ask(plan.codes)
        except RuleError as error:
            self._troubles.append(str(error))
            try:
                found = ask(_own(plan.codes))
            except RuleError:  # it cannot even be loaded
                found = _unjudged(document)
        return planning.weighed(found, plan.severities) if plan.severities else found


def _own(codes: frozenset[str] | None) -> frozenset[str]:
    """Of the codes wanted those that are this package's own: a rule from outside has failed."""
    own = {rule.code for rule in map(load, modules()) if not rule.preview}
    return frozenset(own) if codes is None else codes & own


def _unjudged(document: Document) -> Report:
    """A report that says nothing of a text but its lines."""
    source = document.source
    return Report(
        conformant=False,
        findings=(),
        bytes=source.size,
        layout=None,
        version=None,
        source=source,
        outliner=lambda: recover(source),
    )


def judge_grammar(document: Document) -> Iterator[Report]:
    """A grammar's reports: of what is quick to find, then of all that `pcsf grammar check` finds."""
    if document.language != ABNF:
        raise ValueError("this is no grammar")
    text = document.text.characters
    if not document.huge:
        yield from (grammar_report(text, found) for found in stages(text))
        return
    message = f"not checked while editing: it is longer than {READ_LIMIT:,} bytes"
    mend = "run `pcsf grammar check` on the file"
    yield grammar_report("", [problem(None, "", "not-checked", message, mend, severity="note")])
