"""`pcsf session` on logs of every format: what it shows, folds, finds and converts."""

import json
import shutil
from pathlib import Path

import pytest

from kernel import check
from kernel.wire import WIRES, decode, detect

LOGS = Path(__file__).parent / "logs"
TRANSCRIPTS = Path(__file__).resolve().parents[3] / "shared" / "cases" / "transcripts"
NAMES = sorted(path.name for path in LOGS.iterdir())
# The chat documents are a wire's bodies; their own wire gives them back.
OWN = {"openai.json": "openai", "anthropic.json": "anthropic"}
OWN |= {"gemini.json": "gemini", "responses.json": "responses"}


@pytest.mark.parametrize("log", NAMES)
def test_every_command_reads_every_format(pcsf, log):
    code, out, _ = pcsf.session("view", log)
    assert code == 0
    assert 'type="text">m00001</acp>' in out
    for name, more in (("status", []), ("plan", []), ("search", ["importer old"])):
        for shape in ("text", "json"):
            code, out, _ = pcsf.session(name, log, *more, "--format", shape)
            assert code == 0, (name, shape)
            assert out.strip()
            if shape == "json":
                json.loads(out)
    assert not (pcsf.folder / f"{log}.kernel.json").exists()


@pytest.mark.parametrize("log", NAMES)
@pytest.mark.parametrize("wire", WIRES)
def test_views_and_conversions_are_bodies_a_provider_takes(pcsf, log, wire):
    pcsf.fold(log, "m1..m3", config=json.dumps({"compress": {"minCompressRange": 0}}))
    for arguments in (("view", log, "--format", wire), ("convert", log, "--to", wire)):
        code, out, _ = pcsf.session(*arguments)
        assert code == 0
        body = json.loads(out)
        assert check(wire, body, had_user=True) == []
        assert decode(wire, out).messages


@pytest.mark.parametrize("log", OWN)
def test_a_document_converted_to_its_own_shape_is_as_it_was(pcsf, log):
    code, out, _ = pcsf.session("convert", log, "--to", OWN[log])
    assert code == 0
    assert out.rstrip("\n") == (LOGS / log).read_text("utf-8")


def test_a_prompt_goes_along_into_another_shape(pcsf):
    out = json.loads(pcsf.session("convert", "openai.json", "--to", "anthropic")[1])
    assert out["system"] == "You keep tide gauges."
    assert detect(out) == "anthropic"


def test_json_views_are_core_messages(pcsf):
    messages = json.loads(pcsf.session("view", "tide.jsonl", "--format", "json", "--no-tags")[1])
    assert [m["id"] for m in messages][:2] == ["e001", "e002"]
    assert messages == json.loads(pcsf.session("convert", "tide.jsonl", "--to", "json")[1])


def test_a_fold_and_back(pcsf):
    before = pcsf.session("view", "tide.jsonl")[1]
    code, out, err = pcsf.fold("tide.jsonl", "m2..m16", "--topic", "importer", "--dry-run")
    assert (code, err) == (0, "")
    assert out.startswith("b1: 15 messages, ")
    assert "would become" in out
    assert not (pcsf.folder / "tide.jsonl.kernel.json").exists()
    code, out, _ = pcsf.fold("tide.jsonl", "m2..m16", "--topic", "importer")
    assert code == 0
    view = pcsf.session("view", "tide.jsonl")[1]
    assert "[Compressed conversation section] — importer\nThe importer took epochs" in view
    assert "station 00" not in view
    assert len(view) < len(before) / 4
    assert "blocks     1 active of 1" in pcsf.session("status", "tide.jsonl")[1]
    hidden = pcsf.session("search", "tide.jsonl", "fromtimestmp")[1]
    assert " in b1: " in hidden.splitlines()[0]
    assert "station 00" in pcsf.session("decompress", "tide.jsonl", "b1")[1]
    assert pcsf.session("view", "tide.jsonl")[1] == view
    assert pcsf.session("undo", "tide.jsonl") == (0, "taken back: b1\n", "")
    assert pcsf.session("view", "tide.jsonl")[1] == before
    code, out, err = pcsf.session("undo", "tide.jsonl")
    assert (code, out) == (1, "")
    assert "no fold to take back" in err


