"""Strongly connected components, by Tarjan's algorithm without recursion.

Works on rows `node -> what it points to`. Groups come in reverse topological
order: what a group points to stands before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import Factory, define

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Components", "components"]


@define
class Components:
    """The groups, each node's group number, and one closed walk a cyclic group."""

    groups: list[list[str]] = Factory(list)
    group_of: dict[str, int] = Factory(dict)
    cycles: list[tuple[str, ...]] = Factory(list)


def components(rows: Mapping[str, Iterable[str]]) -> Components:
    """Group the nodes of `rows`; linear in nodes and edges."""
    found = Components()
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    waiting: list[str] = []
    for start in rows:
        if start in index:
            continue
        index[start] = low[start] = len(index)
        waiting.append(start)
        path: list[tuple[str, Iterator[str]]] = [(start, iter(rows.get(start, ())))]
        while path:
            node, names = path[-1]
            for name in names:
                if name not in index:
                    index[name] = low[name] = len(index)
                    waiting.append(name)
                    path.append((name, iter(rows.get(name, ()))))
                    break
                if name not in found.group_of:
                    low[node] = min(low[node], index[name])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    _close(found, waiting, node, rows)
    return found


def _close(
    found: Components, waiting: list[str], root: str, rows: Mapping[str, Iterable[str]]
) -> None:
    """Take one finished group off the stack and note its cycle, if it has one."""
    group: list[str] = []
    while not group or group[-1] != root:
        group.append(waiting.pop())
        found.group_of[group[-1]] = len(found.groups)
    found.groups.append(group)
    if len(group) > 1 or root in rows.get(root, ()):
        found.cycles.append(_walk(set(group), rows))


def _walk(group: set[str], rows: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Give the shortest closed walk through the group's smallest node."""
    start = min(group)
    came: dict[str, str] = {}
    frontier = [start]
    while frontier:
        following: list[str] = []
        for node in frontier:
            for name in rows.get(node, ()):
                if name == start:
                    walk = [node]
                    while walk[-1] != start:
                        walk.append(came[walk[-1]])
                    return tuple(reversed(walk))
                if name in group and name not in came:
                    came[name] = node
                    following.append(name)
        frontier = following
    return (start,)
