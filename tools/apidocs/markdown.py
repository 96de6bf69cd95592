"""The public names as Markdown: a table of contents, and for each name its signature and sense.

Laws: the same source gives the same text; nothing names a line of the source, so that a
page changes only with what it shows; every type and every name in a docstring that is
public leads to its place.
"""

from __future__ import annotations

import re
from posixpath import relpath
from typing import TYPE_CHECKING

import griffe

from apidocs.declaring import made_by, parameters, type_of
from apidocs.docstrings import ROOT, file_of, source_of
from apidocs.mentions import aliases, publics, used
from apidocs.public import PUBLIC
from apidocs.reading import module_says, names_of, targets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from apidocs.public import Page
    from apidocs.reading import Member, Name

__all__ = ["api", "signature"]

_WIDTH = 96
_TICKS = re.compile(r"``(.+?)``")
_SPAN = re.compile(r"(?<![`\[\w])`([A-Za-z_][\w.]*)`(?![`\w])")
_DEFAULT_WIDTH = 40
#: The most lines of a value that are shown.
_LINES = 24
_KINDS = ("function", "class", "enumeration", "exception", "value")
_PLURAL = {"class": "classes"}


def api(page: Page) -> str:
    """The text of a page's modules."""
    modules = [one for one in PUBLIC if one.page == page.path]
    parts = [_contents(page, [one.name for one in modules])]
    for module in modules:
        parts.append(f'<a id="{module.name}"></a>\n## `{module.name}`\n')
        says = _prose(module_says(module.name), page, None)
        parts.append(f"{says}\n")
        parts += [_entry(name, page) for name in names_of(module.name)]
    return "\n".join(parts).rstrip("\n") + "\n"


def _contents(page: Page, modules: Iterable[str]) -> str:
    lines = []
    for module in modules:
        lines.append(f"- [`{module}`](#{module})")
        for kind in _KINDS:
            found = [one for one in names_of(module) if one.kind == kind]
            if found:
                links = ", ".join(f"[`{one.name}`]({_link(one, page)})" for one in found)
                lines.append(f"  - {_PLURAL.get(kind, f'{kind}s')}: {links}")
    return "\n".join(lines) + "\n"


def _link(name: Name, page: Page) -> str:
    """Where a name is shown, from a page."""
    there = next(one.page for one in PUBLIC if one.name == name.module)
    away = "" if there == page.path else relpath(there, page.path.rpartition("/")[0])
    return f"{away}#{name.path}"


def _entry(name: Name, page: Page) -> str:
    parts = [f'<a id="{name.path}"></a>\n### `{name.name}`\n']
    parts.append(f"```py\n{signature(name)}\n```\n")
    if name.says:
        parts.append(f"{_prose(name.says, page, name)}\n")
    parts += _tables(name, page)
    parts += [_method(one, name, page) for one in name.members if one.kind == "method"]
    parts.append(f"{_footer(name, page)}\n")
    return "\n".join(parts)


def _footer(name: Name, page: Page) -> str:
    source = file_of(name.obj).relative_to(ROOT).as_posix()
    line = f"<sub>[{source}]({relpath(source, page.path.rpartition('/')[0])})"
    shown = used(name)
    if shown:
        line += "; see " + ", ".join(f"[`{one.name}`]({_link(one, page)})" for one in shown)
    for alias_name, meaning in aliases(name):
        line += f"; `{alias_name}` is `{meaning}`"
    return f"{line}</sub>"


def signature(name: Name) -> str:
    """A name as it would be declared, with types."""
    obj = name.obj
    if isinstance(obj, griffe.Function):
        overloads = getattr(obj.parent, "overloads", {}).get(obj.name) or [obj]
        return "\n".join(_function(one, name.name) for one in overloads)
    if isinstance(obj, griffe.Class):
        bases = ", ".join(str(base) for base in obj.bases)
        declared = f"class {name.name}({bases})" if bases else f"class {name.name}"
        made = made_by(name)
        return f"{declared}\n{_call(name.name, made, None)}" if made is not None else declared
    return f"{name.name}: {type_of(obj)}" if type_of(obj) else _value(name)


