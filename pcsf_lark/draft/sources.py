"""Where each entry of a draft comes from: the entries of the log behind it, as JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pcsf_lark.draft.capsule import Row
    from pcsf_lark.draft.record import Record
    from pcsf_lark.draft.state import State
    from pcsf_lark.model import Capsule

__all__ = ["sources_of"]


def sources_of(
    record: Record,
    capsule: Capsule,
    rows: Sequence[Row],
    frames: Mapping[str, tuple[int, ...]],
    state: State,
) -> dict[str, Any]:
    """The sources of a draft.

    ``capsule`` lists its lines in order, each with `from`; ``cso`` maps ids to entries, and
    lists the texts of its arrays with theirs; ``withheld`` counts.
    """

    def entries(at: Iterable[int]) -> list[str]:
        return list(dict.fromkeys(record.names[index] for index in sorted(at)))

    lines = [{"layer": "META", "line": capsule.meta.line, "from": entries(frames["META"])}]
    lines += [{"layer": row.layer, "line": row.entry.line, "from": entries(row.at)} for row in rows]
    lines.append({"layer": "SEED", "line": capsule.seed.line, "from": entries(frames["SEED"])})
    known = {**state.trail.facts, **state.decisions}
    return {
        "capsule": lines,
        "cso": {
            "items": {name: entries(state.trail.at[name]) for name in known},
            **{
                member: [{"text": text, "from": entries(at)} for text, at in texts.items()]
                for member, texts in state.texts.items()
            },
        },
        "withheld": state.trail.veil.counts,
    }
