"""Errata: the named, reviewable changes between a grammar as printed and as read.

Laws: an erratum quotes the text it changes, and that text must occur exactly
once, so an erratum that no longer fits fails loudly. Errata apply in order,
stage by stage; a row of stage `note` changes nothing and only records how a
passage is read, but what it quotes must occur.
"""

import tomllib
from collections.abc import Iterable

from attrs import fields, frozen

__all__ = ["STAGES", "Erratum", "ErratumError", "apply_errata", "load_errata"]

STAGES = ("repair", "reading")
_ALL_STAGES = (*STAGES, "note")


@frozen(kw_only=True)
class Erratum:
    """One change to a grammar's text, or one note about it.

    `as_written` is the passage as it stands when the erratum's turn comes,
    `as_read` what takes its place ("" removes it, with its line end). For a
    note, `as_read` says in words how the passage is read. `evidence` names the
    sections it rests on, `decision` the decision (D-number) it carries out.

    Attributes:
        id: Its name.
        stage: When it is applied: `repair`, `reading`, or `note`, which changes nothing.
        production: The rule it concerns.
        why: What is wrong with the passage.
    """

    id: str
    stage: str
    production: str
    as_written: str
    as_read: str
    evidence: str
    decision: str
    why: str = ""


class ErratumError(ValueError):
    """An erratum is incomplete, or does not fit the text it is to change."""


def load_errata(text: str) -> tuple[Erratum, ...]:
    """Read the `[[erratum]]` rows of a TOML text. Raises ErratumError for a faulty row."""
    names = {one.name for one in fields(Erratum)}
    found: list[Erratum] = []
    for number, row in enumerate(tomllib.loads(text).get("erratum", []), start=1):
        strange = set(row) - names
        missing = names - {"why"} - set(row)
        if strange or missing:
            what = ", ".join(sorted(strange or missing))
            raise ErratumError(f"erratum {number}: {'unknown' if strange else 'missing'} {what}")
        erratum = Erratum(**row)
        if erratum.stage not in _ALL_STAGES:
            raise ErratumError(f"{erratum.id}: stage must be one of {', '.join(_ALL_STAGES)}")
        if erratum.id in {other.id for other in found}:
            raise ErratumError(f"{erratum.id}: the id is taken")
        found.append(erratum)
    return tuple(found)


def apply_errata(text: str, errata: Iterable[Erratum], *, stages: Iterable[str] = STAGES) -> str:
    """Return the text with the errata of these stages applied, stage by stage, in order.

    Notes of any stage are checked against the text as it comes in. Raises
    ErratumError when a passage does not occur, or a changed one more than once.
    """
    rows = tuple(errata)
    for note in (row for row in rows if row.stage == "note"):
        if note.as_written not in text:
            raise ErratumError(f"{note.id}: the noted passage does not occur: {note.as_written!r}")
    for stage in stages:
        for row in (row for row in rows if row.stage == stage):
            text = _apply(text, row)
    return text


def _apply(text: str, row: Erratum) -> str:
    passage = row.as_written if row.as_read else row.as_written + "\n"
    count = text.count(passage)
    if count != 1:
        message = f"must occur once, occurs {count} times: {row.as_written!r}"
        raise ErratumError(f"{row.id} ({row.production}): the passage {message}")
    return text.replace(passage, row.as_read)
