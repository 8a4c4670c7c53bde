r"""What the bytes of a certificate are: strict JSON, exact numbers, and what can be said of them.

Sources: certs/SPEC.md, sections 1, 2 and 13.
"""
