"""The repository: what a push takes up, what it withholds, and what it never loses."""

import json
import sqlite3
import stat

import pytest
from cso_states import decision, fact, state
from relay_samples import KEY, NOW, capsule, text

import cso
from cso.altered import altered
from cso.errors import ChainError, ConflictError, UnknownIdError
from pcsf_lark.relay import Repository, RepositoryError, notes_of, of_capsule, of_draft, of_object


def ids(value, said):
    return [
        i.id
        for i in value.items().values()
        if getattr(i, "statement", getattr(i, "choice", "")) == said
    ]


# what is pushed


def test_a_first_push_is_the_genesis(relay):
    window = relay.push(
        capsule(["CHOICE | a | b"], chain="hops=4 origin=2026-01-01T00:00Z"), now=NOW
    )
    assert (window.cso.window_number, window.cso.prior_cso_hash, window.cso.verified) == (
        1,
        "",
        True,
    )
    assert relay.head() == window.cso
    assert window.cso.cso_id.startswith("cso_")
    assert relay.verify().sound


def test_a_later_push_adds_and_knows(relay):
    relay.push(capsule(["CHOICE | a | b", "DISCOVERY | c | d"]), now=NOW)
    window = relay.push(capsule(["CHOICE | a | b", "CHOICE | e | f"]), now=NOW)
    assert (window.added, window.known) == (1, 2)
    assert str(window.headers[0]) == "CRP-Relay-Preservation: 1.00"
    assert len(ids(window.cso, "a")) == 1
    assert relay.verify(None).valid


def test_pushing_twice_changes_nothing(relay):
    first = relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    again = relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    assert again.unchanged == "it was pushed before"
    relay.push(capsule(["CHOICE | c | d"]), now=NOW)
    assert relay.push(capsule(["CHOICE | a | b"]), now=NOW).unchanged == "it was pushed before"
    assert relay.windows() == 2
    compact = text(["CHOICE | a | b"]).replace("\n\n", "\n").replace(f"{NOW}\n", f"{NOW}\n\n", 1)
    assert relay.push(of_capsule(compact), now=NOW).unchanged == "it says nothing new"
    assert first.cso.window_number == 1


def test_loops_are_never_lost_and_urgency_is_updated(relay):
    relay.push(
        capsule([], [], [], [], ["PROMISE | p | LOW", "DEFERRED_QUESTION | q | HIGH"]), now=NOW
    )
    relay.push(capsule([], [], [], [], ["PROMISE | p | HIGH"]), now=NOW)
    head = relay.head()
    assert head.goal_state.remaining == ("p",)
    assert head.open_questions == ("q",)
    assert {(one.text, one.priority) for one in notes_of(head).loops} == {
        ("p", "HIGH"),
        ("q", "HIGH"),
    }


def test_the_objective_is_that_of_the_newest_direction(relay):
    relay.push(capsule([], [], ["DIRECTION: measure"], topic="T"), now=NOW)
    relay.push(capsule(["CHOICE | a | b"], topic="U"), now=NOW)
    assert relay.head().goal_state.objective == "measure"
    relay.push(capsule([], [], ["DIRECTION: go on"]), now=NOW)
    assert relay.head().goal_state.objective == "go on"


def test_what_was_invalidated_is_not_brought_back(relay):
    relay.push(capsule(["DISCOVERY | lag is 4 s | the meter"]), now=NOW)
    (lag,) = ids(relay.head(), "lag is 4 s")
    relay.invalidate(lag, "wrong", now=NOW)
    window = relay.push(capsule(["DISCOVERY | lag is 4 s | the meter", "CHOICE | a | b"]), now=NOW)
    assert [(one.text, one.reason) for one in window.notes.withheld] == [
        ("lag is 4 s", f"invalidated here, as {lag}")
    ]
    assert relay.head().items()[lag].status == "INVALIDATED"
    assert relay.verify().valid


def test_what_rests_on_something_invalidated_comes_in_marked(relay):
    relay.push(capsule(["DISCOVERY | x | the meter"]), now=NOW)
    (why,) = ids(relay.head(), "the meter")
    relay.invalidate(why, "broken", now=NOW)
    window = relay.push(capsule(["DISCOVERY | y | the meter"]), now=NOW)
    (y,) = ids(window.cso, "y")
    assert window.cso.items()[y].status == "NEEDS_REVISION"
    assert relay.verify().valid


