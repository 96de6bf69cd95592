"""Whether and how a rule matches a text, for any grammar."""
