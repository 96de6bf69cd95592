"""`pcsf cso`: state objects and their chains as files, as text and as calls."""
