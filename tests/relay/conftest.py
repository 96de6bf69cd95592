"""A repository with a known key and session, on each backend."""

import itertools

import cso_postgres
import pytest
from relay_samples import KEY

NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def postgres():
    """The URL of a private server; skips where PostgreSQL is not installed."""
    if cso_postgres.binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    with cso_postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request):
    """What `--store` is given: nothing, or an empty database's URL."""
    if request.param == "sqlite":
        return None
    url = request.getfixturevalue("postgres")
    return cso_postgres.fresh_database(url, f"relay{next(NUMBERS)}")


@pytest.fixture
def relay(tmp_path):
    """An empty repository on SQLite."""
    from pcsf_lark.relay import Repository

    found, _ = Repository.init(tmp_path, session="test", environ=KEY)
    with found:
        yield found
