"""The law above all, by enumeration: no view that leaves is one a provider refuses.

Every history up to six messages, every range of it folded, every subset of it covered by
a block of an old state; and every free sequence up to five, broken ones included.
"""

import itertools

import pytest

from kernel import CompressionBlock, CompressionState, apply_compression, check, process_turn

SHARDS = 4


def part(items, shard):
    return items[shard::SHARDS]


def test_the_space_is_as_large_as_the_law_says(histories, sequences):
    assert len(histories) == 2243
    assert sum(len(h) * (len(h) + 1) // 2 for h in histories) > 41_000
    assert sum(2 ** len(h) - 1 for h in histories) > 116_000
    # Each sequence with a call or result has a twin in which the two names are exchanged.
    assert 2 * len(sequences) == sum(7**n + 3**n for n in range(1, 6))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_plain_views(kit, histories, shard):
    for letters in part(histories, shard):
        messages = kit.letters(letters)
        kit.judge(process_turn(messages, config=kit.open_config).messages, messages, letters)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_free_sequences(kit, sequences, shard):
    for letters in part(sequences, shard):
        messages = kit.letters(letters)
        kit.judge(process_turn(messages, config=kit.open_config).messages, messages, letters)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_range_folded(kit, histories, shard):
    for letters in part(histories, shard):
        messages = kit.letters(letters)
        state = kit.state_of(messages)
        for start, end in itertools.combinations_with_replacement(range(len(messages)), 2):
            item = kit.span(state, messages, messages[start].id, messages[end].id)
            applied = apply_compression([item], messages, state, kit.open_config)
            view = kit.bare_view(messages, applied.state)
            if (start + end) % 4 == 1:
                whole = process_turn(messages, applied.state, kit.open_config).messages
                assert [m.id for m in whole] == [m.id for m in view]
            kit.judge(view, messages, (letters, start, end))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_subset_covered_by_an_old_block(kit, histories, shard):
    for letters in part(histories, shard):
        messages = kit.letters(letters)
        for mask in range(1, 1 << len(messages)):
            ids = [m.id for bit, m in enumerate(messages) if mask >> bit & 1]
            block = CompressionBlock("b1", "r1", 1, "covered", ids, ids)
            state = CompressionState(blocks=[block], next_block_id=2)
            view = kit.bare_view(messages, state)
            if mask % 8 == 1:
                whole = process_turn(messages, state, kit.open_config).messages
                assert [m.id for m in whole] == [m.id for m in view]
            kit.judge(view, messages, (letters, ids))
            assert sum(m.id == "acp_summary_b1" for m in view) == 1, (letters, ids)


BROKEN = {
    "a call nobody answers": ("u c:a u", "CALL_UNANSWERED"),
    "a result nobody asked for": ("u o:a", "RESULT_UNCALLED"),
    "a user between call and result": ("u c:a u o:a", "CALL_UNANSWERED"),
    "a system text between call and result": ("u c:a s o:a", "CALL_UNANSWERED"),
    "two results of one call": ("u c:a o:a o:a", "RESULT_UNCALLED"),
    "reasoning at the end": ("u r", "REASONING_ALONE"),
    "reasoning before a user": ("u r u", "REASONING_ALONE"),
    "siblings parted": ("u c:a c:b o:a t o:b", "CALL_UNANSWERED"),
}


@pytest.mark.parametrize("label", BROKEN)
def test_the_checker_sees_what_is_broken(kit, label):
    spec, code = BROKEN[label]
    assert code in {found.code for found in check("core", kit.history(spec))}


def test_the_checker_sees_an_empty_view_and_a_lost_user():
    assert [v.code for v in check("core", [], had_user=True)] == ["EMPTY", "USER_LOST"]
    assert check("core", [], had_input=False) == []


WIRE_BROKEN = [
    ("anthropic", {"messages": [{"role": "assistant", "content": "hi"}]}, "NOT_USER_FIRST"),
    ("anthropic", {"messages": [{"role": "user", "content": " "}]}, "BLANK_TEXT"),
    (
        "anthropic",
        {
            "messages": [
                {"role": "user", "content": "go"},
                *(
                    [
                        {
                            "role": "assistant",
                            "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}],
                        },
                        {
                            "role": "user",
                            "content": [
                                {"type": "tool_result", "tool_use_id": "a", "content": "x"}
                            ],
                        },
                    ]
                    * 2
                ),
            ]
        },
        "CALL_ID_TWICE",
    ),
    (
        "openai",
        {
            "messages": [
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]},
                {"role": "assistant", "content": None, "tool_calls": [{"id": "b"}]},
                {"role": "tool", "tool_call_id": "a", "content": ""},
                {"role": "tool", "tool_call_id": "b", "content": ""},
            ]
        },
        "CALL_UNANSWERED",
    ),
    (
        "pi",
        {
            "messages": [
                {"role": "user", "content": "go"},
                {"role": "toolResult", "toolCallId": "a", "content": []},
            ]
        },
        "RESULT_UNCALLED",
    ),
    ("gemini", {"contents": [{"role": "model", "parts": [{"text": "hi"}]}]}, "NOT_USER_FIRST"),
    ("responses", {"input": [{"type": "reasoning", "summary": []}]}, "REASONING_ALONE"),
]


@pytest.mark.parametrize(("shape", "body", "code"), WIRE_BROKEN)
def test_the_checker_reads_every_shape(shape, body, code):
    assert code in {found.code for found in check(shape, body)}
