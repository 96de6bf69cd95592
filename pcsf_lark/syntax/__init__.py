"""Text to AST, twice, from one grammar; and the outline of any text.

====================== ==================================================
``fast``               the generated regex: yes or no, and the AST
``lark_reader``        the same AST from the LALR parser
``recovery``           any text to its outline, when both say no
``explanation``        what the grammar expected in one line
====================== ==================================================

Nothing is imported here: a clean capsule needs ``fast`` alone, and no lark
object leaves the package.
"""
