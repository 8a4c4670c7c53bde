"""Independent oracles: the sum over subsets in balls, and exact counts with mpmath.

Nothing here shares code with the engines: subsets are enumerated, counts are plain integers, and
Δ is computed from fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod
from random import Random

import mpmath  # type: ignore[import-untyped]
from flint import arb, ctx, fmpq, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber

Group = tuple[str, str, int]


def fraction(value: object) -> Fraction:
    number = mpq(value)  # type: ignore[call-overload]  # int, Fraction or mpq
    return Fraction(int(number.numerator), int(number.denominator))


def parsed(text: str) -> Fraction:
    return fraction(ExactNumber.parse(text).rational)


def expand(groups: Sequence[Group]) -> list[ExactNumber]:
    """Every ε, one by one."""
    return [ExactNumber.parse(e) for e, _, count in groups for _ in range(count)]


def budget_of(groups: Sequence[Group], delta: Fraction) -> Fraction:
    """Δ = 1 - (1 - δ_g)/∏(1 - δ_i), exactly."""
    kept = prod(((1 - parsed(d)) ** count for _, d, count in groups), start=Fraction(1))
    return 1 - (1 - delta) / kept


def _ball(number: ExactNumber) -> arb:
    total = arb(fmpq(int(number.rational.numerator), int(number.rational.denominator)))
    for c, r in number.logs:
        ratio = arb(fmpq(int(r.numerator), int(r.denominator)))
        total += arb(fmpq(int(c.numerator), int(c.denominator))) * ratio.log()
    return total


@dataclass(frozen=True)
class SubsetSums:
    """Theorem 1.5 term by term, in balls of a stated precision."""

    epsilons: tuple[ExactNumber, ...]
    bits: int

    def divergence(self, epsilon: ExactNumber) -> arb:
        """A ball of D(e^ε)."""
        with ctx.workprec(self.bits):
            odds = [_ball(e).exp() for e in self.epsilons]
            y = _ball(epsilon).exp()
            pairs = [(arb(1), arb(1))]
            for ratio in odds:
                pairs = [(ratio * p, q) for p, q in pairs] + [(p, ratio * q) for p, q in pairs]
            total = sum(((p - y * q).max(arb(0)) for p, q in pairs), arb(0))
            for ratio in odds:
                total /= 1 + ratio
            return total

    def excess(self, epsilon: ExactNumber, budget: Fraction) -> arb:
        """A ball of D(e^ε) - Δ."""
        with ctx.workprec(self.bits):
            return self.divergence(epsilon) - arb(fmpq(budget.numerator, budget.denominator))


def check_interval(
    groups: Sequence[Group], delta: Fraction, lower: mpq | None, upper: mpq | None
) -> None:
    """Fail if OptComp is certainly not in [lower, upper]; at two precisions, which must overlap."""
    budget = budget_of(groups, delta)
    if lower is None or upper is None:
        assert budget < 0
        return
    assert budget >= 0
    epsilons = tuple(expand(groups))
    coarse, fine = SubsetSums(epsilons, 120), SubsetSums(epsilons, 400)
    for end, low in ((lower, True), (upper, False)):
        balls = [sums.excess(ExactNumber(end), budget) for sums in (coarse, fine)]
        assert balls[0].overlaps(balls[1])
        if low and lower > 0:
            assert not any(value < 0 for value in balls), f"lower end {lower} above the truth"
        if not low:
            assert not any(value > 0 for value in balls), f"upper end {upper} below the truth"


@cache
def exact_counts(groups: tuple[tuple[int, int], ...]) -> list[int]:
    """N(s) for s = 0…A: how many sets of mechanisms have multiples adding up to s."""
    factors = [fmpz_poly([1] + [0] * (a - 1) + [1]) ** count for a, count in groups]
    while len(factors) > 1:
        factors.sort(key=lambda factor: factor.degree(), reverse=True)
        factors.append(factors.pop() * factors.pop())
    return [int(number) for number in factors[0].coeffs()]


def excess_from_counts(
    groups: Sequence[tuple[int, int]], unit: str, epsilon: str, delta: Fraction
) -> int:
    """The sign of D(e^ε) - δ from exact counts N(s), in integers of 2000 binary digits.

    Args:
        groups: pairs (a, count).
        unit: ε₀ as text.
        epsilon: as text.
        delta: as a fraction; no δ_i.
    """
    bits = 2000
    counts = exact_counts(tuple(groups))
    span = len(counts) - 1
    with mpmath.workprec(2 * bits):
        scaled = mpmath.mpf(2) ** bits
        decay = int(mpmath.exp(-mpmath.mpf(unit)) * scaled)
        # partner = y·q^(s-A), which begins at e^(ε - Aε₀) and grows
        partner = int(mpmath.exp(mpmath.mpf(epsilon) - span * mpmath.mpf(unit)) * scaled)
        growth = int(mpmath.exp(mpmath.mpf(unit)) * scaled)
        total = mpmath.mpf(1)
        for a, count in groups:
            total *= (1 + mpmath.exp(-a * mpmath.mpf(unit))) ** count
        allowed = int(total * delta.numerator / delta.denominator * scaled)
    up = 1 << bits
    value = 0
    for number in counts:
        if up <= partner:
            break
        value += number * (up - partner)
        up = (up * decay) >> bits
        partner = (partner * growth) >> bits
    error = (1 << 1200) + (1 << sum(count for _, count in groups)) * (1 << 100)
    return (value > allowed + error) - (value < allowed - error)


def excess_of_equals(unit: str, count: int, epsilon: str, delta: Fraction) -> int:
    """The sign of D(e^ε) - δ for ``count`` mechanisms of ε₀, from binomial terms; 60 digits."""
    with mpmath.workdps(60):
        odds, eps = mpmath.mpf(unit), mpmath.mpf(epsilon)
        x = mpmath.exp(-odds)
        j = int(mpmath.floor((count * odds - eps) / (2 * odds)))
        term = mpmath.exp(
            mpmath.loggamma(count + 1)
            - mpmath.loggamma(j + 1)
            - mpmath.loggamma(count - j + 1)
            - j * odds
            - count * mpmath.log1p(x)
        )
        gap = mpmath.exp(eps - (count - 2 * j) * odds)  # y·e^(-loss), below 1
        step = mpmath.exp(-2 * odds)
        value = mpmath.mpf(0)
        while j >= 0 and term > mpmath.mpf(10) ** -52:
            value += term * (1 - gap)
            term *= j / ((count - j + 1) * x)
            gap *= step
            j -= 1
        excess = value - mpmath.mpf(delta.numerator) / delta.denominator
        error = mpmath.mpf(10) ** -38
        return int(excess > error) - int(excess < -error)


_RATIONAL_ODDS = ["ln(2)", "ln(3)", "ln(3/2)", "ln(9)", "2*ln(3)", "ln(5/4)", "ln(10)", "0"]
_IRRATIONAL = [
    "0.1",
    "0.25",
    "1/3",
    "2",
    "0.007",
    "1/4 + ln(2)",
    "1/2*ln(2)",
    "ln(3)",
    "5",
    "ln(2)",
    "1e-12",
    "ln(4) - 2*ln(2)",
]
_DELTAS = ["0", "0", "0", "1e-6", "1/100", "1/7"]


def random_groups(source: Random, *, rational: bool, most: int) -> list[Group]:
    """Groups of at most ``most`` mechanisms."""
    pool = _RATIONAL_ODDS if rational else _IRRATIONAL
    groups: list[Group] = []
    left = source.randint(1, most)
    while left:
        count = source.randint(1, min(left, 4))
        groups.append((source.choice(pool), source.choice(_DELTAS), count))
        left -= count
    return groups


def random_delta(source: Random, groups: Sequence[Group]) -> Fraction:
    """A global δ: anywhere, small, or next to the least feasible one."""
    least = -budget_of(groups, Fraction(0)) if groups else Fraction(0)
    least = 1 - 1 / (1 + least)
    kind = source.randrange(6)
    if kind == 0:
        return least
    if kind == 1:
        return least * Fraction(999, 1000)
    if kind == 2:
        return least + (1 - least) * Fraction(1, 10 ** source.randint(1, 30))
    if kind == 3:
        return 1 - (1 - least) * Fraction(1, 10 ** source.randint(1, 9))
    return least + (1 - least) * Fraction(source.randint(1, 999), 1000)
