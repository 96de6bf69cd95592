"""With the host: checkpoints, what they cover, and one attempt a cycle."""
