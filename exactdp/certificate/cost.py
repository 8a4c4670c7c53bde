r"""The cost of checking, by the formulas of ``certs/SPEC.md``, section 7.

Rules of this file: the formulas are normative and shared with the verifier through that page only;
a certificate that states another cost is rejected. A unit is about a nanosecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber

Groups = Sequence[tuple[ExactNumber, int]]


def size_of(value: mpq) -> int:
    """The bits above and below the fraction bar."""
    return int(abs(value.numerator)).bit_length() + int(value.denominator).bit_length()


def odds_size(groups: Groups) -> int:
    """B: the bits of the products of odds ratios, as the rule ``rational-odds`` bounds them."""
    return sum(
        count * sum(abs(int(c)) * size_of(r) for c, r in epsilon.logs) for epsilon, count in groups
    )


def failure_size(delta: mpq, deltas: Sequence[tuple[mpq, int]]) -> int:
    """B_Δ: the bits of Δ as a fraction; ``deltas`` holds every distinct δ_i, 0 included."""
    return size_of(delta) + sum(count * size_of(d) for d, count in deltas)


def sum_cost(entries: int) -> int:
    """The cost of ``sum`` and of ``infeasible`` for a subject of so many entries."""
    return 1000 * (entries + 1)


def rational_odds_cost(entries: int, groups: Groups, sums: int, failure_bits: int) -> int:
    """The cost of ``rational-odds`` with at most ``sums`` distinct products."""
    products = sums * (len(groups) + 1) * (500 + odds_size(groups) // 8)
    return sum_cost(entries) + products + failure_bits


def grid_slots(groups: Sequence[tuple[int, int]], digits: int) -> int:
    """S: how many coefficients the blocks of a grid span, for groups (a_i, count)."""
    return sum(a * min(count, 2 * isqrt(2 * count * (digits + 10)) + 64) + 1 for a, count in groups)


def grid_cost(entries: int, groups: Sequence[tuple[int, int]], digits: int) -> int:
    """The cost of ``grid``; one group (a_i, count) for each distinct text of a positive ε."""
    levels = len(groups).bit_length() + 2
    blocks = 2000 * (digits + 100) * len(groups)
    return sum_cost(entries) + blocks + 2 * grid_slots(groups, digits) * (digits + 30) * levels


def lattice_cost(entries: int, groups: int, sums: int, digits: int) -> int:
    """The cost of ``lattice`` with at most ``sums`` distinct sums."""
    table = sums * (groups + 1) * (500 + 10 * digits)
    blocks = 2000 * (digits + 100) * groups
    return 1000 * (entries + 1) ** 2 + blocks + table + 300 * sums * (digits + 100)
