"""What the manual pages say beside the help: exit codes, environment, files."""

from __future__ import annotations

__all__ = ["ENVIRONMENT", "EXIT", "FILES", "MORE"]

EXIT = (
    ("0", "Clean: what was asked for is done, and nothing is to be said against it."),
    ("1", "Findings: what was judged is not as it should be, or what was compared differs."),
    ("2", "Trouble: a call that does not fit, a file that cannot be read or written."),
    ("130", "Interrupted by Ctrl-C. No file is left half-written."),
)
#: Variables of the environment that any command heeds, or that a group of commands does.
ENVIRONMENT = {
    "NO_COLOR": "Not empty: no colours anywhere. It comes before the others.",
    "FORCE_COLOR": "Not empty and not 0: colours into pipes and files, too.",
    "CLICOLOR_FORCE": "As FORCE_COLOR.",
    "CLICOLOR": "0: no colours on a terminal either.",
    "TERM": "`dumb`: no colours, no bars of progress.",
    "COLUMNS": "How wide the terminal is, where it is not to be asked itself.",
    "PCSF_RELAY": "The store of `pcsf relay`, as --store names it.",
    "PCSF_RELAY_KEY": "The key that signs, in hexadecimal, instead of the relay's key file.",
    "PCSF_HOOK_LOG": "The file in which hooks of agents note what they did.",
    "PCSF_DEBUG": "Not empty: a fault of pcsf itself ends in a traceback.",
}
FILES = (
    (
        "pcsf.toml, pyproject.toml",
        "Configuration of `pcsf check`; the nearest one above each file, in the latter the table `tool.pcsf`.",
    ),
    (".pcsf/", "A relay: its store, its configuration and its key; the nearest one upwards."),
)
#: What `pcsf.1` says beside the help.
MORE = """\
`pcsf COMMAND --help` prints what these pages hold, shorter. `-` stands for standard input.
Results go to standard output, trouble to standard error."""
