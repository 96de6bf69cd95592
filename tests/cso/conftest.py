"""A fresh store on each backend."""

import itertools

import cso_postgres
import pytest

NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def postgres():
    """The URL of a private server; skips where PostgreSQL is not installed."""
    if cso_postgres.binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    with cso_postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request, tmp_path):
    """What a store is opened with: a path that is not there yet, or an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    url = request.getfixturevalue("postgres")
    return cso_postgres.fresh_database(url, f"t{next(NUMBERS)}")
