"""Calls about window chains as `crprotocol` computes them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from cso import windows
from cso.call.chains import key_of, verdict_of
from cso.call.request import Earlier, InputError, integer, listed, mapping, merged, text
from cso.keys import Key

__all__ = ["HANDLERS"]

Output = dict[str, Any]

_EXAMPLE_KEY = b"key of an example, good for 1 call"


def _windows(given: dict[str, Any]) -> list[windows.Window]:
    """Read `windows`, or make as many as it, or `windows_given`, says."""
    rows = given.get("windows", given.get("windows_given"))
    if type(rows) is int:
        count = integer({"windows": rows}, "windows")
        if count > 10_000:
            raise InputError("at most 10000 windows", at="windows")
        rows = [
            {"window_number": n, "timestamp": f"t{n}", "response_hash": f"sha256:{n}"}
            for n in range(1, count + 1)
        ]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("expected an array of windows", at="windows")
    return [_window(row) for row in rows]


def _window(row: dict[str, Any]) -> windows.Window:
    return windows.Window(
        window_number=integer(row, "window_number"),
        timestamp=text(row, "timestamp", ""),
        response_hash=text(row, "response_hash", ""),
        dpe_report_hash=text(row, "dpe_report_hash", ""),
    )


def window_hmac_chain(given: dict[str, Any], earlier: Earlier) -> Output:
    """Compute a window chain both ways and judge it; `base` gives the tags to judge by."""
    now = merged(given, earlier)
    rows = _windows(now)
    session = text(now, "session_id", "example")
    named = any(name.startswith(("key_", "master_")) for name in now)
    key = key_of(now, session) if named else Key(_EXAMPLE_KEY)
    parent = text(now, "genesis_prev", "") or None
    if now.get("parent_hmac_given") is True:
        parent = parent or key.sign(b"parent")
    then = merged(earlier.find(given["base"], "base").input, earlier) if "base" in given else now
    tags = list(_chained(key, session, _windows(then), parent, windows.Compat.CRPROTOCOL))
    if now.get("untampered") is False and tags:
        tags[-1] = key.sign(b"tampered")
    if len(tags) != len(rows):
        raise InputError("as many windows as the base, please", at="windows")
    verdict = windows.verify_windows(key, session, rows, tags, parent=parent)
    plain = _chained(key, session, rows, parent, windows.Compat.CONCATENATION)
    joined = _chained(key, session, rows, parent, windows.Compat.CRPROTOCOL)
    return {**verdict_of(verdict), "joined_by_U241F": joined, "plain_concatenation": plain}


def _chained(
    key: Key, session: str, rows: list[windows.Window], parent: str | None, compat: windows.Compat
) -> list[str]:
    tags = [parent] if parent else []
    for row in rows:
        tags.append(windows.window_tag(key, session, row, tags[-1:], compat))
    return tags[1:] if parent else tags


def _compat(name: str) -> windows.Compat:
    plain = name in ("", "plain concatenation", "||")
    return windows.Compat.CONCATENATION if plain else windows.Compat.CRPROTOCOL


def window_hmac_fan_in(given: dict[str, Any], _: Earlier) -> Output:
    """Compute the tag of a window with several parents."""
    session = text(given, "session_id")
    key, window = key_of(given, session), _window(given)
    parents = listed(given, "parent_hmacs")
    if not parents or not all(isinstance(parent, str) for parent in parents):
        raise InputError("expected tags", at="parent_hmacs")
    compat = _compat(text(given, "field_join", "U+241F"))
    tag = windows.window_tag(key, session, window, parents, compat)
    orders = permutations(parents) if len(parents) <= 5 else [parents, parents[::-1]]
    same = all(windows.window_tag(key, session, window, o, compat) == tag for o in orders)
    return {"hmac": tag, "same_for_any_parent_order": same}


def ambiguity(given: dict[str, Any], _: Earlier) -> Output:
    """Tell whether two windows have the same bytes under a serialization."""
    compat = _compat(text(given, "serialization", "plain concatenation"))
    both = []
    for name in ("a", "b"):
        row = mapping(given, name)
        window = windows.Window(
            window_number=integer(row, "window_number"),
            timestamp=text(row, "rest", ""),
            response_hash="",
        )
        both.append(windows.window_message(text(row, "session_id"), window, (), compat))
    return {"same_bytes": both[0] == both[1]}


HANDLERS = {
    "ambiguity": ambiguity,
    "window_hmac_chain": window_hmac_chain,
    "window_hmac_fan_in": window_hmac_fan_in,
}
"""Handlers by kind."""
