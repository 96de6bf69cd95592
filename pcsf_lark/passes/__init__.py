"""Operations on capsules: one operation, one module, one function of its name.

Laws of this package: functions are pure; each expects a capsule that the rules
accept (``pcsf_lark.operations`` sees to it), and what it makes of one has the
places and the size of its canonical text.
"""
