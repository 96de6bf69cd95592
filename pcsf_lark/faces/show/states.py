"""JSON that `pcsf show` is given: state objects, chains of them, or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cso
from cso import jcs
from cso.seal import parents_of
from pcsf_lark.faces.cso.telling import known_anchor
from pcsf_lark.faces.pages.chain_links import Judgement, linked, links_of
from pcsf_lark.faces.pages.chain_view import chain_view
from pcsf_lark.faces.pages.state_view import Unreadable, signature, state_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from pcsf_lark.faces.pages.chain_links import Entry
    from pcsf_lark.faces.pages.chain_view import ChainView
    from pcsf_lark.faces.pages.documents import View
    from pcsf_lark.faces.show.views import Keys

__all__ = ["state_views"]

_MEMBERS = ("goal_state", "window_number")
_FINDINGS = 24
_Named = tuple[str, cso.CognitiveStateObject]


def state_views(files: Iterable[tuple[str, bytes]], keys: Keys) -> Iterator[View]:
    """Views of files in order; objects that follow one another are one chain."""
    run: list[_Named] = []
    for path, data in files:
        made = _made(path, data, keys)
        if isinstance(made, tuple):
            if not _follows(made[1], run):
                yield from _ended(run, keys)
                run = []
            run.append(made)
            continue
        yield from _ended(run, keys)
        run = []
        yield made
    yield from _ended(run, keys)


def _follows(value: cso.CognitiveStateObject, before: Iterable[_Named]) -> bool:
    tags = {one.cso_hmac for _, one in before if one.cso_hmac}
    return not tags.isdisjoint(parents_of(value))


def _ended(run: Sequence[_Named], keys: Keys) -> Iterator[View]:
    if len(run) == 1:
        ((path, value),) = run
        yield state_view(path, value, signature(value, keys.ring, keys.session))
    elif run:
        yield _chain(f"{run[0][0]} to {run[-1][0]}", [value for _, value in run], keys)


def _made(path: str, data: bytes, keys: Keys) -> View | _Named:
    """What a file holds: an object, a chain, or why it is neither."""
    try:
        whole = jcs.parse(data, max_bytes=cso.Limits().max_bytes)
    except cso.CsoError as error:
        lines = [line for line in data.split(b"\n") if line.strip()]
        if len(lines) > 1 and any(map(_is_state, lines[:2])):
            return _chain(path, cso.read_entries(lines), keys)
        return _unreadable(path, "Neither a state object nor a chain", error)
    if isinstance(whole, list) and any(isinstance(one, dict) and _has(one) for one in whole):
        return _chain(path, cso.read_entries(whole), keys)
    if not isinstance(whole, dict) or not _has(whole):
        what = "this JSON has no goal_state and window_number, as a state object has"
        unfit = cso.ContentError(what, code="kind")
        return _unreadable(path, "JSON, but no state object", unfit)
    try:
        return path, cso.loads(data, strict=False)
    except cso.CsoError as error:
        return _unreadable(path, "A state object that cannot be read", error)


def _has(members: Mapping[str, Any]) -> bool:
    return any(name in members for name in _MEMBERS)


def _is_state(line: bytes) -> bool:
    try:
        value = jcs.parse(line)
    except cso.CsoError:
        return False
    return isinstance(value, dict) and _has(value)


def _unreadable(path: str, topic: str, error: cso.CsoError) -> Unreadable:
    found = error.findings or (cso.Finding(error.code, error.at, error.message),)
    rest = max(len(found) - _FINDINGS, 0)
    return Unreadable(name=path, topic=topic, findings=tuple(found[:_FINDINGS]), more_findings=rest)


def _chain(name: str, entries: Sequence[Entry], keys: Keys) -> ChainView:
    judged = linked(entries)
    if keys.ring:
        anchor = known_anchor(entries)
        verdict = cso.verify_chain(entries, keys.ring, keys.session, anchor=anchor)
        judged = Judgement(
            status=verdict.status.value, checked=True, reason=verdict.reason, broken=verdict.index
        )
    return chain_view(name, links_of(entries), entries.__getitem__, [judged], session=keys.session)
