r"""The rules, a file for each family, and the table of them all.

Sources: certs/SPEC.md, sections 7, 10 and 11.
"""
