"""The verbs of `pcsf prompt`; `prompt_command` lists them."""
