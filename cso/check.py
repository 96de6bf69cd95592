"""What is wrong or noteworthy in one object, as findings; nothing is changed.

`form` is what strict reading refuses on top of the model's own rules. `check`
adds references, links, the graph and the goal: an object with such findings is
readable, but a relay will not call it verified. Codes of mere remarks begin
with `note-`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from cso import graph, model, references
from cso.altered import altered
from cso.encode import item_digest
from cso.errors import Finding
from cso.marks import buried

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check", "form", "is_id", "is_tag"]

_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_TAG = re.compile(r"sha256:[0-9a-f]{64}")


def is_id(text: str) -> bool:
    """Tell whether a text is an id that headers can carry (R2)."""
    return _ID.fullmatch(text) is not None


def is_tag(text: str) -> bool:
    """Tell whether a text is `sha256:` and 64 lower-case hex digits."""
    return _TAG.fullmatch(text) is not None


def _rows(cso: model.CognitiveStateObject) -> Iterator[tuple[str, model.Item]]:
    for index, fact in enumerate(cso.established_facts):
        yield f"established_facts[{index}]", fact
    for index, decision in enumerate(cso.decisions):
        yield f"decisions[{index}]", decision


def form(cso: model.CognitiveStateObject) -> tuple[Finding, ...]:
    """List ids, sources and tags out of the form that strict objects have."""
    found = [
        Finding("tag-syntax", name, "expected sha256: and 64 lower-case hex digits, or nothing")
        for name, tag in (("prior_cso_hash", cso.prior_cso_hash), ("cso_hmac", cso.cso_hmac))
        if tag and not is_tag(tag)
    ]
    if not is_id(cso.cso_id):
        found.append(Finding("id-syntax", "cso_id", "expected 1-128 of A-Z a-z 0-9 . _ -"))
    sourced = (model.Provenance.TOOL, model.Provenance.CKF)
    for at, item in _rows(cso):
        if not is_id(item.id):
            found.append(
                Finding("id-syntax", at, f"id {item.id!r:.80} is not 1-128 of A-Z a-z 0-9 . _ -")
            )
        if item.provenance in sourced and not item.provenance_ref:
            what = f"provenance {item.provenance.value} needs a provenance_ref"
            found.append(Finding("provenance-ref", at, what))
    return tuple(found)


def check(cso: model.CognitiveStateObject) -> tuple[Finding, ...]:
    """List everything wrong or noteworthy, in a stable order."""
    return (
        *form(cso),
        *_references(cso),
        *_links(cso),
        *_cycles(cso),
        *_remarks(cso),
        *_look_alikes(cso),
    )


def _references(cso: model.CognitiveStateObject) -> Iterator[Finding]:
    """References to ids that nothing holds (R34), and items that rest on the dead."""
    for name in references.dangling(cso):
        yield Finding(
            "dangling", name, "referenced, but no such item; add it or drop the reference"
        )
    for dependent, name in references.broken(cso):
        yield Finding("dead-support", dependent, f"holds, but rests on {name}, which does not")


def _links(cso: model.CognitiveStateObject) -> Iterator[Finding]:
    """Superseding links whose old item is gone or is no longer what it was."""
    items = cso.items()
    gone: set[str] | None = None
    for at, item in _rows(cso):
        if item.superseded_by is not None and item.superseded_by not in items:
            yield Finding("link", f"{at}.superseded_by", f"no item {item.superseded_by!r:.80}")
        if item.supersedes is None:
            continue
        old = items.get(item.supersedes.id)
        if old is None:
            gone = buried(cso) if gone is None else gone
            if item.supersedes.id not in gone:
                what = f"no item {item.supersedes.id!r:.80}, and no record of its end"
                yield Finding("link", f"{at}.supersedes", what)
        elif item.supersedes.digest not in _digests_before(old):
            what = f"{old.id} is not what was superseded"
            yield Finding("link", f"{at}.supersedes", what)


def _digests_before(old: model.Item) -> set[str]:
    """Digests an item can have had before it was superseded: any status but that."""
    return {
        item_digest(altered(old, superseded_by=None, status=status))
        for status in model.Status
        if status is not model.Status.SUPERSEDED
    }


def _cycles(cso: model.CognitiveStateObject) -> Iterator[Finding]:
    for cycle in graph.cycles(cso):
        shown = " -> ".join((*cycle[:8], *(["..."] if len(cycle) > 8 else []), cycle[0]))
        yield Finding("cycle", cycle[0], f"rests on itself: {shown}")


def _remarks(cso: model.CognitiveStateObject) -> Iterator[Finding]:
    goal = cso.goal_state
    if goal.completion == 1 and goal.remaining:
        what = f"complete, yet {len(goal.remaining)} remain"
        yield Finding("note-completion", "goal_state", what)
    for index, decision in enumerate(cso.decisions):
        if not decision.rationale.strip():
            what = "thin: no rationale, so nobody can judge whether it still holds"
            yield Finding("note-thin", f"decisions[{index}]", what)


def _look_alikes(cso: model.CognitiveStateObject) -> Iterator[Finding]:
    """Ids and statements that differ only by Unicode normalisation (R8)."""
    for what, texts in (
        ("id", [item.id for _, item in _rows(cso)]),
        ("statement", list(dict.fromkeys(fact.statement for fact in cso.established_facts))),
    ):
        seen: dict[str, str] = {}
        for text in texts:
            if text.isascii():
                continue
            other = seen.setdefault(unicodedata.normalize("NFC", text), text)
            if other != text:
                message = f"{what} differs from another one only by Unicode normalisation"
                yield Finding("note-nfc", text, message)
