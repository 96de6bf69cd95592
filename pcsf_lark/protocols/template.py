"""Capsules to start from: a form to fill in, and the example that the prompt shows."""

from __future__ import annotations

from pcsf_lark.model import (
    Capsule,
    InternalEntry,
    LoopEntry,
    Meta,
    NegativeEntry,
    RelationEntry,
    Seed,
    SkeletonEntry,
)
from pcsf_lark.spec import DEPTHS, DIMENSIONS, LAYERS, PRIORITIES, VERSIONS

__all__ = ["EXAMPLE", "template"]

_L1, _L3, _L5 = (LAYERS[at].types for at in (0, 2, 4))

#: A capsule as it should be: each line could not be inferred from the others.
EXAMPLE = Capsule(
    version=VERSIONS[-1],
    meta=Meta("Moving nightly exports to a queue", "software", "WORKING", "2026-03-14T16:05Z"),
    skeleton=(
        SkeletonEntry(
            "CHOICE", "one queue for each tenant", "a slow tenant held up all others for six hours"
        ),
        SkeletonEntry(
            "CONSTRAINT", "no export twice within an hour", "the partner bills for every file"
        ),
    ),
    negative=(
        NegativeEntry(
            "lock in the database",
            "it outlived crashed workers",
            "a lock needs an owner that can be seen to be dead",
        ),
    ),
    internal=(InternalEntry("UNCERTAINTY", "I never saw the load of a month's end."),),
    relation=(RelationEntry("BOUNDARY", "ask before touching production"),),
    loops=(
        LoopEntry("INCOMPLETE_TASK", "replay March against the new queue", "HIGH"),
        LoopEntry("DEFERRED_QUESTION", "who owns the retry budget?", "MED"),
    ),
    seed=Seed("Keep tenants apart first; speed comes second in this move"),
)


def template(
    timestamp: str,
    *,
    topic: str = "<topic>",
    domain: str = "<domain>",
    depth: str = DEPTHS[1],
) -> Capsule:
    """A capsule to fill in: in each layer one entry that names its parts."""
    return Capsule(
        version=VERSIONS[-1],
        meta=Meta(topic, domain, depth, timestamp),
        skeleton=(SkeletonEntry(_L1[0], "<what was decided>", "<why, as nobody could guess>"),),
        negative=(NegativeEntry("<what was given up>", "<why it failed here>", "<the lesson>"),),
        internal=(InternalEntry(_L3[0], "I <what I was unsure of>"),),
        relation=(RelationEntry(DIMENSIONS[0], "<how to talk>"),),
        loops=(LoopEntry(_L5[2], "<what is still to be done>", PRIORITIES[0]),),
        seed=Seed("<the one sentence to read if there were no other>"),
    )
