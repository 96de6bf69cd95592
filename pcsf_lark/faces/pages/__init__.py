"""What the verbs know, as pages for a browser and as Markdown for a chat.

Each module gives text for values; none reads a file, a clock or the environment.
HTML needs the extra `html`; Markdown needs nothing.
"""
