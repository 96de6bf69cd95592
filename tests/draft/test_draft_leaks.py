"""Secrets and personal data in the shapes that logs have them in; and what only looks so."""

import json
import time

import pytest
from draft_talks import messages

from cso import codec
from kernel.sessions import read_session
from pcsf_lark.draft import draft
from pcsf_lark.draft.leaks import leaks
from pcsf_lark.draft.withholding import Veil

S = "zq7Kx91vTw"
#: Texts, each with what must not be left of it.
GIVEN = {
    "curl": (f"curl -s -u admin:{S} https://quay.example", S),
    "curl-long": (f"curl --user=admin:{S} x", S),
    "mysql": (f"mysql -h db -u root -p{S} tides", S),
    "sshpass": (f"sshpass -p {S} ssh quay", S),
    "option": (f"deploy --password {S} --now", S),
    "option-quoted": (f"deploy --db-password '{S} and more' --now", S),
    "option-token": (f"gh auth --token {S}", S),
    "pgpassword": (f"PGPASSWORD={S} psql tides", S),
    "db-pass": (f"DB_PASS={S} ./run", S),
    "secret-key": (f"export SECRET_KEY_BASE='{S}'", S),
    "api-key-hex": ("the API key 0123456789abcdef0123456789abcdef works", "0123456789abcdef"),
    "digitalocean": ("dop_v1_" + "0a1b" * 16, "0a1b0a1b"),
    "key-id": ('"private_key_id": "0a1b2c3d4e5f60718293"', "0a1b2c3d"),
    "cookie": (f"Cookie: sessionid={S}; theme=dark", S),
    "authorization": (f"Authorization: Basic {S}", S),
    "x-api-key": (f"X-Api-Key: {S}", S),
    "netrc": (f"machine quay.example login jo password {S}", S),
    "prose": ("the password is correcthorsebattery", "correcthorse"),
    "prose-digits": ("my password is tide2026", "tide2026"),
    "json": (f'{{"password": "{S}"}}', S),
    "json-escaped": (f'{{\\"password\\": \\"{S}\\"}}', S),
    "json-twice": (f'{{\\\\\\"password\\\\\\": \\\\\\"{S}\\\\\\"}}', S),
    "full-width": (f"\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44\uff1a{S}", S),
    "chinese": (f"\u5bc6\u7801\u662f{S}", S),
    "german": (f"Passwort: {S}", S),
    "zero-width": ("AKIA\u200bIOSFODNN7EXAMPLQ", "IOSFODNN7"),
    "url": (f"redis://:{S}@cache:6379", S),
    "url-joined": (f"redis:/:{S}@cache", S),
    "ssn": ("his number is 078-05-1120 there", "078-05-1120"),
    "iban": ("pay to DE89370400440532013000 now", "DE89370400440532013000"),
    "phone": ("call 1-555-010-4477 or ask", "010-4477"),
    "phone-spaced": ("call 555 010 4477 or ask", "010 4477"),
    "phone-path": ("tel:/+49 170 5550123", "5550123"),
    "card-dots": ("4111.1111.1111.1111", "4111.1111"),
    "mail-coded": ("?to=jo.doe%40quay.example", "jo.doe"),
    "tilde": ("cat ~johndoe/notes.txt", "johndoe"),
    "home-coded": ("file:%2F%2Fx%2Fhome%2Fjohndoe%2Fa", "johndoe"),
    "login": ("ssh johndoe@10.0.0.5", "johndoe"),
}
#: What only looks like it, and stays.
PLAIN = (
    "the password is wrong",
    "the password is required here",
    "password: str = None",
    "token = os.environ['TOKEN']",
    "def login(user, password):",
    "PASSWORD=$DB_PASSWORD ./run",
    "--password <your password>",
    "cp -p a.txt b.txt",
    "mkdir -p build/tide",
    "git log -u map.py",
    "2026-05-04 09:30",
    "version 1.2.3 of 2026",
    "cat ~/notes.txt",
    "https://quay.example:8080/a?b=c",
    "sort(key=len)",
)


@pytest.mark.parametrize("name", GIVEN)
def test_it_is_withheld_and_counted(name):
    text, secret = GIVEN[name]
    veil = Veil()
    shown = veil.hide(text)
    assert secret not in shown
    assert sum(veil.counts.values()) >= 1
    assert Veil().hide(shown) == shown


@pytest.mark.parametrize("text", PLAIN)
def test_it_is_left_alone(text):
    veil = Veil()
    assert veil.hide(text) == text
    assert not veil.counts


@pytest.mark.parametrize("name", GIVEN)
def test_no_part_of_a_draft_has_it(tmp_path, name):
    text, secret = GIVEN[name]
    talk = [
        {"user": f"Always remember this. Please run {text}"},
        {"call": "bash", "with": {"command": text}, "result": "failed", "error": True},
        {"call": "fetch", "with": {"body": json.dumps({"inner": text})}, "result": "ok"},
        {"call": "write", "with": {"file_path": f"out/{text}", "content": "x"}, "result": "ok"},
        {"assistant": f"I will look at {text} next, because {text} failed."},
    ]
    log = tmp_path / "log.json"
    log.write_text(json.dumps(messages(talk)))
    made = draft(read_session(log, earlier=True), now="2026-05-04T09:30Z")
    for part in (made.text, codec.dumps(made.cso), json.dumps(made.sources).encode()):
        assert secret not in part.decode()


PIECES = (
    "http ",
    "a-",
    "a.",
    "KEY_",
    "A",
    '--password "',
    "http://a:",
    "mysql ",
    "key ",
    "x:/",
    "1 ",
    "-u ",
)


@pytest.mark.parametrize("piece", PIECES)
def test_the_work_grows_with_the_text(piece):
    """Four times the text, at most some twelve times the work, where squares would be sixteen."""

    def work(count):
        text = piece * count
        start = time.process_time()
        for _found in leaks(text):
            pass
        return time.process_time() - start

    little = min(work(10_000) for _ in range(3))
    # What was disturbed is measured again; what is slow is slow each time.
    assert any(work(40_000) <= 12 * little + 0.05 for _ in range(3))
