"""Hooks of agents: state goes on by itself from a session to the next.

At the end of a session and before a compaction its log is drafted and pushed to the
relay; at the start the head is handed in as context.

| module | what it is |
|---|---|
| `claude_code` | that agent's hook: JSON in, JSON out |
| `starting`, `saving` | what is done at a start, and at an end or compaction |
| `recall` | what a start said, kept until the store changes |
| `background`, `work` | the part of it that outlives the hook's process |
| `scene`, `journal`, `deadline`, `stdin` | where, on what record, how long, from what |
| `agents`, `claude_settings`, `settings_file` | how agents are told of it |
| `pi.mjs`, `opencode.mjs` | the extension and the plugin, in JavaScript |

The law of all of them: an agent is never blocked and never failed. Whatever goes
wrong, the exit code is 0, the agent is told nothing, and one line goes to
`.pcsf/hook.log`.
"""

from __future__ import annotations

__all__: list[str] = []
