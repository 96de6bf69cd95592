"""Where a relay is kept: nothing secret is written down, nothing is begun halfway."""

import os
import sys
import time

import cso_postgres
import pytest
from relay_samples import KEY, NOW, capsule

from cso.store import Store
from pcsf_lark.relay import Repository, RepositoryError
from pcsf_lark.relay.cleaning import leftovers
from pcsf_lark.relay.urls import bare, shown

SECRET = "hunter2"  # noqa: S105 - to be looked for
#: URLs whose secret can be told, and what is left of them.
CLEAR = {
    "postgresql://u:hunter2@localhost:1/db": "postgresql://u@localhost:1/db",
    "postgresql://u:hunter2/hunter2@localhost:1/db": "postgresql://u@localhost:1/db",
    "postgresql://u:hunter2:hunter2@localhost/db": "postgresql://u@localhost/db",
    "postgresql://u:%40hunter2@[::1]:5/db": "postgresql://u@[::1]:5/db",
    "postgresql://localhost:1/db?user=u&password=hunter2": "postgresql://localhost:1/db?user=u",
    "postgresql://h/db?sslpassword=hunter2&sslmode=require": "postgresql://h/db?sslmode=require",
    "postgresql://h/db?PASSWORD=hunter2&passfile=f": "postgresql://h/db?passfile=f",
    "postgresql+psycopg://u:hunter2@h/db": "postgresql+psycopg://u@h/db",
    "mysql://u:hunter2@h/db?auth_token=hunter2&api_key=hunter2": "mysql://u@h/db",
}
#: URLs of which nobody can tell where the password ends.
UNCLEAR = (
    "postgresql://u:p@hunter2@localhost:1/db",
    "postgresql://u:p@hunter2/x@localhost:1/db",
    "u:hunter2@localhost",
    "postgresql://u:hunter2@h:port/db",
)


@pytest.mark.parametrize("url", CLEAR)
def test_secrets_of_a_url_are_dropped(url):
    assert bare(url) == shown(url) == CLEAR[url]


@pytest.mark.parametrize("url", [*CLEAR, *UNCLEAR])
def test_no_secret_is_written_or_shown(tmp_path, url):
    with pytest.raises(RepositoryError) as caught:
        Repository.init(tmp_path, store=url, environ=KEY)
    assert SECRET not in str(caught.value)
    assert "://" not in url or SECRET not in shown(url)
    assert not list(tmp_path.rglob("*"))


def test_a_store_that_cannot_be_reached_leaves_nothing(tmp_path):
    bad, good = "postgresql://localhost:1/db", tmp_path / "there.db"
    with pytest.raises(RepositoryError, match="cannot be used"):
        Repository.init(tmp_path, store=bad, environ={})
    assert not (tmp_path / ".pcsf").exists()
    with pytest.raises(RepositoryError):
        Repository.init(tmp_path, environ={"PCSF_RELAY": bad})
    made, fresh = Repository.init(tmp_path, store=str(good), environ={})
    with made:
        assert fresh
        assert made.home.store == str(good)


def test_another_store_over_one_that_is_there_is_refused(tmp_path):
    Repository.init(tmp_path, session="s", environ=KEY)[0].close()
    for more in ({"store": str(tmp_path / "b.db")}, {"store": "postgresql://h/x"}):
        with pytest.raises(RepositoryError, match="is there already, with its state in"):
            Repository.init(tmp_path, environ=KEY, **more)
    with pytest.raises(RepositoryError, match="with the session s"):
        Repository.init(tmp_path, environ=KEY, session="t")
    for more in ({}, {"store": str(tmp_path / ".pcsf/state.db")}, {"session": "s"}):
        again, fresh = Repository.init(tmp_path, environ=KEY, **more)
        again.close()
        assert not fresh


def test_a_second_machine_needs_the_key(tmp_path):
    shared = str(tmp_path / "shared.db")
    one, _ = Repository.init(tmp_path / "one", store=shared, session="s", environ={})
    with one:
        one.push(capsule(["CHOICE | a | b"]), now=NOW)
    two = tmp_path / "two"
    with pytest.raises(RepositoryError, match="copy it from where the relay was begun"):
        Repository.init(two, store=shared, session="s", environ={})
    assert not (two / ".pcsf").exists()
    (two / ".pcsf").mkdir(mode=0o700)
    key = two / ".pcsf/key"
    key.write_bytes((tmp_path / "one/.pcsf/key").read_bytes())
    key.chmod(0o600)
    with Repository.init(two, store=shared, session="s", environ={})[0] as relay:
        assert relay.head().window_number == 1
    # A session of its own begins with a key of its own.
    with Repository.init(tmp_path / "three", store=shared, session="t", environ={})[0] as relay:
        assert relay.head() is None


def test_a_password_of_postgresql_is_only_used(tmp_path, postgres):
    from sqlalchemy import make_url

    url = cso_postgres.fresh_database(postgres, "places")
    full = make_url(url).set(password=SECRET).render_as_string(hide_password=False)
    with Repository.init(tmp_path, store=full, session="s", environ=KEY)[0] as relay:
        assert relay.push(capsule(["CHOICE | a | b"]), now=NOW).added
    written = (tmp_path / ".pcsf/config.toml").read_text()
    assert SECRET not in written
    assert "postgresql" in written


def test_gc_leaves_what_is_not_ours(tmp_path):
    folder, home = tmp_path / ".pcsf", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    database = home / "state.db"
    Store(str(database)).close()
    ours = {
        folder / ".pcsf-1-ab.tmp": b"x",
        home / ".state.db.abcdefgh.new": database.read_bytes()[:4096],
        home / ".state.db.abcdefgi.new": b"",
        home / ".state.db.abcdefgh.new-journal": b"\0" * 512,
    }
    others = {
        home / ".bashrc.new": b"alias x=y",
        home / ".other.db.abcdefgh.new": database.read_bytes(),
        home / ".state.db.abcdefgj.new": b"a letter",
        home / ".pcsf-2-ab.tmp": b"x",
    }
    for path, data in (ours | others).items():
        path.write_bytes(data)
        os.utime(path, (0, 0))
    found = leftovers(folder, database, time.time())
    assert {one.path for one in found} == set(ours)
    assert not leftovers(folder, database, 60.0)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks")
def test_a_turn_is_given_back_though_a_child_was_forked(tmp_path):
    import threading

    store = Store(str(tmp_path / "s.db"))
    other = Store(str(tmp_path / "s.db"))
    done, child = threading.Event(), 0
    with store.turn("s"):
        child = os.fork()
        if not child:
            time.sleep(30)
            os._exit(0)

    def wait():
        with other.turn("s"):
            done.set()

    try:
        threading.Thread(target=wait, daemon=True).start()
        assert done.wait(5)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        store.close()
        other.close()