def test_answered_questions_stay_answered(relay):
    relay.push(
        capsule([], [], [], [], ["DEFERRED_QUESTION | why? | HIGH", "PROMISE | p | HIGH"]), now=NOW
    )
    relay.close_loop("why?", "window 1", now=NOW)
    window = relay.close_loop("p", now=NOW)
    assert "why?" not in window.notes.head
    assert window.notes.loops == ()
    window = relay.push(
        capsule([], [], [], [], ["DEFERRED_QUESTION | why? | HIGH"], seed="Again."), now=NOW
    )
    assert [one.text for one in window.notes.withheld] == ["why?"]
    with pytest.raises(UnknownIdError):
        relay.close_loop("no such thing")


def test_circular_reasons_do_not_close_a_cycle(relay):
    relay.push(capsule(["DISCOVERY | x | y"]), now=NOW)
    window = relay.push(capsule(["DISCOVERY | y | x"]), now=NOW)
    assert relay.verify().sound
    assert window.unchanged == "it says nothing new"
    assert [one.id for one in window.withheld] == ["dependency"]


# objects


def test_a_foreign_object_is_taken_up_under_free_ids(relay):
    mine = state(fact("a", "one"), decision("d", "a"), constraints=["k"])
    relay.push(of_object(mine), now=NOW)
    other = state(fact("a", "two"), decision("d", "a", choice="else"), constraints=["l"])
    window = relay.push(of_object(other), now=NOW)
    value = window.cso
    assert value.constraints == ("k", "l")
    (two,), (other_d,) = ids(value, "two"), ids(value, "else")
    assert two != "a"
    assert value.items()[other_d].depends_on == (two,)
    assert value.items()["d"].depends_on == ("a",)
    assert relay.verify().valid
    assert "CONSTRAINT | l | hard constraint" in window.notes.head


def test_the_head_changed_by_hand_is_its_successor(relay):
    relay.push(
        capsule(["CHOICE | a | b", "DISCOVERY | c | d"], [], [], [], ["PROMISE | p | HIGH"]),
        now=NOW,
    )
    head = relay.head()
    assert relay.push(of_object(head), now=NOW).unchanged == "it is stored already, as window 1"
    draft, _ = cso.revise(head, ids(head, "a")[0], "z", "y", because="x")
    lossy = altered(draft, established_facts=draft.established_facts[1:])
    window = relay.push(of_object(lossy), now=NOW)
    assert str(window.headers[0]) == "CRP-Relay-Preservation: 0.66; repaired=1"
    assert window.restored["facts"]
    assert len(ids(window.cso, "c")) == 1
    assert relay.push(of_object(lossy), now=NOW).unchanged
    assert relay.verify().valid


def test_an_older_window_changed_by_hand_is_merged_with_what_came_since(relay):
    relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    old = relay.head()
    relay.push(capsule(["CHOICE | c | d"]), now=NOW)
    draft, _ = cso.revise(old, ids(old, "a")[0], "z", "y", because="x")
    window = relay.push(of_object(draft), now=NOW)
    assert window.cso.window_number == 3
    assert ids(window.cso, "c")
    assert ids(window.cso, "z")
    draft, _ = cso.revise(old, ids(old, "a")[0], "w", "v", because="u")
    with pytest.raises(ConflictError, match="both sides changed"):
        relay.push(of_object(draft), now=NOW)
    assert relay.windows() == 3


def test_tasks_without_urgency(relay):
    class Draft:
        cso = state(fact("log.1"), goal_state=cso.GoalState(mode="AGENTIC", remaining=["p", "q"]))
        capsule = text([], [], [], [], ["INCOMPLETE_TASK | p | HIGH"])

    window = relay.push(of_draft(Draft), now=NOW)
    assert {(one.text, one.priority) for one in window.notes.loops} == {("p", "HIGH"), ("q", "MED")}
    given = state(fact("x", "y"), goal_state=cso.GoalState(mode="AGENTIC", remaining=["r"]))
    window = relay.push(of_object(given), now=NOW)
    assert ("r", "HIGH") in {(one.text, one.priority) for one in window.notes.loops}


