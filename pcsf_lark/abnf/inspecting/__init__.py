"""What can be said of a grammar without a text: facts about its rules, traps, findings."""
