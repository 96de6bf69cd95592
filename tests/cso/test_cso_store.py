"""The store: the same suite on SQLite and PostgreSQL."""

import multiprocessing

import pytest
from attrs import evolve
from cso_states import KEY, OTHER_KEY, SESSION, fact, state
from sqlalchemy import create_engine, text

from cso import (
    ChainError,
    ChainStatus,
    ConflictError,
    ContentError,
    EventDraft,
    KeyMaterialError,
    StoreDamagedError,
    UnknownIdError,
    bind,
    relay,
    sign,
    verify_chain,
    verify_events,
)
from cso.store import Entry, Store

FORK = multiprocessing.get_context("fork")


def first_of(session=SESSION):
    return relay(None, state(fact("a")), KEY, session)


def after(prior, *names, session=SESSION):
    draft = evolve(prior, established_facts=[*prior.established_facts, *map(fact, names)])
    return relay(prior, draft, KEY, session)


def test_append_and_read_back(target):
    one = first_of()
    two = after(one.cso, "b")
    with Store(target) as store:
        assert store.sessions() == ()
        assert store.head(SESSION) is None
        assert store.chain(SESSION) == ()
        store.append(SESSION, one.cso, events=one.events, key=KEY)
        store.append(SESSION, two.cso, events=two.events, key=KEY)
    with Store(target) as store:
        assert store.sessions() == (SESSION,)
        assert store.head(SESSION) == two.cso
        assert store.chain(SESSION) == (one.cso, two.cso)
        assert store.load(SESSION, one.cso.cso_hmac) == one.cso
        assert verify_chain(store.chain(SESSION), KEY, SESSION).status is ChainStatus.VALID
        assert verify_events(store.events(SESSION), KEY).status is ChainStatus.VALID
        assert [event.event_type for event in store.events(SESSION)] == ["CSO_RELAYED"] * 2
        assert store.log(SESSION) == (
            Entry(1, 1, one.cso.cso_id, one.cso.cso_hmac, (), ()),
            Entry(2, 2, two.cso.cso_id, two.cso.cso_hmac, (one.cso.cso_hmac,), ("main",)),
        )
        assert store.check() == ()


def test_a_head_moves_only_from_where_it_is(target):
    one = first_of().cso
    two, other = after(one, "b").cso, after(one, "c").cso
    with Store(target) as store:
        store.append(SESSION, one)
        store.append(SESSION, two)
        before = store.log(SESSION)
        with pytest.raises(ConflictError, match="is at " + two.cso_hmac):
            store.append(SESSION, other, events=[EventDraft("T", "t", "w", {})], key=KEY)
        with pytest.raises(ConflictError, match="stored already"):
            store.append(SESSION, two)
        with pytest.raises(ConflictError, match="begun"):
            store.append(SESSION, relay(None, state(fact("z")), KEY, SESSION).cso)
        with pytest.raises(ChainError, match="parent"):
            store.append(SESSION, after(other, "d").cso)
        with pytest.raises(ChainError, match="signed"):
            store.append(SESSION, state(fact("a")))
        with pytest.raises(KeyMaterialError):
            store.append(SESSION, after(two, "e").cso, events=[EventDraft("T", "t", "w", {})])
        # Nothing of what was refused is kept.
        assert store.log(SESSION) == before
        assert store.events(SESSION) == ()
        assert store.check() == ()


def test_branches_and_fan_in(target):
    one = first_of().cso
    left, right = after(one, "l").cso, after(one, "r").cso
    draft = state(*map(fact, "alr"), window_number=0)
    joined = sign(bind(evolve(draft, verified=True), left, right), KEY, SESSION)
    with Store(target) as store:
        store.append(SESSION, one)
        store.branch(SESSION, "side", one.cso_hmac)
        store.append(SESSION, left)
        store.append(SESSION, right, branch="side")
        # A new branch may begin with its first object, too.
        third = after(one, "t").cso
        store.append(SESSION, third, branch="third")
        store.append(SESSION, joined)
        assert store.branches(SESSION) == {
            "main": joined.cso_hmac,
            "side": right.cso_hmac,
            "third": third.cso_hmac,
        }
        assert store.chain(SESSION) == (one, left, right, joined)
        assert store.chain(SESSION, "side") == (one, right)
        assert store.reachable(SESSION, left.cso_hmac) == (one, left)
        assert verify_chain(store.chain(SESSION), KEY, SESSION).status is ChainStatus.VALID
        assert store.log(SESSION)[4].parents == tuple(sorted([left.cso_hmac, right.cso_hmac]))
        with pytest.raises(ConflictError, match="exists"):
            store.branch(SESSION, "side", one.cso_hmac)
        with pytest.raises(ChainError):
            store.branch(SESSION, "new", "sha256:" + "0" * 64)
        with pytest.raises(UnknownIdError):
            store.load(SESSION, "sha256:" + "0" * 64)
        with pytest.raises(UnknownIdError):
            store.reachable(SESSION, "sha256:" + "0" * 64)
        assert store.check() == ()


