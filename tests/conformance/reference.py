"""This package as a command under test: decoder, encoder, formatter, operations, grammars.

reference.py [codes]          decoder: the tree of a valid capsule, else {"codes": [...]}
reference.py emit             encoder
reference.py fmt              formatter
reference.py fit --budget N | stitch OLD NEW | stamp
reference.py match FILE RULE
"""

import json
import sys
from functools import cache
from pathlib import Path

import pcsf_lark
from pcsf_lark.emit.verbatim import verbatim


def answered(arguments, data):
    """The exit code and the output for a call."""
    operation, *rest = arguments or ["decode"]
    if operation == "decode":
        return _decoded(data)
    if operation == "match":
        return int(not _grammar(*rest).match(data.decode("utf-8", "surrogatepass"))), b""
    try:
        return 0, _made(operation, rest, data)
    except (pcsf_lark.CapsuleError, pcsf_lark.Unfittable):
        return 1, b""


@cache
def _grammar(path, start):
    from pcsf_lark import abnf  # brings lark, which the other operations do without

    return abnf.load(Path(path).read_bytes().decode(), start=start)


@cache
def _decoded(data):
    report = pcsf_lark.check(data)
    if report.conformant:
        return 0, json.dumps(pcsf_lark.to_json(pcsf_lark.parse(data))).encode()
    codes = {one.code for one in report.findings if one.code.startswith("C")}
    return 1, json.dumps({"codes": sorted(codes)}).encode()


def _made(operation, rest, data):
    if operation == "emit":
        return pcsf_lark.format(pcsf_lark.from_json(json.loads(data)))
    if operation == "fmt":
        return pcsf_lark.format(data)
    if operation == "fit":
        return pcsf_lark.fit(data, budget=int(rest[1])).text
    if operation == "stamp":
        return verbatim(pcsf_lark.stamp(data))
    old, new = (Path(name).read_bytes() for name in rest)
    return pcsf_lark.stitch(old, new).text


if __name__ == "__main__":
    code, output = answered(sys.argv[1:], b"" if "stitch" in sys.argv else sys.stdin.buffer.read())
    sys.stdout.buffer.write(output)
    sys.stdout.flush()
    sys.exit(code)
