r"""Private selection: a mechanism is run a random number of times, and the best answer kept.

Rules of this file: a divergence is from above, times 2^256; every order gives a bound that holds,
so that which orders are looked at decides only how near it is.

Theory of operation: let f be the generating function of the number of runs K, which nothing about
the data changes. Answers are ordered by their scores; with q and q' the probabilities, on the two
inputs, that a run ends below an answer or at it by a coin, the mechanism gives the answer with its
own probability times the mean of f'(q) over coins. So e^{(α-1)D_α} of what is kept is at most

    P[K = 0] + e^{(α-1)c(α)}·sup f'(q)^α·f'(q')^{1-α},    c(α) the divergence of the mechanism,

where q and q' are those of one event (section 7.5 bounds the supremum). If the mechanism is ε-DP
and K negative binomial, what is kept is (2 + η)ε-DP.

Sources: certs/SPEC.md, sections 7.1, 7.4 and 7.5; Papernot & Steinke, "Hyperparameter tuning with
Rényi differential privacy", ICLR 2022, arXiv:2110.03620v2, Theorems 2 and 6, Corollary 3 and
Lemma 7; Liu & Talwar, STOC 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Final, TypeAlias

from ..arithmetic.enclosures import Enclosure, ceil_div, enclose, enclose_exact, exp_fixed
from ..arithmetic.signs import sign
from ..format.meter import of_division, of_series, pay
from ..format.numbers import Number, parse_canonical, size
from ..format.outcomes import MalformedError
from ..format.shapes import array, integer, members, rational, string
from ..format.strict_json import Json
from .entries import MAX_COUNT
from .pairs_of_laws import log_of

MAX_BITS: Final = 256
BITS: Final = 256
MAX_SAMPLED_ORDER: Final = 256
MAX_ORDERS: Final = 4096
_PAIR: Final = 2
_LEAST_ETA: Final = Fraction(1, 10**6)
_MOST_ETA: Final = 1000
_LEAST_GAMMA: Final = Fraction(1, 10**12)
_MOST_MEAN: Final = 10**6
_STEPS: Final = range(8, 16)
_ONE: Final = 1 << BITS

Orders: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""Orders, each with a divergence from above."""


def orders_of(*, sampled: bool) -> list[Fraction]:
    """From 9/8 to 4096, beside a rate the integers among them up to 256."""
    below = [Fraction(9, 8), Fraction(5, 4), Fraction(3, 2), Fraction(7, 4), Fraction(5, 2)]
    whole = [
        *map(Fraction, range(2, 16)),
        *(Fraction(j << k) for k in range(1, 10) for j in _STEPS),
    ]
    most = MAX_SAMPLED_ORDER if sampled else MAX_ORDERS
    return sorted([*(() if sampled else below), *(each for each in whole if each <= most)])


@dataclass(frozen=True)
class Inner:
    """What is run: a mechanism of one family, ``count`` times."""

    epsilon: Number | None
    """Of a pure one."""

    square: Fraction
    """Twice its ρ, or μ²."""

    rate: Fraction
    listed: Orders
    count: int

    def curve(self) -> list[tuple[Fraction, int]]:
        """Divergences by their orders."""
        if self.listed:
            return [(alpha, self.count * _up(bound)) for alpha, bound in self.listed]
        orders = orders_of(sampled=self.rate < 1)
        pay(len(orders) * (20_000 + 40 * of_division(4 * BITS + size(self.square))))
        return [(alpha, self.count * self._divergence(alpha)) for alpha in orders]

    def _divergence(self, alpha: Fraction) -> int:
        if self.epsilon is not None:
            high = enclose(self.epsilon, BITS)[1]
            square = ceil_div(high * high, _ONE)
            return min(high, ceil_div(alpha.numerator * square, 2 * alpha.denominator))
        if self.rate == 1:
            return _up(alpha * self.square / 2)
        return self._sampled(alpha.numerator)

    def _sampled(self, alpha: int) -> int:
        """The value of ln Σ C(α, k)(1 - q)^{α-k}q^k·e^{k(k-1)μ²/2} over α - 1."""
        pay((alpha + 1) * (20_000 + 2 * of_series(BITS + 64) + of_division(2 * alpha + 4 * BITS)))
        without, there = (_ln(each) for each in (1 - self.rate, self.rate))
        exponents = [
            _ln(Fraction(comb(alpha, k)))[1]
            + (alpha - k) * without[1]
            + k * there[1]
            + _up(k * (k - 1) * self.square / 2)
            for k in range(alpha + 1)
        ]
        return ceil_div(_ln_of_sum(exponents), alpha - 1)


