import json

import jsonschema
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_desk import SAID, Desk, adjoining, observed, results, worked
from projection_logs import LogBuilder, logs

from kernel.projection.lifecycle.controls import control, restore_all
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.model import Transaction
from kernel.projection.recovery.permits import ManualCompactPermit
from kernel.projection.settings.config import Planning, QualitySettings
from kernel.projection.snapshot import take
from kernel.projection.surfaces import SURFACES, Answer, Call
from kernel.projection.surfaces.inputs import DIALECT, KEYWORDS, violation

NAMES = [
    "aili_compact",
    "aili_decompress",
    "aili_prune",
    "aili_search_context",
    "aili_compact_status",
    "aili_context_recap",
]
MUTATORS = NAMES[:3]


def Permit(session_id="S-1", epoch="root", leaf=None):  # noqa: N802 - stands for the class
    return ManualCompactPermit("request", session_id, leaf, epoch)


def run(desk, name, given=None, **call):
    return SURFACES[name].run(desk.now, given or {}, Call(**call))


def catalogued(desk, **more):
    return {"catalogId": desk.now.catalog.catalog_id, **more}


def compact_input(desk, **more):
    one = desk.now.catalog.ranges[0]
    ends = {"startRef": one.start_ref, "endRef": one.end_ref}
    words = {"mode": "range", "topic": "work", "summary": SAID[1]}
    return catalogued(desk, **{**ends, **words, **more})


def ready(name):
    """Return a desk and an input the mutator takes."""
    if name == "aili_prune":
        desk = Desk(observed("read", 3))
        return desk, catalogued(desk, refs=results(desk))
    desk = Desk()
    if name == "aili_decompress":
        desk.fold()
        return desk, catalogued(desk, refs=["b000001"])
    return desk, compact_input(desk)


# Schemas


def test_there_are_six_and_three_of_them_mutate():
    assert list(SURFACES) == NAMES
    assert [name for name, surface in SURFACES.items() if surface.mutates] == MUTATORS
    assert all(surface.description for surface in SURFACES.values())


def nodes(schema):
    yield schema
    for member in schema.get("properties", {}).values():
        yield from nodes(member)
    if "items" in schema:
        yield from nodes(schema["items"])


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_of_the_draft_closed_and_bounded(name):
    schema = json.loads(json.dumps(SURFACES[name].parameters))
    assert schema["$schema"] == DIALECT
    jsonschema.Draft202012Validator.check_schema(schema)
    bounds = {
        "object": {"additionalProperties"},
        "string": {"maxLength"},
        "array": {"maxItems"},
        "integer": {"minimum", "maximum"},
        "boolean": set(),
    }
    for node in nodes(schema):
        assert set(node) <= KEYWORDS
        closed = node.get("enum") is not None
        assert closed or bounds[node["type"]] <= set(node)
        if node["type"] == "object":
            assert node["additionalProperties"] is False


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 70)
    | st.sampled_from([0.5, 16.0, 1e300])
    | st.sampled_from(["", "one", "raw", "range", "b000001", "m000001", "m000001\n", "x" * 600]),
    lambda inner: st.lists(inner, max_size=20),
    max_leaves=20,
)
MEMBERS = sorted({key for s in SURFACES.values() for key in s.schema["properties"]} | {"more"})


VALIDATORS = {name: jsonschema.Draft202012Validator(SURFACES[name].schema) for name in NAMES}


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    st.sampled_from(NAMES),
    st.dictionaries(st.sampled_from(MEMBERS), VALUES, max_size=4) | VALUES,
)
def test_inputs_are_judged_as_the_reference_validator_does(name, value):
    schema = SURFACES[name].schema
    valid = VALIDATORS[name].is_valid(value)
    # A trailing line feed is let through by Python's `$`, never by ours.
    if valid and "m000001\n" in json.dumps(value, ensure_ascii=False):
        return
    assert (violation(schema, value) is None) == (valid and "\n" not in str(value))


