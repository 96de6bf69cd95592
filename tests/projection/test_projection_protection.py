# ruff: noqa: RUF001 - full-width marks are meant

"""Protection: what no summary may take, whatever the settings say."""

import base64
import random
import string

import pytest
from hypothesis import given, settings
from projection_logs import LogBuilder, chat_log, logs, random_log
from projection_logs import text as part

from kernel.projection.model import Block, Source, State
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.binary import binary_in
from kernel.projection.planning.facts import facts_of
from kernel.projection.planning.protection import HARD, REASONS, protect, tail_tokens
from kernel.projection.planning.secrets import FORMS, secret_in
from kernel.projection.settings.config import Config, Protection

BARE = Config(
    protection=Protection(
        preserve_recent_atoms=0, preserve_recent_tokens=0, preserve_last_user_message=False
    )
)
READ = ("read", {"path": "a.py"})


def reasons(branch, config=BARE, state=None):
    atoms = atoms_of(branch.sources)
    return list(protect(branch.sources, atoms, config, state=state).reasons)


def talk(turns=20, words=2000):
    """Turns of a question and a long answer, about words/4 tokens each."""
    log = LogBuilder()
    for _ in range(turns):
        log.user("next")
        log.assistant("word " * (words // 5))
    return log


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (None, 12000),
        (0, 12000),
        (-5, 12000),
        (200_000, 12000),
        (120_000, 12000),
        (119_999, 11999),
        (9, 0),
    ],
)
def test_tail_tokens(window, expected):
    assert tail_tokens(Config(context_window=window)) == expected


def test_the_tail_is_eight_whole_atoms_where_they_are_large():
    branch = talk(words=80_000).branch()
    found = reasons(branch, Config(context_window=1_000_000))
    assert found[-8:] == [*["recent-atoms"] * 6, "newest-user", "recent-atoms"]
    assert set(found[:-8]) == {None}


def test_the_tail_is_its_tokens_where_atoms_are_small():
    branch = talk(turns=60, words=4000).branch()
    config = Config(context_window=100_000)
    facts = [facts_of(source) for source in branch.sources]
    found = reasons(branch, config)
    tail = [index for index, reason in enumerate(found) if reason is not None]
    assert found[tail[0]] == "recent-tokens"
    assert tail == list(range(tail[0], len(found)))
    held = sum(facts[index].tokens for index in tail)
    assert held >= tail_tokens(config) > held - facts[tail[0]].tokens


def test_an_atom_across_the_line_is_protected_whole():
    log = LogBuilder()
    log.user("start")
    for _ in range(3):
        log.turn(calls=[READ, READ], results=["old " * 1000, "old " * 1000])
    log.user("go on")
    for _ in range(5):
        log.turn(calls=[READ, READ], results=["line " * 2500, "line " * 2500])
    config = Config(context_window=100_000, protection=Protection(preserve_recent_atoms=2))
    branch = log.branch()
    atoms = atoms_of(branch.sources)
    found = reasons(branch, config)
    # Each turn is some 6,250 tokens; 10,000 are asked for: the second turn is needed whole.
    assert found[-2:] == ["recent-atoms", "unfinished-turn"]
    assert found[-3] is None
    assert [atom.last - atom.first for atom in atoms[-2:]] == [2, 2]


def test_a_short_context_is_all_tail():
    assert None not in reasons(talk(turns=4).branch(), Config())


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (lambda log: log.user("look", picture=True), "binary"),
        (lambda log: log.user("PK\x03\x04\x00\x00"), "binary"),
        (lambda log: log.turn(calls=[READ], results=["AKIA" + "Q7" * 8]), "secret"),
        (
            lambda log: log.turn(calls=[("bash", {"command": "export API_KEY=k9d8f7g6h5j4"})]),
            "secret",
        ),
        (lambda log: log.turn(calls=[READ, READ], results=["one"]), "incomplete"),
        (lambda log: log.assistant("half", stop="aborted"), "incomplete"),
        (lambda log: log.assistant("", stop="error", error="overloaded"), "incomplete"),
        (lambda log: log.result("never-called"), "malformed"),
        (lambda log: log.branch_summary("elsewhere"), "summary"),
        (lambda log: log.message("system", "be brief"), "system"),
    ],
)
def test_what_is_protected_of_itself(build, reason):
    log = LogBuilder()
    log.user("start")
    build(log)
    log.assistant("well")
    log.user("newest")
    log.assistant("done")
    found = reasons(log.branch())
    assert found == [None, reason, None, "newest-user", None]


