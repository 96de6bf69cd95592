"""A program that uses the packages, as a type checker of its author sees it.

Nothing here is run: `test_library_types.py` gives it to mypy, strict. What must not pass
is marked to be ignored, and an ignore that is not needed is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path  # noqa: TC003 - as a program would
from typing import Any, Literal, assert_type

import cso
import cso.store
import kernel
import kernel.projection
import kernel.searching
import kernel.sessions
import kernel.wire
import pcsf_lark
from pcsf_lark import abnf, conformance, export, relay, rules, spec, testing
from pcsf_lark.protocols.compress import compress_prompt
from pcsf_lark.protocols.notice import Notice
from pcsf_lark.protocols.resume import resume_prompt
from pcsf_lark.protocols.template import EXAMPLE, template


def capsules(data: bytes) -> None:
    """Text in, values out."""
    report = pcsf_lark.check(data, select=["C", "Q"])
    assert_type(report, pcsf_lark.Report)
    assert_type(report.findings, tuple[pcsf_lark.Diagnostic, ...])
    assert_type(report.findings[0].severity, pcsf_lark.Severity)
    assert_type(report.findings[0].span.line, int)
    assert_type(report.worst(), pcsf_lark.Severity | None)
    fix = report.findings[0].fix
    assert_type(fix, pcsf_lark.Fix | None)
    if fix is not None:
        assert_type(fix.edits, tuple[pcsf_lark.Edit, ...])
    assert_type(pcsf_lark.conformant("text"), bool)
    capsule = pcsf_lark.parse(data)
    assert_type(capsule.meta.topic, str)
    assert_type(capsule.chain, pcsf_lark.Chain | None)
    assert_type(capsule.skeleton, tuple[pcsf_lark.SkeletonEntry, ...])
    assert_type(capsule.loops[0].field_span("priority"), pcsf_lark.Span | None)
    assert_type(pcsf_lark.format(capsule), bytes)
    assert_type(pcsf_lark.fix(data), bytes)
    assert_type(pcsf_lark.fit(capsule, budget=900).dropped, tuple[pcsf_lark.Row, ...])
    assert_type(pcsf_lark.stitch(capsule, data).capsule, pcsf_lark.Capsule)
    assert_type(pcsf_lark.diff(capsule, data)[0]["old"], str | None)
    assert_type(pcsf_lark.to_json(capsule), dict[str, Any])
    assert_type(pcsf_lark.to_cso(capsule), cso.CognitiveStateObject)
    assert_type(pcsf_lark.from_cso(pcsf_lark.to_cso(capsule)).text, bytes)
    assert_type(pcsf_lark.__version__, str)
    assert_type(resume_prompt(Notice(capsule)), str)
    assert_type(compress_prompt(), str)
    assert_type(template("2026-05-04T09:30Z", topic="a"), pcsf_lark.Capsule)
    assert_type(EXAMPLE.seed, pcsf_lark.Seed)
    try:
        pcsf_lark.stamp(capsule)
    except pcsf_lark.CapsuleError as error:
        assert_type(error.diagnostics, tuple[pcsf_lark.Diagnostic, ...])
    except pcsf_lark.Unfittable as error:
        assert_type(error.needed, int)
    pcsf_lark.check(1)  # type: ignore[arg-type]
    pcsf_lark.parse(data, profil="abnf")  # type: ignore[call-arg]
    pcsf_lark.cheque(data)  # type: ignore[attr-defined]
    report.findings[0].code = "C1"  # type: ignore[misc]
    pcsf_lark.Seed(text=1)  # type: ignore[arg-type]


def session(log: kernel.sessions.Log) -> None:
    """A draft."""
    made = pcsf_lark.draft(log, now="2026-05-04T09:30Z")
    assert_type(made, pcsf_lark.Draft)
    assert_type(made.text, bytes)
    assert_type(made.withheld, Mapping[str, int])
    pcsf_lark.draft("log")  # type: ignore[arg-type]


def own_rule(subject: rules.Subject) -> Iterator[rules.Finding]:
    """What a rule of one's own looks like."""
    for loop in subject.capsule.loops if subject.capsule else ():
        if span := loop.field_span("description"):
            yield rules.Finding(span, "no owner", "write who is to do it")
    assert_type(rules.find_rule("C7"), rules.Rule | None)
    limit: int = spec.LIMIT
    assert_type(limit, int)
    assert_type(spec.LAYERS[0].fields, tuple[str, ...])


