"""From a state to messages: the projector, the texts it shows, and the check on every wire."""