def test_sessions_are_apart(target):
    with Store(target) as store:
        for name in ("s1", "s2"):
            one = first_of(name).cso
            store.append(name, one)
            store.append(name, after(one, "b", session=name).cso)
            store.record(name, [EventDraft("T", "t", "w", {"of": name})], KEY)
        assert store.sessions() == ("s1", "s2")
        for name in ("s1", "s2"):
            assert verify_chain(store.chain(name), KEY, name).status is ChainStatus.VALID
            assert [event.seq for event in store.events(name)] == [1]
            assert verify_events(store.events(name), OTHER_KEY).status is ChainStatus.BROKEN


def write(target, who, count, results):
    """Relay `count` times on one branch; a conflict means: take the new head and go on."""
    landed = conflicts = 0
    with Store(target) as store:
        for number in range(count):
            prior = store.head(SESSION)
            done = after(prior, f"{who}.{number}")
            try:
                store.append(SESSION, done.cso, events=done.events, key=KEY)
                landed += 1
            except ConflictError:
                conflicts += 1
    results.put((who, landed, conflicts))


def test_two_writers_on_one_branch(target):
    with Store(target) as store:
        store.append(SESSION, first_of().cso)
    results = FORK.SimpleQueue()
    count = 25
    writers = [FORK.Process(target=write, args=(target, who, count, results)) for who in "xy"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
        assert writer.exitcode == 0
    outcomes = [results.get() for _ in writers]
    with Store(target) as store:
        chain = store.chain(SESSION)
        landed = sum(outcome[1] for outcome in outcomes)
        assert all(outcome[1] + outcome[2] == count for outcome in outcomes)
        assert len(chain) == landed + 1
        assert [entry.window_number for entry in chain] == list(range(1, landed + 2))
        assert verify_chain(chain, KEY, SESSION).status is ChainStatus.VALID
        assert verify_events(store.events(SESSION), KEY).status is ChainStatus.VALID
        assert len(store.events(SESSION)) == landed
        assert store.check() == ()


def test_many_open_a_new_store_at_once(target):
    results = FORK.SimpleQueue()
    openers = [FORK.Process(target=opens, args=(target, results)) for _ in range(6)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join(60)
        assert opener.exitcode == 0
    assert [results.get() for _ in openers] == [()] * 6


def opens(target, results):
    with Store(target) as store:
        results.put(store.check())


DAMAGE = {
    "object gone": "DELETE FROM cso_object WHERE position = 2",
    "body changed": "UPDATE cso_object SET body = 'x' WHERE position = 1",
    "digest changed": "UPDATE cso_object SET digest = 'x' WHERE position = 1",
    "count changed": "UPDATE cso_session SET objects = 1",
    "link gone": "DELETE FROM cso_parent",
    "head back": "UPDATE cso_head SET tag = (SELECT tag FROM cso_object WHERE position = 1)",
    "event gone": "DELETE FROM cso_event WHERE seq = 2",
    "event changed": "UPDATE cso_event SET line = 'x'",
    "session gone": "DELETE FROM cso_session",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_the_full_check_sees_rows_that_do_not_fit(tmp_path, statement):
    path = tmp_path / "store.db"
    one = first_of()
    two = after(one.cso, "b")
    with Store(path) as store:
        store.append(SESSION, one.cso, events=one.events, key=KEY)
        store.append(SESSION, two.cso, events=two.events, key=KEY)
        assert store.check() == ()
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            connection.execute(text(statement.replace("'x'", "CAST('x' AS BLOB)")))
        engine.dispose()
        assert store.check() != ()
    # With a journal beside the file the full check runs by itself.
    (tmp_path / "store.db-journal").write_bytes(b"")
    with pytest.raises(StoreDamagedError):
        Store(path)


def test_a_changed_body_is_not_read(tmp_path):
    path = tmp_path / "store.db"
    with Store(path) as store:
        store.append(SESSION, first_of().cso)
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            connection.execute(text("UPDATE cso_object SET body = CAST('x' AS BLOB)"))
        engine.dispose()
        with pytest.raises(StoreDamagedError):
            store.head(SESSION)


@pytest.mark.parametrize("size", [0, 1, 50, 99, 100, 4096, 8000])
def test_cut_and_foreign_files_are_told(tmp_path, size):
    path = tmp_path / "store.db"
    with Store(path) as store:
        store.append(SESSION, first_of().cso)
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    with pytest.raises(StoreDamagedError):
        Store(path)
    path.write_bytes(b"no database, but long enough to have a header of one" * 100)
    with pytest.raises(StoreDamagedError):
        Store(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["store.db"]
    path.unlink()
    (tmp_path / "store.db-journal").write_bytes(b"x")
    with pytest.raises(StoreDamagedError):
        Store(path)


def test_an_emptied_database_is_told(tmp_path):
    path = tmp_path / "store.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE other (x)"))
    engine.dispose()
    with pytest.raises(StoreDamagedError):
        Store(path)


def test_a_store_in_memory():
    with Store("sqlite://") as store:
        store.append(SESSION, first_of().cso)
        assert len(store.chain(SESSION)) == 1


@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_names_that_no_database_holds(target, name):
    one = first_of().cso
    with Store(target) as store:
        for session, branch in ((name, "main"), (SESSION, name)):
            with pytest.raises(ContentError, match="no NUL and no lone surrogate"):
                store.append(session, one, branch=branch)
        if "\0" in name:
            odd = relay(None, state(fact("a"), cso_id=name), KEY, SESSION).cso
            with pytest.raises(ContentError):
                store.append(SESSION, odd)
        assert store.sessions() == ()