def test_a_draft_of_a_log_brings_object_and_capsule(relay):
    class Draft:
        cso = state(
            fact("log.1", "tests pass"), constraints=["never force-push to the shared branch"]
        )
        capsule = text(["OUTCOME | tests pass | they were run"])

    window = relay.push(of_draft(Draft), now=NOW)
    assert window.notes.kind == "log"
    assert (
        "CONSTRAINT | never force-push to the shared branch | hard constraint" in window.notes.head
    )
    assert relay.push(of_draft(Draft), now=NOW).unchanged
    assert relay.verify().sound


def test_what_is_refused_leaves_the_store_as_it_was(relay):
    value = state(decision("d", "ghost"))
    relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    before = relay.head()
    with pytest.raises(ConflictError, match="which nothing holds"):
        relay.push(of_object(value), now=NOW)
    relay.forget()
    assert relay.head() == before
    assert relay.verify().sound


# revising


def test_revisions_end_with_a_human(relay):
    relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    (name,) = ids(relay.head(), "a")
    for number in range(3):
        _, done = relay.revise(name, f"c{number}", "r", because="s", now=NOW)
        name = done.new_id
    _, done = relay.revise(name, "no", "r", because="s", now=NOW)
    assert done.result == "ESCALATED"
    assert relay.head().items()[name].status == "ESCALATED"
    assert relay.verify().valid
    assert relay.windows() == 5
    with pytest.raises(UnknownIdError):
        relay.invalidate("ghost", "x")


def test_changes_need_a_head(relay):
    for change in (
        lambda: relay.revise("a", "b", because="c"),
        lambda: relay.invalidate("a", "b"),
        lambda: relay.close_loop("a"),
        lambda: relay.merge("main"),
        lambda: relay.show("1"),
    ):
        with pytest.raises(UnknownIdError):
            change()
    assert relay.head() is None
    assert relay.prompt() == ""
    assert relay.log() == ()


# branches


def branched(relay):
    relay.push(
        capsule(["CHOICE | a | b", "DISCOVERY | c | d"], [], [], [], ["PROMISE | p | HIGH"]),
        now=NOW,
    )
    relay.begin_branch("work")
    return relay.head()


def test_branches_part_and_join(relay):
    base = branched(relay)
    relay.push(capsule(["CHOICE | ours | r"]), now=NOW)
    relay.push(
        capsule(["CHOICE | theirs | r"], [], [], ["BOUNDARY: never x"]), branch="work", now=NOW
    )
    relay.invalidate(ids(base, "c")[0], "wrong", branch="work", now=NOW)
    window = relay.merge("work", now=NOW)
    assert {
        cso.LIVE.__contains__(window.cso.items()[n].status)
        for n in ids(window.cso, "ours") + ids(window.cso, "theirs")
    } == {True}
    assert window.cso.items()[ids(base, "c")[0]].status == "INVALIDATED"
    assert window.cso.constraints == ("never x",)
    assert "never x" in window.notes.head
    assert "CHOICE | theirs" in window.notes.head
    assert len(relay.log()[0].parents) == 2
    assert relay.verify().valid
    assert relay.merge("work", now=NOW).unchanged == "it is merged already"
    assert ids(relay.show("HEAD~1"), "ours")
    with pytest.raises(UnknownIdError, match="several windows"):
        relay.resolve("2")
    assert relay.push(
        capsule(["CHOICE | theirs | r"], [], [], ["BOUNDARY: never x"]), now=NOW
    ).unchanged


def test_what_came_to_rest_on_something_that_fell_is_marked(relay):
    base = branched(relay)
    (c,) = ids(base, "c")
    relay.invalidate(c, "wrong", now=NOW)
    gift = state(decision("e", c))
    head = relay.head("work")
    draft = altered(
        head,
        decisions=(*head.decisions, gift.decisions[0]),
        cso_hmac="",
        prior_cso_hash=head.cso_hmac,
        window_number=2,
    )
    relay.push(of_object(draft), branch="work", now=NOW)
    window = relay.merge("work", now=NOW)
    assert window.cso.items()["e"].status == "NEEDS_REVISION"
    assert relay.verify().valid


