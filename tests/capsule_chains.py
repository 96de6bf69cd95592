"""Chains of sessions that touch each other's threads, and capsules near and over every limit."""

from pcsf_lark import integrity
from pcsf_lark.spec import CLOSE, DEPTHS, LAYERS, LIMIT, PRIORITIES, VERSIONS

WORDS = [
    "queue", "tenant", "index", "lag", "retry", "budget", "the", "of", "never", "under load",
    "cache", "before", "release", "owner", "schema", "writes", "a:b", "v1.2", "(draft)",
]  # fmt: skip
DIMENSIONS = ["STYLE", "TRUST", "VOCAB", "MODE", "BOUNDARY", "style", "PACE"]


#: All phrases are stretches of this.
POOL = [WORDS[at * at * 7 % 31 % len(WORDS)] for at in range(997)]


def phrase(rng, most):
    start = int(rng.random() * 900)
    return " ".join(POOL[start : start + 1 + int(rng.random() * most)])


def entry(rng, layer, most):
    """An entry whose key is often one that others have too."""
    thread = f"thread {rng.randint(1, rng.choice([6, 40]))}"
    values = {
        "type": rng.choice(layer.types) if layer.types else "",
        "fact": thread,
        "option": thread,
        "reason": rng.choice(["too slow", phrase(rng, most)]),
        "lesson": phrase(rng, most),
        "content": f"I {phrase(rng, most)}",
        "dimension": rng.choice(DIMENSIONS),
        "state": phrase(rng, most),
        "description": thread,
        "priority": rng.choice(PRIORITIES),
    }
    return layer.separator.join(values[name] for name in layer.fields)


def time(rng, hour):
    return f"2026-{1 + hour // 672 % 12:02}-{1 + hour // 24 % 28:02}T{hour % 24:02}:{rng.randint(0, 59):02}Z"


def text(rng, hour=0, *, chained=None, over=False):
    """A capsule's text: conformant, or with ``over`` one whose only fault may be its size.

    Sparse, dense, or heavy in one layer, up to the limit; sometimes compact,
    without its final LF, stamped, of an older version.
    """
    most = rng.choice([2, 4, 9, 16, 30])
    heavy = rng.choice([None, None, LAYERS[0], LAYERS[0], *LAYERS])
    gap, end = rng.choice(["\n", "\n", ""]), rng.choice(["\n", "\n", ""])
    version, depth, stamped = rng.choice(VERSIONS), rng.choice(DEPTHS), rng.random() < 0.25
    head = [
        f"===PCSF:{version}===",
        f"META: {phrase(rng, most)} | {phrase(rng, 2)} | {depth} | {time(rng, hour)}",
    ]
    if chained if chained is not None else rng.random() < 0.3:
        head.append(f"CHAIN: hops={rng.choice(['1', '3', '007', '99'])} origin={time(rng, 0)}")
    start = "\n".join(head) + "\n"
    layers = []
    for layer in LAYERS:
        count = rng.choice([layer.cap, 7]) if layer is heavy else rng.randint(0, 5)
        layers.append([entry(rng, layer, most) for _ in range(min(count, layer.cap))])
    seed = f"SEED: {phrase(rng, 2 * most)}\n{CLOSE}{end}"
    while True:
        rows = ([layer.header, *rows] for layer, rows in zip(LAYERS, layers, strict=True))
        body = "".join("\n".join(block) + "\n" + gap for block in rows)
        data = f"{start}\n{body}{seed}".encode()
        if stamped:
            data = integrity.insert(data, len(start))
        if over or len(data) <= LIMIT:
            return data.decode()
        fullest = rng.choice([rows for rows in layers if rows])
        del fullest[rng.randrange(len(fullest))]


def chain(rng, hops):
    """The texts of a chain: the first without CHAIN, each later than the one before."""
    return [text(rng, hour, chained=hour > 0 and rng.random() < 0.1) for hour in range(hops + 1)]
