"""A draft of a session's state from its log, without a model.

    log = kernel.sessions.read_session(path, earlier=True)
    made = draft(log)
    made.text       # the capsule's bytes, conformant, at most 1,200
    made.cso        # the whole trail, a Cognitive State Object
    made.sources    # for each entry of both, the entries of the log behind it

Laws: the same log gives the same draft; nothing is invented: a field is a quotation,
trimmed at a word and made ASCII; what looks like a secret or personal data is withheld and
counted; who only looks like the user is not the user; an empty layer beats a guess. A draft
says of itself that a person or a model should finish it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from pcsf_lark.draft.capsule import all_findings, capsule_of, time_of
from pcsf_lark.draft.record import record_of
from pcsf_lark.draft.sources import sources_of
from pcsf_lark.draft.state import FINISH, state_of
from pcsf_lark.draft.withholding import WITHHELD, Veil
from pcsf_lark.emit import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cso import CognitiveStateObject
    from kernel.sessions import Log
    from pcsf_lark.model import Capsule

__all__ = ["FINISH", "WITHHELD", "Draft", "draft"]


@frozen
class Draft:
    """A drafted state: the object, the capsule, where each entry comes from, what was withheld.

    ``sources`` holds JSON values; ``withheld`` counts values by kind. ``whole`` is the
    object of the whole log, `cso` itself unless `since` cut that; ``entries`` are all
    entries that were read. By these two a draft of a longer log takes a shorter one's place.

    Attributes:
        capsule: The drafted capsule, conformant.
    """

    cso: CognitiveStateObject
    capsule: Capsule
    sources: Mapping[str, Any]
    withheld: Mapping[str, int]
    whole: CognitiveStateObject
    entries: frozenset[str]

    @property
    def text(self) -> bytes:
        """The capsule's canonical text."""
        return canonical(self.capsule)


def draft(log: Log, *, since: str | None = None, now: str | None = None) -> Draft:
    """Draft the state a session arrived at from its log.

    ``since`` names an entry: only what came after it is drafted, while what lies before
    is read, so that outcomes are known. ``now`` (`2026-05-04T09:30Z`) is the time in META
    where the log has none. Raises KeyError for an entry that is not there, ValueError for
    a time that is none.

    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from kernel.sessions import read_session
    >>> talk = [
    ...     {"role": "user", "content": "Add UTC times. Never touch the billing module."},
    ...     {"role": "assistant", "content": "I'll use one clock because two drift."},
    ...     {"role": "user", "content": "Good, go on."},
    ... ]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "talk.json")
    ...     _ = path.write_text(json.dumps({"messages": talk}))
    ...     made = draft(read_session(path), now="2026-05-04T09:30Z")
    >>> made.capsule.seed.text, made.capsule.relation[0].line
    ('Add UTC times', 'BOUNDARY: Never touch the billing module')
    """
    if now is not None and time_of(now) is None:
        raise ValueError(f"expected a time such as 2026-05-04T09:30Z, got {now!r:.40}")
    record = record_of(log, since)
    veil = Veil()
    findings = all_findings(record)
    capsule, rows, frames = capsule_of(record, findings, veil, time_of(now))
    cso, state = state_of(record, findings, veil)
    sources = sources_of(record, capsule, rows, frames, state)
    whole = cso
    if record.since:
        full = evolve(record, since=0)
        whole, _ = state_of(full, all_findings(full), Veil())
    return Draft(cso, capsule, sources, veil.counts, whole, frozenset(record.names))


class _Verb(ModuleType):
    """The module, called: `pcsf_lark.draft` names the verb, whoever imported this first."""

    def __call__(self, log: Log, *, since: str | None = None, now: str | None = None) -> Draft:
        return draft(log, since=since, now=now)


import_module(__name__).__class__ = _Verb
