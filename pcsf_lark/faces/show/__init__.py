"""`pcsf show`: what a path names, found out and made a view; a view drawn for a terminal.

``views`` finds out what there is, ``states`` and ``relays`` make views of objects and
stores; `pages` has what a view is, and writes it as HTML and Markdown.
"""
