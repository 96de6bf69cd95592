"""`pcsf lsp` as an editor meets it: a real process, asked over its pipes."""

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import forks
import pytest
from lsp_client import Editor, edited, marked
from lsprotocol import types
from pygls.exceptions import JsonRpcException

import pcsf_lark
from pcsf_lark import abnf, spec
from pcsf_lark.faces.grammars import report as grammar_report
from pcsf_lark.rules._rule import BASE

BAD = (
    BASE.replace("HIGH", "high")
    .replace("online", "“online” \U0001f600")
    .replace("2026-05-04", "May")
)
GRAMMAR = "; \U0001f600 é: what it means\r\nname = Other / <OTHER> ; \U0001f600 other\r\nother = 2DIGIT missing\r\n"
COMPACT = BASE[: BASE.index("L1:")] + BASE[BASE.index("L1:") :].replace("\n\n", "\n")
NESTED = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        document_symbol=types.DocumentSymbolClientCapabilities(
            hierarchical_document_symbol_support=True
        ),
        rename=types.RenameClientCapabilities(prepare_support=True),
    )
)
GRAMMARS = sorted((Path(__file__).parents[1] / "corpus" / "grammar").glob("*.abnf"))
CAPSULES = sorted((Path(__file__).parents[1] / "corpus").rglob("*.pcsf"))
_numbers = itertools.count()


@pytest.fixture(scope="module")
def editor():
    with_nesting = Editor("--stdio", capabilities=NESTED, anew=True)
    yield with_nesting
    assert with_nesting.leave() == 0


@pytest.fixture
def session():
    """A server of its own, with whatever it is started with."""
    started = []

    def start(*arguments, **options):
        started.append(Editor(*arguments, **options))
        return started[-1]

    yield start
    for one in started:
        one.end()


def shown(editor, text, language="pcsf"):
    """A document that nobody has open yet, opened."""
    suffix = "abnf" if language == "abnf" else "pcsf"
    uri = f"file:///nowhere/{next(_numbers)}.{suffix}"
    editor.open(uri, text, language)
    return uri


def test_it_says_what_it_can(editor):
    can = editor.server
    assert can.text_document_sync.change == types.TextDocumentSyncKind.Full
    assert can.position_encoding == "utf-16"
    assert set(can.code_action_provider.code_action_kinds) == {"quickfix", "source.fixAll.pcsf"}
    assert can.rename_provider.prepare_provider
    for ability in (
        can.hover_provider,
        can.completion_provider,
        can.code_lens_provider,
        can.document_symbol_provider,
        can.folding_range_provider,
        can.document_formatting_provider,
        can.definition_provider,
        can.document_highlight_provider,
        can.selection_range_provider,
        can.semantic_tokens_provider.full,
        can.references_provider,
    ):
        assert ability


def test_findings_stand_where_they_are_in_utf_16(editor):
    uri = shown(editor, BAD)
    found = editor.findings(uri)
    report = pcsf_lark.check(BAD)
    assert [one.code for one in found] == [one.code for one in report.findings]
    data = BAD.encode()
    for one, finding in zip(found, report.findings, strict=True):
        covered = data[finding.span.offset : finding.span.end].decode()
        assert marked(BAD, one.range) == covered
        assert one.message == f"{finding.message}\n{finding.help}"
    assert any(marked(BAD, one.range) == "“" for one in found)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-32"])
def test_what_positions_count_is_as_agreed(session, encoding):
    general = types.GeneralClientCapabilities(position_encodings=[encoding])
    editor = session(capabilities=types.ClientCapabilities(general=general))
    assert editor.server.position_encoding == encoding
    uri = shown(editor, GRAMMAR, "abnf")
    (finding,) = [one for one in editor.findings(uri) if one.code == "G101"]
    assert (finding.range.start.line, finding.range.start.character) == (2, 15)
    declared = types.ReferenceContext(include_declaration=False)
    places = editor.at("textDocument/references", uri, 2, 1, context=declared)
    assert [place.range.start.character for place in places] == [7, 16]
    text = BASE.replace("replica lag |", "\U0001f600 lag |").replace("HIGH", "high")
    uri = shown(editor, text)
    before = text.split("\n")[17].partition("high")[0]
    (finding,) = [one for one in editor.findings(uri) if one.range.end.line == 17]
    width = len(before.encode()) if encoding == "utf-8" else len(before)
    face = before.index("\U0001f600")
    assert finding.code == "C1"
    assert finding.range.start.character == face
    assert finding.range.end.character == face + (4 if encoding == "utf-8" else 1)
    items = editor.at("textDocument/completion", uri, 17, width)
    assert {item.text_edit.range.start.character for item in items} == {width}


