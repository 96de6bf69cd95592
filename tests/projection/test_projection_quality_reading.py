"""How single texts are read: commands, outcomes, origins, sentences, places."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.model import CoreMessage
from kernel.projection.quality import Malformed, Span, build, normalise, slice_of
from kernel.projection.quality.answers import shows_failure
from kernel.projection.quality.arguments import arguments_of
from kernel.projection.quality.artifacts import joined_paths
from kernel.projection.quality.commands import checks_of, looks_only, mutates, touches_of, work_of
from kernel.projection.quality.origins import last_block, origin_of, own_words
from kernel.projection.quality.outcomes import call_outcome, shell_outcome
from kernel.projection.quality.settling import settled
from kernel.projection.quality.shell import is_masked, steps_of
from kernel.projection.quality.spans import Ruler
from kernel.projection.quality.wording import identifiers_of, sentences_of, words_of


@pytest.mark.parametrize(
    ("command", "words", "writes"),
    [
        ("a b", [("a", "b")], []),
        (
            "cd /x && npm run check 2>&1 | head -80",
            [("cd", "/x"), ("npm", "run", "check"), ("head", "-80")],
            [],
        ),
        ("cat > a.py <<'EOF'\nrm b > c\nEOF\necho hi", [("cat",), ("echo", "hi")], ["a.py"]),
        (
            "A=1 sudo pytest -q > out.txt 2>&1; echo $?",
            [("pytest", "-q"), ("echo", "$?")],
            ["out.txt"],
        ),
        ("if [ -f x ]; then rm 'a b'; fi # rm c", [("[", "-f", "x", "]"), ("rm", "a b")], []),
        ('say "never; stop" \\; on', [("say", "never; stop", ";", "on")], []),
        ('a "open', [("a", '"', "open")], []),
        ("timeout 5 make test", [("make", "test")], []),
        ("", [], []),
        ("&& || ;;\n|", [], []),
    ],
)
def test_steps(command, words, writes):
    steps = steps_of(command)
    assert [step.words for step in steps] == words
    assert [name for step in steps for name in step.writes] == writes


@pytest.mark.parametrize(
    ("command", "masked"),
    [
        ("pytest", False),
        ("cd a && pytest -q", False),
        ("export A=1; pytest", False),
        ("pytest | tail -3", True),
        ("set -o pipefail; pytest | tail -3", False),
        ("pytest || true", True),
        ("pytest; echo done", True),
        ("pytest &", False),
        ("echo 'a | b'", False),
    ],
)
def test_masks(command, masked):
    assert is_masked(steps_of(command)) is masked


@pytest.mark.parametrize(
    ("command", "touched"),
    [
        (
            "cd /r/src && mv a.ts b.ts lib/",
            [
                "moved /r/src/a.ts",
                "changed /r/src/lib/a.ts",
                "moved /r/src/b.ts",
                "changed /r/src/lib/b.ts",
            ],
        ),
        ("mv utils/config.ts .", ["moved utils/config.ts", "changed ./config.ts"]),
        ("git mv old.py new.py", ["moved old.py", "changed new.py"]),
        ("cp a.py b.py", ["read a.py", "changed b.py"]),
        ("sed -i '' 's|a.b|c|g' x.ts y.ts", ["changed x.ts", "changed y.ts"]),
        ("sed -n 1,5p x.ts", ["read x.ts"]),
        ("rm -rf build/*.o $OUT main.o", ["deleted main.o"]),
        (
            "mkdir -p a/b; touch a/b/c; echo 1 | tee d.txt",
            ["made a/b", "changed a/b/c", "changed d.txt"],
        ),
        ("cat x.py > /dev/null", ["read x.py"]),
    ],
)
def test_touched_files(command, touched):
    assert [f"{touch.how} {touch.path}" for touch in touches_of(steps_of(command))] == touched


@pytest.mark.parametrize(
    ("command", "checks"),
    [
        ("npm run check 2>&1 | head", ["test npm run check"]),
        ("yarn build", ["build yarn build"]),
        ("python -m pytest -q tests/a.py", ["test pytest tests/a.py"]),
        ("uv run ruff check src && uv run mypy src", ["lint ruff check src", "lint mypy src"]),
        ("npx tsc --noEmit", ["build tsc"]),
        ("make", ["build make"]),
        ("make -j4 test-unit", ["test make test-unit"]),
        ("cargo clippy", ["lint cargo clippy"]),
        ("python reproduce.py", ["run reproduce.py"]),
        ("grep pytest setup.py", []),
        ("npm install", []),
        ("git commit -m 'run pytest'", []),
    ],
)
def test_checks(command, checks):
    found = checks_of(steps_of(command))
    assert [" ".join((check.kind, check.name, *check.operands)) for check in found] == checks


@pytest.mark.parametrize(
    ("command", "looks", "changes"),
    [
        ("grep -rn x . | head", True, False),
        ("git status && git diff", True, False),
        ("git commit -m x", False, True),
        ("ls > files.txt", False, True),
        ("npm install", False, False),
    ],
)
def test_what_a_command_is_for(command, looks, changes):
    steps = steps_of(command)
    assert (looks_only(steps), mutates(steps)) == (looks, changes)


def test_the_work_of_a_command_leaves_out_what_surrounds_it():
    assert work_of(steps_of("cd /x && A=1 npm run check 2>&1 | tail -5")) == "npm run check"


@pytest.mark.parametrize(
    ("text", "options", "state", "evidence"),
    [
        ("", {}, "unknown", "none"),
        ("fine", {"mark": False}, "done", "mark"),
        ("fine", {"mark": False, "masked": True}, "unknown", "masked"),
        ("fine", {"mark": True}, "failed", "mark"),
        ("x\n\nCommand exited with code 1", {"mark": False}, "failed", "status"),
        ("x\n(exit code 0)", {}, "done", "status"),
        ("Command aborted", {"mark": True}, "unknown", "aborted"),
        (
            "def f(): raise ValueError\nTraceback (most recent call last)",
            {"looks": True},
            "unknown",
            "none",
        ),
        ("cat: x: No such file or directory", {"looks": True}, "failed", "output"),
        ("3 passed", {}, "unknown", "none"),
        ("3 passed", {"checks": True, "masked": True}, "done", "output"),
        ("1 failed, 3 passed", {"checks": True}, "failed", "output"),
        ("Tests: 0 failed, 12 passed", {"checks": True}, "done", "output"),
        ("1 failed, 3 passed", {"checks": True, "mark": False}, "failed", "output"),
        ("error TS2304: x", {"checks": True, "mark": False}, "failed", "output"),
        ("--- FAIL: TestX\nFAIL", {"checks": True, "mark": False}, "failed", "output"),
        ("make: *** [build] Error 1", {"checks": True, "mark": False}, "failed", "output"),
        ("3 passed", {"checks": True, "mark": False}, "done", "mark"),
        ("", {"checks": True, "mark": False}, "done", "mark"),
        ("Found 1 error (1 fixed, 0 remaining).", {"checks": True, "mark": False}, "done", "mark"),
        ("2 failed\n(exit code 0)", {"checks": True}, "failed", "output"),
        ("12 failed\nFAILED", {"mark": False}, "done", "mark"),
        ("Traceback (most recent call last):\nKeyError: 1", {}, "failed", "output"),
    ],
)
def test_outcomes_of_commands(text, options, state, evidence):
    settings = {"masked": False, "looks": False, "checks": False, **options}
    outcome = shell_outcome(text, **settings)
    assert (outcome.state, outcome.evidence) == (state, evidence)


@pytest.mark.parametrize(
    ("text", "mark", "state"),
    [
        ("", None, "unknown"),
        ("Could not find the exact text in a.py", None, "failed"),
        ("Changed 12 characters to 14 characters.", None, "done"),
        ("whatever", True, "failed"),
        ("whatever", False, "done"),
        ('{"reservation_id": "X"}', None, "unknown"),
    ],
)
def test_outcomes_of_calls(text, mark, state):
    assert call_outcome(text, mark=mark).state == state


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("Fix it, please.", "user"),
        ("", "note"),
        ("[Summary of an earlier compaction]\nx", "summary"),
        ("[Compressed conversation section]\nx", "summary"),
        ("This session is being continued from a previous conversation", "summary"),
        ("<command-name>/x</command-name>", "template"),
        ("# /erk:plan-implement\n\nDo it.", "template"),
        ("We solve this.\nISSUE:\nIt breaks.\n\nINSTRUCTIONS:\nFix it.", "template"),
        ("Here is a demonstration of how to do it", "demonstration"),
        ("<system-reminder>x</system-reminder>", "note"),
        ("[Request interrupted by user]", "note"),
        ("<environment_context>x</environment_context>", "recall"),
        ("$ ls\na\nb\n", "shell"),
        ("x" * 3000, "document"),
    ],
)
def test_origins(text, origin):
    assert origin_of([CoreMessage("m", "user", "text", text)], 0, text) == origin


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("Run:\n```bash\nls\n```\n", "ls"),
        ("```\na\n```\nand\n```sh\nb\nc\n```", "b\nc"),
        ("no block", None),
        ("```\nopen", None),
        ("``````", None),
        ("```js x\na\n```", None),
    ],
)
def test_the_block_a_text_ends_with(text, inside):
    found = last_block(text)
    assert (None if found is None else text[slice(*found)]) == inside


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two? Three", ["One.", "Two?", "Three"]),
        ("Use e.g. foo.py here. Then stop.", ["Use e.g. foo.py here.", "Then stop."]),
        ("- one\n- [ ] two\n3. three\n# four", ["one", "two", "three", "four"]),
        ("   17→## Rules\n   18→- never do it", ["Rules", "never do it"]),
        ("See:\n```\nnever. do. this.\n```\nEnd", ["See:", "End"]),
        (
            "This line is rather long and is broken off\nin the middle. And so.",
            ["This line is rather long and is broken off\nin the middle.", "And so."],
        ),
        ("短句。第二句！", ["短句。", "第二句！"]),  # noqa: RUF001 - full-width marks are meant
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert [text[start:end] for start, end in sentences_of(text)] == sentences


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Rename parse_args in src/a.py, use 3 of `--no-verify`.",
            ["parse_args", "src/a.py", "3", "--no-verify"],
        ),
        ("The AgentSession and contexT, e.g. I.", ["AgentSession"]),
        (
            "See https://example.org/x?y and @docs/guide.md.",
            ["https://example.org/x", "@docs/guide.md"],
        ),
        ("plain words only", []),
    ],
)
def test_identifiers(text, names):
    assert identifiers_of(text) == names


def test_words_are_stems_and_pairs():
    assert words_of("Moved the files, moving on: 登录页面") == [
        "mov",
        "fil",
        "登录",
        "录页",
        "页面",
    ]


def test_relative_paths_join_the_one_that_ends_in_them():
    paths = ["/r/src/a.py", "src/a.py", "a.py", "/q/b.py", "/r/b.py", "b.py"]
    assert joined_paths(paths) == {
        **{path: path for path in paths},
        "src/a.py": "/r/src/a.py",
        "a.py": "/r/src/a.py",
    }


def test_places_count_utf_16_units_of_the_normal_form():
    text = normalise("👍 cafe\u0301\r\nx\ry")
    assert text == "👍 café\nx\ny"
    assert Ruler(text).span(2, 6) == Span(3, 7)
    assert slice_of(text, Span(3, 7)) == "café"
    assert normalise(text) == text
    assert normalise("  A\t b ") == "  A\t b "
    with pytest.raises(Malformed):
        normalise("x\ud83d")


def test_arguments_are_quoted_as_they_stand():
    text = '{ "path" : "a\\u00e9.py", "edits": [{"newText": "x\\"y"}], "n": 3}'
    found = list(arguments_of(text))
    assert [(a.key, a.value) for a in found] == [("path", "aé.py"), ("newText", 'x"y')]
    assert [text[a.start : a.end] for a in found] == ["a\\u00e9.py", 'x\\"y']
    assert [a.value for a in arguments_of("*** Begin Patch")] == ["*** Begin Patch"]
    assert list(arguments_of("  ")) == []


@pytest.mark.parametrize(
    ("tool", "command", "text", "mark", "failed"),
    [
        ("bash", "pytest -q", "1 failed, 3 passed", False, True),
        ("bash", "pytest -q", "1 failed, 3 passed", None, True),
        ("bash", "pytest -q", "3 passed", False, False),
        ("bash", "cat log.txt", "1 failed, 3 passed", False, False),
        ("bash", "cat log.txt", "", True, True),
        ("test", "", "1 failed", False, True),
        ("build", "", "BUILD FAILED", False, True),
        ("read", "", "1 failed", False, False),
    ],
)
def test_what_a_result_says_of_itself(tool, command, text, mark, failed):
    arguments = f'{{"command": "{command}"}}' if command else "{}"
    assert shows_failure(tool, arguments, text, mark=mark) is failed


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("pytest: 0 failed", "pytest: passing"),
        ("no more errors, nothing left to do", "passing, done to do"),
        ("it no longer fails", "it passing"),
        ("3 failed, 10 passed", "3 failed, 10 passed"),
        ("10 failed", "10 failed"),
        ("was open, now done", "done, now done"),
        ("not done", "not done"),
    ],
)
def test_what_is_denied_to_fail_passes(text, plain):
    assert settled(text) == plain


def _rerun(command, output):
    """A conversation in which a failed check is followed by another command."""

    def run(number, spoken, answer, mark):
        arguments = json.dumps({"command": spoken})
        return (
            CoreMessage(f"c{number}", "assistant", "tool-call", arguments, "bash", f"k{number}"),
            CoreMessage(
                f"r{number}", "tool", "tool-result", answer, "bash", f"k{number}", {"isError": mark}
            ),
        )

    return [
        CoreMessage("u", "user", "text", "Mend the failing test."),
        *run(1, "pytest -q", "1 failed, 5 passed", mark=True),
        *run(2, command, output, mark=False),
        CoreMessage("a", "assistant", "text", "Done."),
    ]


@pytest.mark.parametrize(
    ("command", "output", "settled"),
    [
        ("pytest -q", "6 passed", True),
        ("pytest", "6 passed", True),
        ("pytest > out.txt 2>&1", "", True),
        ("pytest --version", "pytest 8.3", False),
        ("pytest --help", "usage: pytest", False),
        ("pytest --collect-only", "6 tests collected", False),
        ("pytest || true", "", False),
        ("pytest -q | sed -n 1p", "", False),
        ("pytest; echo done", "done", False),
    ],
)
def test_only_a_run_known_to_end_well_puts_a_failed_check_right(command, output, settled):
    facts = build(_rerun(command, output)).facts
    first = next(fact for fact in facts if fact.kind == "verification")
    assert (first.subkind, first.hardness) == (
        ("test-superseded", "soft") if settled else ("test", "hard")
    )


PIECES = ["<system-reminder>", "</system-reminder>", "<EXTRA_INFO>", "</EXTRA_INFO>", "a", "b "]


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_own_words_leave_out_what_is_closed(text):
    plain = re.sub(r"<(system-reminder|EXTRA_INFO)>.*?</\1>", "", text, flags=re.DOTALL)
    assert "".join(text[start:end] for start, end in own_words(text)) == plain


def test_notes_that_are_never_closed_are_looked_for_once():
    text = "<EXTRA_INFO><system-reminder> x" * 200_000
    assert own_words(text) == [(0, len(text))]