def test_a_released_block_stays_open(pcsf):
    before = pcsf.session("view", "tide.jsonl")[1]
    pcsf.fold("tide.jsonl", "m2..m16")
    code, out, _ = pcsf.session("decompress", "tide.jsonl", "b1", "--release")
    assert code == 0
    assert "station 00" in out
    assert pcsf.session("view", "tide.jsonl")[1] == before
    code, _, err = pcsf.session("decompress", "tide.jsonl", "b1", "--release")
    assert code == 1
    assert "not active" in err


def test_blocks_fold_into_a_higher_tier(pcsf):
    assert pcsf.fold("tide.jsonl", "m2..m7")[0] == 0
    assert (
        pcsf.fold(
            "tide.jsonl",
            "m8..m16",
            config='{"compress":{"minCompressRange":0},"preserveRecentTokens":0}',
        )[0]
        == 0
    )
    code, out, _ = pcsf.fold("tide.jsonl", "b1..b2", summary="Both together: UTC it is." * 3)
    assert code == 0
    assert out.rstrip().endswith("tier 2")
    inner = pcsf.session("decompress", "tide.jsonl", "b3")[1]
    assert "station 00" in inner
    assert (
        "no block 'b9'; there are: b1, b2, b3" in pcsf.session("decompress", "tide.jsonl", "b9")[2]
    )


REFUSED = {
    "no ref": (("x..m4",), {}, "INVALID_REF"),
    "a ref nobody has": (("m2..m99",), {}, "UNKNOWN_REF"),
    "too little": (("m2..m3",), {}, "GATE_TOO_SMALL"),
    "recent": (("m21..m22",), {"config": '{"compress":{"minCompressRange":0}}'}, "ALL_PROTECTED"),
    "a short summary": (("m2..m16",), {"summary": "short"}, "SUMMARY_TOO_SHORT"),
    "no summary": (("m2..m16",), {"summary": ""}, "SUMMARY_EMPTY"),
    "an error for a summary": (("m2..m16",), {"summary": "Error: " + "x" * 80}, "SUMMARY_IS_ERROR"),
    "a long summary": (("m2..m16",), {"summary": "y" * 20_001}, "SUMMARY_TOO_LONG"),
}


@pytest.mark.parametrize("label", REFUSED)
def test_a_refused_fold_says_why_and_changes_nothing(pcsf, label):
    (span,), more, want = REFUSED[label]
    code, out, err = pcsf.fold("tide.jsonl", span, **more)
    assert (code, out) == (1, "")
    assert f"({want})" in err
    assert "?" not in err.replace("'?'", "")
    assert "nothing was folded" in err
    assert not (pcsf.folder / "tide.jsonl.kernel.json").exists()


def test_what_is_folded_is_not_folded_again(pcsf):
    pcsf.fold("tide.jsonl", "m2..m16")
    first = pcsf.state("tide.jsonl")
    assert pcsf.fold("tide.jsonl", "m3..m9")[0] == 1
    assert pcsf.state("tide.jsonl") == first


def test_a_plan_can_be_carried_out_as_it_says(pcsf):
    config = '{"modelContextLimit": 2000, "preserveRecentTokens": 0}'
    code, out, _ = pcsf.session("plan", "tide.jsonl", "--config", config)
    assert code == 0
    assert out.startswith("due      yes: the window is full (EMERGENCY_INJECT)")
    (line,) = [line for line in out.splitlines() if line.startswith("next ")]
    assert f"--config '{config}' --range m00001..m000" in line
    span = line.split("--range ")[1].split()[0]
    assert pcsf.fold("tide.jsonl", span, config=config)[0] == 0
    assert span not in pcsf.session("plan", "tide.jsonl", "--config", config)[1]