def test_every_fix_can_be_taken_alone_and_all_safe_ones_at_once(editor):
    uri = shown(editor, BAD)
    editor.findings(uri)
    actions = editor.actions(uri)
    quick = [one for one in actions if one.kind == "quickfix"]
    assert {one.diagnostics[0].code for one in quick} == {"C1", "C7"}
    for one in quick:
        after = edited(BAD, one.edit.changes[uri])
        faults = [
            sum(not letter.isascii() for letter in text)
            + sum(f.code == "C7" for f in pcsf_lark.check(text).findings)
            for text in (BAD, after)
        ]
        assert faults[1] < faults[0]
        assert bool(one.is_preferred) == ("may change the meaning" not in one.title)
    (every,) = editor.actions(uri, only=["source.fixAll"])
    assert edited(BAD, every.edit.changes[uri]).encode() == pcsf_lark.fix(BAD)
    here = types.Position(17, 45)
    (only_here,) = editor.actions(uri, types.Range(here, here), ["quickfix"])
    assert only_here.diagnostics[0].code == "C7"


@pytest.mark.parametrize(
    "text",
    [COMPACT, BASE.replace("hops=1", "hops=001").rstrip("\n"), BASE],
    ids=["compact", "zeros", "canonical"],
)
def test_formatting_gives_the_canonical_text(editor, text):
    uri = shown(editor, text)
    edits = editor.about(
        "textDocument/formatting", uri, options=types.FormattingOptions(4, insert_spaces=True)
    )
    assert edited(text, edits).encode() == pcsf_lark.format(text)


def test_what_cannot_be_formatted_is_left_and_said(editor):
    uri = shown(editor, BASE.replace("CHOICE", "CHOISE"))
    options = types.FormattingOptions(4, insert_spaces=True)
    assert editor.about("textDocument/formatting", uri, options=options) is None
    assert editor.heard("not formatted: 6:1: C7")


def test_hover_completion_lens_symbols_and_folds_of_a_capsule(editor):
    uri = shown(editor, BAD)
    editor.findings(uri)
    line = BAD.split("\n")[17]
    told = editor.at("textDocument/hover", uri, 17, line.index("high") + 1)
    assert "C7 malformed-entry" in told.contents.value
    assert marked(BAD, told.range) == "high"
    items = editor.at("textDocument/completion", uri, 17, line.index("high"))
    assert [item.label for item in items] == list(spec.PRIORITIES)
    assert edited(BAD, [items[0].text_edit]) == BAD.replace("high", "HIGH")
    titles = [lens.command.title for lens in editor.about("textDocument/codeLens", uri)]
    size = len(BAD.encode())
    assert titles[0] == f"{size} of 1,200 bytes, {spec.LIMIT - size} left"
    assert len(titles) == 6
    names = [one.name for one in editor.about("textDocument/documentSymbol", uri)]
    assert names == ["META", "CHAIN", *(layer.header for layer in spec.LAYERS), "SEED"]
    assert len(editor.about("textDocument/foldingRange", uri)) == 6


def test_a_grammar_gets_its_findings_and_names_lead_to_rules(editor):
    uri = shown(editor, GRAMMAR, "abnf")
    wanted = grammar_report(GRAMMAR, abnf.inspect(GRAMMAR)).findings
    assert [one.code for one in editor.findings(uri)] == [one.code for one in wanted]
    told = editor.at("textDocument/hover", uri, 1, 8)
    assert "other = 2DIGIT missing" in told.contents.value
    assert marked(GRAMMAR, told.range) == "Other"
    (place,) = editor.at("textDocument/definition", uri, 1, 18)
    assert marked(GRAMMAR, place.range) == "other"
    assert place.range.start.line == 2
    declared = types.ReferenceContext(include_declaration=True)
    places = editor.at("textDocument/references", uri, 2, 2, context=declared)
    assert [marked(GRAMMAR, place.range) for place in places] == ["Other", "OTHER", "other"]
    assert editor.at("textDocument/prepareRename", uri, 0, 3) is None
    area = editor.at("textDocument/prepareRename", uri, 1, 9)
    assert marked(GRAMMAR, area) == "Other"
    change = editor.at("textDocument/rename", uri, 1, 9, new_name="thing")
    after = edited(GRAMMAR, change.changes[uri])
    assert after == GRAMMAR.replace("Other", "thing").replace("OTHER", "thing").replace(
        "\nother", "\nthing"
    )
    marks = editor.at("textDocument/documentHighlight", uri, 1, 9)
    assert [(marked(GRAMMAR, one.range), one.kind.name) for one in marks] == [
        ("Other", "Read"), ("OTHER", "Read"), ("other", "Write"),
    ]  # fmt: skip
    symbols = editor.about("textDocument/documentSymbol", uri)
    assert [one.name for one in symbols] == ["name", "other"]
    items = editor.at("textDocument/completion", uri, 2, 10)
    assert {"name", "DIGIT"} <= {one.label for one in items}


