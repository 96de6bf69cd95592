"""Programs run on a terminal of a given size, as people run them."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import threading
import time

import forks

#: What colours are asked for by.
ASKING = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE")

#: Colours, and whatever else a terminal obeys without showing it.
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][0-9A-B]|[=>78])")


class Terminal:
    """A process on a terminal of its own; use it as a context manager."""

    def __init__(self, command, *, columns=80, rows=50, cwd=None, **environment):
        self.raw = b""
        given = surroundings(environment)
        self.pid, self.master = pty.fork()
        if not self.pid:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.chdir(cwd or ".")
                os.execvpe(command[0], [str(word) for word in command], given)
            finally:
                os._exit(127)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)

    def send(self, text):
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def _read(self, wait):
        if select.select([self.master], [], [], wait)[0]:
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:  # the other end is gone
                return False
            self.raw += data
            return bool(data)
        return True

    def until(self, wanted, seconds=30):
        """Read until a text, or a pattern, has come; what came before and with it."""
        end = time.monotonic() + seconds
        while not (
            re.search(wanted, self.text) if hasattr(wanted, "pattern") else wanted in self.text
        ):
            alive = self._read(0.2)
            assert alive or wanted in self.text, f"{wanted!r} never came: {self.text!r}"
            assert time.monotonic() < end, f"{wanted!r} did not come: {self.text!r}"
        return self.text

    def end(self, seconds=60):
        """Read all to the process's end; its exit code."""
        limit = time.monotonic() + seconds
        while self._read(0.2):
            assert time.monotonic() < limit, self.text
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                while select.select([self.master], [], [], 0)[0] and self._read(0):
                    pass
                break
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    @property
    def text(self):
        return self.raw.decode("utf-8", "replace")


def run(command, **settings):
    """Run a command to its end; the exit code and what came, with escapes."""
    with Terminal(command, **settings) as terminal:
        return terminal.end(), terminal.text


def pcsf(*words, columns=80, rows=50, cwd=".", **environment):
    """Run `pcsf` to its end on a terminal, in a fork; the exit code and what came."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    data = bytearray()

    def drain():
        with contextlib.suppress(OSError):  # the other end is gone
            while more := os.read(ours, 1 << 16):
                data.extend(more)

    reader = threading.Thread(target=drain)
    reader.start()
    try:
        code = forks.attached(list(words), [theirs] * 3, str(cwd), surroundings(environment))
    finally:
        os.close(theirs)
        reader.join()
        os.close(ours)
    return code, data.decode("utf-8", "replace")


def plain(text):
    """What came without escapes."""
    return _ESCAPE.sub("", text)


def surroundings(given):
    """The environment of a call: what is asked of colours and widths is what is given."""
    asked = (*ASKING, "COLUMNS", "LINES", "GITHUB_ACTIONS")
    kept = {name: value for name, value in os.environ.items() if name not in asked}
    return {**kept, "TERM": "xterm-256color", **given}


def screen(text):
    """The lines that stay on a screen that is wide enough: returns, wipes and line ends obeyed."""
    lines, column = [""], 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
        if part == "\n":
            lines.append("")
        elif part == "\r":
            column = 0
        elif part == "\x1b[2K":
            lines[-1] = ""
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:column]
        elif not part.startswith("\x1b"):
            line = lines[-1].ljust(column)
            lines[-1] = line[:column] + part + line[column + len(part) :]
            column += len(part)
    return lines