def test_the_newest_user_message_stays_even_if_the_settings_say_no():
    log = LogBuilder()
    log.user("old")
    log.user("new")
    log.assistant("a")
    log.bash()
    assert reasons(log.branch()) == [None, "newest-user", None, "unfinished-turn"]


def test_without_a_user_message_the_newest_note_stays():
    log = LogBuilder()
    log.custom_message("a note")
    log.assistant("a")
    assert reasons(log.branch()) == ["newest-user", None]


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda log: log.assistant("an answer"), [None]),
        (lambda log: log.turn(calls=[READ]), ["unfinished-turn"]),
        (lambda log: log.turn(calls=[READ], results=[]), ["incomplete"]),
        (lambda log: log.bash(), ["unfinished-turn"]),
        (lambda log: (log.turn(calls=[READ]), log.assistant("read it")), [None, None]),
        (
            lambda log: (
                log.assistant("sorry", stop="error"),
                log.turn(calls=[READ], stop="aborted"),
            ),
            ["incomplete", "incomplete"],
        ),
    ],
)
def test_the_unfinished_turn(build, expected):
    log = LogBuilder()
    log.user("start")
    log.assistant("yes")
    build(log)
    assert reasons(log.branch())[2:] == expected


def test_our_own_calls_at_the_live_end_take_no_place_in_the_tail():
    log = talk(words=80_000)
    before = reasons(log.branch(), Config())
    log.turn(calls=[("aili_compact_status", {})], results=["{}"])
    log.turn(calls=[("aili_compact", {"catalogId": "c"})], results=[])
    after = reasons(log.branch(), Config())
    assert after[: len(before)] == before
    assert after[len(before) :] == ["control", "incomplete"]
    log.assistant("and on")
    later = reasons(log.branch(), Config())
    assert "control" not in later
    assert None not in later[-8:]
    assert later[-9] is None


def a_block(source_ids):
    return Block(
        block_id="blk",
        number=0,
        version=3,
        tier=1,
        restill=False,
        epoch="root",
        entry_id="e",
        tx_id="t",
        mode="range",
        topic="",
        summary="s",
        source_ids=source_ids,
        children=(),
        leaf_digest="d",
        turn=0,
    )


def test_blocks_cover_what_they_stand_for():
    branch = talk(turns=6).branch()
    taken = [source.entry_id for source in branch.sources[2:5]]
    block = a_block(taken)
    state = State(branch.epoch, blocks={"blk": block}, status={"blk": "active"})
    found = reasons(branch, state=state)
    assert [index for index, reason in enumerate(found) if reason == "covered"] == [2, 3, 4]
    opened = State(branch.epoch, blocks={"blk": block}, status={"blk": "decompressed"})
    assert "covered" not in reasons(branch, state=opened)


@given(logs())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_no_setting_weakens_a_hard_reason(log):
    branch = log.branch()
    bare, full = reasons(branch, BARE), reasons(branch, Config())
    assert all(reason is None or reason in HARD for reason in bare)
    for weak, strong in zip(bare, full, strict=True):
        assert strong is not None or weak is None
        if weak is not None:
            assert strong == weak


@pytest.mark.parametrize("seed", range(6))
def test_counts_tell_every_protected_atom(seed):
    branch = random_log(seed, steps=60).branch()
    atoms = atoms_of(branch.sources)
    found = protect(branch.sources, atoms, Config(context_window=1000))
    assert sum(found.counts.values()) == sum(reason is not None for reason in found.reasons)
    assert list(found.counts) == [reason for reason in REASONS if reason in found.counts]


def alphabet(seed, length, letters=string.ascii_letters + string.digits):
    return "".join(random.Random(seed).choices(letters, k=length))


