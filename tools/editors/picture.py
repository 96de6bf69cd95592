"""Draw Neovim at work on a capsule: a real terminal, looked into and written as SVG.

    python tools/editors/picture.py pcsf_lark/faces/lsp/editor.svg

Needs tmux and Neovim; the checkout's own `pcsf` is the server.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 132, 32
PATIENCE = 60

CAPSULE = """\
===PCSF:v1.2===
META: Moving the billing jobs off cron | software | working | 2026-06-26T20:17Z
CHAIN: hops=2 origin=2026-06-01T08:00Z

L1:SKELETON
CHOICE | jobs run from a queue, a worker a tenant | one slow tenant must not delay the rest
CONSTRAINT | no job may run twice within an hour | the provider has no idempotency keys
DECISION | 3 of 41 jobs were never scheduled | the old crontab had DOS line ends

L2:NEGATIVE
lock in Redis | it expired “mid-job” | a lock that expires is a hint

L3:INTERNAL
UNCERTAINTY: I never saw how month end behaves.

L4:RELATION
STYLE: short answers, numbers first

L5:LOOPS
INCOMPLETE_TASK | replay last month's jobs against the queue | high
DEFERRED_QUESTION | who owns the retry budget? | MED

SEED: Isolation by tenant matters more than throughput in this move.
===END===
"""
INIT = """\
vim.opt.termguicolors = true
vim.opt.signcolumn = "yes"
vim.opt.number = true
vim.opt.laststatus = 2
vim.opt.swapfile = false
for name, colours in pairs({
  Normal = { fg = "#d0d0d0", bg = "#282828" },
  NormalFloat = { fg = "#d0d0d0", bg = "#35353f" },
  FloatBorder = { fg = "#8080a0", bg = "#35353f" },
  LspCodeLens = { fg = "#7f9f7f", italic = true },
  DiagnosticError = { fg = "#e06c6c" },
  SignColumn = { bg = "#282828" },
  LineNr = { fg = "#707070" },
  EndOfBuffer = { fg = "#404040" },
}) do
  vim.api.nvim_set_hl(0, name, colours)
end
vim.lsp.handlers["textDocument/hover"] =
  vim.lsp.with(vim.lsp.handlers.hover, { border = "rounded" })
require("pcsf").setup({ cmd = { "%s", "-m", "pcsf_lark", "lsp" } })
"""


def tmux(socket: str, *words: str) -> str:
    """Run tmux on a server of its own."""
    done = subprocess.run(
        ["tmux", "-L", socket, *words], check=True, capture_output=True, text=True
    )
    return done.stdout


def screen(folder: Path) -> str:
    """What a terminal shows once the findings and the hover are there, colours included."""
    lua = folder / "runtime" / "lua"
    lua.mkdir(parents=True)
    shutil.copy(ROOT / "tools/editors/neovim/pcsf.lua", lua)
    (folder / "init.lua").write_text(INIT % sys.executable, "utf-8")
    (folder / "billing.pcsf").write_text(CAPSULE, "utf-8")
    socket = f"pcsf-picture-{os.getpid()}"
    command = (
        f"cd {folder} && PYTHONPATH={ROOT} LC_ALL=C.UTF-8 TERM=tmux-256color XDG_STATE_HOME={folder} "
        f"nvim --clean -i NONE --cmd 'set runtimepath^={folder}/runtime' -u init.lua billing.pcsf"
    )
    size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
    tmux(
        socket,
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        *size,
        "env",
        "LC_ALL=C.UTF-8",
        "sh",
        "-c",
        command,
    )
    try:
        wait(socket, "is not a depth")
        wait(socket, "bytes, ")
        # On the token that is none, its explanation.
        tmux(socket, "send-keys", "-t", "0", ":8", "Enter", ":lua vim.lsp.buf.hover()", "Enter")
        wait(socket, "malformed-entry")
        time.sleep(1)
        return tmux(socket, "capture-pane", "-p", "-e", "-t", "0")
    finally:
        tmux(socket, "kill-server")


def wait(socket: str, text: str) -> None:
    """Wait until the screen shows a text."""
    for _ in range(PATIENCE * 10):
        if text in tmux(socket, "capture-pane", "-p", "-t", "0"):
            return
        time.sleep(0.1)
    shown = tmux(socket, "capture-pane", "-p", "-t", "0")
    raise TimeoutError(f"the screen never showed {text!r}:\n{shown}")


def main() -> None:
    """Write the picture to the path given."""
    with tempfile.TemporaryDirectory() as folder:
        shown = screen(Path(folder))
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for line in shown.rstrip("\n").split("\n"):
        console.print(Text.from_ansi(line), no_wrap=True, crop=True)
    drawn = console.export_svg(title="nvim billing.pcsf")
    # The font would be loaded from elsewhere; the reader's own does.
    drawn = re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL)
    Path(sys.argv[1]).write_text(drawn, "utf-8")


if __name__ == "__main__":
    main()
