r"""Discrete Gaussian noise: its tails and its errors, as certain sums.

Rules of this file: every answer is an upper end; a sum that is cut off carries what was left out.

Theory of operation: the terms :math:`e^{-x^2/(2\sigma^2)}` fall faster than a geometric sequence,
so that what lies beyond a term is at most that term times :math:`r/(1-r)` with r the ratio there.

Source: Canonne, Kamath & Steinke, NeurIPS 2020, Definition 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, precision, upper_end


class DiscreteGaussianSums:
    """Sums over the law P(x) ∝ e^{-x²/(2·variance)} on the integers, to ``bits`` bits."""

    def __init__(self, variance: mpq, bits: int) -> None:
        self._variance = variance
        self._bits = bits
        with precision(bits):
            self._whole = 1 + 2 * self._tail(1)

    def expected(self) -> mpq:
        """E|Y|, an upper end."""
        with precision(self._bits):
            terms, total = self._terms(1), arb(0)
            while True:
                x, term, ratio = next(terms)
                total += x * term
                ratio *= arb(x + 1) / x
                if ratio < 1:
                    rest = x * term * ratio / (1 - ratio)
                    if rest < total * self._little():
                        return upper_end(2 * (total + rest.union(arb(0))) / self._whole)

    def quantile(self, miss: mpq) -> int:
        """The least integer t >= 0 with P(|Y| > t) <= ``miss``, as far as the digits tell."""
        with precision(self._bits):
            terms, beyond = self._terms(1), self._whole - 1
            limit = ball_of_rational(miss) * self._whole
            while True:
                x, term, _ = next(terms)
                if beyond <= limit:
                    return x - 1
                beyond -= 2 * term

    def _tail(self, first: int) -> arb:
        """The sum of the terms from ``first`` >= 0 on."""
        terms, total = self._terms(first), arb(0)
        while True:
            _, term, ratio = next(terms)
            total += term
            rest = term * ratio / (1 - ratio)
            if rest < total * self._little():
                return total + rest.union(arb(0))

    def _terms(self, first: int) -> Iterator[tuple[int, arb, arb]]:
        """x, its term e^{-x²/(2·variance)}, and the next over it, from ``first`` on."""
        twice = 2 * self._variance
        term = (-ball_of_rational(first * first / twice)).exp()
        ratio = (-ball_of_rational((2 * first + 1) / twice)).exp()
        fall = (-ball_of_rational(2 / twice)).exp()
        x = first
        while True:
            yield x, term, ratio
            x, term, ratio = x + 1, term * ratio, ratio * fall

    def _little(self) -> arb:
        return arb(2) ** -self._bits
