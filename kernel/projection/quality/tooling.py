"""Tools by their names: what a call of one does.

Laws: tables over branches; a namespace in front of a name says nothing; an unknown tool
is judged by the verbs of its name, and where they say nothing it is `other`.
"""

# ruff: noqa: SIM905 - a table of words reads best as text

import re
from collections.abc import Mapping
from typing import Final, Literal

__all__ = ["COMMAND_KEYS", "PATH_KEYS", "Purpose", "bare", "purpose_of"]

Purpose = Literal[
    "shell", "read", "search", "change", "delete", "plan", "errand", "control", "other"
]

_NAMES: Final[Mapping[Purpose, str]] = {
    "shell": "bash shell execute_bash exec exec_command run run_command execute_command terminal local_shell"
    " run_shell_command run_terminal_cmd shell_command cmd powershell",
    "read": "read view open cat read_file readfile open_file view_file notebookread fileread goto",
    "search": "ls grep glob find list_dir list_files list_directory find_file search_file search_dir search_files"
    " file_search grep_search codebase_search websearch webfetch web fetch get search diagnostics toolsearch",
    "change": "edit write multiedit create create_file insert str_replace apply_patch notebookedit write_file edit_file"
    " fs_write update_file append replace applypatch fix apply edit_block str_replace_in_file replace_in_file fileedit",
    "delete": "delete delete_file remove_file undo_edit",
    "plan": "todowrite todo_write update_plan todo task_tracker plan taskupdate taskcreate",
    "errand": "task agent dispatch_agent delegate spawn_agent hub subagent delegate_task",
    "control": "think submit finish exit_plan_mode exitplanmode askuserquestion skill slashcommand todoread",
}
_TABLE: Final[Mapping[str, Purpose]] = {
    name: purpose for purpose, names in _NAMES.items() for name in names.split()
}
_VERBS: Final[tuple[tuple[Purpose, frozenset[str]], ...]] = (
    ("delete", frozenset("delete remove".split())),
    (
        "change",
        frozenset(
            "write edit create insert replace patch update append modify save rename move".split()
        ),
    ),
    ("read", frozenset("read view open cat show load".split())),
    ("search", frozenset("search find list grep glob fetch query lookup".split())),
    ("shell", frozenset("bash shell terminal exec execute".split())),
)
_EDITORS: Final = re.compile(
    r"str_replace(?:_based)?_edit(?:or)?(?:_tool)?|text_editor|file_editor|editor"
)
PATH_KEYS: Final = frozenset(
    "path file_path filepath filePath filename file file_name notebook_path target_file paths files absolute_path"
    " relative_path old_path new_path source destination source_path destination_path relative_workspace_path".split()
)
COMMAND_KEYS: Final = frozenset("command cmd script commands".split())
_EDITOR_COMMAND: Final = re.compile(r"[\"']command[\"']:\s*[\"'](\w+)[\"']")


def bare(name: str | None) -> str:
    """Return a tool's name without its namespace, in lower case."""
    return re.split(r"__|[./:]", name or "")[-1].lower()


def purpose_of(name: str | None, arguments: str = "") -> Purpose:
    """Tell what a call does."""
    tool = bare(name)
    if tool.startswith("aili_"):
        return "control"
    if _EDITORS.fullmatch(tool):
        return _editing(arguments)
    if tool in _TABLE:
        return _TABLE[tool]
    words = frozenset(re.split(r"[_-]", tool))
    return next((purpose for purpose, verbs in _VERBS if words & verbs), "other")


def _editing(arguments: str) -> Purpose:
    """Tell what an editor of many commands was asked for."""
    found = _EDITOR_COMMAND.search(arguments)
    if found is not None:
        return "read" if found[1] == "view" else "change"
    changes = ("new_str", "old_str", "file_text", '"content"', "insert_line")
    return "change" if any(key in arguments for key in changes) else "read"
