"""The verbs of `pcsf relay`, grouped by what they do; `relay_command` lists them."""
