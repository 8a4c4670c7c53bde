"""Hypothesis strategies for ledgers and global deltas."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

Group = tuple[str, str, int]

GRID = ["0", "0.1", "0.25", "1/3", "1", "3/2", "0.07", "6"]
RATIONAL_ODDS = ["0", "ln(2)", "ln(3)", "ln(3/2)", "ln(4)", "2*ln(2)", "ln(10)"]
POWERS_OF_TWO = ["ln(2)", "ln(4)", "2*ln(2)", "ln(8)", "3*ln(2)"]
MIXED = [*GRID, *RATIONAL_ODDS, "1/4 + ln(2)", "1/2*ln(5)", "ln(3) - 1/4", "1e-12"]
DELTAS = ["0", "0", "1e-9", "1e-4", "1/100", "1/7"]


def groups(
    epsilons: list[str], *, most: int = 5, largest: int = 4
) -> st.SearchStrategy[list[Group]]:
    group = st.tuples(st.sampled_from(epsilons), st.sampled_from(DELTAS), st.integers(1, largest))
    return st.lists(group, min_size=1, max_size=most)


def ledgers() -> st.SearchStrategy[list[Group]]:
    """Ledgers for every engine."""
    return (
        groups(GRID, largest=30)
        | groups(RATIONAL_ODDS)
        | groups(MIXED, largest=3)
        | groups(GRID, most=1, largest=1000)
    )


def deltas() -> st.SearchStrategy[Fraction]:
    """Global deltas, small ones as often as large ones."""
    small = st.integers(1, 80).map(lambda n: Fraction(1, 2**n))
    tens = st.integers(1, 30).map(lambda n: Fraction(1, 10**n))
    return small | tens | st.builds(Fraction, st.integers(0, 1000), st.just(1000))
