"""The public surface of the three packages: what it is, its pages, its record.

`public` is the one table of what is public. `reading` finds its names in the source,
without importing it, `docstrings` what is said of them, `declaring` how they are
declared, `mentions` which types they name. `markdown` writes that down, `pages` puts it
where it is read, and `surface` keeps the record that a change of the surface shows in.
"""
