"""The public names as the source tells them: griffe reads it, and nothing is imported.

So names are found that a package loads when they are first used, and the pages are
the same whatever is installed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import griffe
from attrs import field, frozen

from apidocs.public import PUBLIC

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "ROOT",
    "Member",
    "Name",
    "defined",
    "file_of",
    "module_says",
    "names",
    "names_of",
    "targets",
]

ROOT = Path(__file__).resolve().parent.parent.parent
_ROOTS = ("pcsf_lark", "cso", "kernel")


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


@cache
def _modules() -> griffe.ModulesCollection:
    loader = griffe.GriffeLoader(search_paths=[ROOT], allow_inspection=False)
    for root in _ROOTS:
        loader.load(root)
    loader.resolve_aliases(external=False)
    return loader.modules_collection


def names() -> Iterator[Name]:
    """Every public name, module by module."""
    for module in PUBLIC:
        yield from names_of(module.name)


@cache
def names_of(module: str) -> tuple[Name, ...]:
    """The names of one module's `__all__`, in its order; raises LookupError for a missing one."""
    found = _modules()[module]
    return tuple(_name(module, str(name), _target(found, str(name))) for name in found.exports)


@cache
def module_says(module: str) -> str:
    """A module's docstring."""
    docstring = _modules()[module].docstring
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
    try:
        return _final(_modules()[path]).canonical_path
    except (KeyError, griffe.AliasResolutionError, griffe.CyclicAliasError):
        return path


def _target(module: griffe.Object, name: str) -> griffe.Object:
    found = _final(module.members[name])
    if found.is_module:  # one that can be called: `draft`
        found = _final(found.members[name])
    return found


def _final(found: griffe.Object | griffe.Alias) -> griffe.Object:
    return found.final_target if isinstance(found, griffe.Alias) else found


def _name(module: str, name: str, obj: griffe.Object) -> Name:
    if isinstance(obj, griffe.Class):
        says, meanings = _sections(obj)
        kind = _kind(obj)
        members = tuple(_members(obj, meanings, kind))
        return Name(module, name, kind, obj, says, members)
    if isinstance(obj, griffe.Function):
        return Name(module, name, "function", obj, obj.docstring.value if obj.docstring else "")
    return Name(module, name, "value", obj, _comment(obj))


def _kind(obj: griffe.Class) -> str:
    bases = {str(base) for one in (obj, *_bases(obj)) for base in one.bases}
    if any(base.rpartition(".")[2] in ("Enum", "StrEnum", "IntEnum") for base in bases):
        return "enumeration"
    builtin = ("Exception", "ValueError", "TypeError", "KeyError", "RuntimeError", "OSError")
    return "exception" if any(base in builtin for base in bases) else "class"


def _bases(obj: griffe.Class) -> list[griffe.Class]:
    """The bases within the packages, the nearest first."""
    return list(obj.mro())


def _sections(obj: griffe.Class) -> tuple[str, dict[str, str]]:
    """A class's docstring in two: what is said of it, and of its attributes."""
    meanings: dict[str, str] = {}
    for base in reversed(_bases(obj)):
        meanings |= _sections(base)[1]
    if obj.docstring is None:
        return "", meanings
    for section in griffe.parse_google(obj.docstring, warnings=False):
        if isinstance(section, griffe.DocstringSectionAttributes):
            meanings |= {one.name: " ".join(one.description.split()) for one in section.value}
    lines = obj.docstring.value.split("\n")
    if "Attributes:" in lines:
        start = lines.index("Attributes:")
        after = start + 1
        while after < len(lines) and (not lines[after] or lines[after].startswith(" ")):
            after += 1
        lines[start:after] = []
    return "\n".join(lines).strip(), meanings


def _members(obj: griffe.Class, meanings: dict[str, str], kind: str) -> Iterator[Member]:
    seen: dict[str, griffe.Object] = {}
    for base in (*reversed(_bases(obj)), obj):
        seen |= {
            name: _final(one)
            for name, one in base.members.items()
            if not name.startswith("_") and not one.is_class
        }
    for name, one in seen.items():
        own = one.docstring.value if one.docstring else ""
        if isinstance(one, griffe.Function):
            yield Member(name, "method", one, own, None)
        elif isinstance(one, griffe.Attribute):
            says = own or meanings.get(name, "") or _comment(one)
            given = _given(obj, name) if one.annotation is None and kind != "enumeration" else None
            if given is not None:  # set in `__init__` from the parameter of its name
                one.annotation = given.annotation
            yield Member(name, _sort(one, kind), one, says, None if given else _default(one))


def _given(obj: griffe.Class, name: str) -> griffe.Parameter | None:
    """The parameter of the constructor that an attribute has its name from."""
    made = obj.all_members.get("__init__")
    made = None if made is None else _final(made)
    if isinstance(made, griffe.Function) and name in made.parameters:
        return made.parameters[name]
    return None


def _sort(one: griffe.Attribute, kind: str) -> str:
    if "property" in one.labels:
        return "property"
    if kind == "enumeration" and one.annotation is None:
        return "member"
    return "field" if "instance-attribute" in one.labels else "constant"


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


def _comment(obj: griffe.Object) -> str:
    """The `#:` comment over an assignment."""
    if obj.docstring is not None:
        return obj.docstring.value
    lines: list[str] = []
    above = obj.lines_collection[file_of(obj)][: (obj.lineno or 1) - 1]
    for line in reversed(above):
        if not line.lstrip().startswith("#:"):
            break
        lines.insert(0, line.lstrip().removeprefix("#:").strip())
    return " ".join(lines)


def file_of(obj: griffe.Object) -> Path:
    """The file that a thing stands in."""
    path = obj.filepath
    if isinstance(path, list):  # a package without a file of its own; ours have one
        raise TypeError(f"{obj.path} stands in no file")
    return path