FAULTS = [
    ("aili_prune", [], "/: type"),
    ("aili_prune", {}, "/: required"),
    ("aili_prune", {"catalogId": "c", "refs": [], "secret-key": 1}, "/: additionalProperties"),
    ("aili_prune", {"catalogId": "c", "refs": ["m000001", "secret"]}, "/refs/1: pattern"),
    ("aili_prune", {"catalogId": "c", "refs": ["m000001\n"]}, "/refs/0: pattern"),
    ("aili_prune", {"catalogId": "c", "refs": ["m000001"] * 17}, "/refs: maxItems"),
    ("aili_decompress", {"catalogId": "c", "refs": ["m000001"]}, "/refs/0: pattern"),
    ("aili_decompress", {"catalogId": "c", "refs": ["b000001"], "depth": "two"}, "/depth: enum"),
    ("aili_compact", {"mode": "secret", "catalogId": "c", "topic": "t", "summary": "s"}, "/mode"),
    ("aili_search_context", {"query": ""}, "/query: minLength"),
    ("aili_search_context", {"query": "x", "limit": 51}, "/limit: maximum"),
    ("aili_search_context", {"query": "x", "limit": True}, "/limit: type"),
    ("aili_compact_status", {"limit": 65}, "/limit: maximum"),
    ("aili_compact_status", {"limit": 0.5}, "/limit: type"),
    ("aili_context_recap", {"refs": []}, "/refs: minItems"),
]


@pytest.mark.parametrize(("name", "value", "where"), FAULTS)
def test_a_bad_input_says_where_and_never_what(name, value, where):
    refusal = run(Desk(), name, value) if value else SURFACES[name].run(Desk().now, value)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad-input"
    assert where in refusal.message
    assert "secret" not in refusal.message


# The call and the catalog


@pytest.mark.parametrize("name", MUTATORS)
def test_a_mutator_works_outside_of_a_message_and_as_its_only_call(name):
    desk, value = ready(name)
    before = run(desk, name, value)
    assert isinstance(before, Answer), before
    desk.log.assistant(calls=[("live_1", name, {})])
    alone = run(desk, name, value, call_id="live_1")
    assert isinstance(alone, Answer), alone
    assert len(alone.transactions) == 1
    assert alone.transactions[0].origin == "model"
    assert isinstance(run(desk, name, value), Answer)
    desk.append(alone.transactions[0])


@pytest.mark.parametrize("name", MUTATORS)
@pytest.mark.parametrize(
    ("tools", "call", "code"),
    [
        ((), {"siblings": 2}, "not-sole-call"),
        ((), {"siblings": 0}, "not-sole-call"),
        ((), {"call_id": "live_0"}, "not-current-call"),
        (("bash",), {}, "not-current-call"),
        (("bash",), {"call_id": "live_0"}, "not-current-call"),
        (("SELF", "bash"), {"call_id": "live_0"}, "not-sole-call"),
        (("SELF", "SELF"), {}, "not-sole-call"),
        (("SELF",), {"call_id": "live_7"}, "not-current-call"),
    ],
)
def test_a_mutator_is_the_sole_call_of_the_current_message(name, tools, call, code):
    desk, value = ready(name)
    if tools:
        calls = [(f"live_{at}", tool.replace("SELF", name), {}) for at, tool in enumerate(tools)]
        desk.log.assistant(calls=calls)
    refusal = run(desk, name, value, **call)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_a_message_is_current_until_its_last_call_is_answered():
    desk, value = ready("aili_prune")
    desk.log.turn(calls=[("bash", {}), ("bash", {})], results=["a"])
    assert run(desk, "aili_prune", value).code == "not-sole-call"
    desk.log.result("call_3", "bash", "b")
    assert run(desk, "aili_prune", catalogued(desk, refs=results(desk)[:1])).transactions


@pytest.mark.parametrize("name", ["aili_search_context", "aili_compact_status"])
def test_readers_need_neither_to_be_alone_nor_a_catalog(name):
    desk = Desk()
    desk.log.assistant(calls=[("live_0", name, {}), ("live_1", "bash", {})])
    value = {"query": "x"} if name == "aili_search_context" else {}
    assert isinstance(run(desk, name, value, call_id="live_0", siblings=2), Answer)


@pytest.mark.parametrize("name", MUTATORS)
def test_a_stale_catalog_is_refused(name):
    desk, value = ready(name)
    desk.log.assistant("something new")
    desk.log.user("and newer")
    refusal = run(desk, name, value)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "stale-catalog"
    assert isinstance(run(desk, name, {**value, **catalogued(desk)}), Answer)


