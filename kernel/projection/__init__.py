"""The projection: reversible compaction over an append-only session log."""
