r"""Optimal composition where every odds ratio is rational: exact integers, an exact answer.

Theory of operation: with :math:`e^{\epsilon_i} = n_i/d_i` put
:math:`f = \prod_{i \in S} n_i \prod_{i \notin S} d_i` and :math:`F = \prod n_i d_i`. Then
:math:`\prod_i (1+E_i) d_i \cdot D(y) = \sum_f N(f) \max(f - yF/f, 0)` over the distinct f with
their counts N(f), and with cumulative sums U and V of N(f) f and N(f) F/f in decreasing order,

.. math:: e^{OptComp} = \max(1, \max_m (U_m - \Delta P)/V_m), \qquad P = \prod (n_i + d_i),

is a rational number. No rounding anywhere; ties are routine and decided.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.certificate.subject import Epsilons
from exactdp.timing.deadlines import asking

_PRODUCT_COST: Final = 5000
"""Nanoseconds for a product of a few thousand digits."""


@dataclass(frozen=True, slots=True)
class RationalOdds:
    """Cumulative sums over products of odds ratios, in order of decreasing privacy loss.

    Attributes:
        truthful: U_m. other: V_m. products: f, decreasing. full: F. total: P.
    """

    truthful: Sequence[mpz]
    other: Sequence[mpz]
    products: Sequence[mpz]
    full: mpz
    total: mpz

    @staticmethod
    def of(odds: Sequence[tuple[mpq, int]]) -> RationalOdds:
        """Collect the products for pairs (odds ratio > 1, count)."""
        counts = {mpz(1): mpz(1)}
        full = total = mpz(1)
        for ratio, count in odds:
            up, down = ratio.numerator, ratio.denominator
            factors = [
                (up**j * down ** (count - j), ways) for j, ways in enumerate(_choices(count))
            ]
            table: dict[mpz, mpz] = {}
            for product, number in asking(counts.items(), len(factors) * _PRODUCT_COST):
                for factor, ways in factors:
                    key = product * factor
                    table[key] = table.get(key, mpz(0)) + number * ways
            counts = table
            full *= (up * down) ** count
            total *= (up + down) ** count
        return RationalOdds._cumulate(counts, full, total)

    @staticmethod
    def _cumulate(counts: dict[mpz, mpz], full: mpz, total: mpz) -> RationalOdds:
        truthful, other, products = [], [], []
        u = v = mpz(0)
        for product in asking(sorted(counts, reverse=True), _PRODUCT_COST):
            partner = full // product
            if product < partner:
                break
            u += counts[product] * product
            v += counts[product] * partner
            truthful.append(u)
            other.append(v)
            products.append(product)
        return RationalOdds(truthful, other, products, full, total)

    @property
    def sums(self) -> int:
        """How many distinct products there are with a loss >= 0."""
        return len(self.products)

    def least_odds(self, allowed: mpq) -> mpq:
        """e^OptComp for Δ = ``allowed`` >= 0, exactly.

        A line's root is the mediant of the root before it and the next odds f/(F/f), which fall;
        so the roots rise while the next odds are above them, and never again after.
        """
        if not self.products:
            return mpq(1)
        above, below = allowed.numerator * self.total, allowed.denominator

        def falls_at(m: int) -> bool:
            risen = below * self.truthful[m - 1] - above
            return self.products[m] ** 2 * below * self.other[m - 1] <= self.full * risen

        best = bisect_left(range(1, self.sums), True, key=falls_at)
        root = mpq(below * self.truthful[best] - above, below * self.other[best])
        return max(mpq(1), root)

    def divergence(self, odds: mpq) -> mpq:
        """D(y) for y = ``odds`` >= 1, exactly: the line through all losses above ln y."""
        positive = bisect_left(
            self.products,
            True,
            key=lambda f: f * f * odds.denominator <= self.full * odds.numerator,
        )
        if not positive:
            return mpq(0)
        return (self.truthful[positive - 1] - odds * self.other[positive - 1]) / self.total


def _choices(count: int) -> Iterator[mpz]:
    """The binomial coefficients of ``count`` in order, each from the one before."""
    ways = mpz(1)
    for j in asking(range(count + 1), _PRODUCT_COST):
        yield ways
        ways = ways * (count - j) // (j + 1)


def counted_odds(epsilons: Epsilons) -> list[tuple[mpq, int]] | None:
    """Pairs (e^ε, count) if every odds ratio is rational, equal ones merged; else None."""
    merged: dict[mpq, int] = {}
    for epsilon, count in epsilons:
        odds = epsilon.rational_odds()
        if odds is None:
            return None
        merged[odds] = merged.get(odds, 0) + count
    return sorted(merged.items())