def test_conflicts_are_refused_or_settled(relay):
    base = branched(relay)
    (a,) = ids(base, "a")
    relay.revise(a, "x", "r", because="s", now=NOW)
    relay.revise(a, "y", "r", because="s", branch="work", now=NOW)
    with pytest.raises(ConflictError, match="--prefer"):
        relay.merge("work", now=NOW)
    assert relay.windows() == 3
    window = relay.merge("work", prefer="theirs", now=NOW)
    assert window.cso.items()[f"{a}.r1"].choice == "y"
    assert [one.text for one in window.notes.withheld] == ["x"]
    assert relay.verify().valid


def test_merging_what_is_ahead_and_what_is_behind(relay):
    branched(relay)
    assert relay.merge("work", now=NOW).unchanged
    relay.push(capsule(["CHOICE | more | r"]), branch="work", now=NOW)
    window = relay.merge("work", now=NOW)
    assert ids(window.cso, "more")
    assert relay.verify().valid


@pytest.mark.parametrize("name", ["", "12", "HEAD", "a b", "a~1", "-x", "é", "x" * 101])
def test_branch_names(relay, name):
    branched(relay)
    with pytest.raises(RepositoryError):
        relay.begin_branch(name)


def test_references(relay):
    tags = [relay.push(capsule([f"CHOICE | {n} | r"]), now=NOW).cso.cso_hmac for n in range(4)]
    relay.begin_branch("old", "2")
    for ref, at in (
        ("HEAD", 3), ("main", 3), ("HEAD~", 2), ("HEAD~2", 1), ("main~3", 0), ("HEAD~1~1", 1), ("3", 2),
        ("old", 1), ("old~1", 0), (tags[2][7:19], 2), (tags[2], 2), (tags[0][:15], 0),
    ):  # fmt: skip
        assert relay.resolve(ref) == tags[at], ref
    for ref in ("HEAD~4", "9", "", "abc", "nobody", "sha256:", "~", "HEAD~99999999"):
        with pytest.raises(UnknownIdError):
            relay.resolve(ref)


def test_differences(relay):
    base = branched(relay)
    assert relay.diff("HEAD", "HEAD") == ()
    relay.invalidate(ids(base, "d")[0], "wrong", now=NOW)
    relay.push(capsule(["CHOICE | n | r"], [], [], ["BOUNDARY: k"]), now=NOW)
    found = {(one.what, one.kind, one.new) for one in relay.diff("1")}
    assert ("added", "decision", "n") in found
    assert ("added", "constraint", "k") in found
    assert ("marked", "fact", "INVALIDATED") in found
    assert ("marked", "fact", "NEEDS_REVISION") in found
    assert {one.what for one in relay.diff("HEAD", "1")} >= {"removed", "marked"}


# trust


def forge(relay, change):
    """Rewrite the head's row as someone would who can write to the database, digest and all."""
    path = relay.home.store
    with sqlite3.connect(path) as raw:
        tag, body = raw.execute(
            "select tag, body from cso_object order by position desc limit 1"
        ).fetchone()
        value = json.loads(body)
        change(value)
        data = cso.jcs.canonical(value)
        raw.execute(
            "update cso_object set body = ?, digest = ? where tag = ?",
            (data, cso.jcs.digest(data), tag),
        )
    raw.close()
    relay.forget()


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v["ext"]["relay"].update(head=v["ext"]["relay"]["head"].replace("Lag", "Leg")),
        lambda v: v["ext"]["relay"].update(dropped=[]),
        lambda v: v["goal_state"].update(objective="else"),
        lambda v: v.update(constraints=[]),
    ],
    ids=["capsule", "record", "goal", "constraints"],
)
def test_a_forged_head_is_told_and_nothing_is_built_on_it(relay, change):
    relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    relay.push(
        capsule(["CHOICE | c | d"], [], ["UNCERTAINTY: x", "UNCERTAINTY: y"], ["BOUNDARY: k"]),
        now=NOW,
    )
    forge(relay, change)
    found = relay.verify()
    assert not found.sound
    assert found.branches[0].verdict.status == "BROKEN"
    assert found.branches[0].verdict.broken_at_window == 2
    with pytest.raises(ChainError):
        relay.head()
    with pytest.raises(ChainError):
        relay.prompt()
    with pytest.raises(ChainError):
        relay.push(capsule(["CHOICE | e | f"]), now=NOW)
    assert relay.windows() == 2


