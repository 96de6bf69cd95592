"""The surfaces: six tools a model may call, each a schema and a pure function."""
