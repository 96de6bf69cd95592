"""The verbs of `pcsf session`, grouped by what they do; `session_command` lists them."""
