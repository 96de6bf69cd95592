import pytest
from attrs import evolve
from projection_desk import BODY, EASY, Desk, observed, results, worked
from projection_logs import LogBuilder, text

from kernel.projection.cooling.observations import observations
from kernel.projection.cooling.planning import (
    SWEEP,
    SWEEP_DEFAULT,
    automatic,
    coolable,
    obstacle,
    prune,
    sweep,
)
from kernel.projection.cooling.profiles import PROFILES, TOOLS, check_overrides, profile_of
from kernel.projection.cooling.results import results_of
from kernel.projection.lifecycle.controls import control, restore_all
from kernel.projection.lifecycle.opening import decompress
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.model import Transaction
from kernel.projection.settings.config import CoolingOverride

NAMED = {
    "retrieval": "read grep find ls web fetch get search diagnostics",
    "execution-evidence": "bash test build",
    "mutation-evidence": "edit write fix apply apply_patch",
    "protocol-control": "aili_compact aili_anything task hub session",
    "unknown": "Read READ read_file reader xread bash2 mcp__x todo browser",
}


@pytest.mark.parametrize(
    ("tool", "profile"), [(t, p) for p, tools in NAMED.items() for t in tools.split()]
)
def test_tools_are_judged_by_their_exact_name(tool, profile):
    assert profile_of(tool).name == profile


@pytest.mark.parametrize("tool", [None, 7, "", " read", "read\n", "re*d", ["read"], "x" * 200])
def test_what_is_no_name_is_unknown(tool):
    assert profile_of(tool) is PROFILES["unknown"]


def test_the_table_says_what_cools_and_when():
    assert {p.name: (p.cools, p.observations, p.newest_raw) for p in PROFILES.values()} == {
        "retrieval": ("by-itself", 2, True),
        "execution-evidence": ("by-itself", 3, False),
        "mutation-evidence": ("asked", 3, False),
        "unknown": ("never", 0, False),
        "protocol-control": ("never", 0, False),
    }
    assert set(TOOLS.values()) < set(PROFILES)


OVERRIDES = [
    # tool, profile, observations -> code of the diagnostic, or (profile, observations) in force
    ("read", None, 4, ("retrieval", 4)),
    ("read", None, 2, ("retrieval", 2)),
    ("read", "execution-evidence", None, ("execution-evidence", 3)),
    ("read", "mutation-evidence", 9, ("mutation-evidence", 9)),
    ("read", "protocol-control", None, ("protocol-control", 0)),
    ("bash", "mutation-evidence", None, ("mutation-evidence", 3)),
    ("lookup", "retrieval", None, ("retrieval", 2)),
    ("lookup", "retrieval", 5, ("retrieval", 5)),
    ("read", None, 1, "cooling-override-weakens"),
    ("read", None, 0, "cooling-override-weakens"),
    ("read", "execution-evidence", 2, "cooling-override-weakens"),
    ("lookup", "retrieval", 1, "cooling-override-weakens"),
    ("bash", "retrieval", None, "cooling-override-weakens"),
    ("edit", "execution-evidence", 99, "cooling-override-weakens"),
    ("aili_compact", "retrieval", None, "cooling-override-weakens"),
    ("aili_other", "mutation-evidence", 50, "cooling-override-weakens"),
    ("task", "retrieval", None, "cooling-override-weakens"),
    ("read", "unknown", None, "cooling-override-profile"),
    ("read", "nonsense", None, "cooling-override-profile"),
    ("*", "retrieval", None, "cooling-override-wildcard"),
    ("re?d", None, 5, "cooling-override-wildcard"),
    ("read*", None, 5, "cooling-override-wildcard"),
    ("[r]ead", None, 5, "cooling-override-wildcard"),
    ("", None, 5, "cooling-override-wildcard"),
]


@pytest.mark.parametrize(("tool", "profile", "least", "expected"), OVERRIDES)
def test_overrides_choose_a_profile_or_tighten(tool, profile, least, expected):
    override = CoolingOverride(tool, profile, least)
    held, notes = check_overrides([override])
    in_force = profile_of(tool, [override])
    if isinstance(expected, str):
        assert not held
        assert [note.code for note in notes] == [expected]
        assert in_force == profile_of(tool)
        if "*" in tool:
            assert tool not in notes[0].message
    else:
        assert held == (override,)
        assert not notes
        assert (in_force.name, in_force.observations) == expected


def test_the_later_override_of_a_tool_holds():
    first, second = CoolingOverride("read", None, 9), CoolingOverride("read", None, 4)
    assert profile_of("read", (first, second)).observations == 4
    assert profile_of("grep", (first, second)) is PROFILES["retrieval"]