SECRETS = {
    "private-key": "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
    "aws-key": "id AKIA" + alphabet(1, 16, string.ascii_uppercase) + " here",
    "api-key": "sk-ant-" + alphabet(2, 40),
    "stripe-key": "sk_live_" + alphabet(3, 24),
    "github-token": "ghp_" + alphabet(4, 36),
    "gitlab-token": "glpat-" + alphabet(5, 20),
    "google-key": "AIza" + alphabet(6, 35),
    "hugging-face-token": "hf_" + alphabet(7, 34),
    "npm-token": "npm_" + alphabet(8, 36),
    "pypi-token": "pypi-" + alphabet(9, 40),
    "sendgrid-key": f"SG.{alphabet(10, 22)}.{alphabet(11, 43)}",
    "slack-token": "xoxb-123456789012-abcdefghij",
    "slack-hook": "https://hooks.slack.com/services/T000/B000/" + alphabet(12, 24),
    "web-token": f"eyJ{alphabet(13, 20)}.eyJ{alphabet(14, 30)}.{alphabet(15, 20)}",
    "address-password": "postgres://app:hunter22@db.local/x",
    "bearer-token": "Authorization: Bearer " + alphabet(16, 30) + "1",
    "assigned-secret": 'DB_PASSWORD="tr0ub4dor&3"',
    "command-password": "curl -s -u admin:tr0ub4dor3 https://host/x",
    "digitalocean-token": "dop_v1_" + "a1" * 32,
    "shopify-token": "shpat_" + "a1" * 16,
    "vault-token": "hvs." + alphabet(17, 24),
    "discord-token": f"MTk4{alphabet(18, 21)}.{alphabet(19, 6)}.{alphabet(20, 30)}",
    "telegram-token": "123456789:AA" + alphabet(21, 33),
    "azure-key": "AccountKey=" + alphabet(22, 60) + "==",
    "twilio-key": "SK" + "a1" * 16,
    "basic-credentials": "Authorization: Basic " + alphabet(23, 24),
}
#: Other spellings of the forms above, and names that are given a secret.
SPELLINGS = {
    "api-key": [
        "gsk_" + alphabet(31, 51),
        "xai-" + alphabet(32, 81),
        "sk-" + "0123456789abcdef" * 2,
        "sk-or-v1-" + alphabet(33, 22),
    ],
    "stripe-key": ["whsec_" + alphabet(34, 24)],
    "slack-token": ["xapp-1-A111-222-" + alphabet(35, 20)],
    "google-key": ["GOCSPX-" + alphabet(36, 26)],
    "private-key": ["AGE-SECRET-KEY-1" + "Q" * 58, "PuTTY-User-Key-File-2: ssh-rsa"],
    "bearer-token": ["AUTHORIZATION: BEARER " + alphabet(37, 30) + "1"],
    "basic-credentials": ["AUTHORIZATION: BASIC " + alphabet(38, 24)],
    "command-password": ["mysql -u root -ptr0ub4dor3 db", "curl --user 'admin:tr0ub4dor3' host"],
    "assigned-secret": [
        "login --password tr0ub4dor33",
        "call --token abcd1234efgh5678",
        "machine h login u password tr0ub4dor33",
        "<password>tr0ub4dor33xx</password>",
        "password => 'tr0ub4dor33'",
        "password('tr0ub4dor33xx')",
        "DB_PASS=tr0ub4dor3xx",
        "PWD=tr0ub4dor33&",
        "password：tr0ub4dor33xx",
        "密码: tr0ub4dor33xx",
        "pass\u200bword=tr0ub4dor33xx",
        "p\u0430ssword=tr0ub4dor33xx",
        "password:\n  tr0ub4dor33xx",
        "password   =   tr0ub4dor33",
        "aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzzzKEYa",
    ],
}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_found_anywhere_in_a_text(name):
    assert secret_in(SECRETS[name]) == name
    assert secret_in("words before\n" * 50 + SECRETS[name] + "\nwords after" * 50) == name


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in SPELLINGS.items() for text in texts]
)
def test_a_secret_is_found_however_it_is_spelled(name, text):
    assert secret_in(text) == name
    assert secret_in(f"- {text}\nwords after") == name


def test_the_table_of_forms_is_tried_whole():
    assert {name for _, _, name, _ in FORMS} | {"assigned-secret"} == set(SECRETS)


KEY = SECRETS["api-key"]


