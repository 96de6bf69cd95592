"""Work in a thread that can be given up: nobody waits for it any more, or it takes too long.

A thread cannot be ended from outside; what is raised in it at its next instruction ends
what it does, and all that is to be put in order is, as after any error. Where Python
swallows that, in a callback of its collector, it is raised again. Within `whole` nothing
is given up.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Stopped", "Work", "insist", "whole"]

_here = threading.local()
#: Seconds in which a thread leaves the callback that swallowed what was raised in it.
_PAUSE = 0.01


class Stopped(BaseException):
    """Raised in a thread whose work is given up; no error of the work, so none catches it."""


class Work:
    """Something to be done once, in a thread."""

    def __init__(self, do: Callable[[], Any]) -> None:
        self._do = do
        self._lock = threading.RLock()
        self._thread: int | None = None
        self._kept = 0
        self._asked = False

    @property
    def begun(self) -> bool:
        """Whether a thread is at it."""
        return self._thread is not None

    def run(self) -> Any:
        """Do it, in the present thread; raises Stopped where it was given up."""
        try:
            with self._lock:
                if self._asked:
                    raise Stopped
                self._thread = threading.get_ident()
            _here.work = self
            return self._do()
        finally:
            with self._lock:
                thread, self._thread, _here.work = self._thread, None, None
                if self._asked and thread is not None:
                    _raise_in(thread, None)  # what was too late for this work is for no other

    def stop(self) -> None:
        """Give it up, before it begins or within it; nothing happens after its end."""
        with self._lock:
            if not self._asked and self._thread is not None and not self._kept:
                _raise_in(self._thread, Stopped)
            self._asked = True

    def again(self) -> None:
        """Give it up once more, as it has not come to know of it."""
        time.sleep(_PAUSE)
        with self._lock:
            if self._thread is not None and not self._kept:
                _raise_in(self._thread, Stopped)

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Have it done to the end what is done within."""
        with self._lock:
            self._kept += 1
        try:
            yield
        finally:
            with self._lock:
                self._kept -= 1


@contextlib.contextmanager
def whole() -> Iterator[None]:
    """What is done within is done to its end, whoever gives the work up."""
    work = getattr(_here, "work", None)
    with contextlib.nullcontext() if work is None else work.kept():
        yield


def insist() -> None:
    """From now on, in this process, work that did not come to know of its end is told again."""
    before = sys.unraisablehook

    def hook(told: sys.UnraisableHookArgs, /) -> None:
        work = getattr(_here, "work", None)
        if told.exc_type is not Stopped:
            before(told)
        elif work is not None:
            threading.Thread(target=work.again, daemon=True).start()

    sys.unraisablehook = hook


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    import ctypes  # noqa: PLC0415 - for work that is given up alone

    what = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
