"""State objects as pages and as Markdown: what is shown, what content cannot do, how large."""

import json
import re
import time
from pathlib import Path

import pytest
from attrs import evolve
from cso_states import given
from hypothesis import strategies as st
from page_reading import complaints, parsed, references, rendered, skeleton, words
from page_samples import HOSTILE, KEY, SESSION, bland, chain, fact, many, small, state

import cso
from pcsf_lark.faces.pages.documents import html, markdown
from pcsf_lark.faces.pages.state_view import ITEMS, signature, state_view
from pcsf_lark.faces.pages.visible import visible

#: The most characters of an issue.
ISSUE = 65_536


def vectors():
    """The objects in the vectors of `cso`, each once."""
    seen = set()
    path = Path(__file__).parent.parent / "cases" / "cso.jsonl"
    for line in path.read_text("utf-8").splitlines():
        case = json.loads(line)
        for number, members in enumerate(objects(case)):
            try:
                value = cso.from_members(members, strict=False)
            except cso.CsoError:
                continue
            if cso.body_digest(value) not in seen:
                seen.add(cso.body_digest(value))
                yield f"{case['id']} {number}", value


def objects(value):
    """Every member of a JSON value that may be a state object."""
    if isinstance(value, dict):
        if "goal_state" in value and "window_number" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from objects(inner)


