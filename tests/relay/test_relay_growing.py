"""A log pushed as it grows: in the end the head is that of the whole log, pushed once."""

import json
import random
from pathlib import Path

import pytest
from benchmarks.draft_scoring import LOGS, TRANSCRIPTS
from draft_talks import messages
from relay_samples import KEY, capsule, text

from cso import LIVE, RecordKind
from pcsf_lark.relay import Repository, read_push

NOW = "2026-05-04T09:30Z"
HOOKS = Path(__file__).parent.parent / "hooks" / "transcripts"
LAYERS = ("skeleton", "negative", "internal", "relation", "loops")
TRAPS = Path(__file__).parent.parent / "draft" / "traps"


def cuts(path):
    """The prefixes of a log that are logs: texts, shortest first."""
    text = path.read_text()
    if path.suffix == ".jsonl":
        lines = text.splitlines(keepends=True)
        return ["".join(lines[:end]) for end in range(1, len(lines) + 1)]
    value = json.loads(text)
    if "talk" in value:
        value = messages(value["talk"])
        return [json.dumps(value[:end]) for end in range(1, len(value) + 1)]
    key = next(name for name in ("log", "history", "messages") if name in value)
    rows = value[key]
    return [json.dumps({**value, key: rows[:end]}) for end in range(1, len(rows) + 1)]


LOGS_HERE = [
    LOGS / "harbour.jsonl",
    LOGS / "quay.jsonl",
    HOOKS / "claude-code.jsonl",
    HOOKS / "pi.jsonl",
    *sorted(TRAPS.glob("*.json")),
]
REAL = [p for p in sorted(TRANSCRIPTS.glob("*.jsonl")) if p.stat().st_size < 300_000]


def begun(folder, **more):
    folder.mkdir()
    return Repository.init(folder, session="test", environ=KEY, **more)[0]


def pushed(relay, path, text, **more):
    """Push a text as the log at a path; None for one without a message yet."""
    path.write_text(text)
    try:
        return relay.push(read_push(str(path), kind="log", now=NOW, **more), now=NOW)
    except Exception as error:
        if "nothing to draft" in str(error) or "no session log" in str(error):
            return None
        raise


def held(state):
    """What is open, and what holds, as a reader sees it."""
    open_ = {*state.goal_state.remaining, *state.open_questions}
    facts = sorted(
        (f.statement, f.provenance_ref, f.status.value)
        for f in state.established_facts
        if f.status in LIVE
    )
    decisions = sorted(
        (d.choice, d.rationale, d.alternatives, d.status.value)
        for d in state.decisions
        if d.status in LIVE
    )
    return open_, facts, decisions


def valid(decisions):
    """Decisions that wait for nobody."""
    return [row for row in decisions if row[-1] == "VALID"]


def same(one, other):
    assert one[0] == other[0]
    assert one[1] == other[1]
    assert valid(one[2]) == valid(other[2])


def grown(tmp_path, path, seed, share=0.5):
    texts = cuts(path)
    chosen = [t for t in texts[:-1] if random.Random(f"{seed}{len(t)}").random() < share]
    log = tmp_path / f"log{path.suffix}"
    with begun(tmp_path / "by-and-by") as relay:
        for text in chosen:
            pushed(relay, log, text)
        last = pushed(relay, log, texts[-1])
        assert relay.verify().sound
    with begun(tmp_path / "at-once") as relay:
        once = pushed(relay, log, texts[-1])
    return last, once


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("path", LOGS_HERE, ids=lambda path: path.stem)
def test_prefixes_then_the_whole_are_the_whole(tmp_path, path, seed):
    last, once = grown(tmp_path, path, seed)
    same(held(last.cso), held(once.cso))


#: Their last entry is on another branch than those before: what was done on that one was done.
FORKED = {"pi-v3-alltypes"}


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_real_log_as_it_grows(tmp_path, path):
    last, once = grown(tmp_path, path, 0, share=6 / len(cuts(path)))
    one, other = held(last.cso), held(once.cso)
    if path.stem in FORKED:
        assert one[0] == other[0]
        assert {*map(tuple, other[1])} <= {*map(tuple, one[1])}
    else:
        same(one, other)


def chat(*rows):
    """A chat log of rows; one that is a tuple is a command and its result, None for none."""
    talk = []
    for who, said in rows:
        if who in ("user", "assistant"):
            talk.append({who: said})
        else:
            row = {"call": "bash", "with": {"command": who}}
            talk.append(row if said is None else {**row, "result": said})
    return json.dumps(messages(talk))


