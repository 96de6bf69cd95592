"""Messages are read line by line in bounded memory; one that is too long is still answered."""

import io
import json

import pytest

from pcsf_lark.faces.mcp.lines import TOO_LONG, Lines

MOST = 100


def read(data, most=MOST):
    lines = Lines(io.BytesIO(data), "mark", {"a": 1}, most)
    found = []
    while line := lines.readline():
        found.append(line)
    return found


@pytest.mark.parametrize(
    "data",
    [b"", b"a\n", b"a", b"a\nb\n", b"\n\n", b"x" * MOST, b"x" * MOST + b"\n", "é\n".encode()],
)
def test_lines_come_as_they_are(data):
    assert "".join(read(data)) == data.decode()


def test_bytes_that_are_no_text_are_replaced():
    assert read(b"\xff\n") == ["\ufffd\n"]


@pytest.mark.parametrize(
    ("head", "tail", "number"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":"', b'"}', 7),
        (b'{"jsonrpc": "2.0", "id": "a-1", "method": "x", "params": "', b'"}', "a-1"),
        (b'{"id":7,"jsonrpc":"2.0","params":"', b'"}', 7),
        (b'{"method":"x","params":"', b'","jsonrpc":"2.0","id":9}', 9),
        (b'{"method":"x","params":"', b'","id":9,"jsonrpc":"2.0"}\r', 9),
        (b'{"method":"x","params":{"id":3,"a":"', b'"},"jsonrpc":"2.0","id":-1}', -1),
    ],
)
@pytest.mark.parametrize("size", [MOST, 10 * MOST, 10 * MOST + 37, 5000])
def test_a_line_that_is_too_long_becomes_a_request_to_refuse(head, tail, number, size):
    *rest, last = read(head + b"x" * size + tail + b"\nnext\n")
    assert last == "next\n"
    assert [json.loads(line) for line in rest] == [
        {"jsonrpc": "2.0", "id": number, "method": TOO_LONG, "params": {}}
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 1000,
        b'{"method":"x","params":{"id":3},"more":"' + b"x" * 1000 + b'"}',
        b'{"jsonrpc":"2.0","id":[' + b"1," * 1000 + b"1]}",
    ],
)
def test_one_without_an_id_is_passed_over(line):
    assert read(line + b"\nnext") == ["\n", "next"]


def test_an_end_within_a_long_line_is_an_end():
    assert read(b"x" * 1000) == ["\n"]


@pytest.mark.parametrize(("first", "params"), [("mark", {"a": 1}), ("none", {})])
def test_the_first_message_says_which_request_it_must_be(first, params):
    *_, last = read(f'\n{{"{first}":1}}\n{{"id":1,"mark":"{"x" * 1000}"}}\n'.encode())
    assert json.loads(last)["params"] == params
