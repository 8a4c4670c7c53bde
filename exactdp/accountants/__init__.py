r"""Crosscheck: other accountants against certified intervals, with certificates for the verdicts.

Nothing is loaded before it is used, for one module of this package runs in interpreters that have
none of exactdp's dependencies.
"""
