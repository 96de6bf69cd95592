"""The verbs of `pcsf grammar`, a module each; `grammar_command` lists them."""
