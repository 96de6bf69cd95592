"""The mechanical trail as facts: what was asked, run, read, changed, checked, and failed.

Laws: one fact a run and a file, none left out; a statement is a state of the log and the
log's own words; the source is the entry; ids follow from log, kind, entry and subject. How
a run ended or where a file was touched last is no part of an id, so a later draft of the
same log tells of the same things under the same ids.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import define, field

from cso import Edge, Fact, Provenance
from kernel.projection.quality.artifacts import joined_paths, plain_path
from pcsf_lark.draft.cues import content_words
from pcsf_lark.draft.phrases import clause
from pcsf_lark.passes.cso_text import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kernel.projection.quality.facts import Fact as Found
    from pcsf_lark.draft.record import Record
    from pcsf_lark.draft.withholding import Veil

__all__ = ["CONFIDENCE", "Trail", "trail"]

#: How far a statement is to be believed, by who is behind it.
CONFIDENCE: Final[Mapping[str, float]] = {
    "tool": 0.9, "user": 1.0, "assistant": 0.5, "template": 0.5, "document": 0.5, "summary": 0.3,
}  # fmt: skip
_OUTCOMES: Final = {"done": "ok", "failed": "failed", "open": "unanswered", "unknown": "unknown"}
#: A longer command is a program written into it.
_LONGEST: Final = 4000
#: Of arguments and failed commands this much is shown.
_SHOWN: Final = 300
#: Kinds whose subject is of the whole log: a file is touched in many entries.
_ANYWHERE: Final = frozenset({"file"})
#: What is told of a file besides its last touch.
_KEPT: Final = ("read", "changed")
_SOURCES: Final = {"user": Provenance.USER, "tool": Provenance.TOOL}


@define
class Trail:
    """Facts and edges so far, and the messages behind each id."""

    record: Record
    veil: Veil
    facts: dict[str, Fact] = field(factory=dict)
    edges: dict[tuple[str, str], Edge] = field(factory=dict)
    at: dict[str, tuple[int, ...]] = field(factory=dict)

    def add(
        self, kind: str, statement: str, by: str, *at: int, subject: str | None = None
    ) -> str | None:
        """Add a fact of a message, and those behind it; None where nothing is left to state.

        ``subject`` is what it is a state of, where that is not all of the statement.
        """
        text = self.veil.hide(statement).strip()
        if not text:
            return None
        entry = self.record.names[at[0]]
        name = self._free(kind, entry, text, text if subject is None else subject)
        self.at[name] = tuple(dict.fromkeys((*self.at.get(name, ()), *at)))
        if name not in self.facts:
            self.facts[name] = Fact(
                fact_id=name,
                statement=text,
                provenance=_SOURCES.get(by, Provenance.CONVERSATION),
                provenance_ref=entry,
                confidence=CONFIDENCE.get(by, 0.5),
                window_origin=1,
            )
        return name

    def _free(self, kind: str, entry: str, text: str, subject: str) -> str:
        """The id of a subject; of several runs of one command in one entry, one each."""
        place = "" if kind in _ANYWHERE else entry
        name = self.name(kind, place, subject)
        number = 1
        while name in self.facts and self.facts[name].statement != text:
            number += 1
            name = self.name(kind, place, f"{subject}\n{number}")
        return name

    def name(self, kind: str, entry: str, text: str) -> str:
        """The id of what an entry of this log says."""
        mark = self.record.mark
        digest = sha256(f"{mark}\n{entry}\n{text}".encode("utf-8", "replace")).hexdigest()
        return f"{kind}.{mark}.{digest[:12]}"

    def tie(self, dependent: str | None, ground: str | None) -> None:
        """Let one item rest on another; one that rests on it in turn is left alone."""
        if dependent and ground and dependent != ground and (ground, dependent) not in self.edges:
            self.edges.setdefault((dependent, ground), Edge(dependent, ground))


def trail(record: Record, veil: Veil) -> Trail:
    """The facts of everything mechanical, in the order of the log."""
    made = Trail(record, veil)
    runs = _commands(made)
    _files(made)
    _checks(made, runs)
    _failures(made, runs)
    _plan(made)
    return made


def _new(made: Trail, facts: Iterable[Found]) -> Iterable[Found]:
    return (fact for fact in facts if made.record.new(fact.index))


def _commands(made: Trail) -> dict[int, str]:
    """Every run: the ids by message."""
    ids: dict[int, str] = {}
    results = {action.index: action.result for action in made.record.actions}
    for fact in _new(made, made.record.manifest.of("command")):
        words = fact.value if fact.subkind != "call" else f"{fact.value} {_arguments(made, fact)}"
        who = "by the user, " if fact.subkind == "user" else ""
        state = _OUTCOMES[fact.state or "unknown"]
        places = [
            fact.index,
            *([results[fact.index]] if results.get(fact.index, -1) > fact.index else []),
        ]
        shown = cut(made.veil.hide(words.strip()), _LONGEST)
        name = made.add("run", f"{who}{state}: {shown}", "tool", *places, subject=who + shown)
        if name is not None:
            ids[fact.index] = name
    return ids


def _arguments(made: Trail, fact: Found) -> str:
    """The arguments of a call, as they stand."""
    text = made.record.reading.texts[fact.index][: 10 * _SHOWN]
    return cut(made.veil.hide(" ".join(text.split())), _SHOWN)


def _files(made: Trail) -> None:
    """Every file by its last touch, and as read and changed where it was that before."""
    record = made.record
    touched: dict[str, list[tuple[int, str]]] = {}
    for action in record.actions:
        state = action.outcome.state if action.purpose != "shell" else "done"
        for named in action.files:
            how = named.how if state != "failed" else "failed"
            touched.setdefault(plain_path(named.path), []).append((named.index, how))
    owner = joined_paths(touched)
    merged: dict[str, list[tuple[int, str]]] = {}
    for path, found in touched.items():
        merged.setdefault(owner[path], []).extend(found)
    for fact in record.manifest.of("artifact"):
        rows = merged.get(fact.value, [(fact.index, fact.subkind)])
        places = [at for at, _ in rows if record.new(at)]
        if not places:
            continue
        verb = "change failed" if fact.subkind == "failed" else fact.subkind
        if fact.state == "open":
            verb = f"{verb} (unanswered)"
        how = fact.subkind if fact.subkind in _KEPT else "last"
        said = f"{how}: {fact.value}"
        made.add("file", f"{verb}: {fact.value}", "tool", max(places), *places, subject=said)
        for how in _KEPT:
            these = [at for at, was in rows if was == how and record.new(at)]
            if how != fact.subkind and these:
                said = f"{how}: {fact.value}"
                made.add("file", said, "tool", max(these), *these, subject=said)


def _checks(made: Trail, runs: Mapping[int, str]) -> None:
    for fact in _new(made, made.record.manifest.of("verification")):
        kind = fact.subkind.partition("-")[0]
        state = _OUTCOMES[fact.state or "unknown"]
        what = fact.key.partition(":")[2]
        later = ", run again later" if fact.subkind.endswith("-superseded") else ""
        said = f"{kind} {state}{later}: {what}"
        name = made.add("check", said, "tool", fact.index, subject=f"{kind}: {what}")
        made.tie(name, runs.get(fact.index))


def _failures(made: Trail, runs: Mapping[int, str]) -> None:
    """What failed, whether it was put right, and what the assistant said next."""
    record = made.record
    commands = {action.index: action.command for action in record.actions if action.command}
    for fact in _new(made, record.manifest.of("failure")):
        if fact.subkind == "said":
            continue
        if fact.subkind == "reported":
            made.add("failure", f"reported: {clause(fact.text)}", "user", fact.index)
            continue
        state = "put right later" if fact.state == "done" else "not seen put right"
        quoted = commands.get(fact.index) or fact.value
        what = cut(made.veil.hide(" ".join(quoted.split())), _SHOWN)
        name = made.add("failure", f"failed, {state}: {what}", "tool", fact.index, subject=what)
        made.tie(name, runs.get(fact.index))
        answer = record.after(fact.index, "assistant")
        lines = record.sentences(answer) if 0 <= answer <= fact.index + 6 else ()
        said = [line.text for line in lines[:3] if len(content_words(line.text)) >= 2]
        if said:
            made.tie(made.add("after", " ".join(said), "assistant", answer), name)


def _plan(made: Trail) -> None:
    for fact in _new(made, made.record.manifest.of("open")):
        if fact.subkind in ("plan-done", "box-done") and fact.by != "summary":
            made.add("plan", f"plan item done: {fact.value}", "tool", fact.index)
