"""The verbs of `pcsf conformance`, a module each; `conformance_command` lists them."""