ASKED = [("user", "Fix the tide report."), ("assistant", "Should levels below zero be shown?")]
RAN = [*ASKED, ("user", "Yes, show them."), ("pytest -q", None)]
DONE = [*RAN[:-1], ("pytest -q", "5 passed"), ("assistant", "All five tests pass now.")]


def lines(state):
    return [*state.goal_state.remaining, *state.open_questions]


def test_what_ended_is_recorded(tmp_path):
    log = tmp_path / "log.json"
    with begun(tmp_path / "r") as relay:
        first = pushed(relay, log, chat(*ASKED))
        assert first.cso.open_questions == ("Should levels below zero be shown?",)
        second = pushed(relay, log, chat(*RAN))
        assert second.cso.open_questions == ()
        (answer,) = second.cso.resolved_questions
        assert "the log went on" in answer.answer_ref
        assert any("no answer yet: pytest" in text for text in lines(second.cso))
        third = pushed(relay, log, chat(*DONE))
        assert lines(third.cso) == []
        kinds = {record.kind for record in third.cso.revisions}
        assert {RecordKind.ADVANCE, RecordKind.REVISION} <= kinds
        runs = {f.statement: f for f in third.cso.established_facts if f.fact_id.count("run.")}
        new, old = runs["ok: pytest -q"], runs["unanswered: pytest -q"]
        assert old.superseded_by == new.fact_id
        assert new.supersedes.id == old.fact_id
        assert "no answer yet" not in third.notes.head
        assert relay.verify().valid


def test_a_question_may_be_asked_again(tmp_path):
    log = tmp_path / "log.json"
    again = [*DONE, ("user", "And the map?"), ASKED[1]]
    with begun(tmp_path / "r") as relay:
        for rows in (ASKED, DONE, again):
            last = pushed(relay, log, chat(*rows))
        assert lines(last.cso) == ["Should levels below zero be shown?"]
        assert ASKED[1][1] in last.notes.head


def test_more_of_a_log_is_not_undone_by_less(tmp_path):
    log = tmp_path / "log.jsonl"
    texts = cuts(LOGS / "harbour.jsonl")
    with begun(tmp_path / "r") as relay:
        whole = pushed(relay, log, texts[-1])
        less = pushed(relay, log, texts[8])
        assert less.unchanged == "more of this log was pushed before"
        assert relay.head().cso_hmac == whole.cso.cso_hmac


def test_what_others_have_open_stays_open(tmp_path):
    with begun(tmp_path / "r") as relay:
        relay.push(capsule([], [], [], [], ["INCOMPLETE_TASK | paint the quay | HIGH"]))
        pushed(relay, tmp_path / "a.json", chat(("user", "Ship it."), ("make all", None)))
        pushed(relay, tmp_path / "b.json", chat(*RAN))
        last = pushed(relay, tmp_path / "b.json", chat(*DONE))
        assert sorted(lines(last.cso)) == ["no answer yet: make all", "paint the quay"]
        other = [("user", "Ship it."), ("make all", "built"), ("assistant", "It is built.")]
        last = pushed(relay, tmp_path / "a.json", chat(*other))
        assert lines(last.cso) == ["paint the quay"]


def test_what_a_person_revised_stays_revised(tmp_path):
    log = tmp_path / "log.json"
    with begun(tmp_path / "r") as relay:
        first = pushed(relay, log, chat(*RAN))
        run = next(n for n in first.cso.items() if n.startswith("run."))
        relay.revise(run, "stopped by hand", because="I pressed the key")
        last = pushed(relay, log, chat(*DONE))
        held_ = {f.statement for f in last.cso.established_facts if f.status in LIVE}
        assert "stopped by hand" in held_
        assert "ok: pytest -q" not in held_
        assert [one.text for one in last.withheld] == ["ok: pytest -q"]


def test_more_revisions_than_a_person_has(tmp_path):
    log = tmp_path / "log.json"
    rows = [("user", "Read the tide report again and again."), ("cat tide.txt", "1")]
    with begun(tmp_path / "r") as relay:
        for number in range(8):
            rows += [("assistant", f"Time {number} read."), ("cat tide.txt", f"{number}")]
            last = pushed(relay, log, chat(*rows))
        live = [f.statement for f in last.cso.established_facts if f.status in LIVE]
        assert live.count("read: tide.txt") == 1
        assert relay.verify().valid


