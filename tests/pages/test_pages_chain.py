"""Chains as pages and as Markdown: order, breaks, changes, branches; relays on disk."""

import pytest
from attrs import evolve
from page_reading import complaints, parsed, references, rendered, skeleton, words
from page_samples import HOSTILE, KEY, SESSION, bland, chain, forked, small, state
from relay_samples import KEY as RELAY_KEY
from relay_samples import capsule

import cso
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.pages.chain_links import Judgement, links_of
from pcsf_lark.faces.pages.chain_view import chain_view
from pcsf_lark.faces.pages.documents import html, markdown
from pcsf_lark.faces.show.portrait import portrait
from pcsf_lark.faces.show.relays import relay_view
from pcsf_lark.faces.show.states import state_views
from pcsf_lark.faces.show.views import Keys, views
from pcsf_lark.relay import Repository

KEYS = Keys([cso.Key(KEY)], SESSION)


def lines(entries):
    return b"".join(cso.dumps(entry) + b"\n" for entry in entries)


def shown(entries, keys=KEYS):
    (view,) = state_views([("chain.jsonl", lines(entries))], keys)
    return view


def laws(view):
    made = html([view])
    assert list(complaints(made)) == []
    assert made == html([view])
    assert references(rendered(markdown([view]))) == []
    return words(parsed(made))


def test_windows_stand_in_order_with_what_each_changed():
    view = shown(chain(4))
    said = laws(view)
    assert view.sound
    assert [window.number for window in view.windows] == ["1", "2", "3", "4"]
    assert {window.state for window in view.windows} == {"verified"}
    assert not view.windows[0].changes
    for number in (2, 3, 4):
        assert f"added fact n{number} news of window {number}" in said
    assert "CRP-Relay-Preservation: 1.00" in said
    assert view.drawing is None
    assert "n4" in markdown([view])


@pytest.mark.parametrize("at", range(4))
def test_a_break_is_told_where_it_is(at, capsys):
    entries = chain(4)
    entries[at] = evolve(entries[at], constraints=["forged"])
    view = shown(entries)
    states = [window.state for window in view.windows]
    assert states == ["verified"] * at + ["broken"] + ["after-break"] * (3 - at)
    assert not view.sound
    assert view.windows[at].reason == "tag mismatch"
    said = laws(view)
    assert "Breaks here: tag mismatch" in said
    assert f"Broken at window {at + 1}: tag mismatch" in said
    assert f"**broken** at window {at + 1}: tag mismatch" in markdown([view])
    assert "breaks here" in markdown([view])
    portrait(view, colour=False, width=None)
    assert f"BROKEN at window {at + 1}: tag mismatch" in capsys.readouterr().out


def test_a_chain_that_breaks_nobody_knows_where_has_no_window_called_verified():
    entries = chain(3)
    judged = Judgement(status="BROKEN", checked=True, reason="the anchor is missing")
    view = chain_view("x", links_of(entries), entries.__getitem__, [judged])
    assert {window.state for window in view.windows} == {"linked"}
    assert "Broken: the anchor is missing" in laws(view)


@pytest.mark.parametrize(
    ("entries", "broken"),
    [
        (chain(3), None),
        (chain(3)[1:], None),
        ([chain(3)[0], chain(3)[2]], 1),
        (chain(3)[::-1], 1),
        ([chain(3)[0], small()], 1),
    ],
    ids=["whole", "tail", "gap", "reversed", "unsigned"],
)
def test_without_a_key_the_links_alone_are_judged(entries, broken):
    view = shown(entries, Keys())
    assert view.sound == (broken is None)
    states = [window.state for window in view.windows]
    assert ("broken" in states) == (broken is not None)
    assert broken is None or states[broken] == "broken"
    assert "verified" not in states
    laws(view)


def test_a_line_that_cannot_be_read_is_a_window_that_breaks():
    data = lines(chain(2)) + b'{"goal_state": 3}\n'
    (view,) = state_views([("chain.jsonl", data)], KEYS)
    assert [window.state for window in view.windows] == ["verified", "verified", "broken"]
    laws(view)


def test_a_long_chain_shows_its_ends_and_counts_the_rest():
    entries = chain(3)
    for number in range(4, 131):
        draft = cso.bind(small(constraints=[f"c{number}"]), entries[-1])
        entries.append(cso.sign(draft, KEY, SESSION))
    view = shown(entries)
    assert (len(view.windows), view.gap, view.before_gap) == (100, 30, 5)
    numbers = [int(window.number) for window in view.windows]
    assert numbers == [*range(1, 6), *range(36, 131)]
    assert "30 windows are not shown" in laws(view)
    text = markdown([view])
    assert len(text) <= 65_536
    assert "Window 130" in text


@pytest.mark.parametrize("text", HOSTILE, ids=[repr(text[:20]) for text in HOSTILE])
def test_content_of_a_chain_is_laid_out_as_other_content_is(text):
    pages, texts = [], []
    for said in (text, bland(text)):
        first = cso.sign(cso.bind(state(["first"])), KEY, SESSION)
        second = cso.sign(cso.bind(state([said]), first), KEY, SESSION)
        view = shown([first, second])
        laws(view)
        pages.append(html([view]))
        texts.append(markdown([view]))
    assert skeleton(parsed(pages[0])) == skeleton(parsed(pages[1]))
    assert skeleton(rendered(texts[0])) == skeleton(rendered(texts[1]))