# --- how often it is run ------------------------------------------------------------------------


@dataclass(frozen=True)
class NegativeBinomial:
    """A truncated negative binomial law: at least one run."""

    eta: Fraction
    gamma: Fraction

    def divergences(self, curve: Sequence[tuple[Fraction, int]]) -> Orders:
        """The value of c(α) + (1 + η)·((1 - 1/λ)·c(λ) + ln(1/γ)/λ) + ln E[K]/(α - 1)."""
        pay(len(curve) * 40 * of_division(4 * BITS + 2 * MAX_BITS))
        runs = -_ln(self.gamma)[0]
        further = min([runs, *(_mean(1 / order, runs, bound) for order, bound in curve)])
        spent, mean = _times(further, 1 + self.eta), self._log_mean()
        return tuple(
            (alpha, Fraction(bound + spent + _times(mean, 1 / (alpha - 1)), _ONE))
            for alpha, bound in curve
        )

    def _log_mean(self) -> int:
        """The logarithm of E[K], from above."""
        pay(8 * of_series(2 * BITS))
        low, high = _ln(self.gamma)
        above = (1 - self.gamma) / self.gamma
        if not self.eta:
            return _ln(above / Fraction(-high, _ONE))[1]
        ends = (low, high) if self.eta > 0 else (high, low)
        exponent = _times(ends[0], self.eta, up=False), _times(ends[1], self.eta)
        power = exp_fixed(exponent, BITS)
        less = _ONE - power[1] if self.eta > 0 else power[0] - _ONE
        return _ln(abs(self.eta) * above / Fraction(less, _ONE))[1]


@dataclass(frozen=True)
class Poisson:
    """A Poisson law: perhaps no run, of which nothing but that is said."""

    mean: Fraction

    def divergences(self, curve: Sequence[tuple[Fraction, int]]) -> Orders:
        """The value of ln(e^-m + m·e^{(α-1)(c(α) + m·δ)}) over α - 1; (ln(α/(α-1)), δ)-DP."""
        pay(len(curve) * (20_000 + 6 * of_series(2 * BITS) + 40 * of_division(6 * BITS)))
        pay(len(curve) ** 2 * (2000 + 2 * of_division(6 * BITS)))
        lines = [(order - 1, _at_zero(order, bound)) for order, bound in curve]
        return tuple((alpha, self._divergence(alpha, bound, lines)) for alpha, bound in curve)

    def _divergence(
        self, alpha: Fraction, bound: int, lines: Sequence[tuple[Fraction, int]]
    ) -> Fraction:
        near = _ln(alpha / (alpha - 1))[0]
        least = min(at - _times(near, slope, up=False) for slope, at in lines)
        failing = exp_fixed((min(0, least), min(0, least)), BITS)[1]
        kept = _times(bound + _times(failing, self.mean), alpha - 1) + _ln(self.mean)[1]
        most = _ln_of_sum([-enclose_exact(self.mean, BITS)[0], kept])
        return Fraction(_times(most, 1 / (alpha - 1)), _ONE)


Repetitions: TypeAlias = NegativeBinomial | Poisson


def _at_zero(order: Fraction, bound: int) -> int:
    """The value of (λ - 1)c(λ) + λ·ln(1 - 1/λ) - ln(λ - 1), from above."""
    scaled = _times(bound, order - 1) + _times(_ln(1 - 1 / order)[1], order)
    return scaled - _ln(order - 1)[0]


# --- arithmetic from above ----------------------------------------------------------------------


def _up(value: Fraction) -> int:
    return enclose_exact(value, BITS)[1]


def _times(value: int, factor: Fraction, *, up: bool = True) -> int:
    product = value * factor.numerator
    return ceil_div(product, factor.denominator) if up else product // factor.denominator


def _mean(weight: Fraction, one: int, other: int) -> int:
    return _times(one, weight) + _times(other, 1 - weight)


