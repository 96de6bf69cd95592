"""A summary made of a manifest alone: it always passes, and no line of it is idle.

Laws: a function of the manifest; each line quotes, under a label the gate knows, so that
nothing quoted is taken for a claim; a line that carries hard facts carries one that no
other line does; with `soft`, soft facts follow, and warnings have less to say.
"""

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from kernel.projection.quality.artifacts import plain_path
from kernel.projection.quality.facts import Fact, Kind
from kernel.projection.quality.manifest import Manifest
from kernel.projection.quality.matching import Index, shared_endings
from kernel.projection.quality.statements import Statement, statements_of

__all__ = ["outline"]

_ORDER: Final[tuple[Kind, ...]] = (
    "goal", "constraint", "decision", "rejection", "artifact", "failure", "verification", "open", "ref",
)  # fmt: skip
_TITLES: Final[dict[Kind, str]] = {
    "goal": "Goals", "constraint": "Constraints", "decision": "Decisions", "rejection": "Rejected",
    "artifact": "Files", "failure": "Failures", "verification": "Checks", "open": "Open work", "ref": "Refs",
}  # fmt: skip
_SOFT: Final[frozenset[str]] = frozenset(
    (
        "request",
        "strong",
        "weak",
        "chosen",
        "picked",
        "correction",
        "plan-item",
        "promise",
        "question",
        "call-unanswered",
    )
)


#: So many lines are looked at for one fact, and so many that carry it: enough to see what is idle.
_TRIED: Final = 24
_CARRIERS: Final = 8


def outline(manifest: Manifest, *, soft: bool = False) -> str:
    """Return the summary; "" where the manifest has a fault or holds nothing to say."""
    if manifest.fault is not None:
        return ""
    lines = list(_lines(manifest, soft=soft))
    kept = _needed([text for _, text, _ in lines], [hard for _, _, hard in lines], manifest)
    parts: list[str] = []
    title = ""
    for at in kept:
        kind, text, _ = lines[at]
        if _TITLES[kind] != title:
            title = _TITLES[kind]
            parts.append(f"## {title}")
        parts.append(text)
    return "\n".join(parts) + "\n" if parts else "## Notes\n- note: nothing of weight\n"


def _lines(manifest: Manifest, *, soft: bool) -> Iterator[tuple[Kind, str, bool]]:
    """Yield kind, text and whether the line carries hard facts."""
    facts = [fact for fact in manifest.facts if fact.kind in _ORDER]
    facts.sort(key=lambda fact: _ORDER.index(fact.kind))
    files = {
        how: [f for f in facts if f.kind == "artifact" and f.hard and f.subkind == how]
        for how in ("changed", "deleted")
    }
    shared = shared_endings(fact.value for fact in facts if fact.kind == "artifact")
    done = False
    for fact in facts:
        if fact.kind == "artifact":
            if not done:
                done = True
                yield from (
                    ("artifact", _files(how, own, shared), True)
                    for how, own in files.items()
                    if own
                )
        elif fact.hard:
            yield fact.kind, _line(fact), True
        elif soft and fact.subkind in _SOFT and fact.needs:
            yield fact.kind, _line(fact), False


def _files(how: str, facts: Sequence[Fact], shared: frozenset[str]) -> str:
    """Name the files below their common folder, in full where the short name is another's too."""
    paths = [plain_path(fact.value) for fact in facts]
    base = posixpath.commonpath(paths) if len({path.startswith("/") for path in paths}) == 1 else ""
    base = posixpath.dirname(base) if base in paths else base
    if len(base) < 2 or len(paths) < 2:
        return f"- {how}: {', '.join(paths)}"
    short = [path[len(base) + 1 :] for path in paths]
    names = [path if name in shared else name for path, name in zip(paths, short, strict=True)]
    return f"- {how} (in {base}): {', '.join(names)}"


def _line(fact: Fact) -> str:
    if fact.kind in ("failure", "verification"):
        phrases = next(need.options for need in fact.needs if need.kind in ("phrase", "exact"))
        return (
            f"- failed: {', '.join(phrases[:3])}"
            if fact.state != "open"
            else f"- failed (open): {', '.join(phrases)}"
        )
    if fact.kind == "open":
        phrase = next((need.options[0] for need in fact.needs if need.kind == "phrase"), None)
        return f"- open: {phrase or ' '.join(fact.value.split())}"
    return f"- {fact.kind}: {' '.join(fact.text.split())}"


def _needed(texts: Sequence[str], hard: Sequence[bool], manifest: Manifest) -> list[int]:
    """Return the lines to keep: soft ones, and hard ones something depends on.

    Lines are tried from the end; one goes if every hard fact it carries stands elsewhere.
    """
    statements = [_alone(text) for text in texts]
    index = Index.of(statements, manifest.facts)
    carriers = [index.places(fact, most=_CARRIERS, tries=_TRIED) for fact in manifest.hard()]
    held: list[list[int]] = [[] for _ in texts]
    counts = [len(places) for places in carriers]
    for fact, places in enumerate(carriers):
        for at in places:
            held[at].append(fact)
    kept: list[int] = []
    for at in range(len(texts) - 1, -1, -1):
        if hard[at] and all(counts[fact] > 1 for fact in held[at]):
            for fact in held[at]:
                counts[fact] -= 1
        else:
            kept.append(at)
    return kept[::-1]


def _alone(text: str) -> Statement:
    return statements_of(text)[0]
