"""`pcsf lsp` and messages that no client library would send, as bytes.

The whole conversation is said at once, then the stream ends; what came back is
looked at. Nothing may ever be on standard error.
"""

import io
import json

import forks
import pytest

from pcsf_lark.faces.lsp import protocol
from pcsf_lark.rules._rule import BASE

URI = "file:///a.pcsf"
PLACE = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 1}}
AREA = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
#: What each request takes.
REQUESTS = {
    "textDocument/hover": PLACE,
    "textDocument/completion": PLACE,
    "textDocument/codeLens": {"textDocument": {"uri": URI}},
    "textDocument/semanticTokens/full": {"textDocument": {"uri": URI}},
    "textDocument/documentSymbol": {"textDocument": {"uri": URI}},
    "textDocument/foldingRange": {"textDocument": {"uri": URI}},
    "textDocument/selectionRange": {
        "textDocument": {"uri": URI},
        "positions": [PLACE["position"]],
    },
    "textDocument/codeAction": {
        "textDocument": {"uri": URI},
        "range": AREA,
        "context": {"diagnostics": []},
    },
    "textDocument/formatting": {
        "textDocument": {"uri": URI},
        "options": {"tabSize": 4, "insertSpaces": True},
    },
    "textDocument/definition": PLACE,
    "textDocument/references": {**PLACE, "context": {"includeDeclaration": True}},
    "textDocument/documentHighlight": PLACE,
    "textDocument/prepareRename": PLACE,
    "textDocument/rename": {**PLACE, "newName": "x"},
}
INVALID_REQUEST, INVALID_PARAMS, UNKNOWN, UNREADABLE, NOT_YET = (
    -32600,
    -32602,
    -32601,
    -32700,
    -32002,
)


