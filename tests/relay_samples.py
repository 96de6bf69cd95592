"""Capsules for the tests of the relay, made of parts."""

from pcsf_lark.relay import of_capsule

KEY = {"PCSF_RELAY_KEY": "5b" * 32}
NOW = "2026-05-04T09:30Z"
HEADERS = ("L1:SKELETON", "L2:NEGATIVE", "L3:INTERNAL", "L4:RELATION", "L5:LOOPS")


def text(*layers, topic="Search index", time=NOW, seed="Lag decides.", chain=None):
    """A capsule's text; each layer is a list of entries, those left out are empty."""
    lines = ["===PCSF:v1.2===", f"META: {topic} | software | WORKING | {time}"]
    if chain:
        lines.append(f"CHAIN: {chain}")
    lines.append("")
    for number, header in enumerate(HEADERS):
        lines += [header, *(layers[number] if number < len(layers) else ()), ""]
    return "\n".join([*lines, f"SEED: {seed}", "===END==="]) + "\n"


def capsule(*layers, **members):
    """A capsule to push."""
    return of_capsule(text(*layers, **members))