@pytest.mark.parametrize("name", MUTATORS)
def test_mutators_say_first_what_the_log_forbids(name):
    desk, value = ready(name)
    desk.append(control(desk.now, "off"))
    assert run(desk, name, value).code == "aili-off"
    desk.append(control(desk.now, "on"))
    desk.log.custom("aili.compact.tx.v3", {"version": 9})
    assert run(desk, name, value).code == desk.now.state.fault.code


# aili_compact


MISFITS = [
    {"mode": "range", "startRef": None},
    {"mode": "range", "refs": ["m000001"]},
    {"mode": "message"},
    {"mode": "message", "startRef": None, "endRef": None},
    {"mode": "blocks", "refs": ["b000001", "b000002"]},
]


@pytest.mark.parametrize("changes", MISFITS)
def test_members_of_another_mode_are_refused(changes):
    desk = Desk()
    value = {key: v for key, v in compact_input(desk, **changes).items() if v is not None}
    assert run(desk, "aili_compact", value).code == "bad-input"


def only(value, *names, **more):
    return {**{key: v for key, v in value.items() if key not in names}, **more}


def test_all_three_modes_make_a_block():
    desk = Desk()
    value = compact_input(desk)
    named = only(
        value, "startRef", "endRef", mode="message", refs=list(desk.now.catalog.ranges[0].refs)
    )
    for one in (value, named):
        answer = run(desk, "aili_compact", one)
        assert answer.output["ref"] == "b000001"
        assert (answer.output["tier"], answer.output["messages"]) == (1, 4)
    desk = adjoining(2)
    refs = ["b000001", "b000002"]
    value = catalogued(desk, mode="blocks", refs=refs, topic="t", summary=SAID[2])
    answer = run(desk, "aili_compact", value)
    assert (answer.output["tier"], answer.output["children"]) == (2, refs)
    assert answer.output["ref"] == "b000003"
    desk.append(answer.transactions[0])
    assert desk.active == ["b000003"]


SCOPES = [
    ("m000001", "m000003"),
    ("m000002", "m000004"),
    ("m000001", "m000005"),
    ("m000001", "m000009"),
    ("m000004", "m000001"),
    ("m000005", "m000005"),
]


@pytest.mark.parametrize(("start", "end"), SCOPES)
def test_a_range_is_exactly_a_recommendation(start, end):
    desk = Desk()
    value = compact_input(desk, startRef=start, endRef=end)
    refusal = run(desk, "aili_compact", value)
    assert refusal.code == "source-summary-scope-mismatch"


@pytest.mark.parametrize("refs", [["b000001", "m000002"], ["b000001"]])
def test_refs_are_of_the_kind_of_their_mode(refs):
    desk = Desk()
    value = only(compact_input(desk), "startRef", "endRef", mode="message", refs=refs)
    assert run(desk, "aili_compact", value).code == "unknown-ref"


def test_a_permit_lets_one_through_manual_mode():
    desk = Desk(manual_mode=True)
    value = compact_input(desk)
    assert run(desk, "aili_compact", value).code == "manual-mode"
    assert isinstance(run(desk, "aili_compact", value, permit=Permit()), Answer)
    assert run(desk, "aili_compact", value, permit=Permit("S-9")).code == "permit-mismatch"


def test_what_the_status_recommends_is_accepted_with_an_outline():
    desk = Desk(quality=QualitySettings())
    status = run(desk, "aili_compact_status").output
    for at, one in enumerate(status["ranges"]):
        value = {
            "mode": "range",
            "catalogId": status["catalogId"],
            "startRef": one["startRef"],
            "endRef": one["endRef"],
            "topic": "t",
            "summary": desk.outline(at),
        }
        answer = run(desk, "aili_compact", value)
        assert isinstance(answer, Answer)
        made = answer.transactions[0]
        assert made.payload.leaf_digest == one["sourceDigest"]
        assert answer.output["quality"]["accepted"] is True


# aili_decompress, aili_prune


def test_decompress_says_what_it_opened():
    desk = adjoining(2)
    desk.raise_(["b000001", "b000002"])
    value = catalogued(desk, refs=["b000003"])
    assert run(desk, "aili_decompress", value).output["opened"] == ["b000003"]
    answer = run(desk, "aili_decompress", {**value, "depth": "raw"})
    assert answer.output["opened"] == ["b000003", "b000001", "b000002"]
    desk.append(answer.transactions[0])
    assert desk.shown == desk.raw