# Observations


def seen(log):
    """Return the counts of a log's results, in order."""
    return list(observations(log.branch()).values())


def test_each_later_settled_answer_is_one_observation():
    assert [seen(observed(answers=count)) for count in range(4)] == [[0], [1], [2], [3]]


@pytest.mark.parametrize("stop", ["error", "aborted", "deferred", "pending"])
def test_an_answer_that_did_not_end_well_observed_nothing(stop):
    log = observed(answers=1)
    log.assistant("half", stop=stop)
    assert seen(log) == [1]


@pytest.mark.parametrize("stop", ["stop", "length", "toolUse"])
def test_every_settled_ending_counts(stop):
    log = observed(answers=1)
    log.assistant("whole", stop=stop)
    assert seen(log) == [2]


def test_a_result_is_not_observed_by_its_own_call_or_anything_before_it():
    log = worked(1)
    log.turn(calls=[("bash", {}), ("read", {})], results=[BODY, BODY])
    # The message that calls has seen what came before it.
    assert seen(log) == [2, 0, 0]


def test_users_and_entries_without_a_message_observe_nothing():
    log = observed(answers=1)
    log.user("more")
    log.model_change()
    log.custom("demo-ext", {})
    log.bash()
    assert seen(log) == [1]


def test_another_branch_observed_nothing():
    log = observed(answers=1)
    fork = log.leaf
    log.assistant("elsewhere")
    log.move(fork)
    log.user("here")
    assert seen(log) == [1]


def test_an_edit_starts_the_count_anew():
    log = observed(answers=3)
    target = next(iter(observations(log.branch())))
    log.edit(target, [text("shorter")])
    assert seen(log) == [0]
    log.assistant("seen again")
    assert seen(log) == [1]


def test_an_omitted_result_is_not_observed():
    log = observed(answers=3)
    target = next(iter(observations(log.branch())))
    log.edit(target)
    log.assistant("without it")
    assert seen(log) == [0]
    log.edit(target, [text("back")])
    log.assistant("with it")
    assert seen(log) == [1]


def test_what_a_block_covers_is_not_observed_until_it_is_opened():
    desk = Desk(worked(1))
    assert seen(desk.log) == [1]
    desk.fold()
    desk.log.assistant("over the summary")
    assert seen(desk.log) == [1]
    desk.append(decompress(desk.now, ["b000001"], "raw", "user"))
    desk.log.assistant("over the raw messages")
    assert seen(desk.log) == [2]


def test_a_stub_is_not_observed_until_everything_is_restored():
    desk = Desk(observed(answers=2))
    desk.append(automatic(desk.now))
    desk.log.assistant("over the stub")
    assert seen(desk.log) == [2]
    desk.append(restore_all(desk.now))
    desk.log.assistant("over the result")
    assert seen(desk.log) == [3]


def test_while_aili_is_off_the_raw_history_is_observed():
    desk = Desk(worked(1))
    desk.fold()
    desk.append(control(desk.now, "off"))
    desk.log.assistant("over the raw messages")
    assert seen(desk.log) == [2]


def test_behind_a_fault_the_raw_history_is_observed():
    desk = Desk(worked(1))
    desk.fold()
    desk.log.custom("aili.compact.tx.v3", {})
    desk.log.assistant("over the raw messages")
    assert seen(desk.log) == [2]


def test_a_compaction_ends_the_view_of_what_it_does_not_keep():
    log = observed(answers=2)
    kept = log.ids[1]
    log.compaction("short", keep=kept)
    log.assistant("over what was kept")
    assert seen(log) == [3]
    log.compaction("shorter")
    log.assistant("over the summary")
    assert seen(log) == []


# Rules


def codes(log, mode="automatic", **changes):
    """Return the obstacle of every result of a log."""
    now = Desk(log, **changes).now
    return [obstacle(now, result, mode) for result in results_of(now)]


COUNTS = [
    # tool, error, answers -> obstacle in automatic, in prune
    ("read", False, 1, "cooling-unobserved", "cooling-unobserved"),
    ("read", False, 2, None, None),
    ("grep", False, 2, None, None),
    ("bash", False, 2, "cooling-unobserved", "cooling-unobserved"),
    ("bash", False, 3, None, None),
    ("test", False, 3, None, None),
    ("edit", False, 9, "cooling-profile", None),
    ("edit", False, 2, "cooling-profile", "cooling-unobserved"),
    ("apply_patch", False, 9, "cooling-profile", None),
    ("aili_prune", False, 9, "cooling-profile", "cooling-profile"),
    ("task", False, 9, "cooling-profile", "cooling-profile"),
    ("hub", False, 9, "cooling-profile", "cooling-profile"),
    ("browser", False, 9, "cooling-profile", "cooling-profile"),
    ("Read", False, 9, "cooling-profile", "cooling-profile"),
    ("bash", True, 99, "cooling-open-failure", "cooling-open-failure"),
    ("read", True, 99, "cooling-open-failure", "cooling-open-failure"),
]


