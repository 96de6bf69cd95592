"""The verbs of `pcsf cso`, grouped by what they do; `cso_command` lists them."""
