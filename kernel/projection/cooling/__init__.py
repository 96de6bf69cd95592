"""Cooling: stubs for the bodies of tool results that have been read and are not needed raw.

    profiles      which tool is judged by which rules, and a project's overrides
    observations  how many settled answers had the exact result before them
    planning      what may be cooled now, and the transaction that cools it

Laws: only the body of a result is ever replaced, never the call, the ids, the name, the
status or the order; age is no evidence; a stub covers nothing.
"""
