"""A Cognitive State Object as a capsule: an export, with exact figures of what is in it.

What came from a capsule goes back as it was, to the byte where nothing changed;
the rest is projected, and what does not fit goes in a fixed order, each told. It
is no relay: edges do not survive, and nothing read back from it is verified.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import field, frozen

from cso import LIVE, PreservationError
from cso.headers import emit_preservation
from pcsf_lark.passes.complement import complement_of
from pcsf_lark.passes.cso_fitting import BudgetError, capped, fitted
from pcsf_lark.passes.cso_frame import folded, frame, seed_of, text_of, with_lines
from pcsf_lark.passes.cso_lines import Draft, Dropped
from pcsf_lark.passes.cso_projected import projected
from pcsf_lark.passes.cso_returned import returned
from pcsf_lark.passes.measure import parts
from pcsf_lark.passes.to_cso import RULED_OUT
from pcsf_lark.spec import LIMIT
from pcsf_lark.syntax.fast import build, match

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cso import CognitiveStateObject, Decision
    from pcsf_lark.model import Capsule
    from pcsf_lark.passes.complement import Complement
    from pcsf_lark.passes.cso_lines import Line

__all__ = ["BudgetError", "Dropped", "Export", "from_cso"]


@frozen
class Export:
    """A capsule made of an object.

    ``score`` is the exact fraction of live facts whose statement stands in it
    verbatim; ``kept`` gives kept and total for facts, decisions, constraints,
    questions, remaining and edges (edges never survive). ``dropped`` is the log
    in order; ``shortened`` and ``escaped`` name what stands there in other words: by
    its id, or as ``topic``, ``domain``, ``seed``.

    Attributes:
        capsule: The capsule.
        text: Its canonical bytes.
        warnings: What to look at, in words.
    """

    capsule: Capsule
    text: bytes
    score: Fraction
    dropped: tuple[Dropped, ...] = ()
    shortened: tuple[str, ...] = ()
    escaped: tuple[str, ...] = ()
    kept: Mapping[str, tuple[int, int]] = field(factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def preservation_score(self) -> Fraction:
        """The same as ``score``, by its name in the specification."""
        return self.score

    @property
    def header(self) -> str:
        """The header CRP-Relay-Preservation: two decimals, rounded down."""
        return str(emit_preservation(*self.kept["facts"]))


def from_cso(
    cso: CognitiveStateObject,
    *,
    budget: int = LIMIT,
    domain: str = "general",
    timestamp: str | None = None,
    prefer: str | None = None,
    strict: bool = False,
    stamp: bool = False,
) -> Export:
    """The object as a capsule of at most ``budget`` bytes, and never more than 1,200.

    An object from `to_cso` keeps its META, token, layout and CHAIN; for another
    one ``domain`` and ``timestamp`` (by default the epoch: no clock is read) go
    into META. ``prefer="facts"`` moves the projected facts' step. ``stamp`` adds
    INTEGRITY. Raises ``BudgetError`` where what must stay does not fit,
    `cso.PreservationError` if ``strict`` and a live fact is not kept, and
    ValueError for a wrong argument.
    """
    if prefer not in (None, "facts"):
        raise ValueError(f"prefer is None or 'facts', not {prefer!r:.40}")
    old, warning = complement_of(cso)
    draft = Draft(cso, cso.items())
    seed = seed_of(draft, old)
    empty = frame(cso, old, seed.text, domain=domain, timestamp=timestamp)
    if old is not None:
        returned(draft, old)
    projected(draft, old)
    stamped = stamp or bool(old and old.stamp)
    rows, short, text = _chosen(
        draft, empty, old, budget, stamped=stamped, facts_earlier=prefer == "facts"
    )
    kept = _kept(cso, {text for row in rows for text in row.texts} | {seed.said})
    score = Fraction(*kept["facts"]) if kept["facts"][1] else Fraction(1)
    if strict and score < 1:
        told = emit_preservation(*kept["facts"])
        raise PreservationError(f"not all is kept: {told}", at="established_facts")
    return Export(
        _read_back(text),
        text,
        score,
        tuple(draft.left),
        (*seed.shortened, *short),
        _once((*folded(cso, old, domain), *seed.escaped, *(r.id for r in rows if r.altered))),
        kept,
        (warning,) if warning else (),
    )


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _chosen(
    draft: Draft,
    empty: Capsule,
    old: Complement | None,
    budget: int,
    *,
    stamped: bool,
    facts_earlier: bool,
) -> tuple[list[Line], tuple[str, ...], bytes]:
    """The lines that are in, the ids whose reasons were shortened, and the text."""

    def text_with(lines: dict[str, list[Line]]) -> bytes:
        return text_of(with_lines(empty, lines), old, stamped=stamped)

    room = min(budget, LIMIT)
    lines, short = fitted(
        capped(draft.lines, draft.left),
        lambda lines: len(text_with(lines)),
        room,
        draft.left,
        facts_earlier=facts_earlier,
    )
    text = text_with(lines)
    if len(text) > room:
        obstacles = parts(with_lines(empty, lines))
        obstacles["frame"] += len(text) - sum(obstacles.values())
        raise BudgetError(len(text), room, obstacles)
    return [row for layer in lines.values() for row in layer], short, text


def _read_back(text: bytes) -> Capsule:
    matched = match(text.decode("ascii"), "interop")
    if matched is None:
        raise AssertionError("an export that is no capsule")
    return build(matched)


def _kept(cso: CognitiveStateObject, texts: set[str]) -> dict[str, tuple[int, int]]:
    """Kept and total of everything, by what stands in the capsule verbatim."""

    def counted(wanted: Iterable[tuple[str, ...]]) -> tuple[int, int]:
        found = [texts.issuperset(part) for part in wanted]
        return sum(found), len(found)

    decisions = [decision for decision in cso.decisions if decision.status in LIVE]
    return {
        "facts": counted((f.statement,) for f in cso.established_facts if f.status in LIVE),
        "decisions": counted((_option(d), d.rationale) for d in decisions),
        "constraints": counted((text,) for text in cso.constraints),
        "questions": counted((text,) for text in cso.open_questions),
        "remaining": counted((text,) for text in cso.goal_state.remaining),
        "edges": (0, len(cso.dependency_graph)),
    }


def _option(decision: Decision) -> str:
    """What a decision says in a capsule: an L2 entry names the option alone."""
    option = decision.alternatives[0] if decision.alternatives else ""
    return option if decision.choice == RULED_OUT + option else decision.choice
