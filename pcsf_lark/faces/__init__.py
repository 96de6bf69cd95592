"""Where people and programs meet the verbs. Nothing below imports a face."""
