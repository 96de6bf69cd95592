"""The quality gate: what a summary owes its source, and whether it pays.

    manifest = build(messages, source_ids, marks=…)          # facts of the source, quoted
    verdict = evaluate(manifest, summary, refs=…, policy=…)  # accepted, or refused with codes
    text = outline(manifest)                                 # a summary that always passes

Laws: local, deterministic, linear in its input, fail-closed; a manifest knows messages of
the kernel and nothing of any host's log; what the gate says echoes no source text. It
does not claim that a summary which passes means the same as its source.

Signatures:

    build(messages: Sequence[CoreMessage],
          source_ids: Mapping[str, str] | Callable[[str], str] | None = None, *,
          marks: Mapping[str, bool] = {}) -> Manifest
    evaluate(manifest: Manifest, summary: str, *, enabled: bool = True,
             policy: Literal["record", "reject"] = "record",
             refs: Collection[str] = (), durable: Collection[str] = (),
             completion: Mapping[str, Completion] = {}) -> Verdict
    outline(manifest: Manifest, *, soft: bool = False) -> str
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