@pytest.mark.parametrize("end", [6, 9, 13, 15, 17])
def test_since_tells_also_what_became_of_the_rest(tmp_path, end):
    texts = cuts(LOGS / "harbour.jsonl")
    entry = json.loads(texts[end - 1].splitlines()[-1])["id"]
    log = tmp_path / "log.jsonl"
    with begun(tmp_path / "cut") as relay:
        pushed(relay, log, texts[end - 1])
        last = pushed(relay, log, texts[-1], since=entry)
    with begun(tmp_path / "at-once") as relay:
        once = pushed(relay, log, texts[-1])
    same(held(last.cso), held(once.cso))


def test_a_cut_log_closes_nothing_that_is_open_before_the_cut(tmp_path):
    rows = [("user", "Fix it."), ("make check", None), ("assistant", "Let me look at the map.")]
    more = [*rows, ("ls", "map.txt")]
    log = tmp_path / "log.json"
    with begun(tmp_path / "r") as relay:
        first = pushed(relay, log, chat(*rows))
        assert "no answer yet: make check" in lines(first.cso)
        names = sorted(read_push(str(log), kind="log").entries)
        log.write_text(chat(*more))
        new = sorted(read_push(str(log), kind="log").entries - {*names})
        last = pushed(relay, log, chat(*more), since=new[0])
        whole = read_push(str(log), kind="log").cso
        assert "no answer yet: make check" in whole.goal_state.remaining
        assert "no answer yet: make check" in lines(last.cso)


def test_twelve_sessions_saved_midway_leave_nothing_open(tmp_path):
    with begun(tmp_path / "r") as relay:
        for number in range(12):
            task = ("user", f"Write the chapter on harbour {number}.")
            log = tmp_path / f"{number}.json"
            pushed(relay, log, chat(task, (f"make chapter{number}", None)))
            end = (f"make chapter{number}", "done"), ("assistant", f"Chapter {number} stands.")
            last = pushed(relay, log, chat(task, *end))
        assert lines(last.cso) == []
        assert "L5:LOOPS\n\n" in last.notes.head


def test_a_log_is_known_however_it_comes(tmp_path):
    """An object that `pcsf draft --cso` wrote is of its log as well."""
    from cso import codec
    from kernel.sessions import read_session
    from pcsf_lark.draft import draft

    log = tmp_path / "log.json"
    log.write_text(chat(*RAN))
    made = tmp_path / "made.json"
    made.write_bytes(codec.dumps(draft(read_session(log, earlier=True), now=NOW).cso))
    with begun(tmp_path / "r") as relay:
        first = relay.push(read_push(str(made)))
        assert lines(first.cso)
        last = pushed(relay, log, chat(*DONE))
        assert lines(last.cso) == []


def test_a_finished_capsule_takes_the_drafts_place(tmp_path):
    """`push LOG --capsule FINISHED`: the log's trail, and what somebody made of its draft."""
    from pcsf_lark.errors import CapsuleError

    log, finished = tmp_path / "log.json", tmp_path / "done.pcsf"
    log.write_text(chat(*RAN))
    drafted_ = read_push(str(log), kind="log", now=NOW)
    entries = [[e.line for e in getattr(drafted_.capsule, name)] for name in LAYERS]
    entries[0].append("CHOICE | metres everywhere | the gauges give metres")
    entries[4].append("INCOMPLETE_TASK | tell the harbour master | HIGH")
    finished.write_text(text(*entries, topic="Tide report, as read"))
    with begun(tmp_path / "r") as relay:
        first = relay.push(read_push(str(log), kind="log", now=NOW, capsule=str(finished)), now=NOW)
        assert first.notes.kind == "log"
        assert "Tide report, as read" in first.notes.head
        choices = [d.choice for d in first.cso.decisions]
        assert choices.count("metres everywhere") == 1
        assert "unanswered: pytest -q" in [f.statement for f in first.cso.established_facts]
        assert sorted(lines(first.cso)) == ["no answer yet: pytest -q", "tell the harbour master"]
        last = pushed(relay, log, chat(*DONE))
        assert lines(last.cso) == ["tell the harbour master"]
        assert "metres everywhere" in last.notes.head
        finished.write_text("no capsule")
        with pytest.raises(CapsuleError):
            read_push(str(log), kind="log", capsule=str(finished))


def test_an_unfinished_draft_adds_nothing_to_its_log(tmp_path):
    from pcsf_lark.emit import canonical

    log, made = tmp_path / "log.jsonl", tmp_path / "made.pcsf"
    log.write_text(cuts(LOGS / "harbour.jsonl")[-1])
    plain = read_push(str(log))
    made.write_bytes(canonical(plain.capsule))
    again = read_push(str(log), capsule=str(made))
    assert held(again.cso) == held(plain.cso)
    assert again.cso.constraints == plain.cso.constraints