def test_what_takes_long_to_find_is_told_when_the_writer_pauses(editor):
    text = 'p = "a" p "a" / "b" p "b" / ""\n'
    wanted = [one.code for one in grammar_report(text, abnf.inspect(text)).findings]
    assert "G212" in wanted
    uri = shown(editor, text, "abnf")
    editor.settled(uri, wanted)
    for version in range(2, 9):
        editor.change(uri, version, text + "; x" * version)
    editor.settled(uri, wanted, 8)
    told = [one.version for one in editor.published[uri]]
    assert told == sorted(told)
    assert told.count(8) == 2
    assert all(told.count(version) < 2 for version in range(2, 8))


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_the_findings_of_a_grammar_are_those_of_its_check(editor, path):
    text = path.read_bytes().decode()
    wanted = grammar_report(text, abnf.inspect(text)).findings
    uri = shown(editor, text, "abnf")
    told = editor.settled(uri, [one.code for one in wanted])
    data = text.encode()
    for one, finding in zip(told, wanted, strict=True):
        covered = data[finding.span.offset : finding.span.end].decode()
        assert marked(text, one.range) == covered


def coloured(editor, uri, text):
    """The pieces that the server colours, each with what it is."""
    legend = editor.server.semantic_tokens_provider.legend.token_types
    data = editor.about("textDocument/semanticTokens/full", uri).data
    found, line, character = [], 0, 0
    for down, right, length, colour, _ in zip(*[iter(data)] * 5, strict=True):
        line, character = line + down, right if down else character + right
        ends = (types.Position(line, character), types.Position(line, character + length))
        found.append((marked(text, types.Range(*ends)), legend[colour]))
    return found


def test_the_words_of_a_text_are_coloured_by_what_they_are(editor):
    text = BASE.replace("replica", "\U0001f600\U0001f600").replace("Index", "é\U0001f600")
    uri = shown(editor, text)
    assert coloured(editor, uri, text) == [
        ("===PCSF:v1.2===", "keyword"), ("META:", "keyword"), ("WORKING", "enumMember"),
        ("2026-05-04T09:30Z", "number"), ("CHAIN:", "keyword"), ("L1:SKELETON", "namespace"),
        ("CHOICE", "enumMember"), ("L2:NEGATIVE", "namespace"), ("L3:INTERNAL", "namespace"),
        ("UNCERTAINTY", "enumMember"), ("L4:RELATION", "namespace"), ("STYLE", "property"),
        ("L5:LOOPS", "namespace"), ("INCOMPLETE_TASK", "enumMember"), ("HIGH", "enumMember"),
        ("SEED:", "keyword"), ("===END===", "keyword"),
    ]  # fmt: skip
    text = '; \U0001f600 x\r\nname = 2Other %s"\U0001f600;" / %x41-5A <some> SP ; y\r\nother =/ name\r\n'
    uri = shown(editor, text, "abnf")
    assert coloured(editor, uri, text) == [
        ("; \U0001f600 x", "comment"), ("name", "function"), ("2", "number"), ("Other", "variable"),
        ('%s"\U0001f600;"', "string"), ("%x41-5A", "number"), ("<some>", "string"), ("SP", "type"),
        ("; y", "comment"), ("other", "function"), ("name", "variable"),
    ]  # fmt: skip


