"""`pcsf aili call`: the projection for hosts in any language."""

from __future__ import annotations

import sys

from attrs import asdict

from pcsf_lark.faces.aili.options import Settings
from pcsf_lark.faces.cli.terminal import trouble
from pcsf_lark.faces.files import Trouble

__all__ = ["call"]


def call(*, settings: Settings) -> None:
    """Answer lines of JSON, {"id", "op", "log", "leaf"?, "input", "write"?}.

    Each gets {"id", "output", "catalogId", "leaf"} or {"id", "error"}. Ops are
    the six tools and project, before_compact, plan and doctor. Nothing is
    appended to a log without "write": true. A bad line is answered too.

    Examples:
        # Ask for a view from any language.
        echo '{"id": 1, "op": "project", "log": "pi.jsonl", "input": {}}' | pcsf aili call
        #=> {"id":1,"output":{...
    """
    from pcsf_lark.faces.aili.call import Caller, answer_stream
    from pcsf_lark.faces.aili.log import Given
    from pcsf_lark.faces.aili.settings import settings_of

    if settings.config is not None:
        try:
            settings_of(settings.config)
        except Trouble as error:
            trouble(error)
    caller = Caller(Given("", **asdict(settings)))
    for answer in answer_stream(sys.stdin.buffer, caller):
        sys.stdout.buffer.write(answer.encode() + b"\n")
        sys.stdout.buffer.flush()
