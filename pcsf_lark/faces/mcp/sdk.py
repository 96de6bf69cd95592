"""The official SDK, of which no more is loaded than a server on standard streams needs.

`import mcp` loads the client as well, and `import mcp.server` the larger of the two ways
to write a server; half of the time until a client is answered goes there. Here the two
packages stand in for themselves until something asks for one of their own names: then
their code runs as ever. Models are built by the thread that reads and answers, alone.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["defer", "there"]

_PACKAGES = ("mcp", "mcp.server")


def there() -> bool:
    """Whether the SDK is installed, in a version that has its types apart."""
    return all(importlib.util.find_spec(name) is not None for name in ("mcp", "mcp_types"))


def defer() -> None:
    """Have the SDK's packages load on demand; imports that follow search no garbage."""
    # Plug-ins of pydantic are for the programs of others.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.disable()
    from pydantic import BaseModel  # noqa: PLC0415 - after its plug-ins are left out

    # Of the protocol's hundreds of models the few that are used are built when they are.
    BaseModel.model_config["defer_build"] = True
    for name in _PACKAGES:
        if name not in sys.modules:
            _defer(name)


def _defer(name: str) -> None:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    loader = spec.loader

    def load(wanted: str) -> Any:
        if wanted.startswith("__"):
            raise AttributeError(f"module {name!r} has no attribute {wanted!r}")
        del module.__getattr__
        loader.exec_module(module)
        return getattr(module, wanted)

    module.__getattr__ = load  # type: ignore[method-assign] # a module's own hook
    sys.modules[name] = module
    _tie(name, module)


def _tie(name: str, module: ModuleType) -> None:
    """Make a module an attribute of the package it is in, as an import does."""
    package, _, own = name.rpartition(".")
    if package in sys.modules:
        setattr(sys.modules[package], own, module)