def frame(body):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def ask(number, method, params=None):
    return frame({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def tell(method, params=None):
    return frame({"jsonrpc": "2.0", "method": method, "params": params})


def opened(uri=URI, text=BASE, language="pcsf", version=1):
    document = {"uri": uri, "languageId": language, "version": version, "text": text}
    return tell("textDocument/didOpen", {"textDocument": document})


BEGIN = ask("begin", "initialize", {"processId": None, "capabilities": {}}) + tell(
    "initialized", {}
)
END = ask("end", "shutdown") + tell("exit")


def talk(*parts):
    """What comes back, and the exit code."""
    done = forks.run(["lsp", "--isolated"], input=b"".join(parts))
    assert done.stderr == b""
    stream, found = io.BytesIO(done.stdout), []
    while header := stream.readline():
        assert header.startswith(b"Content-Length: ")
        while stream.readline().strip():
            pass
        found.append(json.loads(stream.read(int(header[15:]))))
    assert not [one for one in found if one.get("method") == "window/logMessage"]
    return found, done.returncode


def errors(found):
    """The errors answered, as pairs of id and code."""
    return [(one["id"], one["error"]["code"]) for one in found if "error" in one]


#: Messages, and what is answered to each: the id and the code.
MESSAGES = [
    (b"{not json", (None, UNREADABLE)),
    (b'"\xff\xfe"', (None, UNREADABLE)),
    (b"[" * 100_000 + b"]" * 100_000, (None, UNREADABLE)),
    (b'{"jsonrpc":"2.0","id":%s,"method":"x"}' % (b"9" * 5_000), (None, UNREADABLE)),
    (b"null", (None, INVALID_REQUEST)),
    (b"[]", (None, INVALID_REQUEST)),
    (b'[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]', (None, INVALID_REQUEST)),
    (b"{}", (None, INVALID_REQUEST)),
    (b'{"jsonrpc":"1.0","id":1,"method":"shutdown"}', (1, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0"}', (None, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":1}', (1, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":null,"method":"shutdown"}', (None, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":true,"method":"shutdown"}', (None, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}', (None, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":{},"method":"shutdown"}', (None, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', (1, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":1,"method":[]}', (1, INVALID_REQUEST)),
    (b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', (1, UNKNOWN)),
    (b'{"jsonrpc":"2.0","id":1,"method":"$/no"}', (1, UNKNOWN)),
    (b'{"jsonrpc":"2.0","id":"1","method":"workspace/executeCommand","params":{"command":""}}',
     ("1", INVALID_PARAMS)),
    (b'{"jsonrpc":"2.0","method":7}', None),
    (b'{"jsonrpc":"2.0","method":"no/such"}', None),
    (b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}', None),
    (b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}', None),
    (b'{"jsonrpc":"2.0","method":"$/cancelRequest"}', None),
    (b'{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"loud"}}', None),
    (b'{"jsonrpc":"2.0","id":[],"result":1}', None),
    (b'{"jsonrpc":"2.0","id":3,"result":1}', None),
    (b'{"jsonrpc":"2.0","id":3,"error":5}', None),
    (b'{"jsonrpc":"2.0","method":"workspace/didSomething","params":{"jsonrpc":"2","id":9}}', None),
    (b'{"jsonrpc":"2.0","method":"initialized","params":{"jsonrpc":"2.0","method":"exit"}}', None),
]  # fmt: skip


def test_no_message_ends_the_session():
    said = [
        frame(body) + ask(f"after {n}", "textDocument/hover", PLACE)
        for n, (body, _) in enumerate(MESSAGES)
    ]
    found, code = talk(BEGIN, *said, END)
    answers = [one for one in found if "id" in one]
    wanted = ["begin"]
    for number, (_, answer) in enumerate(MESSAGES):
        wanted += [*([answer] if answer else []), f"after {number}"]
    assert [
        (one["id"], one["error"]["code"]) if "error" in one else one["id"] for one in answers
    ] == [*wanted, "end"]
    assert code == 0


def test_headers_have_no_case_and_no_fixed_order():
    body = frame({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}).partition(b"\r\n\r\n")[2]
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    for head in (
        b"content-length:%d\r\n",
        kind + b"Content-Length: %d\r\n",
        b"CONTENT-LENGTH:  %d\r\n" + kind,
    ):
        found, code = talk(BEGIN, head % len(body), b"\r\n", body, tell("exit"))
        assert [one for one in found if one.get("id") == 1]
        assert code == 0


NOISE = [
    b"Content-Length: 0\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Content-Length: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n", b"\0\xff\n\n\r\n", b"x" * 100_000 + b"\r\n",
    b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n",
]  # fmt: skip


def test_what_is_no_frame_is_passed_over():
    said = [one + ask(number, "textDocument/hover", PLACE) for number, one in enumerate(NOISE)]
    found, code = talk(BEGIN, *said, END)
    assert [one["id"] for one in found] == ["begin", *range(len(NOISE)), "end"]
    assert code == 0


class Zeros:
    """A stream without end."""

    def __init__(self):
        self.most = self.total = 0

    def read(self, size):
        self.most, self.total = max(self.most, size), self.total + size
        return bytes(size)


@pytest.mark.parametrize("size", [protocol.MAX_MESSAGE + 1, 3 * protocol.MAX_MESSAGE])
def test_a_message_too_long_is_passed_over_in_little_memory(size):
    stream = Zeros()
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(protocol.Frames(stream).read(size))
    assert stream.total == size
    assert stream.most < protocol.MAX_MESSAGE / 50


@pytest.mark.parametrize("size", [10**9, 10**17])
def test_a_message_that_never_comes_is_not_made_room_for(size):
    found, code = talk(BEGIN, b"Content-Length: %d\r\n\r\n{}" % size)
    assert errors(found) == [(None, UNREADABLE)]
    assert code == 1


def test_a_stream_that_ends_within_a_message_ends_the_session():
    _, code = talk(BEGIN, b'Content-Length: 500\r\n\r\n{"json')
    assert code == 1


def test_before_initialize_and_after_shutdown_requests_are_refused_and_the_rest_is_dropped():
    found, code = talk(
        ask(1, "textDocument/hover", PLACE),
        ask(2, "shutdown"),
        opened(),
        BEGIN,
        ask(3, "textDocument/hover", PLACE),
        ask(4, "initialize", {"processId": None, "capabilities": {}}),
        ask("end", "shutdown"),
        opened(),
        ask(5, "textDocument/hover", PLACE),
        ask(6, "initialize", {"processId": None, "capabilities": {}}),
        tell("exit"),
    )
    assert errors(found) == [
        (1, NOT_YET), (2, NOT_YET), (4, INVALID_REQUEST), (5, INVALID_REQUEST), (6, INVALID_REQUEST),
    ]  # fmt: skip
    assert not [one for one in found if "method" in one]
    assert code == 0


@pytest.mark.parametrize("before", [b"", BEGIN])
def test_exit_without_shutdown_is_told_by_the_exit_code(before):
    assert talk(before, tell("exit"))[1] == 1


@pytest.mark.parametrize("params", [None, {}, [], {"any": 1}])
def test_shutdown_is_understood_with_whatever_parameters(params):
    found, code = talk(BEGIN, ask(1, "shutdown", params), tell("exit"))
    assert found[-1] == {"jsonrpc": "2.0", "id": 1, "result": None}
    assert code == 0


def test_parameters_that_do_not_fit_are_refused_with_the_place():
    def spoiled(params):
        yield from (None, [], {}, 5, "x", [1], {"textDocument": None})
        for name in params:
            yield {key: value for key, value in params.items() if key != name}
            yield {**params, name: None}
            yield {**params, name: 5}
        yield {**params, "textDocument": {"uri": 5}}

    asked = [
        ask(f"{method} {number}", method, params)
        for method, whole in REQUESTS.items()
        for number, params in enumerate(spoiled(whole))
    ]
    found, code = talk(BEGIN, opened(), *asked, ask("last", "textDocument/hover", PLACE), END)
    refused = [one["error"] for one in found if "error" in one]
    assert len(found) == len(asked) + 4  # and each is answered
    assert len(refused) > 0.9 * len(asked)
    assert {one["code"] for one in refused} == {INVALID_PARAMS}
    assert any("$.params.textDocument.uri" in one["message"] for one in refused)
    assert found[-2]["result"]["contents"]
    assert code == 0


def test_notifications_that_do_not_fit_are_dropped():
    which = {"uri": URI, "version": 2}
    bad = (
        None, [], {}, 5, {"textDocument": None}, {"textDocument": {"uri": 5}},
        {"textDocument": which, "contentChanges": 5}, {"textDocument": which, "contentChanges": [5]},
        {"textDocument": which, "contentChanges": [{"range": {"start": 5}, "text": "x"}]},
        {"textDocument": {"uri": URI, "version": "2"}, "contentChanges": {"text": "x"}},
        {"textDocument": {"uri": URI, "languageId": "pcsf", "version": 3, "text": None}},
    )  # fmt: skip
    told = [
        tell(f"textDocument/{name}", one)
        for name, few in (
            ("didOpen", bad),
            ("didChange", bad),
            ("didClose", bad[:6]),
            ("didSave", bad),
        )
        for one in few
    ]
    found, code = talk(BEGIN, opened(), *told, ask(1, "textDocument/hover", PLACE), END)
    assert not errors(found)
    assert [one["result"]["contents"] for one in found if one.get("id") == 1]
    assert code == 0


def test_places_that_are_none_are_refused():
    asked = [
        ask(name, name, {**params, "position": {"line": 0, "character": character}})
        for character in (-1, 2**31, 10**30, 1e300, None, "x", [], {})
        for name, params in REQUESTS.items()
        if "position" in params
    ]
    found, code = talk(BEGIN, opened(), *asked, END)
    assert {code for _, code in errors(found)} == {INVALID_PARAMS}
    assert len(errors(found)) == len(asked)
    assert code == 0


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (None, "InitializeParams"),
        ({}, "$.params.capabilities"),
        ({"capabilities": {}, "processId": "x"}, "$.params.processId"),
        ({"capabilities": None, "processId": None}, "$.params.capabilities"),
    ],
)
def test_a_client_may_try_again_to_initialize(params, why):
    found, code = talk(ask(1, "initialize", params), BEGIN, END)
    assert errors(found) == [(1, INVALID_PARAMS)]
    assert why in found[0]["error"]["message"]
    assert "result" in found[1]
    assert code == 0


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (["utf-8"], "utf-8"), (["utf-32", "utf-16"], "utf-32"), (["klingon", "utf-8"], "utf-8"),
        (["klingon"], "utf-16"), ([], "utf-16"), (None, "utf-16"),
    ],
)  # fmt: skip
def test_the_encoding_is_the_first_that_both_know(wanted, got):
    general = {"positionEncodings": wanted} if wanted is not None else {}
    params = {"processId": None, "capabilities": {"general": general}}
    found, _ = talk(ask(1, "initialize", params), END)
    assert found[0]["result"]["capabilities"]["positionEncoding"] == got


ADDRESSES = [
    "file:///C%3A/a.pcsf", "file:///c:/a.pcsf", "file:///a b.pcsf", "file:///%C3%A9%ff.pcsf",
    "file:///x\0y.pcsf", "file:///x%00y.pcsf", "file:///\ud83d.pcsf", "file:///%", "file:", "FILE:///a",
    "file:a.pcsf", "file://host/share/x.pcsf", "file://[/x.pcsf", "http://[::1/x.pcsf", "untitled:One",
    "vscode-notebook-cell:/a#x", 'git:/a.pcsf?{"x":1}', "", "a.pcsf", "/a.pcsf", "\u202e", "file:///dev/null",
    f"file:///{'d/' * 3000}a.pcsf", f"file:///{'x' * 5000}.pcsf",
]  # fmt: skip


def test_a_document_of_any_address_is_served():
    bad = BASE.replace("HIGH", "high")
    asked = []
    for number, uri in enumerate(ADDRESSES):
        asked += [
            opened(uri, bad),
            ask(number, "textDocument/codeLens", {"textDocument": {"uri": uri}}),
        ]
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": BASE}]}
        asked += [tell("textDocument/didChange", change)]
    # With the configuration of each.
    done = forks.run(["lsp"], input=b"".join([BEGIN, *asked, END]))
    assert done.stderr == b""
    parts = [one.partition(b"\r\n\r\n")[2] for one in done.stdout.split(b"Content-Length: ")[1:]]
    found = [json.loads(part) for part in parts]
    assert not [one for one in found if one.get("method", "").startswith("window/logM")]
    told = [
        one["params"] for one in found if one.get("method") == "textDocument/publishDiagnostics"
    ]
    assert [one["uri"] for one in told] == [uri for uri in ADDRESSES for _ in range(2)]
    assert [bool(one["diagnostics"]) for one in told] == [True, False] * len(ADDRESSES)
    assert all(one["result"] for one in found if isinstance(one.get("id"), int))


def test_versions_are_told_as_they_come_and_a_document_may_be_opened_again():
    bad = BASE.replace("HIGH", "high")
    change = {"textDocument": {"uri": URI, "version": 1}, "contentChanges": [{"text": bad}]}
    found, _ = talk(
        BEGIN, opened(version=9), tell("textDocument/didChange", change), opened(version=3), END
    )
    told = [one["params"] for one in found if "method" in one]
    assert [(one["version"], bool(one["diagnostics"])) for one in told] == [
        (9, False), (1, True), (3, False),
    ]  # fmt: skip


TEXTS = {
    "empty": "", "nul": "\0", "bom": "\ufeff" + BASE, "lone": "\ud83d", "cr": BASE.replace("\n", "\r"),
    "lines": "\n" * 500, "twice": BASE * 2, "1 MB": BASE * 1500, "entries": "x | y | z\n" * 6400,
    "separators": "\u2028\x85\x0b\x0c" + BASE, "rules": "a = a\n" * 5000,
}  # fmt: skip


@pytest.mark.parametrize("language", ["pcsf", "abnf"])
def test_every_request_about_every_text_is_answered(language):
    places = [(0, 0), (5, 3), (10**6, 0), (0, 10**6), (2**31 - 1, 2**31 - 1)]
    asked = []
    for name, text in TEXTS.items():
        uri = f"file:///t/{name}.{language}"
        asked.append(opened(uri, text, language))
        for method, params in REQUESTS.items():
            given = {**params, "textDocument": {"uri": uri}}
            for line, character in places if "position" in params else places[:1]:
                place = {"line": line, "character": character}
                more = {"position": place} if "position" in params else {}
                asked.append(ask(f"{method} {name} {place}", method, {**given, **more}))
    found, code = talk(BEGIN, *asked, END)
    answers = [one for one in found if "id" in one]
    assert len(answers) == len(asked) - len(TEXTS) + 2
    # That nothing can be renamed there is an answer.
    assert {one["id"].split()[0] for one in answers if "error" in one} <= {"textDocument/rename"}
    assert code == 0
