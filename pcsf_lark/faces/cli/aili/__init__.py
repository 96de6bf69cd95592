"""The verbs of `pcsf aili`, grouped by what they do; `aili_command` lists them."""
