"""AST out: the one canonical text, and the JSON tree."""

from pcsf_lark.emit.canonical import canonical
from pcsf_lark.emit.misfit import misfits
from pcsf_lark.emit.tree import from_json, to_json

__all__ = ["canonical", "from_json", "misfits", "to_json"]
