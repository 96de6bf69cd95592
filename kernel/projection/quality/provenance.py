"""Provenance: ids that outlive the log's view, and where the words come from.

Laws: a durable ref is the id of a task, a hub or an agent that can be taken up again; it
is hard wherever it stands, and must come back letter by letter. What a conversation holds
of summaries, templates and other false users, of orphans and pictures, and that a user
took earlier words back, is noted, softly.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from kernel.pairs import pair
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.reading import Reading, fact_of
from kernel.projection.quality.retraction import retracts

__all__ = ["durable_refs", "provenance", "view_refs"]

_DURABLE: Final = re.compile(
    r"(?<![\w/.-])(?:task|hub|agent)[_:#-](?=[\w-]*\d)[A-Za-z0-9][\w-]{3,63}(?![\w/-])(?!\.\w)"
    r"|(?<=agentId: )[\w-]{4,64}"
    r"|(?<=[\"']taskId[\"']:[\"'])[\w-]{4,64}|(?<=[\"']task_id[\"']:[\"'])[\w-]{4,64}"
    r"|(?<=[\"']hubId[\"']:[\"'])[\w-]{4,64}|(?<=[\"']hub_id[\"']:[\"'])[\w-]{4,64}"
    r"|(?<=[\"']agentId[\"']:[\"'])[\w-]{4,64}|(?<=[\"']agent_id[\"']:[\"'])[\w-]{4,64}"
    r"|(?<=[\"']task_id[\"']: [\"'])[\w-]{4,64}|(?<=[\"']taskId[\"']: [\"'])[\w-]{4,64}"
)
_VIEW: Final = re.compile(r"(?<![\w/.-])[mbMB]\d{6}(?![\w-])")
_HINTS: Final = ("task", "hub", "agent")
_FALSE_USERS: Final = (
    "summary",
    "template",
    "demonstration",
    "note",
    "recall",
    "document",
    "observation",
)


def durable_refs(text: str) -> tuple[str, ...]:
    """Return the ids of tasks, hubs and agents a text names, each once, in order."""
    if not any(hint in text for hint in _HINTS):
        return ()
    return tuple(dict.fromkeys(_DURABLE.findall(text)))


def view_refs(text: str) -> tuple[str, ...]:
    """Return the m and b refs a text cites, in small letters, each once, in order."""
    return tuple(dict.fromkeys(ref.lower() for ref in _VIEW.findall(text)))


def provenance(reading: Reading) -> Iterator[Fact]:
    """Yield durable refs, and notes on the conversation as a record."""
    places: dict[str, tuple[int, int, int]] = {}
    for index, text in enumerate(reading.texts):
        if any(hint in text for hint in _HINTS):
            for found in _DURABLE.finditer(text):
                places.setdefault(found[0], (index, *found.span()))
    for name, place in places.items():
        yield fact_of(
            reading, "ref", "durable", place, key=f"ref:{name}", hardness="hard",
            needs=(Need("exact", (name,), anywhere=True),),
        )  # fmt: skip
    yield from _notes(reading)


def _notes(reading: Reading) -> Iterator[Fact]:
    """Yield one note for each peculiarity of the record, at its first place."""
    first: dict[str, int] = {}
    counts: Counter[str] = Counter()
    partner = pair(reading.messages)
    for index, message in enumerate(reading.messages):
        found: list[str] = [origin for origin in _FALSE_USERS if reading.origins[index] == origin]
        if message.content_type == "tool-result" and index not in partner:
            found.append("orphan-result")
        if message.content_type == "tool-call" and index not in partner:
            found.append("unanswered-call")
        if message.extra.get("images"):
            found.append("images")
        if reading.origins[index] == "user" and retracts(reading.texts[index]):
            found.append("withdrawal")
        for name in found:
            first.setdefault(name, index)
            counts[name] += 1
    for name, index in first.items():
        end = min(len(reading.texts[index]), 80)
        yield fact_of(
            reading,
            "provenance",
            name,
            (index, 0, end),
            key=f"provenance:{name}",
            value=str(counts[name]),
        )
