"""Opening and checking while others write: a moment between two writes is no damage."""

import multiprocessing

from benchmarks import cso_store

from cso.store import Store

FORK = multiprocessing.get_context("fork")


def keep_writing(target, started, stop):
    with Store(target) as store:
        head = store.head(cso_store.SESSION)
        while not stop.is_set():
            head = cso_store.follow(store, head, "x")
            started.set()


def test_checks_see_one_state(target):
    with Store(target) as store:
        store.append(cso_store.SESSION, cso_store.genesis())
    started, stop = FORK.Event(), FORK.Event()
    writer = FORK.Process(target=keep_writing, args=(target, started, stop))
    writer.start()
    assert started.wait(60)
    found = []
    for number in range(30):
        with Store(target) as store:
            found.append(store.check(full=number % 5 == 0))
    stop.set()
    writer.join(60)
    assert writer.exitcode == 0
    assert found == [()] * 30
