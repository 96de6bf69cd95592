"""Lines and UTF-16 units against a counting that goes unit by unit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsp_client import lines_of, offset_of
from lsprotocol.types import Position

from pcsf_lark.faces.lsp.answers import Change
from pcsf_lark.faces.lsp.documents import Desk, Document, Replacement
from pcsf_lark.faces.lsp.positions import ENCODINGS, Place, Text

#: What makes lines, what only Python takes for line ends, and every width of UTF-8 and UTF-16.
LETTERS = "ab|\n\r\x0b\x0c\x1c\x85\u2028é€\U0001f600\ud83d"
TEXTS = st.one_of(
    st.lists(st.sampled_from([*LETTERS, "\r\n"]), max_size=30).map("".join),
    st.text(max_size=20),
)
WIDTHS = {
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-32": len,
}
fixed = settings(derandomize=True, max_examples=300, deadline=None)


@fixed
@given(TEXTS, st.sampled_from(ENCODINGS))
def test_every_character_has_its_place_and_is_found_there(text, encoding):
    made, at, byte = Text(text), 0, 0
    for number, line in enumerate(lines_of(text)):
        body = line.rstrip("\r\n")
        for column in range(len(body) + 1):
            place = Place(number, WIDTHS[encoding](body[:column]))
            here = byte + WIDTHS["utf-8"](body[:column])
            assert made.place(here, encoding) == place
            assert made.offset(*place, encoding) == here
            assert made.byte(at + column) == here
            assert made.character(here) == at + column
        at += len(line)
        byte += WIDTHS["utf-8"](line)
    assert len(made) == len(lines_of(text))


@fixed
@given(TEXTS, st.integers(0, 60), st.integers(0, 60), st.sampled_from(["", "x", "é\n"]))
def test_a_change_arrives_as_it_was_meant(text, one, other, new):
    made = Text(text)
    start, end = sorted(min(at, len(made.data)) for at in (one, other))
    change = made.addressable(Change(start, end, new))
    aligned = made.aligned(start) and made.aligned(end)
    assert (change is not None) == aligned
    if change is None:
        return
    clean = made.characters
    spots = [offset_of(clean, Position(*made.place(at))) for at in change[:2]]
    after = clean[: spots[0]] + change.text + clean[spots[1] :]
    assert after.encode() == made.data[:start] + new.encode() + made.data[end:]


@fixed
@given(TEXTS, st.integers(-3, 60), st.integers(-3, 60), st.sampled_from(ENCODINGS))
def test_a_place_that_is_not_there_leads_to_the_nearest(text, line, character, encoding):
    made = Text(text)
    byte = made.offset(line, character, encoding)
    assert 0 <= byte <= len(made.data)
    assert made.aligned(byte)


@fixed
@given(TEXTS, st.integers(0, 90))
def test_inside_a_character_is_its_start_or_its_end(text, byte):
    made = Text(text)
    byte = min(byte, len(made.data))
    low, high = made.place(byte), made.place(byte, up=True)
    assert low <= high
    assert (low == high) or not made.aligned(byte)


def test_changes_are_made_one_after_the_other_each_to_what_the_last_one_left():
    document = Document("file:///a.abnf", "abnf", 1, "; \U0001f600 a\r\nb = c\n")
    steps = [
        Replacement("é", Place(0, 5), Place(0, 6)),
        Replacement("", Place(0, 2), Place(0, 4)),
        Replacement("d", Place(1, 99), Place(1, 99)),
    ]
    after = document.after(7, steps)
    assert after.text.characters == ";  é\r\nb = cd\n"
    assert (after.version, after.language) == (7, "abnf")
    assert after.after(8, [Replacement("all")]).text.characters == "all"


@pytest.mark.parametrize(
    ("uri", "given_as", "language"),
    [
        ("file:///a.pcsf", "pcsf", "pcsf"),
        ("file:///a.abnf", "abnf", "abnf"),
        ("file:///a.ABNF", "plaintext", "abnf"),
        ("file:///a.abnf", "pcsf", "abnf"),
        ("file:///a.pcsf", "abnf", "pcsf"),
        ("untitled:1", "abnf", "abnf"),
        ("untitled:1", "", "pcsf"),
        ("file:///a.txt", "plaintext", "pcsf"),
    ],
)
def test_a_document_is_what_its_name_says_or_the_editor_calls_it(uri, given_as, language):
    assert Document(uri, given_as, 1, "").language == language


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("file:///home/a%20b/c.pcsf", "/home/a b/c.pcsf"),
        ("file:///c%3A/x.pcsf", "c:/x.pcsf"),
        ("untitled:Untitled-1", "untitled.pcsf"),
    ],
)
def test_the_name_is_the_path(uri, name):
    assert Document(uri, "pcsf", 1, "").name == name


def test_the_desk_knows_what_the_editor_shows_now():
    desk = Desk()
    first = desk.put(Document("a:1", "pcsf", 1, ""))
    second = desk.put(first.after(2, [Replacement("x")]))
    assert not desk.current(first)
    assert desk.current(second)
    desk.close("a:1")
    assert not desk.current(second)
    assert desk.get("a:1") is None
