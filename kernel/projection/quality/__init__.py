"""The quality gate: what a summary owes its source, and whether it pays.

    manifest = build(messages, source_ids, marks=…)          # facts of the source, quoted
    verdict = evaluate(manifest, summary, refs=…, policy=…)  # accepted, or refused with codes
    text = outline(manifest)                                 # a summary that always passes

Laws: local, deterministic, linear in its input, fail-closed; a manifest knows messages of
the kernel and nothing of any host's log; what the gate says echoes no source text. It
does not claim that a summary which passes means the same as its source.

`marks` says of result messages whether the host marked an error (also `extra["isError"]`);
`refs` are the m and b refs that are current, `durable` ids known from elsewhere,
`completion` the caller's later knowledge by a fact's key, `policy` what warnings do.

| kind | hard, so that its loss refuses | what a statement must hold |
|---|---|---|
| goal | a user's request that names a file, a number or a name in code, and wants more than a look | those names (half beyond four), a third of its words, at most 4 |
| constraint | strong words of a user: never, must, only, exactly, do not, at most, … | names, half of its words, at most 4, and each of its rules, the same way round, in a sentence |
| decision, rejection | a user's choice or correction that names something | names, a third of its words; a denial for a rejection |
| artifact | changed or deleted by a call that did not fail; no scratch, not made and deleted again | anywhere: its path, or an ending of it no other file shares; of a deleted one, that it is gone |
| verification | the last run failed | its name, operand or error, and a word of failing |
| failure | of a change, a mutating command or a tool, not put right later; pasted by a user with no change after it | what failed, and a word of failing |
| open | plan item not done; changing or checking call without a result, not made again; last request of a user | its words, and a word of being open, there or in the heading |
| ref | id of a task, hub or agent | anywhere: the id, letter by letter |

Ways round (`rules`, `polarity`) are lexical: what a clause denies, bounds or limits, by tables
and reach, in English and Chinese; a rule in words beyond those is lost, and can be quoted. A
summary that takes back what it says keeps nothing.

All else is soft: what only looks like a user, weak words, thoughts, doubts, symbols, commands,
settled failures. Some of it is worth a warning, none of it a refusal.
"""

from kernel.projection.quality.facts import KINDS, Completion, Fact, Hardness, Kind, Need, Quote
from kernel.projection.quality.gate import evaluate
from kernel.projection.quality.manifest import MANIFEST_VERSION, Manifest, build
from kernel.projection.quality.outline import outline
from kernel.projection.quality.provenance import durable_refs, view_refs
from kernel.projection.quality.spans import Malformed, Span, normalise, slice_of
from kernel.projection.quality.verdict import EVALUATOR_VERSION, REFUSALS, WARNINGS, Verdict

__all__ = [
    "EVALUATOR_VERSION",
    "KINDS",
    "MANIFEST_VERSION",
    "REFUSALS",
    "WARNINGS",
    "Completion",
    "Fact",
    "Hardness",
    "Kind",
    "Malformed",
    "Manifest",
    "Need",
    "Quote",
    "Span",
    "Verdict",
    "build",
    "durable_refs",
    "evaluate",
    "normalise",
    "outline",
    "slice_of",
    "view_refs",
]
