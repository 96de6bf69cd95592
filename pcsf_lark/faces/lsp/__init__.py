"""Capsules and grammars in an editor, by the Language Server Protocol.

``server`` speaks the protocol; all else here is a function of a text and knows
nothing of it. Offsets that go from module to module count bytes of the text's
UTF-8, as the library's do; ``positions`` alone knows lines and UTF-16.
"""
