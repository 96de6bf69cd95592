"""What tools take: every schema is one, and a call is sound just where the schema says so."""

import jsonschema
import pytest

from pcsf_lark.faces.mcp.arguments import schema, taken
from pcsf_lark.faces.mcp.prompts import PROMPTS
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.faces.mcp.tools import TOOLS

TABLES = {
    **{name: tool.arguments for name, tool in TOOLS.items()},
    **{f"prompt {name}": one.arguments for name, one in PROMPTS.items()},
}
ARGUMENTS = [(name, one) for name, table in TABLES.items() for one in table]
NAMES = [f"{name}-{one.name}" for name, one in ARGUMENTS]
SOUND = {
    "string": "a",
    "integer": 1,
    "boolean": True,
    "object": {},
    "strings": ["a", "b"],
    "objects": [{}],
}


def values(one):
    """Values of all kinds, at and over the argument's bounds."""
    yield from ("", "a", "é" * 10, 0, 1, -1, 1.5, 10**30, True, False, {}, {"a": 1}, [], [1])
    yield from (["a"], ["a", "b"], [{}], [[]], ["a", 1], [True])
    if one.kind == "string":
        yield from ("x" * one.most, "x" * (one.most + 1), *one.choices)
    elif one.kind == "integer":
        yield from (one.least - 1, one.least, one.most, one.most + 1)
    elif one.type == "array":
        item = {"strings": "a", "objects": {}}[one.kind]
        yield from ([item] * count for count in (one.least, one.most, one.most + 1))
        yield ["x" * (one.each + 1)] * max(one.least, 1)


def sound(one):
    return one.choices[0] if one.choices else SOUND[one.kind]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_is_a_schema(table):
    found = schema(table)
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["additionalProperties"] is False
    assert all(part["description"] for part in found["properties"].values())
    assert all(
        {"maxLength", "maximum", "maxItems", "enum"} & part.keys()
        for part in found["properties"].values()
        if part["type"] not in ("boolean", "object")
    )


@pytest.mark.parametrize(("name", "one"), ARGUMENTS, ids=NAMES)
def test_a_call_is_judged_as_its_schema_says(name, one):
    table = TABLES[name]
    validator = jsonschema.Draft202012Validator(schema(table))
    others = {other.name: sound(other) for other in table if other.required}
    for value in values(one):
        call = {**others, one.name: value}
        # To JSON Schema 1.0 is an integer; floats that are none are among the values.
        if validator.is_valid(call):
            assert taken(table, call) == call
        else:
            with pytest.raises(Refusal) as caught:
                taken(table, call)
            assert caught.value.at.startswith(one.name)
            assert caught.value.mend
            assert len(str(caught.value)) < 600


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_is_unknown_or_missing_is_named(table):
    with pytest.raises(Refusal, match=r"there is no argument 'bogus'; the arguments are \w+"):
        taken(table, {"bogus": 1})
    for one in table:
        if one.required:
            with pytest.raises(Refusal, match="is missing") as caught:
                taken(table, {})
            assert caught.value.at


def test_null_is_as_good_as_nothing():
    assert taken(TOOLS["check"].arguments, {"text": "a", "path": None}) == {"text": "a"}