def test_a_leaf_chooses_its_branch(pcsf):
    log = pcsf.folder / "tide.jsonl"
    fork = {"type": "message", "id": "fork", "parentId": "e003", "timestamp": "2026-01-06"}
    fork["message"] = {"role": "user", "content": [{"type": "text", "text": "Another way."}]}
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(fork) + "\n")
    code, out, err = pcsf.session("view", "tide.jsonl")
    assert code == 0
    assert "Another way." in out
    assert "Thanks" not in out
    assert "LONGER_BRANCH" in err
    code, out, _ = pcsf.session("view", "tide.jsonl", "--leaf", "e017")
    assert "Thanks" in out
    assert "Another way." not in out
    assert pcsf.fold("tide.jsonl", "m2..m16", "--leaf", "e017")[0] == 0
    assert "--leaf e017" in pcsf.session("view", "tide.jsonl")[2]
    assert "summary" not in pcsf.session("view", "tide.jsonl")[1]
    assert "Compressed" in pcsf.session("view", "tide.jsonl", "--leaf", "e017")[1]
    code, _, err = pcsf.session("view", "tide.jsonl", "--leaf", "nobody")
    assert code == 2
    assert "no entry has the id 'nobody'" in err
    assert pcsf.session("view", "openai.json", "--leaf", "x")[0] == 2


def test_a_run_is_chosen_by_number(pcsf):
    assert "Thanks" not in pcsf.session("view", "runs.json")[1]
    assert "Thanks" in pcsf.session("view", "runs.json", "--run", "1")[1]
    code, _, err = pcsf.session("view", "runs.json", "--run", "2")
    assert (code, "no run 2" in err) == (2, True)
    assert pcsf.session("view", "runs.json", "--run", "-1")[0] == 2
    assert pcsf.fold("runs.json", "m2..m16", "--run", "1")[0] == 0
    code, _, err = pcsf.session("view", "runs.json")
    assert code == 1
    assert "state of run 1, not of run 0" in err


USAGE = {
    ("--range", "m1", "--summary-file", "-"): "write FIRST..LAST",
    ("--range", "..m1", "--summary-file", "-"): "write FIRST..LAST",
    ("--range", "m1..m2"): "--summary-file",
    ("--summary-file", "-"): "--range",
    ("--range", "m1..m2", "--summary-file", "gone"): "gone: No such file",
    ("--range", "m1..m2", "--summary-file", "-", "--config", "{"): "--config is no JSON",
    ("--range", "m1..m2", "--summary-file", "-", "--config", "[]"): "must be a JSON object",
    (
        "--range",
        "m1..m2",
        "--summary-file",
        "-",
        "--config",
        '{"modelContextLimit":"x"}',
    ): "wrong kind",
    (
        "--range",
        "m1..m2",
        "--summary-file",
        "-",
        "--config",
        '{"modelContextLimit":0}',
    ): "give the window in tokens",
}


@pytest.mark.parametrize("arguments", USAGE)
def test_a_wrong_call_is_told_so(pcsf, arguments):
    code, out, err = pcsf.session("compress", "tide.jsonl", *arguments)
    assert (code, out) == (2, "")
    assert USAGE[arguments] in err


def test_real_logs(pcsf):
    if not TRANSCRIPTS.is_dir():
        pytest.skip("the transcripts are not beside this checkout")
    config = '{"preserveRecentTokens": 500, "compress": {"minCompressRange": 100}}'
    for path in sorted(TRANSCRIPTS.iterdir()):
        if path.suffix not in (".jsonl", ".traj", ".json") or ".oracle." in path.name:
            continue
        shutil.copyfile(path, pcsf.folder / path.name)
        before = pcsf.session("view", path.name)
        assert before[0] == 0, path.name
        plan = json.loads(
            pcsf.session("plan", path.name, "--format", "json", "--config", config)[1]
        )
        for item in plan["ranges"][:1]:
            span = f"{item['startRef']}..{item['endRef']}"
            code, out, err = pcsf.fold(path.name, span, config=config)
            assert code == 0, (path.name, span, out, err)
            for wire in WIRES:
                body = json.loads(pcsf.session("view", path.name, "--format", wire)[1])
                assert check(wire, body, had_user=True) == [], (path.name, wire)
            assert pcsf.session("undo", path.name)[0] == 0
        assert pcsf.session("view", path.name) == before
