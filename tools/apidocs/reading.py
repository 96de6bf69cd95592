"""The public names as the source tells them: griffe reads it, and nothing is imported.

So names are found that a package loads when they are first used, and the pages are
the same whatever is installed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import griffe
from attrs import field, frozen

from apidocs.docstrings import bases_of, comment, sections
from apidocs.loading import final, found, modules
from apidocs.public import PUBLIC

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Member",
    "Name",
    "defined",
    "module_says",
    "names",
    "names_of",
    "targets",
]


@frozen
class Member:
    """A field, property, member or method of a class.

    Attributes:
        name: Its name.
        kind: `field`, `property`, `member` (of an enumeration), `constant` or `method`.
        obj: What griffe read.
        says: Its meaning, from its own docstring or its class's.
        default: The source of its default or value, None without one.
    """

    name: str
    kind: str
    obj: griffe.Object
    says: str
    default: str | None


@frozen
class Name:
    """A public name.

    Attributes:
        module: The public module it is a name of.
        name: What it is called there.
        kind: `function`, `class`, `enumeration`, `exception` or `value`.
        obj: What griffe read.
        says: Its docstring, without the section on attributes; of a value its `#:` comment.
        members: Of a class, in the order of the source, inherited ones first.
    """

    module: str
    name: str
    kind: str
    obj: griffe.Object
    says: str
    members: tuple[Member, ...] = field(default=())

    @property
    def path(self) -> str:
        """Its dotted public name, which is its anchor too."""
        return f"{self.module}.{self.name}"


def names() -> Iterator[Name]:
    """Every public name, module by module."""
    for module in PUBLIC:
        yield from names_of(module.name)


@cache
def names_of(module: str) -> tuple[Name, ...]:
    """The names of one module's `__all__`, in its order; raises LookupError for a missing one."""
    found = modules()[module]
    return tuple(_name(module, str(name), _target(found, str(name))) for name in found.exports)


@cache
def module_says(module: str) -> str:
    """A module's docstring."""
    docstring = modules()[module].docstring
    return docstring.value if docstring else ""


@cache
def targets() -> dict[str, Name]:
    """Where a thing is defined to its public name; a thing in two modules is the first one's."""
    found: dict[str, Name] = {}
    for name in names():
        found.setdefault(name.obj.canonical_path, name)
    return found


def defined(path: str) -> str:
    """Where the thing of a dotted name is defined; the name itself for one not ours."""
    thing = found(path)
    return path if thing is None else thing.canonical_path


def alias(path: str) -> tuple[str, str] | None:
    """The name and the meaning of a type alias of ours; None for anything else."""
    thing = found(path)
    if not isinstance(thing, griffe.Attribute) or thing.value is None:
        return None
    return (thing.name, " ".join(str(thing.value).split())) if thing.name[0].isupper() else None


def _target(module: griffe.Object, name: str) -> griffe.Object:
    found = final(module.members[name])
    if found.is_module:  # one that can be called: `draft`
        found = final(found.members[name])
    return found


def _name(module: str, name: str, obj: griffe.Object) -> Name:
    if isinstance(obj, griffe.Class):
        says, meanings = sections(obj)
        kind = _kind(obj)
        members = tuple(_members(obj, meanings, kind))
        return Name(module, name, kind, obj, says, members)
    if isinstance(obj, griffe.Function):
        return Name(module, name, "function", obj, obj.docstring.value if obj.docstring else "")
    return Name(module, name, "value", obj, comment(obj))


def _kind(obj: griffe.Class) -> str:
    bases = {str(base) for one in (obj, *bases_of(obj)) for base in one.bases}
    if any(base.rpartition(".")[2] in ("Enum", "StrEnum", "IntEnum") for base in bases):
        return "enumeration"
    builtin = ("Exception", "ValueError", "TypeError", "KeyError", "RuntimeError", "OSError")
    return "exception" if any(base in builtin for base in bases) else "class"


def _members(obj: griffe.Class, meanings: dict[str, str], kind: str) -> Iterator[Member]:
    seen: dict[str, griffe.Object] = {}
    for base in (*reversed(bases_of(obj)), obj):
        seen |= {
            name: final(one)
            for name, one in base.members.items()
            if not name.startswith("_") and not one.is_class
        }
    for name, one in seen.items():
        own = one.docstring.value if one.docstring else ""
        if isinstance(one, griffe.Function):
            yield Member(name, "method", one, own, None)
        elif isinstance(one, griffe.Attribute):
            says = own or meanings.get(name, "") or comment(one)
            given = _given(obj, name) if one.annotation is None and kind != "enumeration" else None
            if given is not None:  # set in `__init__` from the parameter of its name
                one.annotation = given.annotation
            if one.annotation is None:  # declared in a base
                one.annotation = _declared(obj, name)
            yield Member(name, _sort(one, kind), one, says, None if given else _default(one))


def _given(obj: griffe.Class, name: str) -> griffe.Parameter | None:
    """The parameter of the constructor that an attribute has its name from."""
    made = obj.all_members.get("__init__")
    made = None if made is None else final(made)
    if isinstance(made, griffe.Function) and name in made.parameters:
        return made.parameters[name]
    return None


def _declared(obj: griffe.Class, name: str) -> str | griffe.Expr | None:
    """The type that a base gives to an attribute."""
    for base in bases_of(obj):
        one = base.members.get(name)
        if isinstance(one, griffe.Attribute) and one.annotation is not None:
            return one.annotation
    return None


def _sort(one: griffe.Attribute, kind: str) -> str:
    if "property" in one.labels:
        return "property"
    if kind == "enumeration" and one.annotation is None:
        return "member"
    constant = str(one.annotation).startswith("ClassVar") or "instance-attribute" not in one.labels
    return "constant" if constant else "field"


def _default(one: griffe.Attribute) -> str | None:
    value = one.value
    if value is None or "property" in one.labels:
        return None
    if not (isinstance(value, griffe.ExprCall) and str(value.function) in ("field", "attrs.field")):
        return str(value)
    given = {
        argument.name: str(argument.value)
        for argument in value.arguments
        if isinstance(argument, griffe.ExprKeyword)
    }
    if "factory" in given:
        return f"{given['factory']}()"
    return given.get("default")