@pytest.mark.parametrize(("tool", "error", "answers", "by_itself", "asked"), COUNTS)
def test_the_profile_says_how_often_a_result_must_have_been_seen(
    tool, error, answers, by_itself, asked
):
    log = observed(tool, answers, error=error)
    assert codes(log) == codes(log, "sweep") == [by_itself]
    assert codes(log, "prune") == [asked]


def failed(answers, *, tool="bash", arguments=None, after=1, again_error=False, resolved="bash"):
    """An error, so many answers, the same call again, and answers behind that."""
    asked = {"command": "make test"}
    log = observed(tool, answers, error=True, arguments=asked)
    calls = [(resolved, asked if arguments is None else arguments)]
    log.turn(calls=calls, results=["fine"], errors=(0,) if again_error else ())
    for _ in range(after):
        log.assistant("so that works now")
    log.user("the newest question")
    return log


RESOLVED = [
    # The second call's own message is an observation of the first result, too.
    (failed(4), None),
    (failed(2), "cooling-unobserved"),
    (failed(3), None),
    (failed(9, after=0), "cooling-open-failure"),
    (failed(9, again_error=True), "cooling-open-failure"),
    (failed(9, arguments={"command": "make lint"}), "cooling-open-failure"),
    (failed(9, resolved="test"), "cooling-open-failure"),
]


@pytest.mark.parametrize(("log", "expected"), RESOLVED)
def test_an_error_cools_after_five_turns_and_a_resolution_of_the_same_call(log, expected):
    assert codes(log)[0] == expected


def test_the_resolution_is_named_in_the_journal():
    desk = Desk(failed(5))
    made = desk.append(automatic(desk.now))
    error, again = (source for source in desk.now.branch.sources if source.ref in results(desk))
    assert made.payload.results[0].entry_id == error.entry_id
    assert made.payload.results[0].resolution == again.entry_id


def test_of_equal_results_the_newest_stays_raw():
    log = observed(answers=0)
    log = observed(answers=0, log=log)
    log = observed(answers=3, log=log)
    assert codes(log) == [None, None, "cooling-newest-equal"]
    desk = Desk(log)
    desk.append(automatic(desk.now))
    assert coolable(desk.now, "automatic") == ()
    observed(answers=3, log=log)
    assert codes(log) == ["cooling-not-shown"] * 2 + [None, "cooling-newest-equal"]


def test_results_that_differ_are_not_equal():
    log = observed(answers=0, body="1" + BODY)
    log = observed(answers=3, log=log, body="2" + BODY)
    assert codes(log) == [None, None]


def test_execution_results_have_no_newest():
    log = observed("bash", 0)
    assert codes(observed("bash", 3, log=log)) == [None, None]


DURABLE = [
    ({"path": "a"}, BODY + " see task_1f9c77"),
    ({"path": "a"}, BODY + " see hub-42ab77 there"),
    ({"path": "task_1f9c77"}, BODY),
]


@pytest.mark.parametrize(("arguments", "body"), DURABLE)
def test_a_durable_ref_protects(arguments, body):
    log = observed(answers=9, body=body, arguments=arguments)
    assert codes(log) == codes(log, "prune") == ["cooling-durable-ref"]


SECRET = "sk-ant-api03-" + "QWERTYuiop1234567890asdfGHJK"


@pytest.mark.parametrize(
    "log",
    [
        observed(answers=9, body=f"{BODY} {SECRET}"),
        observed(answers=9, body="data:image/png;base64," + "QUJD" * 4000),
        observed("read", 0),
    ],
    ids=["secret", "binary", "unfinished"],
)
def test_protected_atoms_stay_raw_whatever_was_seen(log):
    assert set(codes(log, "prune")) == {"protected-result"}


def test_a_sibling_without_result_protects_the_whole_atom():
    log = LogBuilder()
    log.user("go")
    log.turn(calls=[("read", {"path": "a"}), ("read", {"path": "b"})], results=[BODY])
    for _ in range(3):
        log.assistant("hm")
    log.user("the newest question")
    assert codes(log, "prune") == ["protected-result"]


