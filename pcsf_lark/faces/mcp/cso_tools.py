"""The tools on chains of state objects: cso verify and explain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attrs import asdict

from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.bounds import CHAIN, OBJECT
from pcsf_lark.faces.mcp.inputs import PATH, Answer, named, one_of
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    import cso
    from pcsf_lark.faces.mcp.inputs import Grant

__all__ = ["CSO_EXPLAIN", "CSO_VERIFY", "cso_explain", "cso_verify"]

_SHOWN = 20
CSO_VERIFY = (
    Argument(
        "objects",
        "objects",
        one_of("A chain's objects, oldest first.", "objects", "paths"),
        least=1,
        most=CHAIN,
    ),
    Argument(
        "paths",
        "strings",
        "Instead files, by paths relative to a root of the server, oldest first.",
        least=1,
        most=CHAIN,
    ),
    Argument("session", "string", "The session that the tags are for.", required=True),
    Argument("key_path", "string", "A key file below a root; default: the server's keys."),
    Argument("anchor", "string", "The tag that the first one is known to follow."),
)
CSO_EXPLAIN = (
    Argument("object", "object", one_of("The state object.", "object", "path")),
    PATH,
    Argument("id", "string", "A fact's or decision's id.", required=True),
)


def cso_verify(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Judge a chain of state objects by its tags."""
    import cso  # noqa: PLC0415 - for this tool alone
    from pcsf_lark.faces.cso.telling import known_anchor  # noqa: PLC0415 - likewise

    session = given["session"]
    if not session.isprintable():
        raise Refusal("is no session's name", "send printable text on one line", at="session")
    keys = _keys(given, grant, session)
    entries = cso.read_entries(_documents(given, grant))
    anchor = given.get("anchor", known_anchor(entries))
    verdict = cso.verify_chain(entries, keys, session, anchor=anchor)
    members = {**asdict(verdict), "status": verdict.status.value, "objects": len(entries)}
    words = members["status"]
    if verdict.broken_at_window is not None:
        words += f" at window {verdict.broken_at_window}"
    return Answer(f"{words}: {verdict.reason}" if verdict.reason else words, members)


def _keys(given: Mapping[str, Any], grant: Grant, session: str) -> list[cso.Key]:
    """The keys of a call; they are read for it alone and stand in no answer."""
    from pcsf_lark.faces.cso.files import read_key  # noqa: PLC0415 - likewise

    places = list(grant.keys)
    if "key_path" in given:
        places = [str(grant.roots.file(given["key_path"], "key_path"))]
    if not places:
        what = "tags are verified with a key, and this server was started without one"
        mend = "send `key_path`, or ask the user to start `pcsf mcp --key-file FILE`"
        raise Refusal(what, mend, at="key_path", code="key")
    return [read_key(place, session, master=grant.master) for place in places]


def _documents(given: Mapping[str, Any], grant: Grant) -> list[bytes]:
    """The documents of a chain; all of them together are bounded, too."""
    if named(given, "objects", "paths") == "objects":
        return [_spelled(one) for one in given["objects"]]
    left, found = 4 * OBJECT, []
    for number, path in enumerate(given["paths"]):
        found.append(grant.roots.read(path, min(OBJECT, left), f"paths[{number}]"))
        left -= len(found[-1])
    return found


def cso_explain(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Trace an item of a state object through all it rests on."""
    import cso  # noqa: PLC0415 - for this tool alone
    from pcsf_lark.faces.cso.telling import explained, explanation  # noqa: PLC0415 - likewise

    if named(given, "object", "path") == "object":
        data = _spelled(given["object"])
    else:
        data = grant.roots.read(given["path"], OBJECT)
    # Lenient: what is unknown here may still be under a tag.
    state = cso.loads(data, strict=False)
    known = [one.fact_id for one in state.established_facts]
    known += [one.decision_id for one in state.decisions]
    try:
        found = cso.explain(state, given["id"])
    except cso.CsoError as error:
        if error.code != "unknown-id":
            raise
        more = " and others" if len(known) > _SHOWN else ""
        mend = f"there are {', '.join(known[:_SHOWN])}{more}" if known else "it has no items"
        what = f"there is no item {given['id']!r:.80}"
        raise Refusal(what, mend, at="id", code=error.code) from None
    return Answer("\n".join(explanation(found)), explained(found))


def _spelled(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