def test_prune_says_what_it_pruned():
    desk, value = ready("aili_prune")
    output = run(desk, "aili_prune", value).output
    assert output["pruned"] == [
        {"ref": "m000003", "tool": "read", "profile": "retrieval", "observations": 3}
    ]


# aili_search_context


def searched(desk, query, **more):
    return run(desk, "aili_search_context", {"query": query, **more}).output


def test_search_is_exact_and_finds_what_is_folded():
    log = LogBuilder()
    log.user("find the Needle in here, a needle")
    log.turn(calls=[("bash", {"command": "grep needle"})], results=["needle\n" * 2])
    log.assistant("done", thinking="the needle is thought of")
    log.user("the newest question")
    desk = Desk(log)
    found = searched(desk, "needle")
    assert found["total"] == 4
    assert [hit["ref"] for hit in found["hits"]] == ["m000001", "m000002", "m000003", "m000003"]
    assert [hit["role"] for hit in found["hits"]] == ["user", "assistant", "tool", "tool"]
    assert searched(desk, "needle", ignoreCase=True)["total"] == 5
    assert searched(desk, "n.edle")["total"] == 0
    page = searched(desk, "needle", offset=1, limit=2)
    assert page["hits"] == found["hits"][1:3]
    assert page["total"] == 4


def test_search_covers_blocks_and_older_epochs_and_no_other_branch():
    desk = Desk(worked(1))
    desk.fold()
    hit = searched(desk, "answer 0")["hits"][0]
    assert (hit["ref"], hit["block"]) == ("m000004", "b000001")
    fork = desk.log.leaf
    desk.log.user("only elsewhere")
    desk.log.move(fork)
    desk.log.compaction("all of it")
    assert searched(desk, "only elsewhere")["total"] == 0
    hit = searched(desk, "answer 0")["hits"][0]
    assert hit["ref"] is hit["block"] is None
    assert hit["entryId"] in desk.log.ids


def test_search_counts_offsets_in_utf16_and_splits_no_character():
    log = LogBuilder()
    log.user("🔥" * 200 + "needle" + "🔥" * 200)
    hit = searched(Desk(log), "needle")["hits"][0]
    assert hit["offset"] == 400
    assert hit["text"] == "🔥" * 60 + "needle" + "🔥" * 60


def test_search_does_not_find_itself():
    log = LogBuilder()
    log.user("go on")
    log.turn(calls=[("aili_search_context", {"query": "needle"})], results=["a needle"])
    assert searched(Desk(log), "needle")["total"] == 0


def test_search_quotes_no_secret():
    key = "sk-ant-api03-" + "QWERTYuiop1234567890asdfGHJK"
    log = LogBuilder()
    log.user(f"the password is {key}, see")
    found = searched(Desk(log), "password")
    assert found["total"] == 1
    assert found["hits"][0]["text"] is None
    assert key not in json.dumps(searched(Desk(log), key))


# aili_compact_status


def test_the_status_publishes_the_catalog():
    desk = Desk()
    desk.fold()
    now, status = desk.now, run(desk, "aili_compact_status").output
    json.dumps(status)
    assert status["catalogId"] == now.catalog.catalog_id
    assert [one["startRef"] for one in status["ranges"]] == ["m000006", "m000011"]
    first = now.catalog.ranges[0]
    assert status["ranges"][0] == {
        "startRef": first.start_ref,
        "endRef": first.end_ref,
        "messages": 4,
        "atoms": first.atoms,
        "sourceDigest": first.source_digest,
        "scopeDigest": first.scope_digest,
        "tokens": {"lower": first.tokens.lower, "upper": first.tokens.upper},
        "estimated": first.estimated,
    }
    assert status["excluded"] == now.catalog.exclusions
    assert [(block["ref"], block["status"]) for block in status["blocks"]] == [
        ("b000001", "active")
    ]
    assert status["blocks"][0]["quality"] == {"enabled": False, "accepted": False, "warnings": []}
    assert status["quality"]["enabled"] is False
    assert status["index"]["health"] == status["recovery"]["coordinator"] == "Unverified"


def test_the_status_pages_and_counts_what_it_leaves_out():
    desk = Desk(worked(5))
    status = run(desk, "aili_compact_status", {"offset": 1, "limit": 2}).output
    assert [one["startRef"] for one in status["ranges"]] == ["m000006", "m000011"]
    assert status["rangesTotal"] == 5


