r"""What was asked: whether a statement is about this ledger, and settles this claim.

Sources: certs/SPEC.md, sections 8 and 10.5.
"""
