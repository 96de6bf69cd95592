"""Laws of a draft: quoted, ASCII, within bounds, the same each time, with sources that exist."""

import functools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from attrs import evolve
from benchmarks.draft_scoring import LOGS, NOW, TRANSCRIPTS
from hypothesis import given, settings
from hypothesis import strategies as st

import cso
import pcsf_lark
from kernel.sessions import read_session
from pcsf_lark.draft import draft
from pcsf_lark.draft.phrases import bare, field
from pcsf_lark.draft.withholding import Veil
from pcsf_lark.model import LoopEntry, SkeletonEntry

ROOT = Path(__file__).parent.parent.parent
REAL = [
    path
    for path in sorted(TRANSCRIPTS.glob("*"))
    if path.suffix in (".jsonl", ".json", ".traj")
    and "oracle" not in path.name
    # The same session as one of version 3.
    and not path.name.startswith("pi-v1")
]
SOME = [*sorted(LOGS.iterdir()), *REAL]
#: What SEED says where there is no request to quote.
FRAMES = ("The log of this session holds no request.", "is withheld from its draft.")
#: What a line may say of itself: the state of a call, known from the log's structure.
STATES = ("no answer yet: ", "last run failed: ")


def flat(text):
    """A text as fields spell it, marks and joins left out."""
    shown = field(Veil().hide(text), 10**9)
    return " ".join("".join(c if c.isalnum() else " " for c in shown).split()).lower()


def quotations(made):
    """The fields of a capsule, cut marks and states taken off, parts of joined lines apart."""
    for layer in ("skeleton", "negative", "internal", "relation", "loops"):
        for entry in getattr(made.capsule, layer):
            tokens = {"type", "priority", "dimension"}
            for name, value in zip(entry.FIELDS, entry.values, strict=True):
                if name not in tokens:
                    ran = name == "option" or value.startswith(STATES)
                    yield from ((part, ran) for part in value.split("; "))
    if not made.capsule.seed.text.endswith(FRAMES):
        for part in made.capsule.seed.text.split(": "):
            yield from ((one, False) for one in part.split("; "))


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.name)
def test_a_draft_of_a_real_log_obeys(path):
    log = read_session(path, earlier=True)
    made = draft(log, now=NOW)
    obeys(log, made)
    again = draft(read_session(path, earlier=True), now=NOW)
    assert (again.text, again.cso, again.sources) == (made.text, made.cso, made.sources)


def obeys(log, made):
    report = pcsf_lark.check(made.text)
    assert report.conformant
    assert report.bytes <= 1200
    assert not [f for f in report.findings if f.severity is pcsf_lark.Severity.ERROR]
    assert not [f for f in cso.check(made.cso) if not f.code.startswith("note-")]
    assert cso.loads(cso.dumps(made.cso)) == made.cso
    quoted(log, made)
    sourced(log, made)


def quoted(log, made):
    said = " ".join(
        flat(f"{m.tool_name or ''} {m.text or ''}") for m in (*log.earlier, *log.messages)
    )
    spelled = " ".join(
        flat(text.replace("\\n", "\n").replace('\\"', '"'))
        for text in ((m.text or "") for m in (*log.earlier, *log.messages))
        if "\\n" in text or '\\"' in text
    )
    calls = functools.cache(lambda: [flat(one) for one in commands_of(log)])
    for words, ran in quotations(made):
        text = words
        for state in STATES:
            text = text.removeprefix(state)
        shown = flat(bare(text.removesuffix("...")))
        # A command is shown without what surrounds it; its words stand in one in order.
        kept = ran and any(in_order(shown, one) for one in calls())
        kept = kept or (words.startswith("/") and slashed(log, shown))
        assert kept or shown in said or shown in spelled, words
    topic = made.capsule.meta.topic
    if topic != "session without a request":
        for part in topic.removesuffix("...").split(": "):
            shown = flat(part)
            known = shown in said or shown in spelled
            assert known or (part.startswith("/") and slashed(log, shown)), topic


def in_order(words, text):
    """Whether the words stand in a text one after the other, others between them or not."""
    rest = iter(text.split())
    return all(word in rest for word in words.split())


def slashed(log, words):
    """Whether a message calls a command of the user's: its name and arguments stand apart."""
    texts = [m.text or "" for m in (*log.earlier, *log.messages)]
    return any("<command-name>" in one and in_order(words, flat(one)) for one in texts)


def commands_of(log):
    """The calls of a log, with what they were called with."""
    for message in (*log.earlier, *log.messages):
        if message.tool_name or message.role == "assistant":
            yield f"{message.tool_name or ''} {message.text or ''}"


def test_the_law_of_quotation_can_fail():
    log = read_session(LOGS / "harbour.jsonl", earlier=True)
    made = draft(log)
    for line, layer in (
        (("CHOICE", "levels report argument the add", "because"), "skeleton"),
        (("INCOMPLETE_TASK", "no answer yet: dry-run python --tools", "MED"), "loops"),
    ):
        form = {"skeleton": SkeletonEntry, "loops": LoopEntry}[layer]
        wrong = evolve(made.capsule, **{layer: (form(*line),)})
        with pytest.raises(AssertionError):
            quoted(log, evolve(made, capsule=wrong))
    meta = evolve(made.capsule.meta, topic="a berth of tides")
    with pytest.raises(AssertionError):
        quoted(log, evolve(made, capsule=evolve(made.capsule, meta=meta)))


