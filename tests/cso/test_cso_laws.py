"""Laws of all operations at once, and the small verbs around them."""

import json
import subprocess
import sys

import pytest
from attrs import evolve
from cso_states import KEY, SESSION, any_objects, decision, fact, given, state
from hypothesis import strategies as st

import cso
from cso import CsoError, CycleError, KeyMaterialError, Status, UnknownIdError, dumps
from cso.draw import FORMATS

OPERATIONS = {
    "add_edges": lambda x, name: cso.add_edges(x, [(name, "ghost")]),
    "advance": lambda x, _: cso.advance(x, x.goal_state.remaining[:1]),
    "answer": lambda x, _: cso.answer(x, (*x.open_questions, "?")[0], "ref"),
    "archive": lambda x, _: cso.archive(x),
    "check": lambda x, _: cso.check(x),
    "explain": cso.explain,
    "integrate": lambda x, _: cso.integrate(x, state(fact("new!")), base=x.cso_hmac),
    "invalidate": lambda x, name: cso.invalidate(x, name, "reason"),
    "on_tool_refresh": lambda x, _: cso.on_tool_refresh(x, "x", "a", "b"),
    "on_tool_stale": lambda x, _: cso.on_tool_stale(x, "x"),
    "reaffirm": cso.reaffirm,
    "relay": lambda x, _: cso.relay(x, x, KEY, SESSION),
    "repair": lambda x, _: cso.repair(x, evolve(x, established_facts=(), constraints=())),
    "revise": lambda x, name: cso.revise(x, name, "choice", "why", because=name),
    "revision_window": lambda x, name: cso.revision_window(x, name, "fact"),
    "slice_of": lambda x, name: cso.slice_of(x, [name]),
    "with_goal": lambda x, _: cso.with_goal(x, cso.GoalState(mode="TOOL")),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
@given(any_objects(), st.booleans(), st.data(), examples=40)
def test_no_operation_changes_its_input_or_leaves_the_model(operation, value, signed, data):
    if signed:
        value = cso.sign(value, KEY, SESSION)
    name = data.draw(st.sampled_from([*value.items(), "nope"]))
    before = dumps(value)
    try:
        result = operation(value, name)
    except CsoError:
        result = ()
    assert dumps(value) == before
    found = result if isinstance(result, tuple) else (result,)
    for part in found:
        made = getattr(part, "cso", part)
        if isinstance(made, cso.CognitiveStateObject) and made != value:
            # Unchecked copies are what a checked construction would have made.
            assert cso.loads(dumps(made), strict=False) == made
            assert made.cso_hmac == "" or made.verified


@given(any_objects())
def test_operations_are_functions(value):
    names = list(value.items())
    for name in names[:1]:
        assert cso.invalidate(value, name, "r") == cso.invalidate(value, name, "r")
        assert cso.slice_of(value, [name]) == cso.slice_of(value, [name])
    assert cso.minted(value, "s") == cso.minted(value, "s")
    assert cso.minted(value, "s").cso_id != cso.minted(value, "t").cso_id


def test_edges_are_added_to_the_draft():
    value = state(fact("a"), fact("b"), decision("d", "a"))
    new = cso.add_edges(value, [("b", "d"), ("b", "d"), ("d", "a")])
    assert [(e.dependent, e.depends_on) for e in new.dependency_graph] == [("b", "d")]
    assert cso.add_edges(new, [("b", "d")]) is new
    with pytest.raises(CycleError, match="a -> b -> d -> a"):
        cso.add_edges(new, [("a", "b")])
    with pytest.raises(CycleError, match="a -> a"):
        cso.add_edges(new, [("a", "a")])
    with pytest.raises(UnknownIdError):
        cso.add_edges(new, [("nope", "a")])


def test_resolved_contradictions_invalidate_the_loser():
    value = state(fact("a"), fact("b"), decision("d", "a"))
    new, report = cso.on_contradiction_resolved(value, "a", "b", because="turn 5")
    assert new.items()["a"].status is Status.INVALIDATED
    assert report.affected == ("d",)
    assert new.revisions[0].because == "contradiction resolved for b: turn 5"


# content of a key file → the key, or None if it is refused
KEY_FILES = {
    "hex": (b"0f" * 32, b"\x0f" * 32),
    "hex with a line end": (b"0F" * 32 + b"\r\n", b"\x0f" * 32),
    "raw": (bytes(range(32)), bytes(range(32))),
    "raw with spaces": (b" " * 40, b" " * 40),
    "short hex": (b"0f" * 15, None),
    "longer hex is raw": (b"0f" * 33, b"0f" * 33),
    "empty": (b"", None),
    "31 bytes": (b"x" * 31, None),
}


@pytest.mark.parametrize(("data", "key"), KEY_FILES.values(), ids=KEY_FILES)
def test_key_files(data, key):
    if key is not None:
        assert cso.parse_key(data) == key
        return
    with pytest.raises(KeyMaterialError) as caught:
        cso.parse_key(data)
    assert not data or data.decode() not in str(caught.value)


DRAWN = state(
    fact("f1", 'say "hi" <b>\nthere'),
    fact("f2", provenance="TOOL", provenance_ref="t", status="STALE"),
    decision("d1", "f1", "gone"),
)


@pytest.mark.parametrize("form", FORMATS)
def test_drawings_name_every_node_and_edge(form):
    text = cso.draw(DRAWN, form)
    for name in ("f1", "f2", "d1", "gone", "tool:t", "STALE"):
        assert name in text
    assert text.endswith("\n")
    arrows = {"text": "rests on", "json": '"dependent"', "mermaid": "-->", "dot": "->"}
    assert text.count(arrows[form]) == 3


def test_drawings_quote():
    assert '"f1: say #quot;hi#quot; #lt;b> there"' in cso.draw(DRAWN, "mermaid")
    assert '[label="f1: say \\"hi\\" <b> there"' in cso.draw(DRAWN, "dot")
    assert json.loads(cso.draw(DRAWN, "json"))["edges"][0] == {
        "dependent": "d1",
        "depends_on": "f1",
    }


@given(any_objects())
def test_anything_can_be_drawn(value):
    for form in FORMATS:
        assert cso.draw(value, form) or not value.items()


def test_errors_are_what_callers_expect():
    assert issubclass(UnknownIdError, KeyError)
    assert issubclass(CsoError, ValueError)
    error = UnknownIdError("no such thing", at="here")
    assert str(error) == "here: no such thing"
    assert (error.code, error.findings[0].at) == ("unknown-id", "here")


def test_the_surface():
    assert cso.__all__ == sorted(cso.__all__, key=_case)
    assert all(hasattr(cso, name) for name in cso.__all__)


def _case(name):
    rank = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return rank, name


def test_the_package_stands_alone():
    code = (
        "import sys, cso, cso.call; "
        "print(sorted(n for n in sys.modules if n.split('.')[0] in "
        "('pcsf_lark', 'kernel', 'lark', 'typer', 'sqlalchemy', 'cryptography')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