def test_branches_are_drawn():
    view = shown(forked())
    assert len(view.drawing.boxes) == 4
    assert len(view.drawing.lines) == 4
    said = laws(view)
    assert "Branches" in said
    assert "compared with" in said
    assert "```mermaid" in markdown([view])


def test_objects_that_follow_one_another_are_their_chain(tmp_path):
    entries = chain(3)
    for number, entry in enumerate([*entries, small()], 1):
        (tmp_path / f"{number}.json").write_bytes(cso.dumps(entry))
    paths = [str(tmp_path / f"{number}.json") for number in (1, 2, 3, 4)]
    found = list(views(paths, KEYS))
    assert [view.kind for view in found] == ["chain", "state object"]
    assert len(found[0].windows) == 3
    assert found[0].sound
    found = list(views([paths[0], paths[3]], KEYS))
    assert [view.kind for view in found] == ["state object", "state object"]


@pytest.fixture
def relay(tmp_path, monkeypatch):
    """A relay of two branches that were joined, and a capsule beside it."""
    monkeypatch.setenv("PCSF_RELAY_KEY", RELAY_KEY["PCSF_RELAY_KEY"])
    monkeypatch.delenv("PCSF_RELAY", raising=False)
    made, _ = Repository.init(tmp_path, session="s")
    entry = "CHOICE | {} | it was measured"
    with made as opened:
        for topic, branch in (("One", "main"), ("Two", "main"), ("Three", "alt")):
            if branch == "alt":
                opened.begin_branch("alt", "1")
            now = f"2026-05-0{len(topic)}T09:30Z"
            opened.push(capsule([entry.format(topic)], topic=topic), branch=branch, now=now)
        opened.merge("alt", now="2026-05-09T09:30Z")
    return tmp_path


def test_a_relay_is_shown_with_its_branches(relay):
    view = relay_view(str(relay), Keys())
    assert view.sound
    assert {one.branch: one.status for one in view.judgements} == {"main": "VALID", "alt": "VALID"}
    assert [window.number for window in view.windows] == ["1", "2", "2", "3"]
    assert {window.state for window in view.windows} == {"verified"}
    assert len(view.drawing.boxes) == 4
    said = laws(view)
    for text in ("capsule of Two", "2026-05-09T09:30Z", "merge", "main", "alt"):
        assert text in said


@pytest.mark.parametrize(("onto", "other"), [("main", "alt"), ("alt", "main")])
def test_a_merge_is_compared_with_the_window_that_it_continues(tmp_path, monkeypatch, onto, other):
    monkeypatch.setenv("PCSF_RELAY_KEY", RELAY_KEY["PCSF_RELAY_KEY"])
    monkeypatch.delenv("PCSF_RELAY", raising=False)
    made, _ = Repository.init(tmp_path, session="s")
    with made as opened:
        opened.push(capsule(topic="One"), now="2026-05-01T09:30Z")
        opened.begin_branch("alt", "1")
        for branch in ("main", "alt"):
            opened.push(
                capsule([f"CHOICE | {branch} | it was measured"], topic=branch),
                branch=branch,
                now="2026-05-02T09:30Z",
            )
        before = opened.branches()[onto]
        opened.merge(other, branch=onto, now="2026-05-03T09:30Z")
    merged = relay_view(str(tmp_path), Keys()).windows[-1]
    assert len(merged.follows) == 2
    assert before.startswith(merged.compared)
    assert merged.compared


@pytest.mark.parametrize("place", ["", ".pcsf", ".pcsf/state.db"])
def test_a_relay_is_known_by_its_project_its_folder_and_its_store(relay, place):
    (found,) = views([str(relay / place)])
    assert found.kind == "chain"
    assert found.sound


def test_a_relay_without_a_window_says_so_and_another_session_is_trouble(tmp_path, monkeypatch):
    monkeypatch.setenv("PCSF_RELAY_KEY", RELAY_KEY["PCSF_RELAY_KEY"])
    monkeypatch.delenv("PCSF_RELAY", raising=False)
    Repository.init(tmp_path, session="s")[0].close()
    (found,) = views([str(tmp_path)])
    assert found.sound
    assert "nothing was pushed" in laws(found)
    assert markdown([found]).startswith("## ")
    (found,) = views([str(tmp_path)], Keys(session="other"))
    assert isinstance(found, Trouble)
    assert "no session 'other'" in str(found)
    assert str(found).count(str(tmp_path)) == 1


def test_a_store_that_is_torn_is_trouble(relay):
    store = relay / ".pcsf/state.db"
    (relay / "torn.db").write_bytes(store.read_bytes()[:5_000])
    (found,) = views([str(relay / "torn.db")])
    assert isinstance(found, Trouble)
    assert str(found).count("torn.db") == 1


def test_capsules_beside_a_relay_are_shown_too(relay):
    from pcsf_lark.rules._rule import BASE

    (relay / "a.pcsf").write_text(BASE)
    assert [view.kind for view in views([str(relay)])] == ["chain", "capsule"]


def test_without_its_key_a_relay_is_shown_and_not_called_verified(relay, monkeypatch):
    monkeypatch.delenv("PCSF_RELAY_KEY")
    view = relay_view(str(relay), Keys())
    assert {window.state for window in view.windows} == {"linked"}
    assert "Not verified" in laws(view)


def test_with_another_key_a_relay_is_broken(relay, monkeypatch):
    monkeypatch.setenv("PCSF_RELAY_KEY", "6c" * 32)
    view = relay_view(str(relay), Keys())
    assert not view.sound
    assert view.windows[0].state == "broken"
    laws(view)
