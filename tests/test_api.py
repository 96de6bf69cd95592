"""The public surface: names, types, values, errors, places."""

import copy
import doctest
import importlib.metadata
import pickle

import attrs
import pytest

import pcsf_lark
from pcsf_lark import Source
from pcsf_lark.rules._rule import BASE


def test_every_public_name_is_there():
    for name in pcsf_lark.__all__:
        assert getattr(pcsf_lark, name) is not None
    assert sorted(pcsf_lark.__all__) == pcsf_lark.__all__
    assert set(pcsf_lark.__all__) <= set(dir(pcsf_lark))
    with pytest.raises(AttributeError, match="nothing"):
        pcsf_lark.nothing  # noqa: B018 - the access is the test


def test_docstring_example():
    assert doctest.testmod(pcsf_lark).attempted > 0
    assert doctest.testmod(pcsf_lark).failed == 0


def test_nodes_are_frozen_and_placed():
    capsule = pcsf_lark.parse(BASE)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        capsule.version = "v1"
    data = BASE.encode()
    nodes = [capsule.meta, capsule.chain, capsule.seed]
    nodes += [entry for _, entries in capsule.layers for entry in entries]
    for node in nodes:
        span = node.span
        assert data[span.offset : span.end].decode() == node.line
        assert data[: span.offset].count(b"\n") + 1 == span.line == span.end_line
        assert (span.column, span.end_column) == (1, len(node.line) + 1)
        for name, value in zip(node.FIELDS, node.values, strict=True):
            place = node.field_span(name)
            assert data[place.offset : place.end].decode() == value
            assert span.offset + place.column - 1 == place.offset
        with pytest.raises(KeyError):
            node.field_span("nothing")


def test_equality_ignores_what_d21_names():
    capsule = pcsf_lark.parse(BASE)
    compact = BASE[: BASE.index("L1:")] + BASE[BASE.index("L1:") :].replace("\n\n", "\n")
    same = [BASE[:-1], compact, BASE.replace("hops=1", "hops=001")]
    for text in same:
        assert pcsf_lark.parse(text) == capsule
        assert hash(pcsf_lark.parse(text)) == hash(capsule)
    for old, new in [("hops=1", "hops=2"), ("CHOICE", "PIVOT"), ("v1.2", "v1"), ("HIGH", "LOW")]:
        assert pcsf_lark.parse(BASE.replace(old, new)) != capsule
    assert "STYLE" in repr(capsule.relation[0])


@pytest.mark.parametrize(
    "data", [BASE, BASE.encode(), bytearray(BASE.encode()), memoryview(BASE.encode())], ids=type
)
def test_text_and_bytes_alike(data):
    assert pcsf_lark.parse(data) == pcsf_lark.parse(BASE)
    assert pcsf_lark.check(data).bytes == len(BASE)
    assert pcsf_lark.conformant(data)


def test_lone_surrogates_are_judged_not_raised():
    report = pcsf_lark.check(BASE.replace("online", "on\udc80line", 1))
    assert [finding.code for finding in report.findings] == ["C1"]


def test_capsule_error_carries_every_diagnostic():
    with pytest.raises(pcsf_lark.CapsuleError) as caught:
        pcsf_lark.parse(BASE.replace("CHOICE", "choice").replace("HIGH", "NOW"))
    assert [finding.code for finding in caught.value.diagnostics] == ["C7", "C7"]
    text = str(caught.value)
    assert "6:1" in text
    assert "did you mean CHOICE" in text
    assert isinstance(caught.value, ValueError)


def test_what_is_no_text_is_misuse():
    for wrong in (None, 5, ["x"]):
        with pytest.raises(TypeError, match="bytes or str"):
            pcsf_lark.check(wrong)


def test_one_selector_may_stand_alone():
    assert {f.code for f in pcsf_lark.check("", select="C3").findings} == {"C3"}


@pytest.mark.parametrize("verb", [pcsf_lark.parse, pcsf_lark.check, pcsf_lark.conformant])
def test_unknown_profile_is_misuse(verb):
    with pytest.raises(ValueError, match="interop, abnf, prose"):
        verb(BASE, profile="strict")


def test_report_of_a_broken_capsule():
    report = pcsf_lark.check(BASE.replace("===PCSF:v1.2===", "===PCSF:v9==="))
    assert not report.conformant
    assert (report.version, report.layout, report.bytes) == (None, "spaced", len(BASE) - 2)
    assert [line.kind.name for line in report.outline.lines()][:6] == [
        "OPEN",
        "META",
        "CHAIN",
        "BLANK",
        "HEADER",
        "ENTRY",
    ]
    assert report.worst() is pcsf_lark.Severity.ERROR


def test_outline_of_a_conformant_capsule():
    outline = pcsf_lark.check(BASE).outline
    kinds = [line.kind.name for line in outline.lines()]
    assert kinds.count("ENTRY") == 5
    assert not {"STRAY", "EXTRA", "GAP", "MUTE", "OUTSIDE", "MISPLACED"} & set(kinds)


def test_values_can_be_sent_to_another_process():
    report = pcsf_lark.check(BASE.replace("HIGH", "NOW"))
    again = pickle.loads(pickle.dumps(report))  # noqa: S301 - our own
    assert again.findings == report.findings
    assert len(again.outline) == len(report.outline)
    capsule = pcsf_lark.parse(BASE)
    assert pickle.loads(pickle.dumps(capsule)) == capsule == copy.deepcopy(capsule)  # noqa: S301
    with pytest.raises(pcsf_lark.CapsuleError) as caught:
        pcsf_lark.parse("")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


def test_version_is_the_distribution_s():
    assert pcsf_lark.__version__ == importlib.metadata.version("pcsf-lark")


def test_source_lines_and_spans():
    source = Source.of("ab\n\ncd")
    assert [source.line(i) for i in range(len(source))] == ["ab", "", "cd"]
    span = source.span(1, 5)
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 2, 3, 2)
    assert len(Source.of("")) == 0
    assert len(Source.of("\n")) == 1
    assert Source.of("").after_line(-1).line == 1
    assert Source.of("a\n").after_line(0).line == 2
