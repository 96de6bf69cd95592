"""The verbs of `pcsf hook`: what agents call, and what people do; `hook_command` lists them."""
