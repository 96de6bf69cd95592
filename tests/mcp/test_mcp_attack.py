"""Whatever the schemas admit is answered or refused by its contents; no call is a fault.

Sound calls are changed at random at any depth, and arguments drawn as the schemas have
them; the draws are the same every time.
"""

import copy
import json
import random

import pytest
from mcp_samples import CAPSULE, FIRST, GOOD, LOG, MESSAGES, SECOND, SESSION, folded

import cso
from pcsf_lark.faces.mcp import answering
from pcsf_lark.faces.mcp.arguments import taken
from pcsf_lark.faces.mcp.confinement import Roots
from pcsf_lark.faces.mcp.inputs import Grant
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.faces.mcp.tools import TOOLS
from pcsf_lark.relay import Repository

SHORT = {"messages": MESSAGES[:12], "state": folded()}
SOUND = {
    **GOOD,
    "relay_push": {"text": CAPSULE, "now": "2026-05-04T09:30Z"},
    "relay_head": {"show": "prompt"},
    "cso_verify": {
        "objects": [cso.members_of(FIRST), cso.members_of(SECOND)],
        "session": SESSION,
        "key_path": "key",
    },
    "kernel_plan": {**SHORT, "config": {"modelContextLimit": 9000, "nudge": {"frequency": 2}}},
    "kernel_search": {**SHORT, "query": "queue"},
    "kernel_decompress": {**SHORT, "block": "b1"},
}
ODD = (
    *(None, True, False, 0, -1, 1, 10**18, 10**30, -(10**30), 1.5, 1e308, "", "a", "\0", "\n"),
    *("\ud800", "é" * 5, "b1", "m00001", "9" * 400, "2026-05-04T09:30Z", "user", "text", "x" * 2000),
    *(float("nan"), float("inf"), [], [[]], {}, {"a": 1}, [None], ["a"], [{}], LOG, CAPSULE),
)  # fmt: skip
ROUNDS = 150


@pytest.fixture(scope="module")
def grant(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    Repository.init(root, session="test")[0].close()
    (root / "key").write_text("6b" * 32)
    (root / "key").chmod(0o600)
    (root / "a").write_bytes(bytes(range(256)))
    return Grant(Roots([str(root)]))


def places(value, depth=0):
    """All containers within a value, with a key of each."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        if depth < 8:
            yield from places(value[key], depth + 1)


def changed(given, chance):
    """A call that differs in a few places."""
    given = copy.deepcopy(given)
    for _ in range(chance.choice((1, 1, 2, 3))):
        there = list(places(given))
        if not there:
            break
        value, key = chance.choice(there)
        if chance.random() < 0.2:
            del value[key]
        elif chance.random() < 0.2 and isinstance(value, dict):
            value[chance.choice(("a", "id", "state", "kernel", "\0"))] = copy.deepcopy(
                chance.choice(ODD)
            )
        else:
            value[key] = copy.deepcopy(chance.choice(ODD))
    return given


def drawn(tool, chance):
    """A call with arguments that the schema admits, and some that it does not."""
    table = TOOLS[tool].arguments
    return {
        one.name: copy.deepcopy(chance.choice((*ODD, *one.choices, "a", ["a", "a"])))
        for one in table
        if chance.random() < 0.4
    }


@pytest.mark.parametrize("tool", TOOLS)
def test_no_call_is_a_fault(grant, tool):
    chance = random.Random(tool)
    for number in range(ROUNDS):
        given = drawn(tool, chance) if number % 4 == 0 else changed(SOUND[tool], chance)
        told = answering.answer(tool, given, grant)
        # What goes over the wire is JSON, and not much of it.
        assert len(json.dumps(told.members, allow_nan=False)) < 100_000
        assert all(text.encode() and len(text) < 100_000 for text in told.texts if text)
        if told.failed:
            error = told.members["error"]
            assert error["code"] != "fault", (error, given)
            assert error["message"]
            assert error["mend"]
            assert len(told.texts[0]) < 10_000
            for pythonic in ("Traceback", "Error:", "object has no attribute", "NoneType"):
                assert pythonic not in told.texts[0], (told.texts[0], given)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize(
    ("tool", "name"),
    [(tool, one.name) for tool in TOOLS for one in TOOLS[tool].arguments if "object" in one.kind],
)
def test_numbers_that_are_none_are_refused_wherever_they_stand(tool, name, number):
    table = TOOLS[tool].arguments
    one = next(one for one in table if one.name == name)
    deep = {"a": [{"b": number}]}
    given = {other.name: "a" for other in table if other.required}
    with pytest.raises(Refusal, match="a number that is none") as caught:
        taken(table, {**given, name: deep if one.kind == "object" else [deep]})
    assert caught.value.at == name


def test_tools_write_nothing_but_pushes(grant):
    """Calls of all tools but one leave each byte below the root as it is."""
    root = next(iter(grant.roots))

    def bytes_of_all():
        return {p: p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}

    answering.answer("relay_push", SOUND["relay_push"], grant)
    before = bytes_of_all()
    (root / "x.pcsf").write_text(CAPSULE)
    (root / "log.json").write_text(LOG)
    before = bytes_of_all()
    for tool, one in TOOLS.items():
        if one.reads_only:
            for path in ("x.pcsf", "log.json", "key", "a"):
                answering.answer(tool, {"path": path}, grant)
            told = answering.answer(tool, SOUND[tool], grant)
            assert not told.failed, told.texts
    assert bytes_of_all() == before