def test_planning_off_hides_recommendations_but_for_a_permit():
    desk = Desk(planning=Planning(enabled=False))
    status = run(desk, "aili_compact_status").output
    assert status["ranges"] == status["promotions"] == []
    assert status["planning"] is False
    assert status["catalogId"] == desk.now.catalog.catalog_id
    assert len(run(desk, "aili_compact_status", permit=Permit()).output["ranges"]) == 3


def test_the_status_recommends_promotions_and_prunable_results():
    desk = adjoining(2)
    status = run(desk, "aili_compact_status").output
    assert status["promotions"][0]["refs"] == ["b000001", "b000002"]
    assert status["promotions"][0]["tier"] == 2
    desk = Desk(observed("edit", 3))
    cooling = run(desk, "aili_compact_status").output["cooling"]
    assert cooling == {"cooled": 0, "prunable": ["m000003"], "prunableTotal": 1}


def test_the_status_answers_in_every_state():
    desk = Desk()
    desk.fold()
    desk.append(control(desk.now, "off"))
    status = run(desk, "aili_compact_status").output
    assert (status["enabled"], status["ranges"], status["blocks"]) == (False, [], [])
    desk.append(control(desk.now, "on"))
    desk.append(restore_all(desk.now))
    assert run(desk, "aili_compact_status").output["restored"] is True
    desk.log.custom("aili.compact.tx.v3", {"version": 9})
    status = run(desk, "aili_compact_status").output
    assert status["fault"] == desk.now.state.fault.code
    assert status["blocks"] == []
    assert status["diagnosticsTotal"] >= 1


# aili_context_recap


def test_the_recap_gives_whole_summaries_in_the_order_of_their_sources():
    desk = Desk()
    desk.fold(1, summary=SAID[1] + "later")
    desk.fold(0, summary=SAID[1] + "earlier")
    recap = run(desk, "aili_context_recap").output
    assert [block["ref"] for block in recap["blocks"]] == ["b000002", "b000001"]
    assert [block["summary"] for block in recap["blocks"]] == [
        SAID[1] + "earlier",
        SAID[1] + "later",
    ]
    assert "nobody needs" not in json.dumps(recap)
    one = run(desk, "aili_context_recap", {"refs": ["b000001"]}).output
    assert [block["ref"] for block in one["blocks"]] == ["b000001"]
    page = run(desk, "aili_context_recap", {"offset": 1, "limit": 1}).output
    assert (page["total"], page["blocks"][0]["ref"]) == (2, "b000001")


def test_the_recap_shows_nothing_that_is_not_shown():
    desk = adjoining(2)
    desk.raise_(["b000001", "b000002"])
    recap = run(desk, "aili_context_recap").output
    assert [block["ref"] for block in recap["blocks"]] == ["b000003"]
    refusal = run(desk, "aili_context_recap", {"refs": ["b000001"]})
    assert refusal.code == "block-not-active"
    assert run(desk, "aili_context_recap", {"refs": ["b000009"]}).code == "unknown-ref"
    desk.append(restore_all(desk.now))
    assert run(desk, "aili_context_recap").output == {"total": 0, "offset": 0, "blocks": []}


# Every log


@settings(max_examples=40, deadline=None, derandomize=True)
@given(logs(max_steps=12), st.sampled_from([None, 4000]))
def test_readers_answer_on_any_log_and_change_nothing(log, window):
    before = log.raw()
    now = take(log.tree(), log.leaf, evolve(Desk(log).config, context_window=window))
    for name, value in (
        ("aili_compact_status", {}),
        ("aili_context_recap", {}),
        ("aili_search_context", {"query": "a"}),
    ):
        answer = SURFACES[name].run(now, value)
        assert isinstance(answer, Answer)
        assert answer.transactions == ()
        json.dumps(answer.output)
    assert log.raw() == before


def test_an_empty_log_is_answered():
    desk = Desk(LogBuilder())
    assert run(desk, "aili_compact_status").output["leaf"] is None
    assert searched(desk, "x")["total"] == 0
    assert isinstance(run(desk, "aili_prune", catalogued(desk, refs=["m000001"])), Refusal)
    assert not isinstance(run(desk, "aili_context_recap"), Transaction)