def grammars(text: str) -> None:
    """Any ABNF."""
    grammar = abnf.load(text)
    assert_type(grammar.match("text"), bool)
    assert_type(abnf.check(text), tuple[abnf.Problem, ...])
    assert_type(abnf.translate(grammar, "start", [], "auto").text, str)
    assert_type(abnf.to_regex(grammar, "start"), str)
    assert_type(export.export("gbnf"), str)
    abnf.translate(grammar, "start", [], "earlye")  # type: ignore[arg-type]


def others(answer: conformance.Answer, store: relay.Repository) -> None:
    """Conformance, the relay, strategies."""
    assert_type(conformance.judge(conformance.cases()[0], answer).result, str)
    assert_type(store.prompt(), str)
    assert_type(testing.capsules().example(), str)


def states(state: cso.CognitiveStateObject, key: bytes) -> None:
    """State objects: tokens may be given by name, rows as any iterable of the right thing."""
    fact = cso.Fact(fact_id="f", statement="s", provenance="USER", confidence=1.0, window_origin=1)
    assert_type(fact.provenance, cso.Provenance)
    goal = cso.GoalState(mode=cso.Mode.TOOL, remaining=["one"])
    assert_type(goal.remaining, tuple[str, ...])
    made = cso.CognitiveStateObject(
        cso_id="a", window_number=0, goal_state=goal, established_facts=[fact]
    )
    assert_type(made.established_facts, tuple[cso.Fact, ...])
    assert_type(cso.relay(state, made, key, "session").cso, cso.CognitiveStateObject)
    assert_type(cso.verify_chain([state], key, "session").status, cso.ChainStatus)
    assert_type(cso.dumps(state), bytes)
    assert_type(cso.loads(b"{}"), cso.CognitiveStateObject)
    with cso.store.Store("chains.db") as store:
        assert_type(store.log("session"), tuple[cso.store.Entry, ...])
    changed, revision = cso.revise(state, "d", "other", because="f")
    assert_type(changed, cso.CognitiveStateObject)
    assert_type(revision.result, cso.RevisionResult)
    assert_type(cso.slice_of(state, ["d"]).dangling, tuple[str, ...])
    cso.GoalState(mode=1)  # type: ignore[arg-type]
    cso.GoalState(mode="TOOL", remaining=[1])  # type: ignore[list-item]
    cso.CognitiveStateObject(  # type: ignore[call-arg]
        window_number=0, goal_state=goal
    )
    cso.CognitiveStateObject(
        cso_id="a",
        window_number=0,
        goal_state=goal,
        established_facts=["f"],  # type: ignore[list-item]
    )


def histories(messages: Sequence[kernel.CoreMessage], body: str) -> None:
    """Message histories."""
    turn = kernel.process_turn(messages, token_count=900)
    assert_type(turn.messages, Sequence[kernel.CoreMessage])
    assert_type(turn.nudge.should_inject, bool)
    fold = kernel.CompressRange("m00001", "m00002", "summary")
    applied = kernel.apply_compression([fold], messages, turn.state, now=0)
    assert_type(applied.state.blocks, tuple[kernel.CompressionBlock, ...])
    assert_type(kernel.plan(messages).due, bool)
    assert_type(kernel.search("word", turn.state), tuple[kernel.CompressionBlock, ...])
    assert_type(kernel.decompress("b1", turn.state), kernel.CompressionBlock | None)
    history = kernel.wire.decode("openai", body)
    assert_type(kernel.wire.encode(history.messages, history), str)
    assert_type(kernel.Session(messages).view().nudge, kernel.NudgeDecision)
    found = kernel.searching.SearchIndex(kernel.searching.documents_of(messages, turn.state))
    assert_type(found.search("word")[0].score, float)
    kernel.CoreMessage(id="a", role="users", content_type="text")  # type: ignore[arg-type]
    kernel.process_turn(messages, render_tags="some")  # type: ignore[arg-type]


def logs(path: Path) -> None:
    """The log of a Pi session."""
    tree = kernel.projection.load(path)
    now = kernel.projection.take(tree)
    assert_type(now, kernel.projection.Snapshot)
    made = kernel.projection.control(now, "off")
    assert_type(made, kernel.projection.Transaction | kernel.projection.Refusal)
    kernel.projection.control(now, "of")  # type: ignore[arg-type]
    scope: Literal["compressed"] = "compressed"
    assert_type(kernel.recap(kernel.CompressionState(), scope=scope), str)
