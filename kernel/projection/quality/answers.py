"""What the result of a shell, a test or a build says of itself, whatever its mark says.

Laws: a host's mark of error stands; a check whose own output tells of a failure has
failed, marked or not; of what is no check the output proves nothing.
"""

from typing import Final

from kernel.projection.quality.actions import command_of
from kernel.projection.quality.commands import checks_of, looks_only
from kernel.projection.quality.outcomes import shell_outcome
from kernel.projection.quality.shell import is_masked, steps_of
from kernel.projection.quality.tooling import bare

__all__ = ["shows_failure"]

_CHECKERS: Final = frozenset(("test", "build"))


def shows_failure(tool: str, arguments: str, text: str, *, mark: bool | None) -> bool:
    """Tell whether the result of a call failed, by its mark or by what a check puts out.

    `arguments` is the JSON text of the call's arguments, `text` what the result says.
    """
    if mark:
        return True
    checker = bare(tool) in _CHECKERS
    steps = [] if checker else steps_of(command_of(arguments)[0])
    checks = checker or bool(checks_of(steps))
    if not checks:
        return False
    outcome = shell_outcome(
        text, masked=is_masked(steps), looks=looks_only(steps), checks=True, mark=mark
    )
    return outcome.state == "failed"