def test_a_selection_grows_from_the_field_to_the_file(editor):
    uri = shown(editor, BASE)
    line = BASE.split("\n")[5]
    place = types.Position(5, line.index("online"))
    (found,) = editor.about("textDocument/selectionRange", uri, positions=[place])
    texts = []
    while found:
        texts.append(marked(BASE, found.range))
        found = found.parent
    fact = line.split(" | ")[1]
    assert texts == [fact, line, f"L1:SKELETON\n{line}", BASE]
    uri = shown(editor, GRAMMAR, "abnf")
    places = [types.Position(1, 8), types.Position(0, 3)]
    inner, outer = editor.about("textDocument/selectionRange", uri, positions=places)
    assert marked(GRAMMAR, inner.range) == "Other"
    assert marked(GRAMMAR, inner.parent.range).startswith("name = Other")
    assert marked(GRAMMAR, inner.parent.parent.range) == GRAMMAR
    assert marked(GRAMMAR, outer.range) == GRAMMAR


@pytest.mark.parametrize(
    ("new", "reason"), [("name", "defined already"), ("DIGIT", "core rule"), ("1x", "no rule name")]
)
def test_a_name_that_will_not_do_is_refused_with_a_reason(editor, new, reason):
    uri = shown(editor, GRAMMAR, "abnf")
    with pytest.raises(JsonRpcException, match=reason):
        editor.at("textDocument/rename", uri, 2, 1, new_name=new)


def test_an_editor_of_few_abilities_gets_flat_symbols_and_plain_text(session):
    shown_as = types.HoverClientCapabilities(content_format=[types.MarkupKind.PlainText])
    few = types.TextDocumentClientCapabilities(hover=shown_as)
    editor = session(capabilities=types.ClientCapabilities(text_document=few))
    uri = shown(editor, BASE)
    told = editor.at("textDocument/hover", uri, 5, 2).contents
    assert told.kind == types.MarkupKind.PlainText
    assert (
        told.value == "L1 type: What kind of turn this was.\n\nCHOICE: one way taken among several."
    )
    symbols = editor.about("textDocument/documentSymbol", uri)
    assert symbols[3].location.uri == uri
    assert (symbols[3].name, symbols[3].container_name) == ("CHOICE", "L1:SKELETON")


def test_the_findings_are_those_of_the_last_version(editor):
    uri = shown(editor, BASE)
    for version in range(2, 60):
        editor.change(uri, version, BASE if version % 2 else BAD)
    assert editor.findings(uri, 59) == ()
    told = editor.published[uri]
    assert [one.version for one in told] == sorted(one.version for one in told)
    assert [bool(one.diagnostics) for one in told] == [one.version % 2 == 0 for one in told]


def test_of_a_grammar_that_changes_fast_the_last_version_is_told(editor):
    uri = shown(editor, "a = b\n", "abnf")
    for version in range(2, 40):
        editor.change(uri, version, f"a = b{version}\n")
    (finding,) = editor.findings(uri, 39)
    assert "`b39`" in finding.message
    told = [one.version for one in editor.published[uri]]
    assert told == sorted(told)
    assert told[-1] == 39


def test_nothing_is_said_of_a_grammar_after_it_was_closed(editor):
    uri = shown(editor, "a = b\n" * 300, "abnf")
    editor.close(uri)
    other = shown(editor, "a = c\n", "abnf")
    editor.findings(other)
    assert not editor.published[uri][-1].diagnostics
    time.sleep(0.6)  # longer than what is looked for in a pause waits
    assert not editor.published[uri][-1].diagnostics


def test_changes_of_a_part_are_understood_although_not_asked_for(editor):
    uri = shown(editor, BAD)
    line = BAD.split("\n")[17]
    start = types.Position(17, line.index("high"))
    end = types.Position(17, line.index("high") + 4)
    part = types.TextDocumentContentChangePartial(types.Range(start, end), "HIGH")
    editor.change(uri, 2, part)
    assert "C7" not in {one.code for one in editor.findings(uri, 2)}


def test_line_ends_that_python_alone_knows_move_nothing(editor):
    text = BASE.replace("replica", "rep\x0b\u2028\x85lica").replace("HIGH", "high")
    uri = shown(editor, text)
    found = [one for one in editor.findings(uri) if one.code == "C1"]
    assert {one.range.start.line for one in found} == {11, 17, 19}
    assert all(
        not marked(text, one.range).isascii() or "\x0b" in marked(text, one.range) for one in found
    )
    capsule = BASE.replace("HIGH", "high").replace("\n", "\r\n")
    uri = shown(editor, capsule)
    first = editor.findings(uri)[0]
    assert (first.code, first.range.start.line) == ("C1", 0)
    (every,) = editor.actions(uri, only=["source.fixAll"])
    assert edited(capsule, every.edit.changes[uri]).encode() == pcsf_lark.fix(capsule)


