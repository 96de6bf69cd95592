"""Options that several commands share, as one value.

    @frozen
    class Place:
        store: StoreOption = None
        session: SessionOption = None

    def log(*, place: Place, shape: ShapeOption = Shape.human) -> None: ...

The command line takes the fields, where the block stands; the function gets the value.
"""

from __future__ import annotations

from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["spread"]


def spread(work: Callable[..., None]) -> Callable[..., None]:
    """A function that takes the fields of its blocks one by one; itself where it has none."""
    own = signature(work, eval_str=True).parameters.values()
    blocks = {one.name: one.annotation for one in own if _is_block(one.annotation)}
    if not blocks:
        return work

    from attrs import fields  # noqa: PLC0415 - most commands have no blocks

    def command(**values: Any) -> None:
        for name, block in blocks.items():
            values[name] = block(**{field.name: values.pop(field.name) for field in fields(block)})
        work(**values)

    parameters = [
        part.replace(kind=Parameter.KEYWORD_ONLY)
        for one in own
        for part in (_fields(blocks[one.name]) if one.name in blocks else (one,))
    ]
    command.__name__, command.__doc__ = work.__name__, work.__doc__
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined] # what typer reads
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def _is_block(annotation: Any) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "__attrs_attrs__")


def _fields(block: Any) -> Iterator[Parameter]:
    from attrs import NOTHING, fields  # noqa: PLC0415 - as above

    hints = get_type_hints(block, include_extras=True)
    for field in fields(block):
        default = Parameter.empty if field.default is NOTHING else field.default
        yield Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )
