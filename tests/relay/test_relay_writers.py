"""Many writers, and sudden ends: every push landed or was told, nothing is half there.

`tools/bench relay` does the same with a thousand pushes.
"""

import os
import random
import signal
import time

import pytest
from benchmarks import relay as bench
from relay_samples import KEY, NOW

from cso.errors import ConflictError
from pcsf_lark.relay import Repository
from pcsf_lark.relay.access import retried


@pytest.mark.parametrize("turns", [True, False], ids=["in-turns", "without-turns"])
def test_every_push_landed_or_was_told(tmp_path, store, turns):
    found = bench.crowd(tmp_path, store, 24, 4, turns=turns)
    assert found["landed"] + found["told"] == 24
    assert found["landed"] > 0


def test_a_turn_is_waited_for_and_given_back(tmp_path, store):
    relay, _ = Repository.init(tmp_path, store=store, session="one", environ=KEY)
    with relay:
        with relay._store.turn("one"):
            started, done = bench.FORK.Event(), bench.FORK.Event()
            other = bench.FORK.Process(target=push_late, args=(tmp_path, started, done))
            other.start()
            assert started.wait(60)
            assert not done.wait(0.3)
        assert done.wait(60)
        other.join(60)
        assert relay.windows() == 1


def push_late(folder, started, done):
    with Repository.open(folder, environ=KEY) as relay:
        started.set()
        relay.push(bench.capsule(7), now=NOW)
        done.set()


def test_beginnings_at_once_are_one_chain(tmp_path):
    processes = []
    for number in range(4):
        process = bench.FORK.Process(target=begin, args=(tmp_path, number))
        process.start()
        processes.append(process)
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    with Repository.open(tmp_path, environ={}) as relay:
        assert relay.windows() == 4
        assert relay.verify().valid


def begin(folder, number):
    relay, _ = Repository.init(folder, environ={})
    with relay:
        assert not relay.push(bench.capsule(number), now=NOW).unchanged


def test_pushing_one_thing_at_once_lands_it_once(tmp_path):
    relay, _ = Repository.init(tmp_path, session="one", environ=KEY)
    relay.close()
    processes = [bench.FORK.Process(target=push_same, args=(tmp_path,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    with Repository.open(tmp_path, environ=KEY) as again:
        assert again.windows() == 1


def push_same(folder):
    with Repository.open(folder, environ=KEY) as relay:
        relay.push(bench.capsule(7), now=NOW)


def test_a_killed_push_leaves_all_of_it_or_nothing(tmp_path):
    chance = random.Random(0)
    relay, _ = Repository.init(tmp_path, session="bench", environ=KEY)
    relay.close()
    held = 0
    for number in range(12):
        landed = killed(tmp_path, number, chance)
        with Repository.open(tmp_path, environ=KEY) as again:
            now = again.windows()
            # One may have landed whose saying so was cut off.
            assert held + landed <= now <= held + landed + 1
            held = now
            assert again.verify().sound
            (folder,) = [p for p in tmp_path.iterdir() if p.name == ".pcsf"]
            assert (folder / "key").exists() is False


def killed(folder, number, chance):
    """Push without end in a child, and kill it; how many pushes it said had landed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with Repository.open(folder, environ=KEY) as relay:
                for count in range(1000):
                    relay.push(bench.capsule(count, number), now=NOW)
                    os.write(write, b".")
        finally:
            os._exit(1)
    os.close(write)
    landed = len(os.read(read, 1))
    time.sleep(chance.uniform(0, 0.03))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(read, 4096):
        landed += len(more)
    os.close(read)
    return landed


def test_who_is_always_overtaken_is_told_and_nothing_is_stored():
    calls = []

    def store():
        raise ConflictError("branch 'main' is at another", at="main")

    def attempt():
        calls.append(1)
        return "made", store

    with pytest.raises(
        ConflictError, match="first 5 times; nothing was stored; do it again"
    ) as caught:
        retried(attempt, 5, "the push")
    assert caught.value.code == "busy"
    assert len(calls) == 5


def test_other_conflicts_are_not_retried():
    calls = []

    def attempt():
        calls.append(1)
        raise ConflictError("both changed it", at="x")

    with pytest.raises(ConflictError, match="both changed"):
        retried(attempt, 5, "the push")
    assert len(calls) == 1
