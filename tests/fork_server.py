"""The server of `forks.py`: it imports all of `pcsf` once, and forks for each call.

It hears the process that began it, for which it works call by call, and whoever
connects to its socket, for each of whom a watcher works apart. Run by itself, with the
two descriptors; `forks.py` takes what both need from here.
"""

import array
import ast
import atexit
import contextlib
import gc
import os
import select
import signal
import socket
import sys
import threading
import traceback
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("pcsf_lark", "kernel", "cso")
#: Not typer's pages of help: they look at the environment as they load.
OTHERS = ("lark", "rich.console", "rich.table", "rich.text", "rfc8785", "difflib", "tomllib")
#: How the modules begin that few calls need and that take long.
LEFT = ("lsp", "mcp", "highlight", "__main__")
#: What is imported before the first call of a command that takes long to import.
LATER = {
    "lsp": "pcsf_lark.faces.lsp.features",
    "mcp": "pcsf_lark.faces.mcp.server",
}
SETTLED = ("LC_", "LANG", "PYTHON")


def settled(environment):
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(SETTLED)
        and name != "PYTHONPATH"
        # As the streams of forks are.
        and (name, value) != ("LC_ALL", "C.UTF-8")
    }


def exactly(link, size):
    data = b""
    while len(data) < size:
        more = link.recv(size - len(data))
        if not more:
            raise EOFError("the other end is gone")
        data += more
    return data


def serve(link, listener):
    """Fork for each request; in the child, return what it asks for."""
    watchers = set()
    while True:
        ready, _, _ = select.select([link, listener], [], [])
        watchers = {one for one in watchers if not os.waitpid(one, os.WNOHANG)[0]}
        if link in ready:
            request, numbers = _received(link)
            if not _done(link, numbers):
                return request, numbers
            continue
        with listener.accept()[0] as caller:
            try:
                request, numbers = _received(caller)
            except EOFError:
                continue
            if settled(request["env"]) != settled(os.environ):
                caller.sendall(b"none")
            elif watcher := os.fork():
                watchers.add(watcher)
            else:
                if not _done(caller, numbers, watched=True):
                    return request, numbers
                os._exit(0)
            for number in numbers:
                os.close(number)


def _received(caller):
    """The next request and its streams; what it needs is imported."""
    size, control, _, _ = caller.recvmsg(8, socket.CMSG_SPACE(3 * 4))
    if not size:
        raise EOFError("no more requests")
    request = ast.literal_eval(exactly(caller, int.from_bytes(size, "big")).decode())
    if name := LATER.pop(next(iter(request["arguments"]), None), None):
        bring(name)
    return request, array.array("i", control[0][2])


def _done(caller, numbers, *, watched=False):
    """Whether a fork has ended and its code is answered; false in the fork."""
    child = os.fork()
    if not child:
        return False
    for number in numbers:
        os.close(number)

    def watch():
        """End the fork when its caller has ended."""
        with contextlib.suppress(OSError):
            caller.recv(1)
            os.kill(child, signal.SIGKILL)

    if watched:
        threading.Thread(target=watch, daemon=True).start()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(BrokenPipeError):
        caller.sendall(code.to_bytes(4, "big", signed=True))
    return True


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
        # What is said of a call is said at once, as Python has it.
        lines = 1 if name == "stderr" else -1
        stream = open(number, mode, lines, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
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


def bring(name):
    """Import what a command imports, as it does it."""
    with contextlib.suppress(ImportError):
        if ".mcp." in name:
            import_module("pcsf_lark.faces.mcp.sdk").defer()
        import_module(name)
    gc.enable()
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
    ends = [socket.socket(fileno=int(number)) for number in sys.argv[1:]]
    try:
        given = serve(*ends)
    except EOFError:
        sys.exit()
    for end in ends:
        end.close()
    become(*given)
    code = code_of_main()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 120
    os._exit(code)