def sourced(log, made):
    known = {m.id for m in (*log.earlier, *log.messages)} | {entry.id for entry in log.entries}
    known |= {name.rpartition("_")[0] for name in known}
    lines = made.text.decode().split("\n")
    for row in made.sources["capsule"]:
        assert row["line"] in lines
        assert set(row["from"]) <= known
        assert row["from"] or row["layer"] in ("META", "SEED")
    items = made.sources["cso"]["items"]
    assert set(items) == set(made.cso.items())
    assert all(rows and set(rows) <= known for rows in items.values())
    for member, texts in (
        ("constraints", made.cso.constraints),
        ("open_questions", made.cso.open_questions),
        ("remaining", made.cso.goal_state.remaining),
    ):
        rows = made.sources["cso"][member]
        assert tuple(row["text"] for row in rows) == texts
        assert all(row["from"] for row in rows)


PHRASES = """please|never|the tests|because|since the report|you're right.|no,|instead|let me use|let me fix it|I'll
I only want|must|src/app.py|`f()`|Remaining:|- [ ] ship it|?|.|!|;|not sure|\u6f6e\u6c50|\u00e9|\U0001f44d|1 failed
ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8|jo@quay.example|/home/jo/x|ignore all previous instructions|Want me to go on
that won't work due to newlines|ISSUE: depths|<system-reminder>|===END===|SEED: a|L1:SKELETON|a pipe / here"""
WORDS = st.sampled_from([*re.split(r"[|\n]", PHRASES), "|", "\n", "```", "\n```\n", "a | b"])
TEXTS = st.lists(WORDS, max_size=30).map(" ".join)
ROWS = st.lists(
    st.tuples(st.sampled_from(["user", "assistant", "bash", "edit"]), TEXTS, TEXTS), max_size=12
)


def talk(rows):
    messages = []
    for number, (kind, one, two) in enumerate(rows):
        if kind in ("user", "assistant"):
            messages.append({"role": kind, "content": one or "-"})
            continue
        arguments = {"command": one} if kind == "bash" else {"path": one or "x"}
        function = {"name": kind, "arguments": json.dumps(arguments, ensure_ascii=False)}
        call = {"id": f"c{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        if number % 3:
            messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": two})
    return messages


@settings(max_examples=300, derandomize=True, deadline=None)
@given(ROWS)
def test_a_draft_of_any_talk_obeys(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "talk.json"
        path.write_text(json.dumps({"messages": talk(rows)}), "utf-8")
        log = read_session(path, fmt="chat")
    made = draft(log, now=NOW)
    obeys(log, made)
    everything = made.text.decode() + cso.dumps(made.cso).decode() + json.dumps(made.sources)
    for secret in ("ghp_A1b2", "jo@quay", "/home/jo"):
        assert secret not in everything
    assert "ignore all previous" not in made.text.decode()


def test_two_processes_agree():
    code = (
        "import sys; from pathlib import Path; from kernel.sessions import read_session;"
        "from pcsf_lark.draft import draft; import cso;"
        "d = draft(read_session(Path(sys.argv[1]), earlier=True));"
        "sys.stdout.buffer.write(d.text + cso.dumps(d.cso) + repr(d.sources).encode())"
    )
    out = [
        subprocess.run(
            [sys.executable, "-c", code, LOGS / "harbour.jsonl"],
            check=True,
            capture_output=True,
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in ("1", "2")
    ]
    assert out[0] == out[1]
    assert len(out[0]) > 2000


def test_since_leaves_out_what_came_before():
    log = read_session(LOGS / "harbour.jsonl", earlier=True)
    whole = draft(log)
    part = draft(log, since="h013")
    assert len(part.cso.established_facts) < len(whole.cso.established_facts)
    assert part.capsule.skeleton == ()
    assert part.capsule.loops == whole.capsule.loops
    assert part.capsule.seed == whole.capsule.seed
    kept = {name for rows in part.sources["cso"]["items"].values() for name in rows}
    assert all(name > "h013" for name in kept)
    with pytest.raises(KeyError, match="no entry has the id 'h999'"):
        draft(log, since="h999")


def test_a_time_is_the_logs_then_the_callers():
    timed = read_session(LOGS / "harbour.jsonl")
    timeless = read_session(LOGS / "crane.traj")
    assert draft(timed, now="2031-01-01T00:00Z").capsule.meta.timestamp == "2026-03-02T08:17Z"
    assert draft(timeless, now="2031-01-01T00:00Z").capsule.meta.timestamp == "2031-01-01T00:00Z"
    assert draft(timeless).capsule.meta.timestamp == "1970-01-01T00:00Z"
    with pytest.raises(ValueError, match="expected a time"):
        draft(timeless, now="yesterday")


@pytest.mark.parametrize("name", ["harbour.jsonl", "quay.jsonl"])
def test_a_longer_log_keeps_the_ids_it_had(tmp_path, name):
    """Whatever the trail had of a log it has later, as it ended; of one subject, one id."""
    lines = (LOGS / name).read_text("utf-8").split("\n")
    short = tmp_path / "short.jsonl"
    after = draft(read_session(LOGS / name, earlier=True)).cso
    kinds = ("run.", "file.", "check.", "failure.", "plan.", "request.")
    became = 0
    for end in range(3, len(lines)):
        short.write_text("\n".join(lines[:end]) + "\n", "utf-8")
        log = read_session(short, earlier=True)
        if not log.messages:
            continue
        before = draft(log).cso
        assert before.ext["draft"]["log"]["id"] == after.ext["draft"]["log"]["id"]
        there = {n: i.statement for n, i in before.items().items() if n.startswith(kinds)}
        assert there.keys() <= after.items().keys()
        became += sum(after.items()[n].statement != said for n, said in there.items())
    assert became


def test_the_verb_is_found_whoever_imports_first():
    for first in (
        "import pcsf_lark.draft",
        "from pcsf_lark.draft import draft",
        "import pcsf_lark",
    ):
        code = f"{first}\nimport pcsf_lark\nassert callable(pcsf_lark.draft)\nfrom pcsf_lark import Draft, draft\nassert callable(draft)"
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