def test_a_signed_head_capsule_that_does_not_follow_is_told(relay):
    first = relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    members = notes_of(first.cso).members()
    members.update(head=text(["CHOICE | planted | r"]), base=first.cso.cso_hmac)
    draft = altered(first.cso, cso_hmac="", ext=first.cso.ext.joined(relay=members))
    planted = cso.relay(first.cso, draft, relay._key, "test")
    relay._store.append("test", planted.cso)
    found = relay.verify()
    assert found.branches[0].verdict.status == "VALID"
    assert found.branches[0].differing == (2,)
    assert not found.sound


def test_another_key_is_told(relay, tmp_path):
    relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    other = {"PCSF_RELAY_KEY": "6c" * 32}
    with (
        Repository.open(tmp_path, environ=other) as again,
        pytest.raises(ChainError, match="another key"),
    ):
        again.head()
    with Repository.open(tmp_path, environ=other) as again:
        with pytest.raises(ChainError):
            again.push(capsule(["CHOICE | e | f"]), now=NOW)
        assert not again.verify().sound
        assert again.verify(keys=[relay._key]).sound
    with Repository.open(tmp_path, environ={}, keyless=True) as again:
        assert again.head() is not None
        with pytest.raises(RepositoryError, match="without a key"):
            again.push(capsule(["CHOICE | e | f"]), now=NOW)


# beginning


def test_init_makes_what_is_needed_and_nothing_twice(tmp_path):
    found, fresh = Repository.init(tmp_path, environ={})
    with found:
        assert fresh
        folder = tmp_path / ".pcsf"
        assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert "/key" in (folder / ".gitignore").read_text().split("\n")
        secret = (folder / "key").read_text().strip()
        assert secret not in (folder / "config.toml").read_text()
        assert secret not in repr(found) + repr(found._key) + str(vars(found))
        found.push(capsule(["CHOICE | a | b"]), now=NOW)
    again, fresh = Repository.init(tmp_path, environ={})
    with again:
        assert not fresh
        assert (folder / "key").read_text().strip() == secret
        assert again.windows() == 1
    assert sorted(p.name for p in folder.iterdir()) == [
        ".gitignore",
        "config.toml",
        "key",
        "state.db",
        "state.db-turn",
    ]


def test_a_lost_key_is_not_replaced_once_something_was_signed(tmp_path):
    found, _ = Repository.init(tmp_path, environ={})
    with found:
        pass
    (tmp_path / ".pcsf/key").unlink()
    found, _ = Repository.init(tmp_path, environ={})
    with found:
        found.push(capsule(["CHOICE | a | b"]), now=NOW)
    (tmp_path / ".pcsf/key").unlink()
    with pytest.raises(RepositoryError, match="no key"):
        Repository.init(tmp_path, environ={})
    with pytest.raises(RepositoryError, match="no key"):
        Repository.open(tmp_path, environ={})


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o666, 0o644])
def test_loose_modes_are_refused(tmp_path, mode):
    found, _ = Repository.init(tmp_path, environ={})
    found.close()
    (tmp_path / ".pcsf/key").chmod(mode)
    with pytest.raises(RepositoryError, match=f"its mode is {mode:03o}.*chmod 600"):
        Repository.open(tmp_path, environ={})


@pytest.mark.parametrize("key", ["short", "5b" * 31, " "])
def test_bad_keys_are_refused_and_not_shown(tmp_path, key):
    with pytest.raises(RepositoryError) as caught:
        Repository.init(tmp_path, environ={"PCSF_RELAY_KEY": key})
    assert key.strip() == "" or key not in str(caught.value)


