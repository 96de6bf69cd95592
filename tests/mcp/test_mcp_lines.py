"""Messages are read line by line in bounded memory; of one that is too long its id is seen."""

import io

import pytest

from pcsf_lark.faces.mcp.lines import Lines

MOST = 100


def read(data):
    lines = Lines(io.BytesIO(data), MOST)
    return list(iter(lines.read, None))


@pytest.mark.parametrize(
    "data",
    [b"", b"a\n", b"a", b"a\nb\n", b"\n\n", b"x" * MOST, b"x" * MOST + b"\n", "é\n".encode()],
)
def test_lines_come_as_they_are(data):
    assert "".join(line.text for line in read(data)) == data.decode()
    assert sum(line.size for line in read(data)) == len(data)


def test_bytes_that_are_no_text_are_replaced():
    assert [line.text for line in read(b"\xff\n")] == ["\ufffd\n"]


def test_a_mark_of_byte_order_is_passed_over():
    assert [line.text for line in read(b"\xef\xbb\xbf{}\n")] == ["{}\n"]


@pytest.mark.parametrize(
    ("head", "tail", "number"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":"', b'"}', 7),
        (b' {"jsonrpc": "2.0", "id": "a-1", "method": "x", "params": "', b'"}', "a-1"),
        (b'{"id":7,"jsonrpc":"2.0","params":"', b'"}', 7),
        (b'{"method":"x","params":"', b'","jsonrpc":"2.0","id":9}', 9),
        (b'{"method":"x","params":"', b'","id":9,"jsonrpc":"2.0"}\r', 9),
        (b'{"method":"x","params":{"id":3,"a":"', b'"},"jsonrpc":"2.0","id":-1}', -1),
        (b'{"id":"\xff","params":"', b'"}', "\ufffd"),
        (b"", b"", None),
        (b'{"id":1.5,"params":"', b'"}', None),
        (b'{"id":1e3,"params":"', b'"}', None),
        (b'{"method":"x","params":{"id":3},"more":"', b'"}', None),
        (b'{"jsonrpc":"2.0","id":["', b'"]}', None),
    ],
)
@pytest.mark.parametrize("size", [0, MOST, 10 * MOST, 10 * MOST + 37, 5000])
def test_the_id_of_a_line_is_seen_whatever_its_length(head, tail, number, size):
    line, after = read(head + b"x" * size + tail + b"\nnext\n")
    assert line.id == number
    assert line.size == len(head) + size + len(tail) + 1
    assert (line.text is None) == (line.size > MOST + 1)
    assert after.text == "next\n"


def test_an_end_within_a_long_line_is_an_end():
    assert [line.text for line in read(b"x" * 1000)] == [None]