def test_huge_documents_get_their_size_alone(editor):
    uri = shown(editor, BASE + "x" * spec.READ_LIMIT)
    (finding,) = editor.findings(uri)
    assert finding.code == "C2"
    assert not editor.actions(uri)
    assert editor.at("textDocument/hover", uri, 5, 2) is None
    assert not editor.at("textDocument/completion", uri, 5, 2)
    assert len(editor.about("textDocument/codeLens", uri)) == 1
    assert not editor.about("textDocument/documentSymbol", uri)
    uri = shown(editor, "; x\n" * spec.READ_LIMIT, "abnf")
    (finding,) = editor.findings(uri)
    assert finding.code == "G217"
    assert editor.at("textDocument/definition", uri, 0, 0) is None


def test_a_fault_in_one_request_is_its_own(session):
    editor = session()
    uri = shown(editor, BASE)
    with pytest.raises(JsonRpcException, match="Method Not Found"):
        editor.ask("textDocument/nothing", {})
    for line, character in [(10**9, 0), (0, 10**9), (5, 10**9)]:
        for method in ("textDocument/hover", "textDocument/completion"):
            editor.at(method, uri, line, character)
    assert editor.at("textDocument/hover", "file:///not/open.pcsf", 0, 0) is None
    assert not editor.at("textDocument/completion", "file:///etc/passwd", 0, 0)
    assert not editor.actions("file:///not/open.pcsf")
    editor.change("file:///not/open.pcsf", 2, "x")
    editor.close("file:///not/open.pcsf")
    uri = shown(editor, BAD)
    assert editor.findings(uri)
    assert editor.leave() == 0


@pytest.mark.parametrize("first", [0, 5])
def test_capsules_are_judged_and_mended_as_on_the_command_line(editor, first):
    """Each capsule of the corpus that can be text in an editor, a fifth of them."""
    for path in CAPSULES[first::10]:
        data = path.read_bytes()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        if len(data) > spec.READ_LIMIT:
            continue
        uri = shown(editor, text)
        findings = pcsf_lark.check(data).findings
        told = editor.findings(uri)
        assert [(one.code, one.message.split("\n")[0]) for one in told] == [
            (one.code, one.message.split("\n")[0]) for one in findings
        ], path
        mended = pcsf_lark.fix(data).decode()
        every = editor.actions(uri, only=["source.fixAll"])
        assert (edited(text, every[0].edit.changes[uri]) if every else text) == mended, path
        editor.change(uri, 2, mended)
        assert not editor.actions(uri, only=["source.fixAll"]), path
        editor.close(uri)


def test_files_of_configurations_are_watched_where_the_editor_can(session, tmp_path):
    able = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    workspace = types.WorkspaceClientCapabilities(did_change_watched_files=able)
    editor = session(capabilities=types.ClientCapabilities(workspace=workspace))
    editor.registered("workspace/didChangeWatchedFiles")
    watched = editor.registrations[0].register_options
    assert [one["globPattern"] for one in watched["watchers"]] == [
        "**/pcsf.toml",
        "**/pyproject.toml",
    ]
    uri = (tmp_path / "a.pcsf").as_uri()
    editor.open(uri, BAD)
    assert "C7" in {one.code for one in editor.findings(uri)}
    (tmp_path / "pcsf.toml").write_text('ignore = ["C7"]\n')
    change = types.FileEvent((tmp_path / "pcsf.toml").as_uri(), types.FileChangeType.Created)
    editor.tell("workspace/didChangeWatchedFiles", types.DidChangeWatchedFilesParams([change]))
    editor.settled(uri, [one.code for one in pcsf_lark.check(BAD, ignore=["C7"]).findings])


def test_a_configuration_may_be_written_in_the_editor_or_beside_it(session, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.pcsf]\nignore = ["C7"]\n')
    editor = session()
    uri = (tmp_path / "a.pcsf").as_uri()
    editor.open(uri, BAD)
    assert "C7" not in {one.code for one in editor.findings(uri)}
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    editor.tell("workspace/didChangeConfiguration", types.DidChangeConfigurationParams({}))
    editor.settled(uri, [one.code for one in pcsf_lark.check(BAD).findings])


