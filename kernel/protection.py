"""Which tools are protected, and which messages belong to them.

Laws: `compress` is always protected from folding; a pattern is an exact name or a
prefix with a trailing `*`; a result is protected through the call it answers.
"""

from collections.abc import Callable, Sequence

from kernel.config import Config
from kernel.model import COMPRESS_TOOL, CoreMessage
from kernel.pairs import pair
from kernel.ports import Ports

__all__ = ["hides_refs", "protected_indices", "protector"]


def hides_refs(config: Config, ports: Ports) -> bool:
    """Tell whether protected messages are refused a ref: only where a host named any."""
    return bool(config.protected_tools) or ports.is_protected is not None


def protector(config: Config, ports: Ports) -> Callable[[str | None], bool]:
    """Return the test of a tool name."""
    exact = {COMPRESS_TOOL, *(name for name in config.protected_tools if name[-1:] != "*")}
    prefixes = tuple(name[:-1] for name in config.protected_tools if name[-1:] == "*")
    predicate = ports.is_protected
    known: dict[str, bool] = {}

    def protects(name: str | None) -> bool:
        if name is None:
            return False
        answer = known.get(name)
        if answer is None:
            answer = name in exact or name.startswith(prefixes)
            if not answer and predicate is not None:
                answer = predicate(name)
            known[name] = answer
        return answer

    return protects


def protected_indices(
    messages: Sequence[CoreMessage], protects: Callable[[str | None], bool]
) -> set[int]:
    """Return the indices of protected calls and results, results by their call as well."""
    named = {
        index
        for index, message in enumerate(messages)
        if message.tool_name is not None and protects(message.tool_name)
    }
    if not named:
        return named
    partner = pair(messages)
    return named | {partner[index] for index in named if index in partner}
