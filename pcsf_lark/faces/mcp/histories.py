"""The history that a call of the kernel is about: its messages, their state, the settings.

Readers of the kernel are lenient: what they do not know they pass over. A model that
misspells a member is better told so than answered about a history that it did not mean.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from pcsf_lark.faces.mcp.arguments import Argument, told
from pcsf_lark.faces.mcp.bounds import MESSAGES
from pcsf_lark.faces.mcp.inputs import copied, log_input, named
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kernel import CompressionState, Config, CoreMessage
    from pcsf_lark.faces.mcp.inputs import Grant

__all__ = ["HISTORY_INPUT", "History", "history", "shaped"]

HISTORY_INPUT = (
    *log_input("log", "path", "messages"),
    Argument(
        "messages",
        "objects",
        'The history itself instead: messages of a chat, such as {"role": "user", "content": '
        '"..."}, or all of them of the kernel, such as {"id": "1", "role": "user", '
        '"contentType": "text", "text": "..."}.',
        least=1,
        most=MESSAGES,
    ),
    Argument(
        "state",
        "object",
        "The kernel's state of that history, which has `blocks`; default: of a `path` the file "
        "PATH.kernel.json beside it, else none is folded.",
    ),
    Argument(
        "config", "object", 'Settings over the defaults, such as {"modelContextLimit": 128000}.'
    ),
)
_CHAT = "a chat's messages have `role` and `content`, the kernel's `id`, `role` and `text`"


class History(NamedTuple):
    """Messages, their state with every message named, and the configuration."""

    messages: tuple[CoreMessage, ...]
    state: CompressionState
    config: Config


def history(given: Mapping[str, Any], grant: Grant, verb: str) -> History:
    """What a call is about; raises Refusal."""
    from kernel import CompressionState  # noqa: PLC0415 - for the tools of the kernel alone
    from pcsf_lark.faces.session.log import read_log  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.session.work import opened, settled  # noqa: PLC0415 - likewise

    config = _config(given)
    key = named(given, "log", "path", "messages")
    state = shaped("state", lambda: _state(given["state"])) if "state" in given else None
    if key == "messages" and not any("content" in one for one in given["messages"]):
        messages = _messages(given["messages"])
    elif key == "path" and state is None:
        with copied(given, grant, ".kernel.json") as path:
            session = opened(path, config, verb=verb)
        return History(tuple(session.log.messages), session.state, config)
    else:
        chat = {"log": json.dumps({"messages": given[key]})} if key == "messages" else given
        with copied(chat, grant) as path:
            messages = tuple(read_log(path).messages)
    base = CompressionState() if state is None else state
    return History(messages, shaped("state", lambda: settled(messages, base, config)), config)


def _config(given: Mapping[str, Any]) -> Config:
    from kernel import Config, config_from_json, to_json, validate_config  # noqa: PLC0415

    overrides = given.get("config") or {}
    _require_known(overrides, to_json(Config()), "config")
    config: Config = shaped("config", lambda: config_from_json(overrides))
    faults = shaped("config", lambda: validate_config(config))
    if faults:
        raise Refusal("; ".join(faults), "send settings as `pcsf kernel` takes them", at="config")
    return config


def _require_known(found: Mapping[str, Any], known: Mapping[str, Any], at: str) -> None:
    """Refuse a setting there is none of, in groups of settings as well."""
    for name, value in found.items():
        if name not in known:
            mend = f"there are {', '.join(known)}"
            raise Refusal(f"there is no setting {name!r:.80}", mend, at=at)
        if isinstance(known[name], dict) and known[name]:
            if not isinstance(value, dict):
                mend = f"send an object of {', '.join(known[name])}"
                raise Refusal("is no group of settings", mend, at=f"{at}.{name}")
            _require_known(value, known[name], f"{at}.{name}")


def _state(value: Mapping[str, Any]) -> CompressionState:
    """A state, or the document that `pcsf session` keeps beside a log."""
    from kernel import state_from_json  # noqa: PLC0415 - likewise

    found = value["state"] if "kernel" in value and "state" in value else value
    if not isinstance(found["blocks"], list):
        raise TypeError
    return state_from_json(found)


def _messages(values: list[Any]) -> tuple[CoreMessage, ...]:
    from kernel import message_from_json  # noqa: PLC0415 - likewise
    from kernel.model import ContentType, Role  # noqa: PLC0415 - likewise

    choices = {"role": get_args(Role), "contentType": get_args(ContentType)}
    for number, value in enumerate(values):
        for name in ("id", "role", "contentType", "text", "toolName", "toolCallId"):
            _require_text(value.get(name), choices.get(name), f"messages[{number}].{name}")
        if value.keys() <= {"id", "role", "contentType"}:
            raise Refusal("has no `text`", f"send one; {_CHAT}", at=f"messages[{number}]")
    return tuple(message_from_json(value) for value in values)


def _require_text(value: Any, choices: tuple[str, ...] | None, at: str) -> None:
    if value is None:
        return
    if not isinstance(value, str) or (choices and value not in choices):
        wanted = f"one of {', '.join(choices)}" if choices else "a text"
        what = f"{value[:80]!r}" if isinstance(value, str) else told(value)
        raise Refusal(f"is {what}", f"send {wanted}; {_CHAT}", at=at)


def shaped(at: str, read: Callable[[], Any]) -> Any:
    """What reading gives; raises Refusal where the value has not the shape."""
    try:
        return read()
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        mends = {
            "state": "send the state that `pcsf session` keeps in LOG.kernel.json, whole",
            "config": "send settings as `pcsf kernel` takes them, such as "
            '{"modelContextLimit": 128000}',
        }
        raise Refusal("has not the shape it should have", mends[at], at=at) from None