@pytest.mark.parametrize(
    "build",
    [
        lambda log: log.message("user", [part(KEY[:12]), part(KEY[12:])]),
        lambda log: log.assistant(calls=[(KEY, "bash", {})]),
        lambda log: log.assistant(calls=[("c", KEY, {})]),
        lambda log: log.assistant(calls=[("c", "bash", {"deep": {KEY: 1}})]),
        lambda log: log.result("c", KEY, "fine"),
        lambda log: log.result(KEY, "bash", "fine"),
        lambda log: log.custom_message("fine", custom_type=KEY),
        lambda log: log.assistant("fine", thinking=KEY),
    ],
)
def test_a_secret_is_found_in_every_field(build):
    log = LogBuilder()
    build(log)
    assert facts_of(log.branch().sources[-1]).secret == "api-key"  # noqa: S105 - the name of a form


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the token: see the docs",
        "PWD=/home/user12/project34",
        "docker run -u 1000:1000 image",
        "mkdir -p build/out2026",
        "curl -u $USER:$PASS https://host",
        "the password policy is in docs/policy2026.md",
        "<token>the next token of the stream</token>",
        "secret_name: my-long-kubernetes-secret-v1",
        "пароль не задан",
        "password = os.environ['DB_PASSWORD']",
        'api_key = "YOUR_API_KEY_HERE"',
        "token=<redacted>",
        "secret: ${SECRET_VALUE}",
        "max_tokens = 12000",
        "def count_tokens(text: str) -> int:",
        "task-runner-with-a-long-name-in-it",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "https://example.com/a:b@c",
        "tokenizer=self.tokenizer.clone()",
        "password: changeme123",
        "risk-assessment-of-the-whole-project",
    ],
)
def test_what_only_looks_like_a_secret(text):
    assert secret_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "\x00",
        "abc\x01def",
        base64.b64encode(random.Random(1).randbytes(400)).decode(),
        base64.encodebytes(random.Random(2).randbytes(400)).decode(),
        "see data:image/png;base64,"
        + base64.b64encode(random.Random(3).randbytes(90)).decode()
        + " " * 40,
        "prose " * 100
        + base64.b64encode(random.Random(4).randbytes(600)).decode()
        + " prose" * 100,
        "\ufffd" * 8 + "x" * 200,
    ],
)
def test_binary_matter_is_found(text):
    assert binary_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain prose, and more of it. " * 40,
        "会話の履歴は決して書き換えない。" * 40,
        "a" * 2000,
        "=" * 500,
        "/very/long/path" * 60,
        "\n".join(["3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed"] * 9),
        "def f(x):\n    return x\n" * 50,
        '{"a":1,"b":[1,2,3]},' * 60,
        "one \ufffd slip of an encoding " * 3,
    ],
)
def test_what_is_not_binary(text):
    assert not binary_in(text)


def test_protection_of_a_long_context_reads_every_source_a_few_times():
    class Counting(list):
        reads = 0

        def __getitem__(self, key):
            Counting.reads += 1
            return super().__getitem__(key)

    branch = chat_log(2000).branch()
    facts = Counting(facts_of(source) for source in branch.sources)
    atoms = atoms_of(branch.sources, list(facts))
    protect(branch.sources, atoms, Config(), facts=facts)
    assert Counting.reads <= 5 * len(branch.sources)


@pytest.mark.parametrize(
    ("arguments", "binary", "secret"),
    [
        ({"command": 'export DB_PASSWORD="tr0ub4dor&3"'}, False, "assigned-secret"),
        ({"password": "tr0ub4dor33"}, False, "assigned-secret"),
        ({"text": f"key {SECRETS['github-token']}"}, False, "github-token"),
        ({"text": "-----BEGIN PRIVATE KEY-----\nMIIE\n"}, False, "private-key"),
        ({"content": "a\x00b"}, True, None),
        ({"content": "the spelling \\u0000 of it"}, False, None),
        ({"content": base64.encodebytes(random.Random(5).randbytes(400)).decode()}, True, None),
        ({"deep": {"er": ["a", {"est": "\x01"}]}}, True, None),
        ({"path": "src/app.py", "limit": 200}, False, None),
    ],
)
def test_arguments_of_calls_are_read_as_they_are_meant(arguments, binary, secret):
    log = LogBuilder()
    log.turn(calls=[("write", arguments)])
    facts = facts_of(log.branch().sources[0])
    assert (facts.binary, facts.secret) == (binary, secret)


def test_arguments_too_deep_to_spell_are_malformed():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    part = {"type": "toolCall", "id": "c", "name": "x", "arguments": {"deep": deep}}
    message = {"role": "assistant", "content": [part], "stopReason": "toolUse"}
    assert facts_of(Source(0, "e", message, "d")).malformed


@pytest.mark.parametrize(
    "unit",
    [
        "password=",
        "-eyJ",
        "sk-",
        "://a:",
        "token='aaaa",
        "a" * 255 + ".",
        "aB3" * 20 + "\n",
        "\\u000",
        "password:",
        "curl -u ",
        "mysql ",
        "--password ",
        "MTk4.",
        "密码:\u200b",
    ],
)
def test_no_text_makes_the_search_slow(unit):
    """A pattern that looked at every stretch from every start would take minutes."""
    text = unit * (250_000 // len(unit))
    secret_in(text)
    binary_in(text)