@pytest.mark.skipif(os.name != "posix", reason="processes cannot be looked for elsewhere")
def test_it_ends_with_the_process_of_its_editor_though_the_pipe_stays_open(session):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        editor = session(process=process.pid)
        uri = shown(editor, BASE)
        assert editor.findings(uri) == ()
        process.kill()
    assert editor.gone() == 1


def test_a_process_that_cannot_be_seen_is_not_waited_for(session):
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    editor = session(process=process.pid)
    time.sleep(2.5)  # longer than between two looks
    uri = shown(editor, BASE)
    assert editor.findings(uri) == ()
    assert editor.leave() == 0


def test_it_ends_with_its_editor(session):
    editor = session()
    editor.tell("exit")
    assert editor.gone() == 1
    editor = session()
    editor.client._server.stdin.close()
    assert editor.gone() == 1


def test_it_ends_at_once_while_a_grammar_is_looked_into(session):
    editor = session()
    rules = "".join(f'r{n} = *( r{n + 1} / "a" ) [ r{n + 1} ]\n' for n in range(400))
    shown(editor, rules + 'r400 = "b"\n', "abnf")
    assert editor.leave() == 0


def test_the_configuration_above_the_file_holds(session, tmp_path):
    (tmp_path / "pcsf.toml").write_text(
        'ignore = ["C7"]\nexclude = ["old/"]\n[severity]\nC1 = "info"\n'
    )
    editor = session()
    uri = (tmp_path / "a.pcsf").as_uri()
    editor.open(uri, BAD)
    found = editor.findings(uri)
    assert "C7" not in {one.code for one in found}
    assert types.DiagnosticSeverity.Information in {o.severity for o in found if o.code == "C1"}
    old = (tmp_path / "old" / "b.pcsf").as_uri()
    editor.open(old, BAD)
    assert editor.findings(old) == ()
    (tmp_path / "pcsf.toml").write_text("")
    saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri))
    editor.tell("textDocument/didSave", saved)
    editor.change(uri, 2, BAD)
    assert "C7" in {one.code for one in editor.findings(uri, 2)}
    (tmp_path / "pcsf.toml").write_text("selekt = []\n")
    editor.tell("textDocument/didSave", saved)
    assert editor.heard("unknown key; did you mean 'select'?")
    editor.change(uri, 3, BAD)
    assert "C7" in {one.code for one in editor.findings(uri, 3)}


def test_a_rule_from_outside_that_fails_leaves_the_others(session, tmp_path):
    package = tmp_path / "acme_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text(
        '"""It holds."""\n'
        "from pcsf_lark import Severity\n"
        'CODE, NAME, SEVERITY, SECTION, SINCE = "ACME1", "broken", Severity.ERROR, "1", "1.0"\n'
        "GOOD = BAD = ()\n"
        "def check(subject):\n"
        "    raise RuntimeError('it broke')\n"
    )
    info = tmp_path / "acme_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pcsf.rules]\nacme = acme_rules.broken\n")
    editor = session(environment={"PYTHONPATH": str(tmp_path)})
    uri = shown(editor, BAD)
    assert {"C1", "C4", "C7"} <= {one.code for one in editor.findings(uri)}
    assert editor.heard("rule ACME1 of package acme-rules: it failed")
    (package / "broken.py").write_text("raise RuntimeError('at import')\n")
    editor = session(environment={"PYTHONPATH": str(tmp_path)})
    uri = shown(editor, BAD)
    editor.findings(uri)
    assert editor.heard("at import")


def test_without_the_extra_it_names_the_command_that_brings_it(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['pygls'] = None\n")
    done = subprocess.run(
        [sys.executable, "-m", "pcsf_lark", "lsp"],
        capture_output=True,
        text=True,
        input="",
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "pip install 'pcsf-lark[lsp]'" in done.stderr
    assert not done.stdout


def test_a_configuration_that_cannot_be_used_is_trouble(tmp_path):
    (tmp_path / "bad.toml").write_text("nonsense = 1\n")
    done = forks.run(["lsp", "--config", tmp_path / "bad.toml"], text=True)
    assert done.returncode == 2
    assert "nonsense" in done.stderr
