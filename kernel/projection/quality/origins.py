"""Who is behind a message: the user role is not the user.

Laws: templates, pasted documents, demonstrations, injected notes, summaries, recalled
knowledge and observations of text-mode runs are told apart from what a person wrote, by
their form alone; what is told apart never makes a hard directive.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from kernel.model import SUMMARY_HEADER, CoreMessage

__all__ = ["LONGEST_WORD", "last_block", "origin_of", "own_words"]

#: Beyond this many characters a user's message is a document with a request in it.
LONGEST_WORD: Final = 2000

_FORMS: Final[Mapping[str, re.Pattern[str]]] = {
    "summary": re.compile(
        r"\A\s*(?:\[Summary of an earlier|This session is being continued from a previous|<summary>|<conversation_summary"
        r"|The conversation history before this point was compacted|# (?:Context )?Checkpoint\b|# Session Summary)"
        rf"|\A\s*{re.escape(SUMMARY_HEADER)}|\A\s*\[?(?:aili|b\d{{6}}\b)"
    ),
    "demonstration": re.compile(
        r"\A\s*(?:Here is a demonstration\b|# Demonstration|<demonstration>)|--- (?:END OF )?DEMONSTRATION ---"
    ),
    "note": re.compile(
        r"\A\s*(?:<(?:system-reminder|local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr"
        r"|task-notification|hook\w*|ide_\w+|user-prompt-submit-hook)\b|\[Request interrupted|Caveat: The messages below"
        r"|\[system\]|\[SYSTEM\]|(?:Pre|Post)ToolUse:|Stop hook|###STOP###\s*\Z)"
    ),
    "recall": re.compile(
        r"\A\s*(?:<(?:EXTRA_INFO|RUNTIME_INFORMATION|REPOSITORY_INFO|REPOSITORY_INSTRUCTIONS|environment_context|user_instructions"
        r"|INSTRUCTIONS|memor\w+)>|Retrieving content for:|Added (?:workspace context|microagent knowledge)|# AGENTS\.md instructions)"
    ),
    "template": re.compile(
        r"\A\s*(?:<command-(?:message|name|args|contents)>|# /[\w:-]+|<skill>|Base directory for this skill:)"
        r"|^(?:ISSUE|INSTRUCTIONS|IMPORTANT TIPS|## Recommended Workflow|## Important Rules|<(?:pr_description|issue_description|uploaded_files)>)",
        re.MULTILINE,
    ),
    "observation": re.compile(
        r"\A\s*(?:<returncode>|OBSERVATION:|<tool_response>|EXECUTION RESULT)|\(Current directory: [^\n]*\)\s*\n?bash-\$\s*\Z"
    ),
    "shell": re.compile(r"\A\$ \S[^\n]*\n"),
}
_INFO: Final = re.compile(r"[\w-]*")
_OUTPUTS: Final = ("diff --git", "[File:", "Traceback", "total ", "/", "<")
_NOTES: Final = ("system-reminder", "EXTRA_INFO")
_NOTE: Final = re.compile(rf"<({'|'.join(_NOTES)})>")


def origin_of(messages: Sequence[CoreMessage], index: int, text: str) -> str:
    """Name who is behind a message, given its normalised text.

    user, assistant, tool or system where the role tells the truth; else template,
    document, demonstration, note, recall, summary, observation, or shell for a command the
    user ran.
    """
    message = messages[index]
    if message.content_type == "tool-result" or message.role == "tool":
        return "tool"
    if message.role != "user":
        return message.role
    told = message.extra.get("origin")
    if told in ("note", "summary"):
        return str(told)
    if not text.strip():
        return "note"
    head = text[:4000] + text[-400:] if len(text) > 4400 else text
    for name, form in _FORMS.items():
        if form.search(head) and not (name == "observation" and index == 0):
            return "template" if name == "observation" and "ISSUE:" in head else name
    if _answers_text(messages, index):
        return "observation"
    return "document" if len(text) > LONGEST_WORD else "user"


def _answers_text(messages: Sequence[CoreMessage], index: int) -> bool:
    """Tell whether a user message is the output of a command in the text before it."""
    if index == 0:
        return False
    before = messages[index - 1]
    if before.role != "assistant" or before.content_type != "text" or not before.text:
        return False
    # A run in text mode: the command is the last thing said, its output the answer.
    output = messages[index].text or ""
    return last_block(before.text) is not None and output.startswith(_OUTPUTS)


def last_block(text: str) -> tuple[int, int] | None:
    """Return the inside of the fenced block a text ends with."""
    stop = len(text.rstrip())
    if not text.endswith("```", 0, stop):
        return None
    fence = text.rfind("```", 0, stop - 3)
    start = text.find("\n", fence, stop - 3) + 1
    if fence < 0 or start == 0 or not _INFO.fullmatch(text, fence + 3, start - 1):
        return None
    end = stop - 3
    return (start, end - 1 if text[end - 1] == "\n" else end) if end > start else None


def own_words(text: str) -> list[tuple[int, int]]:
    """Return the stretches (code points) of a user's text without notes put into it."""
    spans, at = [], 0
    closers = {name: f"</{name}>" for name in _NOTES if f"</{name}>" in text}
    while note := _NOTE.search(text, at):
        closer = closers.get(note[1])
        end = text.find(closer, note.end()) if closer else -1
        if closer is None or end < 0:
            closers.pop(note[1], None)
            if not closers:
                break
            # One that is never closed is text; what follows it may hold the other kind.
            other = text.find(f"<{next(iter(closers))}>", note.end())
            if other < 0:
                break
            spans.append((at, other))
            at = other
            continue
        spans.append((at, note.start()))
        at = end + len(closer)
    spans.append((at, len(text)))
    return [(start, end) for start, end in spans if start < end]
