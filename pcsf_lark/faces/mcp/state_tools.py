"""The tools on sessions' states: draft, relay push and head."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.bounds import LOG_TEXT
from pcsf_lark.faces.mcp.inputs import PATH, Answer, copied, log_input, named, one_of
from pcsf_lark.faces.mcp.reading_tools import moment
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.faces.mcp.relays import RELAY_INPUT, opened
from pcsf_lark.faces.mcp.stopping import whole
from pcsf_lark.spec import LAYERS, LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    import cso
    from pcsf_lark.faces.mcp.inputs import Grant

__all__ = [
    "DRAFT",
    "RELAY_HEAD",
    "RELAY_PUSH",
    "draft",
    "relay_head",
    "relay_push",
]

_FORMATS = ("pi", "claude-code", "codex", "openhands-output", "openhands", "sweagent", "chat")
_BUDGET, _LARGEST_BUDGET = 6_000, 200_000
_NOW = Argument("now", "string", "The time to note, such as 2026-05-04T09:30Z.")
_SINCE = Argument("since", "string", "Of a log, only what came after this entry.")
DRAFT = (
    *log_input("log", "path"),
    _SINCE,
    Argument(
        "now",
        "string",
        "The time of a log that tells none, such as 2026-05-04T09:30Z; default: when it was "
        "last written.",
    ),
    Argument("leaf", "string", "The entry whose branch is taken; default: the last one."),
    Argument("run", "integer", "Which run of a log that holds several.", most=10_000),
    Argument(
        "log_format", "string", "How the log is written; default: found out.", choices=_FORMATS
    ),
    Argument("with_object", "boolean", "Also the whole state object, which is longer."),
    Argument("with_sources", "boolean", "Also which entries of the log are behind what."),
)
RELAY_PUSH = (
    Argument(
        "text",
        "string",
        one_of("A capsule, a state object (JSON) or a session log.", "text", "path"),
        most=LOG_TEXT,
    ),
    PATH,
    Argument(
        "kind", "string", "What it is; default: found out.", choices=("capsule", "cso", "log")
    ),
    _SINCE,
    _NOW,
    *RELAY_INPUT,
)
RELAY_HEAD = (
    Argument(
        "show",
        "string",
        "state (the default): what the head holds; capsule, cso or prompt: to go on from.",
        choices=("state", "capsule", "cso", "prompt"),
    ),
    Argument("budget", "integer", "Characters of the object in a prompt.", most=_LARGEST_BUDGET),
    *RELAY_INPUT,
)


def draft(given: Mapping[str, Any], grant: Grant) -> Answer:
    """A draft of a session's state from its log."""
    from pcsf_lark.draft import draft as drafted  # noqa: PLC0415 - for this tool alone
    from pcsf_lark.faces.session.log import read_log, written  # noqa: PLC0415 - likewise

    now, fmt = moment(given, "now"), given.get("log_format")
    with copied(given, grant) as path:
        log = read_log(path, fmt=fmt, leaf=given.get("leaf"), run=given.get("run", 0), earlier=True)
        now = now or written(path)
    try:
        made = drafted(log, since=given.get("since"), now=now)
    except KeyError as error:
        mend = "send the id of an entry of the log"
        raise Refusal(str(error.args[0]), mend, at="since") from None
    text, more = made.text.decode(), []
    counts = {layer.key: len(getattr(made.capsule, layer.attribute)) for layer in LAYERS}
    members = {
        "text": text,
        "bytes": len(made.text),
        "left": LIMIT - len(made.text),
        "entries": counts,
        "withheld": dict(made.withheld),
        "facts": len(made.cso.established_facts),
        "decisions": len(made.cso.decisions),
    }
    if given.get("with_object"):
        members["object"] = _members(made.cso)
        more.append(_json(members["object"]))
    if given.get("with_sources"):
        members["sources"] = dict(made.sources)
        more.append(_json(members["sources"]))
    listed = ", ".join(f"{layer} {count}" for layer, count in counts.items())
    words = f"drafted {listed}; {len(text):,} of {LIMIT:,} bytes; quoted, not understood: finish it"
    if made.withheld:
        words += f"; withheld {', '.join(f'{k} ({n})' for k, n in made.withheld.items())}"
    return Answer(words, members, (text, *more))


def _json(value: Any) -> str:
    """For those who are shown texts alone."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)


def _members(value: cso.CognitiveStateObject) -> Any:
    from cso import members_of  # noqa: PLC0415 - for who asks

    return members_of(value)


def relay_push(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Take a session's state into the chain of a relay."""
    from pcsf_lark.faces.relay.telling import landed  # noqa: PLC0415 - for this tool alone
    from pcsf_lark.relay import read_push  # noqa: PLC0415 - likewise

    now = moment(given, "now")
    single = {"log": given["text"]} if named(given, "text", "path") == "text" else given
    with copied(single, grant) as path:
        incoming = read_push(path, kind=given.get("kind"), since=given.get("since"), now=now)
    with whole(), opened(given, grant) as relay:
        window = relay.push(incoming, now=now)
        members = {**landed(window, relay.branch), "veiled": dict(incoming.veiled)}
    where = f"{members['branch']} is at window {members['window']}"
    words = f"nothing to do: {window.unchanged}; {where}"
    if not window.unchanged:
        dropped, kept_back = len(window.notes.dropped), len(window.withheld)
        words = f"pushed: {where}, {window.added} new, {dropped} dropped, {kept_back} withheld"
    return Answer("\n".join([words, *(f"warning: {one}" for one in window.warnings)]), members)


def relay_head(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Where a relay stands, or its head to go on from."""
    from pcsf_lark.faces.relay.telling import standing  # noqa: PLC0415 - for this tool alone

    show = given.get("show", "state")
    with whole(), opened(given, grant) as relay:
        found = relay.head()
        if found is None:
            mend = "push a capsule first, with the tool relay_push"
            raise Refusal("there is nothing in this relay yet", mend, code="empty")
        members = standing(relay, found)
        prompt = relay.prompt(budget=given.get("budget", _BUDGET)) if show == "prompt" else ""
    words = f"window {members['window']}, {members['tag']}: {members['goal']['objective'] or 'no goal stated'}"
    if show == "capsule" and not members["capsule"]:
        mend = "ask for show=cso: only objects without a goal were pushed"
        raise Refusal("the head has no capsule", mend, at="show", code="empty")
    if show == "cso":
        given_out = _members(found)
        return Answer(words, {**members, "cso": given_out}, (_json(given_out),))
    if show == "prompt":
        return Answer(words, {**members, "prompt": prompt}, (prompt,))
    return Answer(words, members, (members["capsule"],) if members["capsule"] else ())
