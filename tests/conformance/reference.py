"""This package as a command under test: decoder, encoder, formatter, operations, grammars.

reference.py [codes]          decoder: the tree of a valid capsule, else {"codes": [...]}
reference.py emit             encoder
reference.py fmt              formatter
reference.py fit --budget N | stitch OLD NEW | stamp
reference.py match FILE RULE
"""

import json
import sys
from pathlib import Path

import pcsf_lark
from pcsf_lark import abnf
from pcsf_lark.emit.verbatim import verbatim


def main(arguments):
    operation, *rest = arguments or ["decode"]
    data = b"" if operation == "stitch" else sys.stdin.buffer.read()
    if operation == "decode":
        return _decode(data)
    if operation == "match":
        text = data.decode("utf-8", "surrogatepass")
        grammar = abnf.load(Path(rest[0]).read_bytes().decode(), start=rest[1])
        return int(not grammar.match(text))
    try:
        sys.stdout.buffer.write(_made(operation, rest, data))
    except (pcsf_lark.CapsuleError, pcsf_lark.Unfittable):
        return 1
    return 0


def _decode(data):
    report = pcsf_lark.check(data)
    if report.conformant:
        json.dump(pcsf_lark.to_json(pcsf_lark.parse(data)), sys.stdout)
        return 0
    codes = {one.code for one in report.findings if one.code.startswith("C")}
    json.dump({"codes": sorted(codes)}, sys.stdout)
    return 1


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
    sys.exit(main(sys.argv[1:]))
