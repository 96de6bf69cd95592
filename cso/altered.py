"""Unchecked copies of model values, for operations that keep their invariants.

`altered(value, member=new)` equals `attrs.evolve` without its checks, at a
tenth of the time: whoever calls it answers for the result being valid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from operator import attrgetter
from typing import Any, TypeVar

from attrs import fields

from cso import model

__all__ = ["altered", "marked"]

T = TypeVar("T")
ItemT = TypeVar("ItemT", bound=model.Item)


_Plan = tuple[Callable[[Any], tuple[Any, ...]], tuple[Any, ...], dict[str, int]]


def _plan(kind: type[Any]) -> _Plan:
    """Read all slots in one call, and write each through its slot descriptor."""
    names = tuple(a.name for a in fields(kind))
    # Frozen classes refuse `setattr`, not the descriptors below it.
    setters = tuple(getattr(kind, name).__set__ for name in names)
    return attrgetter(*names), setters, {name: index for index, name in enumerate(names)}


_PLANS: dict[type[Any], _Plan] = {
    kind: _plan(kind)
    for kind in (
        model.CognitiveStateObject,
        model.Decision,
        model.Edge,
        model.Fact,
        model.GoalState,
        model.Link,
        model.Record,
        model.Resolved,
    )
}


def altered(value: T, **changes: Any) -> T:
    """Copy a model value with some members replaced, unchecked."""
    kind = type(value)
    read, setters, places = _PLANS[kind]
    members = list(read(value))
    for name, new in changes.items():
        members[places[name]] = new
    copy = object.__new__(kind)
    for put, member in zip(setters, members, strict=True):
        put(copy, member)
    return copy


class _OpenFact(model.Fact):
    """A fact while it is being copied: the same slots, but assignable."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


class _OpenDecision(model.Decision):
    """A decision while it is being copied."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


def _facts(old: Sequence[Any], status: model.Status) -> list[Any]:
    """Copy facts with another status.

    Plain assignment to slots is what the interpreter does fastest; each copy
    becomes a frozen `Fact` before anyone sees it.
    """
    copies: list[Any] = list(map(object.__new__, repeat(_OpenFact, len(old))))
    for item, copy in zip(old, copies, strict=True):
        copy.fact_id = item.fact_id
        copy.statement = item.statement
        copy.provenance = item.provenance
        copy.confidence = item.confidence
        copy.window_origin = item.window_origin
        copy.provenance_ref = item.provenance_ref
        copy.status = status
        copy.supersedes = item.supersedes
        copy.superseded_by = item.superseded_by
        copy.extra = item.extra
        copy.__class__ = model.Fact
    return copies


def _decisions(old: Sequence[Any], status: model.Status) -> list[Any]:
    """Copy decisions with another status, as `_facts` does."""
    copies: list[Any] = list(map(object.__new__, repeat(_OpenDecision, len(old))))
    for item, copy in zip(old, copies, strict=True):
        copy.decision_id = item.decision_id
        copy.choice = item.choice
        copy.rationale = item.rationale
        copy.window_origin = item.window_origin
        copy.alternatives = item.alternatives
        copy.depends_on = item.depends_on
        copy.revisable = item.revisable
        copy.provenance = item.provenance
        copy.provenance_ref = item.provenance_ref
        copy.status = status
        copy.supersedes = item.supersedes
        copy.superseded_by = item.superseded_by
        copy.extra = item.extra
        copy.__class__ = model.Decision
    return copies


def marked(
    items: tuple[ItemT, ...], status: model.Status, picked: Sequence[int]
) -> tuple[ItemT, ...]:
    """Give `items` (all of one class) with `status` set at the indices `picked`."""
    if not picked:
        return items
    old = [items[index] for index in picked]
    copies = (_facts if isinstance(old[0], model.Fact) else _decisions)(old, status)
    if len(copies) == len(items):
        return tuple(copies)
    result = list(items)
    for index, copy in zip(picked, copies, strict=True):
        result[index] = copy
    return tuple(result)