def test_a_repository_is_found_upwards_and_by_name(tmp_path):
    found, _ = Repository.init(tmp_path / "a", session="one", environ=KEY)
    with found:
        found.push(capsule(["CHOICE | a | b"]), now=NOW)
    deep = tmp_path / "a/b/c"
    deep.mkdir(parents=True)
    places = [
        {"start": deep},
        {"start": tmp_path, "store": str(tmp_path / "a")},
        {"start": tmp_path, "store": str(tmp_path / "a/.pcsf")},
        {"start": tmp_path, "store": str(tmp_path / "a/.pcsf/state.db")},
        {"start": tmp_path, "environ": {**KEY, "PCSF_RELAY": str(tmp_path / "a")}},
    ]
    for members in places:
        with Repository.open(**{"environ": KEY, **members}) as relay:
            assert relay.home.session == "one"
            assert relay.windows() == 1
    for store in (None, str(tmp_path), str(tmp_path / "nowhere.db")):
        with pytest.raises(RepositoryError):
            Repository.open(tmp_path, store=store, environ=KEY)


def test_a_store_by_url_shares_state_between_machines(tmp_path, postgres):
    import cso_postgres

    url = cso_postgres.fresh_database(postgres, "machines")
    one, _ = Repository.init(tmp_path / "one", store=url, session="shared", environ=KEY)
    two, _ = Repository.init(tmp_path / "two", store=url, session="shared", environ=KEY)
    with one, two:
        one.push(capsule(["CHOICE | a | b"]), now=NOW)
        window = two.push(capsule(["CHOICE | c | d"]), now=NOW)
        assert window.cso.window_number == 2
        assert one.head() == window.cso
        assert one.verify().valid
    with Repository.open(tmp_path, store=url, environ=KEY) as third:
        assert third.home.session == "shared"
        assert third.windows() == 2


def test_what_is_pushed_to_two_branches_alike_is_told_and_not_tried_for_ever(tmp_path):
    """The same content on the same window has the same tag; nobody else was faster."""
    made, _ = Repository.init(tmp_path, environ=KEY)
    with made as opened:
        opened.push(capsule(["CHOICE | a | b"]), now=NOW)
        opened.begin_branch("side", "1")
        again = capsule(["CHOICE | c | d"])
        opened.push(again, now=NOW)
        with pytest.raises(ConflictError, match="another branch has this very window") as caught:
            opened.push(again, branch="side", now=NOW)
        assert caught.value.code == "exists"
        opened.merge("main", branch="side", now=NOW)
        assert opened.push(again, branch="side", now=NOW).unchanged


def test_a_store_that_is_gone_is_not_begun_anew(relay, tmp_path):
    relay.push(capsule(["CHOICE | a | b"]), now=NOW)
    relay.close()
    (tmp_path / ".pcsf/state.db").unlink()
    with pytest.raises(RepositoryError, match="the store is gone"):
        Repository.open(tmp_path, environ=KEY)


@pytest.mark.parametrize("content", ["", "version = 2", "not toml", 'version = 1\nsession = "a b"'])
def test_bad_configurations_are_told(tmp_path, content):
    Repository.init(tmp_path, environ=KEY)[0].close()
    (tmp_path / ".pcsf/config.toml").write_text(content)
    with pytest.raises(RepositoryError, match=r"config\.toml"):
        Repository.open(tmp_path, environ=KEY)


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_what_lost_a_merge_leaves_the_head_capsule(relay, side):
    relay.push(capsule(["CHOICE | queue | first"]), now=NOW)
    name = next(n for n in relay.head().items() if n.endswith("l1.1"))
    relay.begin_branch("work")
    relay.revise(name, "two queues", because="a", branch="main", now=NOW)
    relay.revise(name, "no queue", because="b", branch="work", now=NOW)
    window = relay.merge("work", prefer=side, now=NOW)
    kept, lost = ("two queues", "no queue") if side == "ours" else ("no queue", "two queues")
    assert f"| {kept} |" in window.notes.head
    assert f"| {lost} |" not in window.notes.head
    assert any(lost in row.entry for row in window.notes.dropped)
    assert f"| {lost} |" not in relay.prompt()
    assert relay.verify().sound
    assert all(one.sound for one in relay.verify().branches)
