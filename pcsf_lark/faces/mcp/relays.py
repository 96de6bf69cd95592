"""The relay that a call is about: the one the server was started with, or one below a root.

Laws of this file: of a relay below a root nothing lies elsewhere, whatever its own
configuration says: not its store, not its key; no call names a database by its URL.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pcsf_lark.faces.mcp.confinement import Roots
    from pcsf_lark.faces.mcp.inputs import Grant
    from pcsf_lark.relay import Repository

__all__ = ["RELAY_INPUT", "opened"]

RELAY_INPUT = (
    Argument(
        "store",
        "string",
        "A project's folder with a .pcsf, relative to a root; default: the server's own relay, "
        "else that of a root.",
    ),
    Argument("session", "string", "The session, where the store has several."),
    Argument("branch", "string", "The branch; default: the current one."),
)
_CONFIG = ".pcsf/config.toml"


@contextlib.contextmanager
def opened(given: Mapping[str, Any], grant: Grant) -> Iterator[Repository]:
    """The relay of a call, closed in the end; raises Refusal."""
    from pcsf_lark.relay import Repository  # noqa: PLC0415 - brings SQLAlchemy

    session, branch = given.get("session"), given.get("branch")
    if "store" not in given and grant.relay is not None:
        with Repository.open(store=grant.relay, session=session, branch=branch) as relay:
            yield relay
        return
    folder = _folder(given, grant.roots)
    _require_inside(folder, grant.roots)
    environ = _environment()
    with Repository.open(
        folder, store=str(folder), session=session, branch=branch, environ=environ
    ) as relay:
        yield relay


def _folder(given: Mapping[str, Any], roots: Roots) -> Path:
    """A project's folder below a root, or a root that is one."""
    if "store" in given:
        return roots.folder(given["store"], "store")
    for root in roots:
        if (root / _CONFIG).is_file():
            return root
    what = "this server was started without a relay"
    mend = "ask the user to start `pcsf mcp --root FOLDER` where `pcsf relay init` was run"
    raise Refusal(what, mend, at="store", code="relay")


def _environment() -> dict[str, str]:
    """Of the environment the key alone: what names another store does not count here."""
    from pcsf_lark.relay.keys import VARIABLE  # noqa: PLC0415 - likewise

    return {VARIABLE: os.environ[VARIABLE]} if VARIABLE in os.environ else {}


def _require_inside(folder: Path, roots: Roots) -> None:
    """Refuse a relay whose parts lie elsewhere."""
    from pcsf_lark.relay import home  # noqa: PLC0415 - likewise

    places = [folder / "config.toml", folder / _CONFIG]
    config = next((place for place in places if place.is_file()), None)
    if config is None:
        mend = "name a folder where `pcsf relay init` was run"
        raise Refusal("there is no .pcsf in it", mend, at="store", code="relay")
    if roots.holds(config):
        found = home.found(folder, str(folder), {})
        store, key = Path(found.store), found.key
        inside = "://" not in found.store and roots.holds(store)
        plain = not store.exists() or store.is_file()
        if inside and plain and (key is None or roots.holds(key)):
            return
    what = "its configuration, store or key lies outside the roots"
    mend = "ask the user to start `pcsf mcp --relay FOLDER` for it"
    raise Refusal(what, mend, at="store", code="relay")
