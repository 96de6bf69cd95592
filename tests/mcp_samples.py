"""Calls for the tests of `pcsf mcp`: one that is answered for each tool, and what it is about."""

import json

import cso_states
import relay_samples

import cso
import kernel
from pcsf_lark.faces.session.work import settled

CAPSULE = relay_samples.text(
    ["CHOICE | one queue a tenant | a slow tenant held up all others"],
    ["a lock in the database | it outlived its owner | owners must be seen to die"],
    ["UNRESOLVED: does the load of a month's end fit?"],
    ["BOUNDARY: ask before production"],
    ["INCOMPLETE_TASK | replay March | HIGH", "PROMISE | tell the partner | LOW"],
)
NEWER = relay_samples.text(
    ["DISCOVERY | lag is in the queue | measured over a week"], time="2026-05-05T09:30Z"
)
LOG = json.dumps(
    {
        "messages": [
            {"role": "user", "content": "Move the nightly exports to a queue. Never bill twice."},
            {"role": "assistant", "content": "I chose one queue a tenant. Next: replay March."},
        ]
    }
)
KEY = cso.Key(b"k" * 32)
SESSION = "session-1"
FIRST = cso.sign(
    cso.bind(
        cso_states.state(cso_states.fact("f1", "lag is low"), cso_states.decision("d1", "f1"))
    ),
    KEY,
    SESSION,
)
SECOND = cso.sign(cso.bind(cso.advance(FIRST, []), FIRST), KEY, SESSION)
MESSAGES = [
    {
        "id": str(number),
        "role": "user" if number % 2 else "assistant",
        "contentType": "text",
        "text": f"message {number}: " + "about the index and its lag " * 40,
    }
    for number in range(1, 41)
]


def folded():
    """A state of the messages in which some are folded into block b1."""
    messages = tuple(map(kernel.message_from_json, MESSAGES))
    state = settled(messages, kernel.CompressionState(), kernel.Config())
    fold = kernel.CompressRange("m00003", "m00010", "One queue a tenant was chosen. " * 8, "queue")
    return kernel.to_json(
        kernel.apply_compression([fold], messages, state, kernel.Config(), now=1).state
    )


HISTORY = {"messages": MESSAGES, "state": folded()}
#: A call of each tool that needs nothing but its arguments.
GOOD = {
    "check": {"text": CAPSULE},
    "format": {"text": CAPSULE},
    "fix": {"text": CAPSULE.replace("CHOICE", "choice")},
    "fit": {"text": CAPSULE, "budget": len(CAPSULE) - 10},
    "stitch": {"texts": [CAPSULE, NEWER]},
    "draft": {"log": LOG, "now": "2026-05-04T09:30Z", "with_object": True, "with_sources": True},
    "resume": {"text": CAPSULE, "now": "2026-06-01T00:00Z", "context_time": "2026-05-30T00:00Z"},
    "explain": {"rule": "malformed-entry"},
    "cso_explain": {"object": cso.members_of(FIRST), "id": "d1"},
    "kernel_plan": {**HISTORY, "config": {"modelContextLimit": 9000}},
    "kernel_search": {**HISTORY, "query": "queue"},
    "kernel_decompress": {**HISTORY, "block": "b1"},
}
