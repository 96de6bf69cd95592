"""Cache identities: what of a request is the same as before, told by digests.

    now = identities(surface, snapshot, suffix)
    now.static_surface       provider, model, and the bytes of what never changes
    now.logical_prefix       the view before the suffix
    now.suffix               the exact suffix, or "none"
    now.full_input           view, branch, epoch, projection and suffix

Laws: an identity says that an input is the same, and nothing of a provider's cache: its
key is private, and only usage it reported counts as a hit; equal identities are equal
bytes of protocol content, whatever entry, time or counter they stood under.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.log.digests import canonical, source_digest
from kernel.projection.log.spelling import stringify
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.projector import Projection, RawItem
from kernel.sessions.pi_entries import edits_of

__all__ = [
    "NO_SUFFIX",
    "PROJECTION_VERSION",
    "Identities",
    "StaticSurface",
    "full_provider_input_identity",
    "identities",
    "logical_provider_prefix_identity",
    "static_surface_identity",
    "suffix_fingerprint",
]

NO_SUFFIX: Final = "none"
#: Grows whenever equal states are shown in other words.
PROJECTION_VERSION: Final = 1


@frozen
class StaticSurface:
    """What stands before every message and does not change within a session.

    `system` and `guidance` are texts; `tools` the JSON values a host sends, in their order
    and with the order of their keys.
    """

    provider: str = ""
    model: str = ""
    system: str = ""
    tools: tuple[Any, ...] = field(default=(), converter=as_tuple)
    guidance: str = ""


@frozen
class Identities:
    """The four identities of one request."""

    static_surface: str
    logical_prefix: str
    suffix: str
    full_input: str

    def as_json(self) -> dict[str, str]:
        """Return them under the names diagnostics use."""
        return {
            "staticSurfaceIdentity": self.static_surface,
            "logicalProviderPrefixIdentity": self.logical_prefix,
            "suffixFingerprint": self.suffix,
            "fullProviderInputIdentity": self.full_input,
        }


def _digest(prefix: str, pieces: Iterable[str]) -> str:
    """Return the digest of texts, each with its length: no two lists run together."""
    whole = sha256()
    for piece in pieces:
        data = piece.encode("utf-8", "surrogatepass")
        whole.update(f"{len(data)}:".encode())
        whole.update(data)
    return f"{prefix}_{whole.hexdigest()}"


def static_surface_identity(surface: StaticSurface) -> str:
    """Return the identity of provider, model and the exact bytes of the static surface."""
    tools = [stringify(tool) for tool in surface.tools]
    pieces = (surface.provider, surface.model, surface.system, surface.guidance, *tools)
    return _digest("static", pieces)


def logical_provider_prefix_identity(
    view: Projection | Sequence[Mapping[str, Any]], edited: Collection[str] = ()
) -> str:
    """Return the identity of the messages of a view, before any suffix.

    A projection costs less than its messages: what stands raw in it has its digest
    already, but for the entries whose content a context edit changed.
    """
    if not isinstance(view, Projection):
        return _digest("prefix", map(source_digest, view))
    digests = (
        item.source.digest
        if isinstance(item, RawItem) and item.name not in edited
        else source_digest(message)
        for item, message in zip(view.items, view.messages, strict=True)
    )
    return _digest("prefix", digests)


def suffix_fingerprint(suffix: Mapping[str, Any] | None) -> str:
    """Return the identity of the exact suffix, `none` where there is none."""
    return NO_SUFFIX if suffix is None else _digest("suffix", (canonical(suffix),))


def full_provider_input_identity(
    prefix: str, suffix: str, *, session_id: str, leaf: str | None, epoch: str, projection: str
) -> str:
    """Return the identity of a whole input; `prefix` and `suffix` are identities."""
    return _digest("input", (prefix, session_id, leaf or "", epoch, projection, suffix))


def identities(
    surface: StaticSurface, snapshot: Snapshot, suffix: Mapping[str, Any] | None = None
) -> Identities:
    """Return the identities of the next request of a branch."""
    branch, state = snapshot.branch, snapshot.state
    prefix = logical_provider_prefix_identity(snapshot.projection, edits_of(branch.context))
    mark = suffix_fingerprint(suffix)
    fault = "" if state.fault is None else state.fault.code
    projection = canonical([PROJECTION_VERSION, snapshot.enabled, fault, *state.transactions])
    full = full_provider_input_identity(
        prefix,
        mark,
        session_id=branch.session_id,
        leaf=branch.leaf,
        epoch=branch.epoch,
        projection=projection,
    )
    return Identities(static_surface_identity(surface), prefix, mark, full)