def test_the_recent_tail_is_protected():
    tail = evolve(EASY.protection, preserve_recent_atoms=8)
    assert codes(observed(answers=3), protection=tail) == ["protected-result"]
    assert codes(observed(answers=9), protection=tail) == [None]


@pytest.mark.parametrize("size", [0, 10, 40])
def test_a_body_that_is_not_larger_than_its_stub_stays(size):
    assert codes(observed(answers=9, body="x y " * size)) == ["cooling-no-saving"]


def test_an_unknown_provider_is_measured_widely():
    body = "word " * 100
    assert codes(observed(answers=9, body=body)) == [None]
    assert codes(observed(answers=9, body=body), provider=None) == ["cooling-no-saving"]


def test_overrides_are_heard():
    log = observed(answers=3)
    assert codes(log, cooling=(CoolingOverride("read", None, 4),)) == ["cooling-unobserved"]
    assert codes(log, cooling=(CoolingOverride("read", "mutation-evidence"),)) == [
        "cooling-profile"
    ]
    assert codes(log, cooling=(CoolingOverride("*", "protocol-control"),)) == [None]
    named = observed("lookup", 3)
    assert codes(named) == ["cooling-profile"]
    assert codes(named, cooling=(CoolingOverride("lookup", "retrieval"),)) == [None]


# Transactions


def many(count):
    log = LogBuilder()
    for number in range(count):
        log = observed(answers=1, log=log, body=f"{number} {BODY[:4000]}")
    for _ in range(3):
        log.assistant("hm")
    return log


def test_a_sweep_takes_the_oldest_and_no_more_than_asked():
    desk = Desk(many(20))
    assert (SWEEP[0], SWEEP[-1], SWEEP_DEFAULT) == (1, 16, 8)
    refs = results(desk)
    made = sweep(desk.now)
    sources = desk.now.branch.sources
    assert [result.entry_id for result in made.payload.results] == [
        source.entry_id for source in sources if source.ref in refs[:8]
    ]
    assert (made.origin, made.payload.mode) == ("user", "sweep")
    assert len(sweep(desk.now, 16).payload.results) == 16
    for limit in (0, 17, -1):
        with pytest.raises(ValueError, match="1 to 16"):
            sweep(desk.now, limit)


def test_cooling_changes_bodies_and_nothing_else():
    desk = Desk(many(3))
    before = desk.shown
    made = desk.append(automatic(desk.now))
    cooled = {result.entry_id for result in made.payload.results}
    assert made.origin == "automatic"
    for source, old, new in zip(desk.now.branch.sources, before, desk.shown, strict=True):
        if source.entry_id in cooled:
            assert new["content"] != old["content"]
            assert {**new, "content": None} == {**old, "content": None}
            assert source.ref in new["content"][0]["text"]
        else:
            assert new == old


def test_automatic_cooling_needs_its_switch_and_a_sweep_does_not():
    desk = Desk(many(3), auto_cooling=False)
    assert automatic(desk.now).code == "cooling-off"
    assert isinstance(sweep(desk.now), Transaction)


def test_prune_takes_all_or_nothing():
    desk = Desk(observed("bash", 1, log=observed("read", 3)))
    first, second = results(desk)
    refusal = prune(desk.now, [first, second], "model")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.refs) == ("cooling-unobserved", (second,))
    made = desk.append(prune(desk.now, [first], "model"))
    assert made.payload.mode == "prune"
    assert prune(desk.now, [first], "model").code == "cooling-not-shown"


@pytest.mark.parametrize(
    ("refs", "code"),
    [
        ([], "unknown-ref"),
        (["m000003"] * 17, "too-many-refs"),
        (["m000003", "m000003"], "duplicate-ref"),
        (["m999999"], "unknown-ref"),
        (["m000003", "m000001"], "cooling-not-a-result"),
        (["b000001"], "unknown-ref"),
    ],
)
def test_prune_names_results_of_the_branch(refs, code):
    assert prune(Desk(observed(answers=3)).now, refs, "model").code == code


@pytest.mark.parametrize("command", ["pytest", "npm test", "make build", "ruff check ."])
def test_a_check_that_says_it_failed_does_not_cool_as_a_success(command):
    """The host marked no error, as it does where only a status counts."""
    said = BODY + "3 failed, 10 passed"
    log = observed("bash", 9, arguments={"command": command}, body=said)
    assert coded(automatic(Desk(log).now)) == "nothing-to-cool"
    log = observed("bash", 9, arguments={"command": command}, body=BODY + "13 passed")
    assert isinstance(automatic(Desk(log).now), Transaction)


def coded(made):
    return made.code if isinstance(made, Refusal) else None
