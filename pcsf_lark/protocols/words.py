"""What the parts of a capsule are for, in the words of our prompts.

Laws of this file: data only; each table has a row for every token or layer of
``pcsf_lark.spec``, and none besides (a test compares).
"""

__all__ = ["DEPTH_WORDS", "DIMENSION_WORDS", "LAYER_WORDS", "TOKEN_WORDS"]

#: How deep a session went (§2.4).
DEPTH_WORDS = {
    "SURFACE": "a short exchange",
    "WORKING": "real work was done",
    "DEEP": "long, with much shared context",
}

#: What a layer holds (§2.5-§2.9).
LAYER_WORDS = {
    "L1": "What was decided, found or fixed, and the cause that makes it more than obvious.",
    "L2": "Paths tried or weighed and given up: why they failed here, and what that teaches anywhere.",
    "L3": "What you yourself held at the end.",
    "L4": "How you and the user work together now, not who the user is.",
    "L5": "Every thread left open, the most urgent first.",
}

#: When to use a token that opens an entry (§2.5, §2.7, §2.9), by layer.
TOKEN_WORDS = {
    "L1": {
        "CHOICE": "one way taken among several",
        "CONSTRAINT": "a limit that must hold",
        "DISCOVERY": "something found to be so",
        "PIVOT": "a change of course",
        "OUTCOME": "what an attempt came to",
    },
    "L2": {},
    "L3": {
        "UNCERTAINTY": "a doubt you did not fully voice",
        "DIRECTION": "where you were steering",
        "INTUITION": "a hunch without proof",
        "UNRESOLVED": "a question you wanted to ask and did not",
    },
    "L4": {},
    "L5": {
        "PROMISE": "you said you would",
        "DEFERRED_QUESTION": "to be asked later",
        "INCOMPLETE_TASK": "begun, not done",
        "HYPOTHESIS_UNTESTED": "believed, not tried",
    },
}

#: The recommended dimensions of the relationship (§2.8).
DIMENSION_WORDS = {
    "STYLE": "how to talk",
    "TRUST": "how much you may do unasked",
    "VOCAB": "terms with a meaning between you two",
    "MODE": "the user's present frame of mind",
    "BOUNDARY": "what to do or never do",
}
