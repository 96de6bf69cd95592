"""Tags and chains: every tamper is seen, every link is checked, no key ever shows."""

import copy
import json
import logging
import pickle

import pytest
from attrs import asdict, astuple, evolve
from cso_states import KEY, OTHER_KEY, SESSION, fact, given, sound_objects, state
from hypothesis import strategies as st

from cso import (
    ChainError,
    ChainStatus,
    Key,
    KeyMaterialError,
    bind,
    dumps,
    hkdf,
    key_ring,
    members_of,
    read_entries,
    session_key,
    sign,
    verify_chain,
)


def chained(*bodies, key=KEY):
    """Sign bodies one after the other."""
    chain = []
    for body in bodies:
        priors = chain[-1:]
        chain.append(sign(bind(evolve(body, window_number=0), *priors), key, SESSION))
    return chain


CHAIN = chained(state(fact("a")), state(fact("a"), fact("b")), state(fact("a"), constraints=["k"]))


def places(value, path=()):
    """Every place in a JSON value, containers included."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def at(value, path):
    for step in path:
        value = value[step]
    return value


REMOVE = object()
replacements = st.sampled_from(
    [
        REMOVE,
        None,
        True,
        False,
        0,
        1,
        2,
        0.25,
        -1,
        "",
        "x",
        "VALID",
        "sha256:" + "0" * 64,
        [],
        {},
        [1],
    ]
)


@given(st.data())
def test_any_single_change_is_told_at_its_window(data):
    bodies = [data.draw(sound_objects()) for _ in range(3)]
    chain = [members_of(entry) for entry in chained(*bodies)]
    which = data.draw(st.integers(0, 2))
    tampered = copy.deepcopy(chain)
    path = data.draw(st.sampled_from(list(places(tampered[which]))))
    new = data.draw(replacements)
    place = at(tampered[which], path[:-1])
    if new is REMOVE:
        del place[path[-1]]
    else:
        place[path[-1]] = new
    if json.dumps(tampered) == json.dumps(chain):
        return
    if path[-1] == "confidence" and tampered == chain and not isinstance(new, bool):
        return  # 1 and 1.0 are one number
    verdict = verify_chain(read_entries(tampered), KEY, SESSION)
    assert verdict.status is ChainStatus.BROKEN
    assert (verdict.index, verdict.broken_at_window) == (which, which + 1)


@given(sound_objects(), st.integers(0, 2**256))
def test_a_whole_chain_is_valid_under_its_key_only(body, number):
    chain = chained(body, body)
    assert verify_chain(chain, KEY, SESSION).status is ChainStatus.VALID
    other = number.to_bytes(33, "big")
    assert verify_chain(chain, other, SESSION).status is ChainStatus.BROKEN
    assert verify_chain(chain, KEY, SESSION + "x").status is ChainStatus.BROKEN
    assert verify_chain(read_entries(map(dumps, chain)), KEY, SESSION).status is ChainStatus.VALID


w1, w2, w3 = CHAIN
SIGNED_ALIKE = sign(bind(evolve(state(fact("z")), window_number=0), w1), KEY, SESSION)

# name: (entries, anchor, status, index, reason begins with)
FAULTS = {
    "empty": ([], None, "UNVERIFIED", None, "empty"),
    "lone genesis": ([w1], None, "UNVERIFIED", None, "nothing"),
    "lone genesis, wrong": ([evolve(w1, verified=True)], None, "BROKEN", 0, "tag"),
    "unsigned": ([w1, evolve(w2, cso_hmac="")], None, "BROKEN", 1, "unsigned"),
    "tag in upper case": (
        [evolve(w1, cso_hmac="sha256:" + w1.cso_hmac[7:].upper())],
        None,
        "BROKEN",
        0,
        "bad syntax",
    ),
    "whole": ([w1, w2, w3], None, "VALID", None, ""),
    "reordered": ([w2, w1], None, "BROKEN", 0, "link mismatch"),
    "swapped at the end": ([w1, w3, w2], None, "BROKEN", 1, "link mismatch"),
    "starts later": ([w2, w3], None, "PARTIAL", None, "starts after"),
    "starts at its anchor": ([w2, w3], w1.cso_hmac, "PARTIAL", None, "starts after"),
    "starts elsewhere": ([w2, w3], w3.cso_hmac, "BROKEN", 0, "link mismatch"),
    "middle missing": ([w1, w3], None, "PARTIAL", None, "windows are missing"),
    "fork": ([w1, w2, SIGNED_ALIKE], None, "BROKEN", 2, "fork"),
    "entry twice": ([w1, w2, w2], None, "BROKEN", 2, "fork"),
    "two genesis": ([w1, sign(state(fact("q")), KEY, SESSION)], None, "BROKEN", 1, "link mismatch"),
    "number not increasing": (
        [w1, sign(evolve(w2, window_number=1), KEY, SESSION)],
        None,
        "BROKEN",
        1,
        "window not",
    ),
    "late without prior": (
        [sign(evolve(w2, prior_cso_hash="", window_number=4), KEY, SESSION)],
        None,
        "BROKEN",
        0,
        "missing link",
    ),
    "late without prior, at an anchor": (
        [sign(evolve(w2, prior_cso_hash="", window_number=4), KEY, SESSION)],
        "ext.pcsf",
        "PARTIAL",
        None,
        "starts at",
    ),
    "next to its parent's place, not linked": (
        [w1, sign(evolve(w2, prior_cso_hash="sha256:" + "1" * 64), KEY, SESSION)],
        None,
        "BROKEN",
        1,
        "link mismatch",
    ),
    "unreadable": ([w1, *read_entries([b"{"])], None, "BROKEN", 1, "bad syntax"),
}


@pytest.mark.parametrize(
    ("entries", "anchor", "status", "index", "reason"), FAULTS.values(), ids=FAULTS
)
def test_chain_faults(entries, anchor, status, index, reason):
    verdict = verify_chain(entries, KEY, SESSION, anchor=anchor)
    assert (verdict.status, verdict.index) == (status, index)
    assert verdict.reason.startswith(reason)
    if index is not None:
        assert verdict.broken_at_window is not None


def test_window_number_is_named_as_it_was():
    for claimed in (1, 3, 7, 2**40):
        verdict = verify_chain([w1, evolve(w2, window_number=claimed)], KEY, SESSION)
        assert (verdict.status, verdict.broken_at_window) == (ChainStatus.BROKEN, 2)


def fan_in():
    left = sign(bind(evolve(state(fact("l")), window_number=0), w1), KEY, SESSION)
    right = sign(bind(evolve(state(fact("r")), window_number=0), w1), KEY, SESSION)
    body = evolve(state(fact("l"), fact("r")), window_number=0)
    return left, right, body


def test_fan_in_joins_a_fork():
    left, right, body = fan_in()
    joined = sign(bind(body, left, right), KEY, SESSION)
    assert joined == sign(bind(body, right, left), KEY, SESSION)
    assert joined.ext["crp"]["parents"] == sorted([left.cso_hmac, right.cso_hmac])
    assert joined.prior_cso_hash == min(left.cso_hmac, right.cso_hmac)
    assert joined.window_number == 3
    assert verify_chain([w1, left, right, joined], KEY, SESSION).status is ChainStatus.VALID
    assert verify_chain([w1, right, left, joined], KEY, SESSION).status is ChainStatus.VALID
    assert verify_chain([w1, left, joined], KEY, SESSION).status is ChainStatus.PARTIAL
    assert verify_chain([w1, left, right], KEY, SESSION).status is ChainStatus.BROKEN


def test_one_parent_is_a_line():
    left, _, body = fan_in()
    assert "crp" not in bind(body, left, left).ext


@pytest.mark.parametrize(
    "parents", [["x"], [], "sha256:", [1], None, ["sha256:" + "b" * 64, "sha256:" + "a" * 64]]
)
def test_parents_out_of_form(parents):
    left, right, body = fan_in()
    bad = bind(body, left, right)
    bad = evolve(bad, ext={"crp": {"parents": parents}} if parents is not None else {})
    verdict = verify_chain([w1, left, right, sign(bad, KEY, SESSION)], KEY, SESSION)
    assert verdict.status is ChainStatus.BROKEN


def test_rotation_at_any_link():
    old, new = Key(KEY, "2025"), Key(OTHER_KEY, "2026")
    first = sign(bind(evolve(state(fact("a")), window_number=0)), old, SESSION)
    second = sign(bind(evolve(state(fact("a")), window_number=0), first), new, SESSION)
    assert second.ext["crp"]["kid"] == "2026"
    ring = {"2025": KEY, "2026": OTHER_KEY}
    assert verify_chain([first, second], ring, SESSION).status is ChainStatus.VALID
    assert verify_chain([first, second], [KEY, OTHER_KEY], SESSION).status is ChainStatus.VALID
    assert verify_chain([first, second], {"2025": KEY}, SESSION).status is ChainStatus.BROKEN
    swapped = {"2025": OTHER_KEY, "2026": KEY}
    assert verify_chain([first, second], swapped, SESSION).status is ChainStatus.BROKEN
    # Unnamed keys are tried, but only eight of them.
    crowd = [bytes([n]) * 32 for n in range(8)]
    assert verify_chain([w1], [*crowd, KEY], SESSION).status is ChainStatus.BROKEN
    assert verify_chain([w1], [*crowd[:7], KEY], SESSION).status is ChainStatus.UNVERIFIED


@pytest.mark.parametrize("secret", [b"", b"short", b"x" * 31])
def test_short_keys(secret):
    with pytest.raises(KeyMaterialError):
        Key(secret)
    with pytest.raises(KeyMaterialError):
        session_key(secret, SESSION)
    with pytest.raises(KeyMaterialError):
        sign(state(fact("a")), secret, SESSION)


def test_no_key_in_any_text(caplog):
    caplog.set_level(logging.DEBUG)
    key = Key(KEY, "k")
    ring = key_ring({"k": KEY})
    shown = [repr(key), str(key), f"{key!r:>10}", repr(ring), str({"key": key})]
    shown += [repr(asdict(key)), repr(astuple(key)), repr([getattr(key, a) for a in dir(key)])]
    signed = sign(state(fact("a")), key, SESSION)
    shown.append(dumps(signed).decode())
    for action in (
        lambda: pickle.dumps(key),
        lambda: sign(evolve(signed, window_number=0), key, SESSION),
        lambda: sign(signed, key, "a\nb"),
        lambda: sign(signed, key, "a\ud800"),
        lambda: session_key(KEY, "a\ud800"),
        lambda: Key(KEY, KEY),
        lambda: Key("text of thirty-two characters...."),
        lambda: Key(KEY[:20]),
    ):
        with pytest.raises((KeyMaterialError, ChainError)) as caught:
            action()
        shown.append(str(caught.value) + repr(caught.value) + repr(caught.value.findings))
    shown.append(caplog.text)
    for text in shown:
        for form in (KEY.decode(), KEY.hex(), repr(KEY), KEY[:20].decode(), "text of thirty-two"):
            assert form not in text


def test_session_keys_are_hkdf():
    master = b"conformance-master-key-32bytes!!"
    derived = hkdf(master, salt=SESSION.encode(), info=b"crp-session-hmac-v3", length=32)
    assert sign(state(fact("a")), derived, SESSION) == sign(
        state(fact("a")), session_key(master, SESSION), SESSION
    )
    assert hkdf(master, salt=b"a", info=b"", length=32) != hkdf(
        master, salt=b"b", info=b"", length=32
    )
    with pytest.raises(KeyMaterialError):
        hkdf(master, salt=b"", info=b"", length=0)


def test_bind_refuses_what_has_no_place():
    with pytest.raises(ChainError):
        bind(state(fact("b")), state(fact("a")))
    with pytest.raises(ChainError):
        sign(evolve(state(fact("a")), window_number=0), KEY, SESSION)
    with pytest.raises(ChainError):
        sign(evolve(state(fact("a")), prior_cso_hash="sha256:x"), KEY, SESSION)
