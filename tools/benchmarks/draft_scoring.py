"""How drafts compare with what a reader labelled by hand, and with the raw files.

A label names a layer, the log entries it may rest on and words one of which must stand in
the line. A drafted line is right if a label of its layer fits; a label is met if a line
fits it. A label that only `could` be in a capsule makes a line right and is owed by
nobody. An L4 line is judged part by part.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from kernel.sessions import Log, read_session
from pcsf_lark.draft import Draft, draft
from pcsf_lark.draft.withholding import Veil

__all__ = [
    "LABELS",
    "LOGS",
    "NOW",
    "TRANSCRIPTS",
    "Case",
    "Score",
    "cases",
    "raw_trail",
    "score",
    "trail_gaps",
]

ROOT = Path(__file__).parent.parent.parent
LABELS = ROOT / "tests/draft/labels"
LOGS = ROOT / "tests/draft/logs"
TRANSCRIPTS = ROOT.parent / "shared/cases/transcripts"
NOW = "2026-01-01T00:00Z"


@frozen
class Case:
    """A labelled conversation."""

    name: str
    path: Path
    leaf: str | None
    run: int
    held_out: bool
    labels: tuple[Mapping[str, Any], ...]

    def log(self) -> Log:
        """Read the log."""
        # Our own are drafted as `pcsf draft` does; of the real ones the context was labelled.
        own = self.path.parent == LOGS
        return read_session(self.path, leaf=self.leaf, run=self.run, earlier=own)


@frozen
class Score:
    """Lines drafted and right, labels owed and met, by layer; the lines that are wrong.

    ``inside`` counts the labels met by the whole object, where no bytes are counted.
    """

    drafted: Counter[str] = field(factory=Counter)
    right: Counter[str] = field(factory=Counter)
    owed: Counter[str] = field(factory=Counter)
    met: Counter[str] = field(factory=Counter)
    inside: Counter[str] = field(factory=Counter)
    wrong: list[tuple[str, str]] = field(factory=list)
    missed: list[tuple[str, str]] = field(factory=list)

    def add(self, other: "Score") -> None:
        """Take another score in."""
        for name in ("drafted", "right", "owed", "met", "inside"):
            getattr(self, name).update(getattr(other, name))
        self.wrong.extend(other.wrong)
        self.missed.extend(other.missed)


def cases() -> list[Case]:
    """Return the labelled conversations whose logs are at hand."""
    found = []
    for path in sorted(LABELS.glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        log = next(
            (p for p in (LOGS / data["log"], TRANSCRIPTS / data["log"]) if p.is_file()), None
        )
        if log is not None:
            found.append(
                Case(
                    path.stem,
                    log,
                    data.get("leaf"),
                    data.get("run", 0),
                    data["held_out"],
                    tuple(data["entries"]),
                )
            )
    return found


def score(case: Case, made: Draft | None = None) -> Score:
    """Compare a draft with the labels of its conversation."""
    made = draft(case.log(), now=NOW) if made is None else made
    found = Score()
    met: set[int] = set()
    for row in made.sources["capsule"]:
        layer = row["layer"]
        if layer == "META":
            continue
        for part in row["line"].split("; ") if layer == "L4" else [row["line"]]:
            fits = [
                n for n, label in enumerate(case.labels) if _fits(label, layer, part, row["from"])
            ]
            met.update(fits)
            found.drafted[layer] += 1
            found.right[layer] += bool(fits)
            if not fits:
                found.wrong.append((case.name, part))
    texts = list(_texts(made))
    for number, label in enumerate(case.labels):
        if not label.get("could"):
            found.owed[label["layer"]] += 1
            found.met[label["layer"]] += number in met
            inside = any(_fits(label, label["layer"], text, at) for text, at in texts)
            found.inside[label["layer"]] += inside
            if number not in met:
                found.missed.append((case.name, f"{label['layer']} {label['what']}"))
    return found


def _texts(made: Draft) -> Iterator[tuple[str, list[str]]]:
    """Yield what the object says, apart from what was merely run, with its entries."""
    known = made.sources["cso"]
    for fact in made.cso.established_facts:
        if not fact.fact_id.startswith(("run.", "file.", "check.", "failure.", "after.", "plan.")):
            yield fact.statement, known["items"][fact.fact_id]
    for one in made.cso.decisions:
        yield (
            " ".join((one.choice, one.rationale, *one.alternatives)),
            known["items"][one.decision_id],
        )
    for member in ("constraints", "open_questions", "remaining", "objective"):
        for row in known[member]:
            yield row["text"], row["from"]


def _fits(label: Mapping[str, Any], layer: str, text: str, entries: list[str]) -> bool:
    shown = text.casefold()
    return (
        label["layer"] == layer
        and any(entry.startswith(start) for entry in entries for start in label["at"])
        and any(key.casefold() in shown for key in label["keys"])
    )


def raw_trail(path: Path) -> tuple[list[str], set[str]]:
    """Count commands and changed files straight from a file, by nothing of the kernel.

    Reads what each format calls them: no shell is parsed, no result is looked at.
    """
    commands: list[str] = []
    changed: set[str] = set()
    for name, arguments in _raw_calls(path):
        command = arguments.get("command")
        if name.lower() in ("bash", "execute_bash") and isinstance(command, str):
            commands.append(command)
        elif name.lower() in ("edit", "write", "create", "str_replace_editor"):
            target = next(
                (arguments[key] for key in ("path", "file_path", "filename") if key in arguments),
                None,
            )
            if isinstance(target, str):
                changed.add(target)
    return commands, changed


def _raw_calls(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        for line in text.split("\n"):
            value = json.loads(line) if line.strip() else {}
            if value.get("isSidechain"):
                continue
            message = value.get("message")
            content = message.get("content") if isinstance(message, dict) else None
            for part in content if isinstance(content, list) else ():
                if isinstance(part, dict) and part.get("type") in ("toolCall", "tool_use"):
                    yield part["name"], part.get("arguments") or part.get("input") or {}
        return
    document = json.loads(text)
    items = document["history"] if isinstance(document, dict) else document
    for item in items:
        for call in item.get("tool_calls") or ():
            yield call["function"]["name"], json.loads(call["function"]["arguments"])
        if item.get("action") in ("run", "edit") and item.get("source") == "agent":
            name = "execute_bash" if item["action"] == "run" else "edit"
            yield name, item["args"]


def trail_gaps(path: Path) -> tuple[int, list[str]]:
    """Return how many commands and files a raw log has, and those the draft's object lacks."""
    made = draft(read_session(path, earlier=True), now=NOW)
    facts = [fact.statement for fact in made.cso.established_facts]
    states = ("ok: ", "failed: ", "unknown: ", "unanswered: ")
    ran = Counter(text.partition(": ")[2] for text in facts if text.startswith(states))
    files = [text.partition(": ")[2] for text in facts if text.startswith("changed")]
    commands, changed = raw_trail(path)
    hide = Veil().hide
    missing = [
        text for text, n in Counter(hide(c).strip() for c in commands).items() if ran[text] < n
    ]
    for target in changed:
        name = hide(target).removeprefix("./")
        if not any(
            known == name or known.endswith("/" + name) or name.endswith("/" + known)
            for known in files
        ):
            missing.append(target)
    return len(commands) + len(changed), missing
