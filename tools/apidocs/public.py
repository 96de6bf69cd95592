"""What is public: one table. A module's public names are those of its `__all__`.

Whatever is not reached through a module of this table may change at any time.
"""

from __future__ import annotations

from attrs import frozen

__all__ = ["PAGES", "PUBLIC", "Module", "Page"]


@frozen
class Module:
    """A public module: its dotted name, the page that shows it, what it is for in a line."""

    name: str
    page: str
    what: str


@frozen
class Page:
    """A generated page: where it stands in the checkout, and its headline."""

    path: str
    title: str


_OWN = "pcsf_lark/API.md"

PUBLIC = (
    Module("pcsf_lark", _OWN, "capsules: read, judge, write, and the operations on them"),
    Module("pcsf_lark.spec", _OWN, "the format's words and numbers"),
    Module("pcsf_lark.rules", _OWN, "the rules, and what a rule of your own is made of"),
    Module("pcsf_lark.protocols.compress", _OWN, "what a model is told that writes a capsule"),
    Module("pcsf_lark.protocols.resume", _OWN, "what a model is told that takes one up"),
    Module("pcsf_lark.protocols.notice", _OWN, "what a reader of a capsule must notice"),
    Module("pcsf_lark.protocols.template", _OWN, "capsules to start from"),
    Module("pcsf_lark.export", _OWN, "the capsule's grammar for other tools"),
    Module("pcsf_lark.testing", _OWN, "Hypothesis strategies (extra `testing`)"),
    Module("pcsf_lark.abnf", "pcsf_lark/abnf/API.md", "any ABNF: read, judge, parse, translate"),
    Module(
        "pcsf_lark.conformance",
        "pcsf_lark/conformance/API.md",
        "the suite's cases, and how answers are judged",
    ),
    Module("pcsf_lark.draft", "pcsf_lark/draft/API.md", "a capsule from a session's log"),
    Module("pcsf_lark.relay", "pcsf_lark/relay/API.md", "a store of state that goes on"),
    Module("cso", "cso/API.md", "the Cognitive State Object"),
    Module("cso.store", "cso/API.md", "storage of chains (extras `store`, `postgres`)"),
    Module("kernel", "kernel/API.md", "message histories, folded and brought back"),
    Module("kernel.wire", "kernel/API.md", "the providers' message shapes"),
    Module("kernel.sessions", "kernel/API.md", "logs of sessions"),
    Module("kernel.searching", "kernel/API.md", "search over folded and visible content"),
    Module(
        "kernel.projection", "kernel/projection/API.md", "compaction inside the log of a Pi session"
    ),
)

PAGES = (
    Page(_OWN, "The API of `pcsf_lark`"),
    Page("pcsf_lark/abnf/API.md", "The API of `pcsf_lark.abnf`"),
    Page("pcsf_lark/conformance/API.md", "The API of `pcsf_lark.conformance`"),
    Page("pcsf_lark/draft/API.md", "The API of `pcsf_lark.draft`"),
    Page("pcsf_lark/relay/API.md", "The API of `pcsf_lark.relay`"),
    Page("cso/API.md", "The API of `cso`"),
    Page("kernel/API.md", "The API of `kernel`"),
    Page("kernel/projection/API.md", "The API of `kernel.projection`"),
)
