"""Sudden ends, in small; `tools/bench cso` does the same two thousand times."""

import cso_postgres
from benchmarks import cso_rivals, cso_store
from cso_states import any_objects, given

from cso.store import Store


def test_kills_lose_nothing(tmp_path):
    found = cso_store.kills(15, lambda number: str(tmp_path / f"{number}.db"))
    assert found["kills"] == 15
    assert found["landed"] >= 15


def test_kills_lose_nothing_on_postgres(postgres):
    found = cso_store.kills(
        3, lambda number: cso_postgres.fresh_database(postgres, f"kill{number}")
    )
    assert found["landed"] >= 3


def test_cuts_are_told_or_harmless(tmp_path):
    found = cso_store.cuts(12, tmp_path)
    assert found.total() == 48
    assert sum(count for name, count in found.items() if name.endswith("told")) > 0


def test_rivals_account_for_every_relay(target):
    found = cso_rivals.rivals(target, 20)
    assert found["landed"] + found["conflicts"] == 40
    assert found["landed"] >= 20


@given(any_objects())
def test_unsigned_objects_are_never_stored(value):
    with Store("sqlite://") as store:
        try:
            store.append("s", value)
        except ValueError:
            assert store.sessions() == ()
        else:
            raise AssertionError(value)
