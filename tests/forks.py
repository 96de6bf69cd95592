"""`pcsf` in a process of its own that need not begin anew: a fork of one that has imported it all.

A server is begun once and forks for each call. Arguments, environment, folder, streams
and exit code are those of `python -m pcsf_lark`, at a tenth of the cost; `test_forks.py`
holds them to that. A call that sets what is settled before Python runs its first line
(the locale, `PYTHONUTF8` and its kin) begins a process after all. Tests of streams that
are no files or are closed, of limits and of signals begin their own.
"""

import array
import atexit
import contextlib
import functools
import gc
import io
import json
import os
import socket
import subprocess
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMAND = (sys.executable, "-m", "pcsf_lark")
PACKAGES = ("pcsf_lark", "kernel", "cso")
#: Not typer's pages of help: they look at the environment as they load.
OTHERS = ("lark", "rich.console", "rich.table", "rich.text", "rfc8785", "difflib", "tomllib")
#: How the modules begin that few calls need and that take long.
LEFT = ("lsp", "mcp", "highlight", "__main__")
SETTLED = ("LC_", "LANG", "PYTHON")


def run(arguments, *, input=b"", cwd=None, env=None, text=False, timeout=60):  # noqa: A002
    """Do what `subprocess.run` does with `pcsf ARGUMENTS`, its output captured."""
    environment = dict(os.environ if env is None else env)
    given = input.encode() if isinstance(input, str) else input or b""
    arguments = [os.fsdecode(argument) for argument in arguments]
    if _settled(environment) != _settled(os.environ):
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


def _settled(environment):
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(SETTLED) and name != "PYTHONPATH"
    }


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
    request = json.dumps({"arguments": arguments, "cwd": cwd, "env": environment}).encode()
    link = _server()
    link.settimeout(timeout)
    size = len(request).to_bytes(8, "big")
    link.sendmsg([size], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", numbers))])
    link.sendall(request)
    return int.from_bytes(_exactly(link, 4), "big", signed=True)


def _exactly(link, size):
    data = b""
    while len(data) < size:
        more = link.recv(size - len(data))
        if not more:
            raise EOFError("the other end is gone")
        data += more
    return data


@functools.cache
def _server():
    """The connection to the server of this process."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", __file__, str(theirs.fileno())]
    server = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=ROOT)
    theirs.close()

    def stop():
        ours.close()
        server.wait(10)

    atexit.register(stop)
    return ours


def serve(link):
    """Fork for each request; in the child, return what it asks for."""
    while True:
        size, control, _, _ = link.recvmsg(8, socket.CMSG_SPACE(3 * 4))
        if not size:
            sys.exit()
        numbers = array.array("i", control[0][2])
        request = json.loads(_exactly(link, int.from_bytes(size, "big")))
        child = os.fork()
        if not child:
            link.close()
            return request, numbers
        for number in numbers:
            os.close(number)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        link.sendall(code.to_bytes(4, "big", signed=True))


def become(request, numbers):
    """Take up the streams, the folder, the environment and the arguments of a request."""
    kinds = (
        ("stdin", "r", "surrogateescape"),
        ("stdout", "w", "surrogateescape"),
        ("stderr", "w", "backslashreplace"),
    )
    for number, (given, (name, mode, errors)) in enumerate(zip(numbers, kinds, strict=True)):
        os.dup2(given, number)
        os.close(given)
        stream = open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    paths = filter(None, request["env"].get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:0] = [request["cwd"], *paths]
    sys.argv = [str(ROOT / "pcsf_lark" / "__main__.py"), *request["arguments"]]


def code_of_main():
    """Run the command line; its exit code, as Python would end with it."""
    try:
        import_module("pcsf_lark.__main__").main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException:  # noqa: BLE001 - as Python ends
        traceback.print_exc()
        return 1
    return 0


def preload():
    for name in (*OTHERS, *(name for package in PACKAGES for name in _modules(package))):
        # What an extra brings may be absent.
        with contextlib.suppress(ImportError):
            import_module(name)
    # Readers of grammars are built once.
    import_module("pcsf_lark.abnf").read('a = "x"\n')
    gc.collect()
    gc.freeze()


def _modules(package):
    base = ROOT / package
    for path in sorted(base.rglob("*.py")):
        parts = (package, *path.relative_to(base).with_suffix("").parts)
        if not any(part.startswith(LEFT) for part in parts):
            yield ".".join(parts)


if __name__ == "__main__":
    preload()
    become(*serve(socket.socket(fileno=int(sys.argv[1]))))
    code = code_of_main()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 120
    os._exit(code)
