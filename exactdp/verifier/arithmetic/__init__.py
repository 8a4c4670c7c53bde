r"""Real numbers enclosed by integers: logarithms, exponentials, the normal distribution, weights.

Sources: certs/SPEC.md, section 6.
"""
