"""Work is given up when nobody waits for it, not before it is due, and never half done."""

import sys
import threading
import time

import anyio
import pytest

from pcsf_lark.faces.mcp import calls
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.faces.mcp.stopping import Stopped, Work, insist, whole

PATIENCE = 30


def turning(begun, log):
    """Work that ends only when it is given up."""
    log.append("begun")
    begun.set()
    try:
        while True:
            len(log)
    finally:
        log.append("tidied")


def at_work(do):
    """A work in a thread, and what it came to."""
    work, found = Work(do), []

    def run():
        try:
            found.append(work.run())
        except BaseException as error:  # noqa: BLE001 - it is looked at
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return work, thread, found


def test_what_is_given_up_ends_and_is_put_in_order():
    begun, log = threading.Event(), []
    work, thread, found = at_work(lambda: turning(begun, log))
    assert begun.wait(PATIENCE)
    work.stop()
    thread.join(PATIENCE)
    assert isinstance(found[0], Stopped)
    assert log == ["begun", "tidied"]
    assert not work.begun


def test_what_is_given_up_before_it_begins_is_not_begun():
    log = []
    work = Work(lambda: log.append("begun"))
    work.stop()
    with pytest.raises(Stopped):
        work.run()
    assert not log


@pytest.mark.parametrize("_", range(200))
def test_a_thread_that_has_gone_on_is_not_stopped(_):
    """Work that ends just then has a result or was stopped; the thread is none the worse."""
    log = []

    def after():
        found = works[0][2]
        while not found:
            time.sleep(0)
        log.append(sum(range(2000)))

    works = [at_work(lambda: sum(range(200)))]
    later = threading.Thread(target=after, daemon=True)
    later.start()
    works[0][0].stop()
    works[0][1].join(PATIENCE)
    later.join(PATIENCE)
    assert len(log) == 1
    assert works[0][2][0] == 19900 or isinstance(works[0][2][0], Stopped)


def test_what_is_done_as_a_whole_is_done():
    begun, go, log = threading.Event(), threading.Event(), []

    def do():
        with whole():
            begun.set()
            assert go.wait(PATIENCE)
            log.append("written")
        return "done"

    work, thread, found = at_work(do)
    assert begun.wait(PATIENCE)
    work.stop()
    go.set()
    thread.join(PATIENCE)
    assert (log, found) == (["written"], ["done"])
    with whole():  # no work, no matter
        pass


def test_what_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(calls, "SECONDS", 1)
    begun, log, told = threading.Event(), [], []

    async def tell(*given):
        told.append(given)

    async def ask():
        await calls.Calls().do(lambda: turning(begun, log), tell=tell)

    with pytest.raises(Refusal, match="not done within 1 seconds") as caught:
        anyio.run(ask)
    assert caught.value.code == "time"
    assert log == ["begun", "tidied"]
    assert told == [(1, 1, "1 s at work")]


def test_a_call_that_is_cancelled_makes_room_for_others(monkeypatch):
    begun, log = threading.Event(), []
    monkeypatch.setattr(calls, "CALLS", 1)

    async def ask():
        desk = calls.Calls()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(desk.do, lambda: turning(begun, log))
            await anyio.to_thread.run_sync(begun.wait)
            with pytest.raises(Refusal, match="1 calls are at work"):
                await desk.do(lambda: None)
            tasks.cancel_scope.cancel()
        return await desk.do(lambda: "next")

    assert anyio.run(ask) == "next"
    assert log == ["begun", "tidied"]


def test_what_calls_hold_together_is_bounded():
    begun, log = threading.Event(), []

    async def ask():
        desk = calls.Calls()
        # One alone may be as large as a message may be.
        assert await desk.do(lambda: "large", calls.HELD + 1) == "large"
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(desk.do, lambda: turning(begun, log), calls.HELD)
            await anyio.to_thread.run_sync(begun.wait)
            with pytest.raises(Refusal) as caught:
                await desk.do(lambda: None, 1)
            tasks.cancel_scope.cancel()
        return caught.value.code

    assert anyio.run(ask) == "busy"


def test_errors_of_work_are_its_own():
    async def ask():
        await calls.Calls().do(lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        anyio.run(ask)


def test_what_a_callback_swallows_is_raised_again(monkeypatch):
    """Python prints and forgets what is raised in a finaliser: it must reach the work itself."""
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    insist()
    begun = threading.Event()

    class Finalised:
        def __del__(self):
            begun.set()
            while True:
                pass

    def do():
        Finalised()
        while True:
            pass

    work, thread, found = at_work(do)
    assert begun.wait(PATIENCE)
    work.stop()
    thread.join(PATIENCE)
    assert isinstance(found[0], Stopped)
    assert told == []


def test_what_else_is_swallowed_is_told_as_before(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: told.append(what.exc_type))
    insist()

    class Faulty:
        def __del__(self):
            raise LookupError

    Faulty()
    assert told == [LookupError]
