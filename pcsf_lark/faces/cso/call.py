"""The two kinds of `pcsf cso call` that are about capsules; `cso.call` has the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cso import members_of
from cso.call.request import Earlier, InputError, listed, text
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.errors import PcsfError
from pcsf_lark.model import Capsule, Chain, Meta, Seed
from pcsf_lark.operations import from_cso, to_cso
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from cso.call import Handler

__all__ = ["HANDLERS"]


def capsule_to_cso(given: dict[str, Any], _: Earlier) -> dict[str, Any]:
    """A capsule's object, by its parts, and whether it comes back byte for byte."""
    source = text(given, "capsule")
    try:
        made = to_cso(source)
        back = from_cso(made).text
    except PcsfError as error:
        raise InputError(str(error), at="capsule") from None
    return {
        "back_equal": back == source.encode(),
        "constraints": list(made.constraints),
        "cso": members_of(made),
        "decisions": [decision.decision_id for decision in made.decisions],
        "edges": [members_of(edge) for edge in made.dependency_graph],
        "facts": [fact.fact_id for fact in made.established_facts],
        "objective": made.goal_state.objective,
        "open_questions": list(made.open_questions),
        "remaining": list(made.goal_state.remaining),
        "window_number": made.window_number,
    }


def capsule_budget(given: dict[str, Any], _: Earlier) -> dict[str, Any]:
    """The characters of a capsule without entries, and how many that leaves."""
    meta = listed(given, "meta")
    if len(meta) != 4 or not all(isinstance(part, str) for part in meta):
        raise InputError("expected topic, domain, depth and timestamp", at="meta")
    chained = given.get("chain", False)
    if not isinstance(chained, bool):
        raise InputError("expected true or false", at="chain")
    empty = Capsule(
        version=text(given, "version", "v1.2"),
        meta=Meta(*meta),
        chain=Chain("1", meta[3]) if chained else None,
        seed=Seed(text(given, "seed")),
    )
    chars = len(verbatim(empty))
    return {"chars": chars, "left_for_entries": LIMIT - chars}


HANDLERS: dict[str, Handler] = {
    "capsule_budget": capsule_budget,
    "capsule_to_cso": capsule_to_cso,
}