def _value(name: Name) -> str:
    value = getattr(name.obj, "value", None)
    text = " ".join(str(value).split())
    if len(text) <= _WIDTH:
        return f"{name.name} = {text}"
    written = source_of(name.obj)
    return written if written.count("\n") < _LINES else f"{name.name} = ..."


def _function(obj: griffe.Function, name: str, *, method: bool = False) -> str:
    given = list(obj.parameters)
    if method and "staticmethod" not in obj.labels:
        del given[0]
    return _call(name, parameters(given), obj.returns)


def _call(name: str, pieces: list[str], returns: object) -> str:
    result = f" -> {returns}" if returns is not None else ""
    line = f"{name}({', '.join(pieces)}){result}"
    if len(line) <= _WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {piece},\n" for piece in pieces) + f"){result}"


def _tables(name: Name, page: Page) -> list[str]:
    fields = [one for one in name.members if one.kind in ("field", "property", "constant")]
    members = [one for one in name.members if one.kind == "member"]
    found = []
    if members:
        rows = [
            (f"`{one.name}`", _code(one.default or ""), _prose(one.says, page, name))
            for one in members
        ]
        found.append(_table(("member", "value", "meaning"), rows))
    if fields:
        rows = [
            (
                f"`{one.name}`",
                _typed(one, page),
                _prose(_sense(one), page, name),
            )
            for one in fields
        ]
        found.append(_table(("attribute", "type", "meaning"), rows))
    return found


def _sense(one: Member) -> str:
    says = " ".join(one.says.split())
    if one.default is None or one.kind != "field":
        return says
    short = len(one.default) <= _DEFAULT_WIDTH
    told = f"Default `{one.default}`." if short else "Has a default."
    return f"{says} {told}".strip()


def _typed(one: Member, page: Page) -> str:
    written = _code(type_of(one.obj))
    known = publics(getattr(one.obj, "annotation", None))
    return f"[{written}]({_link(known[0], page)})" if known and written else written


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table; a column in which nothing stands is left out."""
    found = list(rows)
    kept = [i for i in range(len(head)) if any(row[i] for row in found)]
    lines = [[head[i] for i in kept], ["---"] * len(kept)]
    lines += [[row[i].replace("|", "\\|") for i in kept] for row in found]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _method(one: Member, name: Name, page: Page) -> str:
    assert isinstance(one.obj, griffe.Function)  # noqa: S101 - what a method is
    kind = "classmethod " if "classmethod" in one.obj.labels else ""
    declared = _function(one.obj, f"{name.name}.{one.name}", method=True)
    return f"```py\n{kind}{declared}\n```\n\n{_prose(one.says, page, name)}\n"


def _prose(text: str, page: Page, name: Name | None) -> str:
    """A docstring as Markdown: examples fenced, names that are public linked."""
    own = {one.name for one in name.members} | {name.name} if name else set()
    module = name.module if name else None
    blocks = []
    for block in re.split(r"\n\n+", text.strip()):
        if block.lstrip().startswith(">>>"):
            blocks.append(f"```pycon\n{block}\n\n```")
        elif block.startswith("    ") or re.match(r"\| |=+ =", block):
            blocks.append(block)
        else:
            linked = _SPAN.sub(_linker(page, module, own), _TICKS.sub(r"`\1`", block))
            blocks.append(linked)
    return "\n\n".join(blocks)


def _linker(page: Page, module: str | None, own: set[str]) -> Callable[[re.Match[str]], str]:
    by_path = {one.path: one for one in targets().values()}

    def link(found: re.Match[str]) -> str:
        text = found[1]
        if text in own:
            return found[0]
        near = module or next(one.name for one in PUBLIC if one.page == page.path)
        known = by_path.get(f"{near}.{text}") or by_path.get(text)
        return f"[`{text}`]({_link(known, page)})" if known else found[0]

    return link
