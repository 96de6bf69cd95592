"""A relay's chain as it is shown: all branches, judged if the relay's key is at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cso
from cso.errors import CsoError
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.pages.chain_links import Judgement, Link
from pcsf_lark.faces.pages.chain_view import chain_view
from pcsf_lark.relay import Repository, RepositoryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.faces.pages.chain_view import ChainView
    from pcsf_lark.faces.show.views import Keys
    from pcsf_lark.relay.reports import LogLine

__all__ = ["relay_view"]


def relay_view(path: str, keys: Keys) -> ChainView | Trouble:
    """The view of a relay; Trouble where it cannot be opened."""
    session = keys.session or None
    try:
        try:
            keyed = Repository.open(store=path, session=session)
        except RepositoryError as error:
            # A key that is missing or refused is no reason to show nothing.
            with Repository.open(store=path, session=session, keyless=True) as relay:
                return _viewed(path, relay, None, keys, str(error))
        with keyed, Repository.open(store=path, session=session, keyless=True) as relay:
            return _viewed(path, relay, keyed, keys, "")
    except RepositoryError as error:
        return Trouble(_shown(path), error.reason)
    except CsoError as error:
        return Trouble(_shown(path), str(error).removeprefix(f"{Path(path).absolute()}: "))


def _shown(path: str) -> str:
    """A path as it is given; of a URL, which may hold a password, the scheme alone."""
    return path if "://" not in path else path.split("://", maxsplit=1)[0] + "://..."


def _viewed(
    path: str, relay: Repository, keyed: Repository | None, keys: Keys, why: str
) -> ChainView:
    branches = relay.branches()
    if keys.session and not branches:
        raise RepositoryError(path, f"no session {keys.session!r:.80} is there")
    rows: dict[str, LogLine] = {}
    reach: dict[str, frozenset[str]] = {}
    for branch in branches:
        log = relay.log(branch)
        reach[branch] = frozenset(row.tag for row in log)
        rows.update((row.tag, row) for row in reversed(log))
    # A window comes after those that it follows, whose numbers are smaller.
    ordered = sorted(rows.values(), key=lambda row: (row.window, row.when))
    links = tuple(map(_link, ordered))
    judged, faults = _judged(keyed, keys, links, reach, why)
    loaded: dict[int, cso.CognitiveStateObject | cso.Unreadable] = {}

    def load(index: int) -> cso.CognitiveStateObject | cso.Unreadable:
        if index not in loaded:
            try:
                loaded[index] = relay.show(links[index].tag)
            except CsoError as error:
                loaded[index] = cso.Unreadable(str(error), links[index].number)
        return loaded[index]

    return chain_view(_shown(path), links, load, judged, session=relay.home.session, faults=faults)


def _link(row: LogLine) -> Link:
    lost = (("dropped", row.dropped), ("withheld", row.withheld), ("absent", row.absent))
    return Link(
        number=row.window,
        tag=row.tag,
        parents=row.parents,
        heads=row.branches,
        kind=row.kind,
        topic=row.topic,
        when=row.when,
        lost=lost,
    )


def _judged(
    keyed: Repository | None,
    keys: Keys,
    links: Sequence[Link],
    reach: dict[str, frozenset[str]],
    why: str,
) -> tuple[list[Judgement], list[str]]:
    members = {
        branch: frozenset(index for index, link in enumerate(links) if link.tag in tags)
        for branch, tags in reach.items()
    }
    if keyed is None:
        reason = why or "no key was at hand"
        rows = [
            Judgement(branch=branch, status="UNVERIFIED", checked=False, reason=reason, members=m)
            for branch, m in members.items()
        ]
        return rows, []
    found = keyed.verify(keys=keys.ring)
    rows = []
    for one in found.branches:
        mine = members.get(one.branch, frozenset())
        at = one.verdict.broken_at_window
        broken = min((i for i in mine if at is not None and links[i].number == at), default=None)
        notes = [f"the head capsule of window {window} does not follow" for window in one.differing]
        rows.append(
            Judgement(
                branch=one.branch,
                status=one.verdict.status.value,
                checked=True,
                reason=one.verdict.reason,
                broken=broken,
                members=mine,
                notes=tuple(notes[:5]),
            )
        )
    faults = [f"damage: {damage}" for damage in found.damage]
    if found.events.status is cso.ChainStatus.BROKEN:
        faults.append(f"the audit trail is broken: {found.events.reason}")
    return rows, faults