def _ln(ratio: Fraction) -> Enclosure:
    low, high = log_of(ratio, BITS)
    return int(low * _ONE), int(high * _ONE)


def _ln_of_sum(exponents: Sequence[int]) -> int:
    """The logarithm of a sum of exponentials."""
    highest = max(exponents)
    total = sum(exp_fixed((each - highest, each - highest), BITS)[1] for each in exponents)
    return highest + _ln(Fraction(total, _ONE))[1]


# --- reading ------------------------------------------------------------------------------------


def read_selection(value: Json) -> tuple[Inner, Repetitions]:
    """What is run, and how often."""
    parts = members(value, ("of", "repetitions"), "selection")
    return _read_inner(parts["of"]), _read_repetitions(parts["repetitions"])


def _read_inner(value: Json) -> Inner:
    key = next((key for key in _INNER if isinstance(value, dict) and key in value), "epsilon")
    parts = members(value, ("count", key, *_INNER[key]), "of", ("rate",) if key == "mu" else ())
    count, one = integer(parts["count"], 1, MAX_COUNT, "count"), Fraction(1)
    if key == "epsilon":
        epsilon = parse_canonical(string(parts["epsilon"], "epsilon"))
        if epsilon.size > MAX_BITS or sign(epsilon) <= 0 or string(parts["delta"], "delta") != "0":
            raise MalformedError("what is selected is not ε-DP for a short ε above 0")
        return Inner(epsilon, Fraction(0), one, (), count)
    if key == "renyi":
        return Inner(None, Fraction(0), one, _read_orders(parts["renyi"]), count)
    number = _short(parts[key], key)
    if not number:
        raise MalformedError("what is selected reveals nothing")
    rate = _short(parts["rate"], "rate") if "rate" in parts else one
    if "rate" in parts and not 0 < rate < 1:
        raise MalformedError("a mechanism's rate is not between 0 and 1")
    return Inner(None, number**2 if key == "mu" else 2 * number, rate, (), count)


_INNER: Final[Mapping[str, tuple[str, ...]]] = {
    "epsilon": ("delta",),
    "mu": (),
    "renyi": (),
    "rho": (),
}
"""By what it may be given, with its further keys."""


def _read_orders(value: Json) -> Orders:
    rows = [array(each, "renyi") for each in array(value, "renyi")]
    if not 1 <= len(rows) <= MAX_BITS or any(len(row) != _PAIR for row in rows):
        raise MalformedError(f"renyi is not 1 to {MAX_BITS} pairs, in a selection")
    orders = tuple((_short(order, "order"), _short(bound, "bound")) for order, bound in rows)
    if orders[0][0] <= 1 or any(after[0] <= before[0] for before, after in pairwise(orders)):
        raise MalformedError("the orders of renyi do not rise from above 1")
    return orders


def _read_repetitions(value: Json) -> Repetitions:
    key = "poisson" if isinstance(value, dict) and "poisson" in value else "negative_binomial"
    parts = members(value, (key,), "repetitions")
    if key == "poisson":
        mean = _short(members(parts[key], ("mean",), key)["mean"], "mean")
        if not 0 < mean <= _MOST_MEAN:
            raise MalformedError(f"the mean of repetitions is not above 0 and up to {_MOST_MEAN}")
        return Poisson(mean)
    law = members(parts[key], ("eta", "gamma"), key)
    number = parse_canonical(string(law["eta"], "eta"))
    eta, gamma = number.rational, _short(law["gamma"], "gamma")
    if number.logs or size(abs(eta)) > MAX_BITS or not -1 < eta <= _MOST_ETA:
        raise MalformedError(f"eta is not a short rational above -1 and up to {_MOST_ETA}")
    if eta and abs(eta) < _LEAST_ETA:
        raise MalformedError("eta is below a millionth, and not 0")
    if not _LEAST_GAMMA <= gamma <= 1 - _LEAST_GAMMA:
        raise MalformedError("gamma is not from 10^-12 to 1 - 10^-12")
    return NegativeBinomial(eta, gamma)


def _short(value: Json, what: str) -> Fraction:
    number = rational(value, what)
    if size(number) > MAX_BITS:
        raise MalformedError(f"a selection's {what} has more than {MAX_BITS} bits")
    return number
