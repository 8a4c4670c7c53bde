r"""The rules that need no rounding: ``sum`` and ``rational-odds``.

Rules of this file: signs are decided exactly, and all else is integers.

Theory of operation: for mechanisms that are (ε_i, δ_i)-DP let D(y) be the hockey-stick divergence
of the composed randomized responses and Δ = 1 - (1 - δ)/∏(1 - δ_i). Every adaptive composition
is (ε, δ)-DP if D(e^ε) <= Δ; the composed randomized responses are not if D(e^ε) > Δ. With odds
ratios n_i/d_i let f be the product of the n_i in a set S and the d_i outside, and g the other way
round; D(y)·∏(n_i + d_i) is the sum of max(0, f - y·g) over the sets.

Sources: certs/SPEC.md, sections 7.2 and 7.4; Murtagh & Vadhan, "The Complexity of Computing the
Optimal Composition of Differential Privacy", Theory of Computing 14(8), 2018, Theorem 1.5; adaptive
composition: Theorem 3.4 of the TCC 2016 version.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.enclosures import bits_for, enclose, exp_floating
from ..arithmetic.signs import sign_of_sum
from ..format.meter import of_product, pay
from ..format.numbers import Number, in_pairs, size
from ..format.outcomes import RejectedError
from .ledger import Ledger, PairsRule
from .rule import EITHER, parameter, read_digits, read_sums

MAX_ODDS_BITS: Final = 2**22
_GUARD: Final = 40

_Table: TypeAlias = dict[bytes, tuple[int, int, int]]
"""(f, g, number of sets) by the bytes of f: the hashes of integers may all be equal."""


class Sum(PairsRule):
    """``upper``: ε >= Σ ε_i, so that D = 0, and Δ >= 0. ``lower``: ε < Σ ε_i, D > 0, and Δ <= 0."""

    name: ClassVar[str] = "sum"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    def check(self, ledger: Ledger) -> None:
        """The signs of ε - Σ ε_i and of Δ."""
        terms = ((-m.count, m.epsilon) for m in ledger.mechanisms)
        excess = sign_of_sum([(1, self.bound.finite()), *terms])
        slack = ledger.sign_of_delta(self.bound.delta)
        if self.bound.kind == "upper":
            if excess < 0:
                raise RejectedError("epsilon is below the sum")
            if slack < 0:
                raise RejectedError("delta is too small: Δ < 0")
        else:
            if excess >= 0:
                raise RejectedError("epsilon is not below the sum")
            if slack > 0:
                raise RejectedError("delta is too large: Δ > 0")


# --- rational odds ------------------------------------------------------------------------------


@dataclass(frozen=True)
class RationalOdds(PairsRule):
    """Theorem 1.5 in integers, for ledgers whose every e^ε_i is rational."""

    name: ClassVar[str] = "rational-odds"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    digits: int = parameter(read_digits)
    sums: int = parameter(read_sums)

    def _sizes(self, ledger: Ledger) -> tuple[int, int]:
        """B and B_Δ of SPEC 7.4."""
        if not all(_has_rational_odds(m.epsilon) for m in ledger.mechanisms):
            raise RejectedError("the odds of an epsilon are not rational")
        odds_bits = sum(m.count * _odds_size(m.epsilon) for m in ledger.mechanisms)
        losses = (m.count * size(m.delta) for m in ledger.mechanisms)
        return odds_bits, size(self.bound.delta) + sum(losses)

    def check(self, ledger: Ledger) -> None:
        """D(y) and Δ as fractions, for y = e^ε or a bound of it."""
        if max(self._sizes(ledger)) > MAX_ODDS_BITS:
            raise RejectedError("the odds or the deltas are too large")
        table: _Table = {b"": (1, 1, 1)}
        powers = []
        bits = 0
        for epsilon, count in ledger.groups:  # where ε_i = 0, both sides would double
            own = count * _odds_size(epsilon)
            bits += own
            pay((count + 1) * (1000 + 4 * of_product(own)))
            pay(len(table) * (count + 1) * (1000 + 2 * of_product(bits)))
            n, d = _odds(epsilon)
            powers.append((n + d) ** count)
            table = self._multiplied(table, n, d, count)
        whole = _product(powers)
        y, unit = self._odds_bound(whole)
        pay((len(table) + 8) * (1000 + 4 * of_product(2 * bits + (y + unit).bit_length())))
        divergence = sum(sets * max(0, unit * f - y * g) for f, g, sets in table.values())
        delta_above, delta_below = _exact_delta(ledger, self.bound.delta)
        pay(4 * of_product(divergence.bit_length() + delta_below.bit_length() + unit.bit_length()))
        left, right = divergence * delta_below, delta_above * unit * whole
        if self.bound.kind == "upper":
            if left > right:
                raise RejectedError("the divergence is above Δ")
        elif left <= right:
            raise RejectedError("the divergence is not above Δ")

    def _multiplied(self, table: _Table, n: int, d: int, count: int) -> _Table:
        """The table with ``count`` more mechanisms of odds n/d."""
        choices = []
        ways = 1
        for j in range(count + 1):
            choices.append((n**j * d ** (count - j), n ** (count - j) * d**j, ways))
            ways = ways * (count - j) // (j + 1)
        result: _Table = {}
        for f, g, sets in table.values():
            for f_factor, g_factor, ways in choices:
                product_f = f * f_factor
                key = product_f.to_bytes(product_f.bit_length() // 8 + 1, "big")
                known = result[key][2] if key in result else 0
                result[key] = (product_f, g * g_factor, known + sets * ways)
            if len(result) > self.sums:
                raise RejectedError("more distinct sums than stated")
        return result

    def _odds_bound(self, whole: int) -> tuple[int, int]:
        """e^ε as a fraction: exactly if it is rational and small, else from the safe side.

        No f exceeds ``whole``, which may therefore stand for every greater e^ε.
        """
        epsilon = self.bound.finite()
        if _is_exact(epsilon):
            return _odds(epsilon)
        bits = bits_for(self.digits) + _GUARD
        low, high, exponent = exp_floating(enclose(epsilon, bits), bits)
        end = low if self.bound.kind == "upper" else high  # D does not increase in y
        if exponent > whole.bit_length():
            return whole, 1
        return end << max(exponent, 0), 1 << (bits + max(-exponent, 0))


def _has_rational_odds(epsilon: Number) -> bool:
    """Whether e^epsilon is rational at sight: no rational part, and integer coefficients."""
    return not epsilon.rational and all(c.denominator == 1 for c, _ in epsilon.logs)


def _is_exact(epsilon: Number) -> bool:
    """Whether e^epsilon is rational at sight, and of a size to reckon with."""
    return _has_rational_odds(epsilon) and _odds_size(epsilon) <= MAX_ODDS_BITS


def _odds_size(epsilon: Number) -> int:
    """The bits of e^epsilon, written as a product of powers."""
    return sum(abs(c.numerator) * size(r) for c, r in epsilon.logs)


def _odds(epsilon: Number) -> tuple[int, int]:
    """Integers n and d with e^epsilon = n/d."""
    n = d = 1
    pay(4 * epsilon.terms * of_product(_odds_size(epsilon)))
    for c, r in epsilon.logs:
        power = abs(c.numerator)
        above, below = r.numerator**power, r.denominator**power
        n, d = (n * above, d * below) if c > 0 else (n * below, d * above)
    return n, d


def _exact_delta(ledger: Ledger, delta: Fraction) -> tuple[int, int]:
    """Δ as a fraction, not reduced, with a positive denominator."""
    failing = [m for m in ledger.mechanisms if m.delta]
    pay(sum(4 * of_product(m.count * size(m.delta)) for m in failing))
    kept = _product((m.delta.denominator - m.delta.numerator) ** m.count for m in failing)
    whole = _product(m.delta.denominator**m.count for m in failing)
    below = delta.denominator * kept
    return below - (delta.denominator - delta.numerator) * whole, below


def _product(factors: Iterable[int]) -> int:
    return in_pairs(_times, factors, 1)


def _times(one: int, other: int) -> int:
    pay(of_product(max(one.bit_length(), other.bit_length())))
    return one * other
