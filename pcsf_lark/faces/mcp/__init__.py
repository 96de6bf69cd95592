"""`pcsf mcp`: the verbs of this package as tools for models, over the Model Context Protocol.

Laws: nothing is executed; nothing is written but a push to a relay; a call reads its own
arguments and regular files below the roots that the server was started with; what a call
may hold has bounds; what is refused is told with what to send instead.
"""
