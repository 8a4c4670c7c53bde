r"""Lemma 4.11 of the proceedings as printed: #T-PARTITION from #SUM-PARTITION, with its slip.

Purpose: to run the paper's own step beside the one of :mod:`exactdp.hardness.reductions`, which
reaches the same conclusion by slopes.

Rules of this file: all is rational; the oracle gives sums and nothing else.

Theory of operation: weights are integers with the product N (the lemma's D is 1). A set whose
product inside is x has the gap z = x - N/x, which rises with x, and its ratio x²/N is the lemma's
r_z. So let a threshold be a rational x, and no root is left. For j the integer of T, the sets of
P^T have x >= j, and those of P^c, for c between T and the next possible gap, x > j. The lemma
wants Σ (A_P - B_P) over P^z from two sums Σ (A_P - r·B_P) with *the same sets*, at r_z and at
r_{z''}: two equations for Σ A_P and Σ B_P. It picks z'' above z. At z = T, where T is the gap of
a set, the sets of gap T are then in P^T and not in P^{z''}; z'' below T mends it.

Source: Murtagh & Vadhan, TCC 2016-A, Lemma 4.11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.errors import CostLimitError, DomainError

MOST_INTEGERS: Final = 20

SumOracle = Callable[[mpq], mpq]
"""S(r) = Σ_P max(A_P - r·B_P, 0), over all sets P."""


def count_by_two_sums(
    integers: Sequence[int], inside: int, *, mended: bool = False, oracle: SumOracle | None = None
) -> mpq:
    """What the lemma says is the number of sets with A_P - B_P = T, for T = j - N/j.

    Args:
        integers: w_i >= 1, with the product N.
        inside: j, whose square is above N, so that T > 0.
        mended: whether z'' lies below T, where the lemma says above.
        oracle: what sums; None asks every set, so that at most 20 integers are allowed.

    Raises:
        DomainError: an integer below 1, or a j with j² <= N.
        CostLimitError: too many integers to ask every set.

    >>> count_by_two_sums([2, 3, 6], 12), count_by_two_sums([2, 3, 6], 12, mended=True)
    (mpq(0,1), mpq(1,1))
    """
    whole = prod(integers)
    if any(weight < 1 for weight in integers):
        raise DomainError(field="integers", value=list(integers), expected="integers at least 1")
    if inside**2 <= whole:
        raise DomainError(field="inside", value=inside, expected="an integer with j² > ∏ w_i")
    ask = oracle or sums_over_sets(integers)
    j, quarter = mpq(inside), mpq(1, 4)
    below = max(j - quarter, (j + mpq(whole) / j) / 2)  # still r > 1, and no integer between
    at_t = _sum_of_gaps(ask, whole, j, below if mended else j + quarter)
    beyond = _sum_of_gaps(ask, whole, j + quarter, j + 2 * quarter)
    return (at_t - beyond) / (j - whole / j)


def sums_over_sets(integers: Sequence[int]) -> SumOracle:
    """S(r), from the products of all sets."""
    if len(integers) > MOST_INTEGERS:
        raise CostLimitError(
            field="integers",
            value=f"{len(integers)} integers",
            expected=f"at most {MOST_INTEGERS}, as every set is asked",
        )
    products = [mpz(1)]
    for weight in integers:
        products += [product * weight for product in products]
    whole = prod(integers)
    return lambda r: sum((max(x - r * mpq(whole, x), mpq(0)) for x in products), start=mpq(0))


def _sum_of_gaps(ask: SumOracle, whole: int, first: mpq, second: mpq) -> mpq:
    """Σ (A_P - B_P) over the sets of the first threshold, if the second has the same sets."""
    r, other = first**2 / whole, second**2 / whole
    at_first, at_second = ask(r), ask(other)
    outside = (at_first - at_second) / (other - r)
    return at_first + (r - 1) * outside
