"""The verb of `pcsf kernel`; `kernel_command` lists it."""
