r"""Rényi divergences of mechanisms by their noise, and what they give at one order.

Rules of this file: every order α > 1 gives a bound that holds; the search for a good one proves
nothing. A sampled mechanism has a bound at integer orders, where its noise is its own reverse, and
Gaussian noise between 1 and 2 as well, which is what counts where noise is little.

Theory of operation: divergences of one order add up, of ρ and lists of divergences too, and convert
to (ε, δ) by

.. math:: \ln \delta = (\alpha-1)(\tau(\alpha) - \epsilon)
          + \alpha \ln(1 - 1/\alpha) - \ln(\alpha - 1).

The least ε over α is looked for by thirds, of α - 1; where divergences are listed, among the listed
orders alone, for those between two have no better bound than the greater one.

The moments of a sampled pair are sums of those of the pair, by the binomial theorem.

Sources: certs/SPEC.md, section 11.14; Mironov, Talwar & Zhang, arXiv:1908.10530, section 3.3
(samples); Canonne, Kamath & Steinke, arXiv:2004.00010, Propositions 5 and 12; Mironov, CSF 2017,
Propositions 1, 5 and 6; Cesar & Rogers, ALT 2021, Lemmas 3.2 and 3.4 of arXiv:2004.07223 (bounded
range).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import ceil_to, floor_log10, round_below
from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.errors import InternalError
from exactdp.mechanisms.pairs import Pair
from exactdp.timing.deadlines import asking

_ALPHA_DIGITS: Final = 8
_SPARE_DIGITS: Final = 12
_STEPS: Final = 64
_DOUBLINGS: Final = 200
_GUARD_BITS: Final = 128
_MOST_SAMPLED_ORDER: Final = 1024
_STEP_OF_ORDERS: Final = 24
_LEAST_SAMPLED_ORDER: Final = 2
_OF_A_HALVING: Final = 16
_FINEST_EXPONENT: Final = 40 * _OF_A_HALVING
_FEW: Final = 3
"""Orders below 2 are 1 + 2^(-n/16), with n up to the second of these."""

_FARTHER: Final = 2
_COST: Final = 10**4
"""Nanoseconds that a divergence takes."""
_TERM_COST: Final = 10**3
"""The same for a term of one of a sample."""


@dataclass(frozen=True, slots=True)
class OrderBound:
    """What an order gives: the mechanisms are (ε, δ)-DP together."""

    subject: Subject
    alpha: mpq
    epsilon: mpq
    digits: int

    def certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """The proof that an ε of at least ``epsilon`` is enough."""
        parameters = {"alpha": str(self.alpha), "digits": str(self.digits)}
        return Certificate(self.subject, "upper", epsilon, delta, "moments", parameters)


def bound_at(laws: DominatingPairs, delta: mpq, places: int) -> OrderBound:
    """The least ε that an order gives at δ, a decimal of so many places.

    Raises:
        InternalError: no divergence of a mechanism is known here.
    """
    with precision(4 * places + _GUARD_BITS + 8 * delta.denominator.bit_length()):
        log_delta, divergences = laws.allowed(delta).log(), _Divergences(laws)

        def epsilon_of(alpha: mpq) -> arb:
            return (divergences.exponent(alpha) - log_delta) / ball_of_rational(alpha - 1)

        alpha = _least(epsilon_of, laws)
        epsilon = max(mpq(0), ceil_to(upper_end(epsilon_of(alpha)), places))
        slack = min(mpq(1), (alpha - 1) / mpz(10) ** places)
        least = min(mpq(1), lower_end(log_delta.exp())) * slack
    size = 2 * bits_of(alpha) * 3 // 10
    digits = max(10, -floor_log10(least) + size + _SPARE_DIGITS)
    return OrderBound(laws.subject, alpha, epsilon + mpq(1, mpz(10) ** places), digits)


def mironov_at(laws: DominatingPairs, delta: mpq, places: int) -> mpq:
    r"""About the least of τ(α) + ln(1/δ)/(α-1) over α, a decimal of so many places above it.

    Source: Mironov, CSF 2017, Proposition 3.
    """
    with precision(4 * places + _GUARD_BITS + 8 * delta.denominator.bit_length()):
        log_delta, divergences = laws.allowed(delta).log(), _Divergences(laws)

        def epsilon_of(alpha: mpq) -> arb:
            return (divergences.scaled(alpha) - log_delta) / ball_of_rational(alpha - 1)

        return ceil_to(upper_end(epsilon_of(_least(epsilon_of, laws))), places)


def divergence_at(laws: DominatingPairs, epsilon: ExactNumber) -> mpq:
    """The least D at ε that an order gives, from above."""
    with precision(_GUARD_BITS):
        size, divergences = ball(epsilon), _Divergences(laws)

        def log_of(alpha: mpq) -> arb:
            return divergences.exponent(alpha) - ball_of_rational(alpha - 1) * size

        return min(mpq(1), upper_end(log_of(_least(log_of, laws)).exp()))


class _Divergences:
    """The divergences of all mechanisms together, by orders; at the precision of the context.

    Those that are α·ρ at every order α are added up once.
    """

    def __init__(self, laws: DominatingPairs) -> None:
        self._listed = laws.listed
        self._rho = ball_of_rational(laws.rho)
        self._moments: dict[Pair, list[arb]] = {}
        self._others: list[tuple[Pair, int]] = []
        for law, count in asking(laws.known(), _COST):
            rho = law.rho()
            if rho is None:
                self._others.append((law, count))
            else:
                self._rho += count * ball_of_rational(rho)

    def exponent(self, alpha: mpq) -> arb:
        """(α - 1)·τ(α) + α·ln(1 - 1/α) - ln(α - 1)."""
        order = ball_of_rational(alpha)
        return self.scaled(alpha) + order * (1 - 1 / order).log() - (order - 1).log()

    def scaled(self, alpha: mpq) -> arb:
        """(α - 1)·τ(α)."""
        order = ball_of_rational(alpha)
        total = order * (order - 1) * self._rho
        for law, count in asking(self._others, _COST):
            total += count * self._moment(law, order)
        for orders, count in asking(self._listed, _COST):
            bound = next(known for least, known in orders if least >= alpha)
            total += count * (order - 1) * ball_of_rational(bound)
        return total

    def _moment(self, pair: Pair, order: arb) -> arb:
        sample = pair.sample()
        if sample is None:
            return _known_moment(pair, order)
        base, rate = sample
        square = base.mu_squared()
        if order < _LEAST_SAMPLED_ORDER and square is not None:
            return sampled_moment(square, rate, order)
        return self._of_sample(base, rate, int(float(order.mid())))

    def _of_sample(self, base: Pair, rate: mpq, alpha: int) -> arb:
        """The logarithm of Σ C(α, k)(1 - q)^{α - k}q^k·e^{(k - 1)D_k}."""
        moments = self._moments.setdefault(base, [arb(1), arb(1)])
        moments += [
            _known_moment(base, arb(k)).exp() for k in asking(range(len(moments), alpha + 1), _COST)
        ]
        weight, odds = ball_of_rational(1 - rate) ** alpha, ball_of_rational(rate / (1 - rate))
        total = weight
        for k in asking(range(1, alpha + 1), _TERM_COST):
            weight *= odds * (alpha - k + 1) / k
            total += weight * moments[k]
        return total.log()


def sampled_moment(square: mpq, rate: mpq, order: arb) -> arb:
    """The logarithm of a bound of E(1 - q + qP/Q)^α under Q, of normal laws, for 1 < α < 2."""
    x, mu_squared, log_rate = order - 1, ball_of_rational(square), ball_of_rational(rate).log()
    moved = (x * log_rate + x * order * mu_squared / 2).exp()
    held = (x.log() / 2 - (1 - x) / 2 * log_rate - (1 - x * x) * mu_squared / 8).exp()
    q = ball_of_rational(rate)
    return (1 - q + q * (moved + held.min(1))).log()


def _known_moment(pair: Pair, order: arb) -> arb:
    """(α - 1) times the divergence of order α.

    Raises:
        InternalError: it is not known; whoever asks has seen that it is.
    """
    moment = pair.moment(order)
    if moment is None:
        raise InternalError(
            field="pair", value=type(pair).__name__, expected="a pair with known divergences"
        )
    return moment


# --- the order ----------------------------------------------------------------------------------


def _least(value: Callable[[mpq], arb], laws: DominatingPairs) -> mpq:
    """About the order with the least value: a listed one, if there are any.

    Beside samples it is an integer: rising ones are looked at until values rise as well. Where the
    least of them is the best, orders below it are looked at too, if all samples have them.
    """
    if laws.is_sampled:
        best = _least_integer(value, _last_order(laws))
        if best > _LEAST_SAMPLED_ORDER or laws.orders or not _has_orders_below_two(laws):
            return best
        return min(best, _least_below_two(value), key=lambda alpha: float(value(alpha).mid()))
    if laws.orders:
        return min(laws.orders, key=lambda alpha: float(value(alpha).mid()))
    low, high = mpq(1), mpq(2)  # of α - 1
    for _ in range(_DOUBLINGS):
        if value(1 + 2 * high) >= value(1 + high):
            break
        low, high = high, 2 * high
    for _ in range(_DOUBLINGS):
        if value(1 + low / 2) >= value(1 + low):
            break
        low, high = low / 2, low
    low, high = low / 2, 2 * high
    for _ in range(_STEPS):
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (low, right) if value(1 + left) <= value(1 + right) else (left, high)
        low, high = round_below(low, 2 * _ALPHA_DIGITS), round_below(high, 2 * _ALPHA_DIGITS)
    return 1 + round_below(high, _ALPHA_DIGITS)


def _has_orders_below_two(laws: DominatingPairs) -> bool:
    """Whether all samples are of Gaussian noise."""
    samples = (pair.sample() for pair, _ in laws.known())
    return all(each is None or each[0].mu_squared() is not None for each in samples)


def _least_below_two(value: Callable[[mpq], arb]) -> mpq:
    """About the order with the least value, by thirds of the logarithm of α - 1."""
    low, high, at = 0, _FINEST_EXPONENT, _power_above_one
    while high - low > _FEW:
        left, right = (2 * low + high) // 3, (low + 2 * high) // 3
        low, high = (low, right) if value(at(left)) <= value(at(right)) else (left, high)
    return at((low + high) // 2)


def _power_above_one(exponent: int) -> mpq:
    """About 1 + 2^(-exponent/16), below 2."""
    whole, rest = divmod(exponent + 1, _OF_A_HALVING)
    return 1 + round_below(mpq(str(2 ** (-rest / _OF_A_HALVING))), _ALPHA_DIGITS) / mpz(2) ** whole


def _last_order(laws: DominatingPairs) -> int:
    """The greatest order that is worth looking at beside samples."""
    return min(_MOST_SAMPLED_ORDER, int(max(laws.orders, default=mpq(_MOST_SAMPLED_ORDER))))


def _least_integer(value: Callable[[mpq], arb], most: int) -> mpq:
    """About the integer order up to ``most`` with the least value; 2 where there is none."""
    best, least, alpha = mpq(2), float(value(mpq(2)).mid()), 3
    while alpha <= most:
        found = float(value(mpq(alpha)).mid())
        if found < least:
            best, least = mpq(alpha), found
        elif alpha > _FARTHER * best:
            break
        alpha += 1 + alpha // _STEP_OF_ORDERS
    return best
