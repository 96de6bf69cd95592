"""`pcsf` for others to start: lends its streams to a fork of the server of `forks.py`, and ends as it does.

Run by `python -I -S` with the server's socket before the arguments. It imports nothing
that takes time.
"""

import _socket
import os
import sys


def main(place, *arguments):
    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    link.connect(place)
    request = {"arguments": arguments, "cwd": os.getcwd(), "env": dict(os.environ)}  # noqa: PTH109 - as said
    data = ascii(request).encode()
    numbers = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)]
    link.sendmsg([len(data).to_bytes(8, "big")], rights)
    link.sendall(data)
    return link.recv(4)


if __name__ == "__main__":
    answer = main(*sys.argv[1:])
    if answer == b"none":  # what is settled as Python begins is not the server's
        os.execv(sys.executable, [sys.executable, "-m", "pcsf_lark", *sys.argv[2:]])
    code = int.from_bytes(answer, "big", signed=True)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)
