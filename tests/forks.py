"""`pcsf` in a process of its own that need not begin anew: a fork of one that has imported it all.

A server is begun once and forks for each call. Arguments, environment, folder, streams
and exit code are those of `python -m pcsf_lark`, at a tenth of the cost; `test_forks.py`
holds them to that. `run` is for a test that calls, `command` for what a test starts that
calls in its turn: a client of a protocol, a shell. A call that sets what is settled before
Python runs its first line (the locale, `PYTHONUTF8` and its kin) begins a process after
all. Tests of streams that are closed, of limits, of signals and of who is whose parent
begin their own.
"""

import array
import atexit
import contextlib
import functools
import io
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from fork_server import exactly, settled

HERE = Path(__file__).parent
ROOT = HERE.parent
COMMAND = (sys.executable, "-m", "pcsf_lark")


def run(arguments, *, input=b"", cwd=None, env=None, text=False, timeout=60):  # noqa: A002
    """Do what `subprocess.run` does with `pcsf ARGUMENTS`, its output captured."""
    environment = dict(os.environ if env is None else env)
    given = input.encode() if isinstance(input, str) else input or b""
    arguments = [os.fsdecode(argument) for argument in arguments]
    if settled(environment) != settled(os.environ):
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=given,
            capture_output=True,
            cwd=cwd,
            env=environment,
            timeout=timeout,
            check=False,
        )
        code, said = done.returncode, (done.stdout, done.stderr)
    else:
        code, said = _forked(arguments, given, os.fsdecode(cwd or Path.cwd()), environment, timeout)
    return subprocess.CompletedProcess(
        ["pcsf", *arguments], code, *(_decoded(data) if text else data for data in said)
    )


def _decoded(data):
    return io.TextIOWrapper(io.BytesIO(data), "utf-8").read()


def _forked(arguments, given, cwd, environment, timeout):
    with contextlib.ExitStack() as stack:
        put, *outs = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        put.write(given)
        put.seek(0)
        numbers = [stream.fileno() for stream in (put, *outs)]
        code = attached(arguments, numbers, cwd, environment, timeout)
        for stream in outs:
            stream.seek(0)
        return code, [stream.read() for stream in outs]


def attached(arguments, numbers, cwd, environment, timeout=60):
    """The exit code of a call whose three streams are these descriptors."""
    request = ascii({"arguments": arguments, "cwd": cwd, "env": environment}).encode()
    link, _ = _server()
    link.settimeout(timeout)
    size = len(request).to_bytes(8, "big")
    link.sendmsg([size], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", numbers))])
    link.sendall(request)
    return int.from_bytes(exactly(link, 4), "big", signed=True)


def command():
    """What is started as `python -m pcsf_lark` is; killed, it takes what it forked with it."""
    return (sys.executable, "-I", "-S", str(HERE / "fork_shim.py"), _server()[1])


@functools.cache
def _server():
    """The connection to the server of this process, and the socket that it listens at."""
    ours, theirs = socket.socketpair()
    folder = tempfile.TemporaryDirectory(prefix="forks-")
    place = f"{folder.name}/pcsf"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen(64)
        numbers = [theirs.fileno(), listener.fileno()]
        arguments = [sys.executable, "-P", str(HERE / "fork_server.py"), *map(str, numbers)]
        server = subprocess.Popen(arguments, pass_fds=numbers, cwd=ROOT)
    theirs.close()

    def stop():
        ours.close()
        server.wait(10)
        folder.cleanup()

    atexit.register(stop)
    return ours, place