SAMPLES = {
    "small": small(),
    "signed": chain(3)[-1],
    "hostile": state(HOSTILE),
    **dict(vectors()),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_keeps_the_laws(name):
    made = html([state_view(name, SAMPLES[name])])
    assert list(complaints(made)) == []
    assert made == html([state_view(name, SAMPLES[name])])
    text = markdown([state_view(name, SAMPLES[name])])
    assert references(rendered(text)) == []
    assert len(text) <= ISSUE


def test_a_page_holds_what_the_object_does():
    draft, _ = cso.on_tool_refresh(
        chain(2)[-1], "scratch_4", cso.output_hash("87%"), cso.output_hash("45%")
    )
    draft, _ = cso.revise(draft, "scale", "3 nodes", "45% is below 80%", because="limit")
    view = state_view("a.json", draft)
    said = words(parsed(html([view])))
    written = words(rendered(markdown([view]))).replace("\u200b", "")
    for text in (said, written):
        for item in draft.items().values():
            assert item.id in text
            assert cso.model.says(item) in text
            if item.status is not cso.Status.VALID:
                assert item.status.value in text
        for more in ("no downtime", "45% is below 80%", "TOOL scratch_4", "rests on limit"):
            assert more in text
    assert {box.node.id for box in view.drawing.boxes} == {
        "cpu", "limit", "scale", "scale.r1", "tool:scratch_4",
    }  # fmt: skip
    assert len(view.drawing.lines) == len(set(cso.graph.pairs(draft)))


def unjudged(value):
    """The view without findings: ids out of form are found, and that is not compared."""
    return evolve(state_view("x", value), findings=(), more_findings=0)


@pytest.mark.parametrize("text", HOSTILE, ids=[repr(text[:20]) for text in HOSTILE])
def test_content_is_laid_out_as_other_content_is(text):
    shown = [unjudged(state([said])) for said in (text, bland(text))]
    pages = [html([view]) for view in shown]
    assert skeleton(parsed(pages[0])) == skeleton(parsed(pages[1]))
    texts = [markdown([view]) for view in shown]
    assert skeleton(rendered(texts[0])) == skeleton(rendered(texts[1]))
    assert texts[0].count("\n") == texts[1].count("\n")
    said = " ".join(visible(text[:200]).split())
    assert said in words(parsed(pages[0]))
    assert said in words(rendered(texts[0])).replace("\u200b", "")


@given(
    st.lists(st.text(min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=3),
    examples=30,
)
def test_any_content_is_laid_out_as_other_content_is(texts):
    texts = list(dict.fromkeys(texts))
    try:
        one = state(texts)
    except cso.ContentError:
        return
    other = state([bland(text) + str(n) for n, text in enumerate(texts)])
    pages = [unjudged(value) for value in (one, other)]
    assert skeleton(parsed(html(pages[:1]))) == skeleton(parsed(html(pages[1:])))
    written = [markdown([page]) for page in pages]
    assert skeleton(rendered(written[0])) == skeleton(rendered(written[1]))
    assert references(rendered(written[0])) == []


MERMAID = re.compile(
    r"flowchart LR|    n\d+ --> n\d+|    style n\d+ stroke-width:3px,stroke-dasharray:6 3"
    r"|    n\d+(?:\(\[|\[\(|\[|\{\{|\()"
    r""""(?:[A-Za-z0-9 .,'()+=/?!%-]|[^\x00-\x7f]|#\d+;|<br>)*"(?:\]\)|\)\]|\]|\}\}|\))"""
)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_graph_is_nodes_and_edges_whatever_they_say(name):
    text = markdown([state_view(name, SAMPLES[name])])
    for block in re.findall(r"^```mermaid\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            assert MERMAID.fullmatch(line), line
    # No fence is opened or closed but those.
    fences = [line for line in text.split("\n") if line.lstrip().startswith("```")]
    assert len(fences) == 2 * text.count("\n```mermaid\n")


def test_ten_thousand_facts_give_a_page_that_one_can_use():
    value = many(10_000)
    begun = time.process_time()
    view = state_view("many.json", value)
    made = html([view])
    # A slow machine takes a few seconds; what grows with the square takes minutes.
    assert time.process_time() - begun < 30
    assert len(made) < 500_000
    assert len(view.facts.rows) == ITEMS
    said = words(parsed(made))
    assert f"{10_000 - ITEMS:,} more are not shown" in said
    assert "Not drawn" in said
    assert "f17" in [row.id for row in view.facts.rows]
    assert len(markdown([view])) <= ISSUE
    assert "and 9," in markdown([view])


def test_one_fact_of_a_million_characters_is_cut_and_said_to_be():
    value = small(established_facts=[fact("long", "<" * 1_000_000)], decisions=[])
    view = state_view("long.json", value)
    assert len(html([view])) < 100_000
    assert "(999,000 more)" in html([view])
    assert len(markdown([view])) <= ISSUE


def test_many_views_are_an_issue_too():
    """What has no room is counted; the first is there, and none is cut in the middle."""
    views = [state_view(f"{n}.json", many(50)) for n in range(40)]
    text = markdown(views)
    shown = text.count("## size the cluster\n")
    assert 1 < shown < 40
    assert len(text) <= ISSUE
    assert text.endswith(f"\nNot shown for want of room: {40 - shown} more.\n")
    assert text.startswith(markdown(views[:shown]))
    assert markdown(views[:2]) == markdown(views[:1]) + "\n" + markdown(views[1:2])


@pytest.mark.parametrize(
    ("keys", "altered", "state_", "sound"),
    [
        ((), False, "unchecked", True),
        ((KEY,), False, "verified", True),
        ((KEY,), True, "broken", False),
        ((b"another key of thirty-two bytes..",), False, "broken", False),
    ],
)
def test_the_signature_is_told(keys, altered, state_, sound):
    value = chain(2)[-1]
    value = evolve(value, constraints=["other"]) if altered else value
    signed = signature(value, [cso.Key(key) for key in keys], SESSION)
    view = state_view("a.json", value, signed)
    assert (view.signature.state, view.sound) == (state_, sound)
    said = words(parsed(html([view])))
    assert {"unchecked": "not verified", "verified": "Signature verified"}.get(
        state_, "does not hold"
    ) in said


def test_faults_of_the_object_are_told():
    value = small(decisions=[evolve(small().decisions[0], depends_on=["cpu", "gone"])])
    view = state_view("a.json", value)
    assert not view.sound
    assert "gone" in words(parsed(html([view])))
    assert [box.node.kind for box in view.drawing.boxes if box.node.id == "gone"] == ["missing"]
