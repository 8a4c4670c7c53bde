"""Hypothesis strategies for numbers of the grammar."""

from __future__ import annotations

from gmpy2 import mpq
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber


def rationals(largest: int = 10**6) -> st.SearchStrategy[mpq]:
    return st.builds(mpq, st.integers(-largest, largest), st.integers(1, largest))


def positive_rationals(largest: int = 10**6) -> st.SearchStrategy[mpq]:
    return st.builds(mpq, st.integers(1, largest), st.integers(1, largest))


def numbers() -> st.SearchStrategy[ExactNumber]:
    terms = st.lists(st.tuples(rationals(50), positive_rationals(50)), max_size=4)
    return st.builds(ExactNumber.combine, rationals(), terms)


def texts() -> st.SearchStrategy[str]:
    """Texts near the grammar: its own tokens in any order."""
    tokens = ["0", "7", "0.5", ".5", "1e3", "2^-3", "/", "*", "+", "-", "^", "ln(", ")", " ", "ln"]
    return st.lists(st.sampled_from(tokens), max_size=9).map("".join)
