"""A baseline: findings that are known and pardoned, so that only new ones fail.

Keyed by the hash of the whole capsule and by rule: editing the capsule ends
its pardon. It takes the place of comments in the file, which a capsule cannot
hold.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pcsf_lark.faces.files import Trouble, write
from pcsf_lark.rules import default_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pcsf_lark.source import Source

__all__ = ["Baseline", "left", "load", "save", "sign"]

_VERSION = 1

#: The codes pardoned, by the SHA-256 of the capsule.
Baseline = dict[str, frozenset[str]]


def sign(data: bytes) -> str:
    """What stands for a capsule in a baseline."""
    return hashlib.sha256(data).hexdigest()


def load(path: str) -> Baseline:
    """The pardons of a file; raises Trouble."""
    try:
        stored = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise Trouble(path, error.strerror or "cannot be read") from None
    except (ValueError, RecursionError) as error:
        raise Trouble(path, f"no baseline: not JSON: {error}") from None
    if not _is_baseline(stored):
        raise Trouble(path, "no baseline; write one with --write-baseline")
    return {item["sha256"]: frozenset(item["rules"]) for item in stored["pardons"]}


def left(
    codes: frozenset[str] | None, pardons: Mapping[str, frozenset[str]], source: Source
) -> frozenset[str] | None:
    """The codes, None for all, without those that the capsule is pardoned."""
    pardoned = frozenset() if source.oversize else pardons.get(sign(source.data), frozenset())
    if not pardoned:
        return codes
    return (default_codes() if codes is None else codes) - pardoned


def _is_baseline(stored: Any) -> bool:
    return (
        isinstance(stored, dict)
        and stored.get("version") == _VERSION
        and isinstance(stored.get("pardons"), list)
        and all(
            isinstance(item, dict)
            and isinstance(item.get("sha256"), str)
            and isinstance(item.get("rules"), list)
            and all(isinstance(code, str) for code in item["rules"])
            for item in stored["pardons"]
        )
    )


def save(path: str, found: Iterable[tuple[str, str, Iterable[str]]]) -> int:
    """Write name, signature and codes of each capsule; how many were pardoned; raises Trouble.

    The name is for the reader; a capsule is known by its signature alone, so
    that equal ones are pardoned together.
    """
    pardons: dict[str, dict[str, Any]] = {}
    for name, signature, codes in found:
        item = pardons.setdefault(signature, {"path": name, "sha256": signature, "rules": []})
        item["rules"] = sorted({*item["rules"], *codes})
    kept = [item for item in pardons.values() if item["rules"]]
    kept.sort(key=lambda item: (item["path"], item["sha256"]))
    content: Mapping[str, Any] = {"version": _VERSION, "pardons": kept}
    write(path, (json.dumps(content, indent=1) + "\n").encode())
    return sum(len(item["rules"]) for item in kept)
