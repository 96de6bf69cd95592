"""The public surface of the three packages: what it is, its pages, its record.

`public` is the one table of what is public; `reading` finds it in the source,
without importing it; `markdown` writes the pages and `surface` the record that a
change of the surface shows in.
"""
