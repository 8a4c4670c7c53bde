r"""What was asked: whether a statement is about this ledger, and settles this claim.

Sources: certs/SPEC.md, section 12.
"""
