"""Who is behind a message: the user role is not the user.

Laws: templates, pasted documents, demonstrations, injected notes, summaries, recalled
knowledge and observations of text-mode runs are told apart from what a person wrote, by
their form alone; what is told apart never makes a hard directive.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from kernel.model import SUMMARY_HEADER, CoreMessage

__all__ = ["LONGEST_WORD", "origin_of", "own_words"]

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
_FENCED: Final = re.compile(r"```[\w-]*\n.+?\n```\s*\Z", re.DOTALL)
_NOTES: Final = re.compile(r"<(system-reminder|EXTRA_INFO)>.*?</\1>", re.DOTALL)
_PASTED: Final = re.compile(r"^(?:\s*at \S+ \(|Traceback|\{\"|[╭│┌└]|\s*File \")", re.MULTILINE)


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
    return _FENCED.search(before.text[-8000:]) is not None and _opens_like_output(
        messages[index].text or ""
    )


def _opens_like_output(text: str) -> bool:
    return text.startswith(("diff --git", "[File:", "Traceback", "total ", "/", "<"))


def own_words(text: str) -> list[tuple[int, int]]:
    """Return the stretches (code points) of a user's text without notes put into it."""
    spans, at = [], 0
    for note in _NOTES.finditer(text):
        spans.append((at, note.start()))
        at = note.end()
    spans.append((at, len(text)))
    return [(start, end) for start, end in spans if start < end]
