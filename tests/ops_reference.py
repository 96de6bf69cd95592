"""A second implementation of §5 and §7, on lines of text and as slow as it is plain.

It shares nothing with the passes: it reads conformant spaced text by its
headers, and follows the specification's paragraphs one by one.
"""

import zlib
from itertools import pairwise

HEADERS = ["L1:SKELETON", "L2:NEGATIVE", "L3:INTERNAL", "L4:RELATION", "L5:LOOPS"]
CAPS = [12, 8, 6, 5, 8]


class TooLong(Exception):  # noqa: N818 - what it is
    """Its argument is the size with all that may be dropped gone."""


def read(text):
    """A capsule in either layout as a dict of its lines."""
    lines = [line for line in text.split("\n") if line]
    found = {"open": lines[0], "meta": lines[1], "chain": None, "stamp": None}
    for line in lines[2 : lines.index(HEADERS[0])]:
        found["chain" if line.startswith("CHAIN") else "stamp"] = line
    places = [*map(lines.index, HEADERS), len(lines) - 2]
    found["layers"] = [lines[a + 1 : b] for a, b in pairwise(places)]
    found["seed"] = lines[-2]
    return found


def write(capsule, *, stamp=False):
    """The figure of §2.2."""
    head = [capsule["open"], capsule["meta"]] + [capsule["chain"]] * bool(capsule["chain"])
    blocks = [[h, *rows] for h, rows in zip(HEADERS, capsule["layers"], strict=True)]
    body = "".join("\n".join(block) + "\n\n" for block in blocks) + capsule["seed"]
    tail = "\n" + body + "\n===END===\n"
    start = "\n".join(head) + "\n"
    if not stamp:
        return start + tail
    crc = zlib.crc32((start + tail).encode())
    for chars in range(len(start + tail), len(start + tail) + 60):
        line = f"INTEGRITY: crc32={crc:08x} chars={chars}\n"
        if len(start + line + tail) == chars:
            return start + line + tail
    raise AssertionError("no fixed point")


def priority(line):
    return line.split(" | ")[2]


def dimension(line):
    return line.split(": ")[0]


def next_victim(layers):
    """§5: the step, layer number and place of the next entry to go, or None."""
    _l1, l2, l3, l4, l5 = layers
    for at in range(len(l5) - 1, -1, -1):
        if priority(l5[at]) == "LOW":
            return 1, 5, at
    first_two = []
    for line in l4:
        if dimension(line) not in first_two:
            first_two.append(dimension(line))
    for at in range(len(l4) - 1, -1, -1):
        if dimension(l4[at]) not in first_two[:2]:
            return 2, 4, at
    if l3:
        return 3, 3, len(l3) - 1
    for at in range(len(l5) - 1, -1, -1):
        if priority(l5[at]) == "MED":
            return 4, 5, at
    if l2:
        return 5, 2, len(l2) - 1
    if l5:
        return 6, 5, len(l5) - 1
    return None


def autotrim(capsule, room, *, stamp=False):
    """§5 on the canonical text: the capsule and (step, layer, line) for each entry gone."""
    layers = [list(rows) for rows in capsule["layers"]]
    trimmed = {**capsule, "layers": layers}
    gone = []
    while len(write(trimmed, stamp=stamp)) > room:
        victim = next_victim(layers)
        if victim is None:
            raise TooLong(len(write(trimmed, stamp=stamp)))
        step, layer, at = victim
        gone.append((step, f"L{layer}", layers[layer - 1].pop(at)))
    return trimmed, gone


def fit(text, budget=1200, reserve=0, *, stamp=False):
    """D16 for a text with a matching stamp or none: the new text and what went."""
    capsule = read(text)
    if len(text) <= budget - reserve and not (stamp and not capsule["stamp"]):
        return text, []
    gone = [(0, "INTEGRITY", capsule["stamp"])] if capsule["stamp"] else []
    trimmed, rest = autotrim(plain(capsule), budget - reserve, stamp=stamp)
    return write(trimmed, stamp=stamp), gone + rest


def plain(capsule):
    """Without leading zeros in hops (D21)."""
    if not capsule["chain"]:
        return capsule
    hops, origin = capsule["chain"].removeprefix("CHAIN: hops=").split(" ")
    return {**capsule, "chain": f"CHAIN: hops={int(hops)} {origin}"}


def key(layer, line):
    """§7.1."""
    fields = line.split(" | ") if layer in (1, 2, 5) else line.split(": ", 1)
    return {1: fields[:2], 2: fields[:2], 3: fields[:1], 4: fields[:1], 5: fields[1:2]}[layer]


def merge(layer, old, new):
    """§7.1: one layer's lines, and those that gave way."""
    kept, gone = [], []
    for line in old + new:
        for at, earlier in enumerate(kept):
            if key(layer, earlier) == key(layer, line):
                gone.append(("merge", f"L{layer}", earlier))
                kept[at] = line
                break
        else:
            kept.append(line)
    return kept, gone


def cap(layer, lines):
    """§7.2."""
    kept, gone = list(lines), []
    while len(kept) > CAPS[layer - 1]:
        if layer == 1:
            at = 0
        elif layer == 5:
            worst = max(("HIGH", "MED", "LOW").index(priority(line)) for line in kept)
            at = max(
                at
                for at, line in enumerate(kept)
                if ("HIGH", "MED", "LOW").index(priority(line)) == worst
            )
        else:
            at = len(kept) - 1
        gone.append(("cap", f"L{layer}", kept.pop(at)))
    return kept, gone


def stitch(old_text, new_text, *, stamp=False, keep_skeleton=False):
    """§7 and D17: the new text and (step, layer, line) for each line gone, in order."""
    old, new = read(old_text), read(new_text)
    merges, caps, layers = [], [], []
    for number, (a, b) in enumerate(zip(old["layers"], new["layers"], strict=True), start=1):
        lines, gone = merge(number, a, b)
        merges += gone
        lines, gone = cap(number, lines)
        caps += gone
        layers.append(lines)
    topic, domain, depth, time = new["meta"].split(" | ")
    depths = ["SURFACE", "WORKING", "DEEP"]
    depth = max(depth, old["meta"].split(" | ")[2], key=depths.index)
    if old["chain"]:
        hops, origin = old["chain"].removeprefix("CHAIN: hops=").split(" origin=")
    else:
        hops, origin = 0, old["meta"].split(" | ")[3]
    result = {
        "open": "===PCSF:v1.2===",
        "meta": f"{topic} | {domain} | {depth} | {time}",
        "chain": f"CHAIN: hops={int(hops) + 1} origin={origin}",
        "layers": layers,
        "seed": new["seed"],
    }
    given_up = []
    while True:
        try:
            fitted, gone = autotrim(result, 1200, stamp=stamp)
        except TooLong:
            if keep_skeleton or not result["layers"][0]:
                raise
            first, *rest = result["layers"][0]
            given_up.append(("skeleton", "L1", first))
            result["layers"] = [rest, *result["layers"][1:]]
        else:
            return write(fitted, stamp=stamp), merges + caps + given_up + gone
