r"""From Rényi divergences to (ε, δ): the conversion of Canonne, Kamath and Steinke.

Rules of this file: every α > 1 gives a bound that holds; a search for a good one proves nothing
and needs to prove nothing. Lower ends speak of the formula, never of a mechanism.

Theory of operation: if the Rényi divergence of order α of a mechanism is at most τ(α), then it is
(ε, δ)-DP for

.. math:: \ln \delta = g(\alpha) = (\alpha-1)(\tau(\alpha) - \epsilon)
          + \alpha \ln(1 - 1/\alpha) - \ln(\alpha - 1), \qquad \alpha > 1.

Divergences of one order add up under adaptive composition. ρ-zCDP says τ(α) = αρ; a μ-GDP
mechanism is (μ²/2)-zCDP; an ε-DP mechanism has at most the divergence of randomized response,

.. math:: (\alpha-1)\tau(\alpha) = (\alpha-1)\epsilon + \ln(1 + e^{-(2\alpha-1)\epsilon})
          - \ln(1 + e^{-\epsilon}),

which is never above that of (ε²/2)-zCDP. (α-1)τ(α) is convex, and with ρ in all of zCDP g'' is at
least 2ρ + 1/(α(α-1)), so that one α₀ bounds the whole formula from below:

.. math:: \min_\alpha g(\alpha) \ge g(\alpha_0) - g'(\alpha_0)^2 / (4\rho).

At a fixed δ the ε of the formula falls and then rises with α; the sign of its slope is that of g'
at that ε.

Sources: Canonne, Kamath & Steinke, "The discrete Gaussian for differential privacy", NeurIPS 2020,
arXiv:2004.00010, Proposition 12 and Corollary 13; Bun & Steinke, TCC 2016-B, Propositions 1.3, 1.4
and Lemma 1.7; Mironov, "Rényi differential privacy", CSF 2017, Propositions 1 and 5 (randomized
response); Dong, Roth & Su, J. R. Stat. Soc. B 84(1), 2022 (Gaussian mechanisms dominate).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_below
from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, upper_end
from exactdp.arithmetic.threshold import halved
from exactdp.certificate.subject import Epsilons
from exactdp.timing.deadlines import asking

_DOUBLINGS: Final = 400
_SPARE_DIGITS: Final = 4
_LEAST_LOG: Final = -70_000
_PART_COST: Final = 5000


@dataclass(frozen=True, slots=True)
class Divergences:
    r"""What is known of the Rényi divergences of a composition.

    Attributes:
        rho: the part known as zCDP; μ-GDP mechanisms count as μ²/2 here.
        pure: pairs (ε > 0, count), each with the divergence of randomized response.
        concentrated: pairs (ε > 0, count), each as (ε²/2)-zCDP.
    """

    rho: mpq
    pure: Epsilons = ()
    concentrated: Epsilons = ()

    def total_rho(self) -> arb:
        """A ball of all that is zCDP, at the precision of the context."""
        parts = asking(self.concentrated, _PART_COST)
        squares = (count * ball(epsilon) ** 2 for epsilon, count in parts)
        return ball_of_rational(self.rho) + sum(squares, arb(0)) / 2

    def scaled(self, alpha: mpq) -> arb:
        """A ball of (α-1)·τ(α)."""
        order = ball_of_rational(alpha)
        total = order * (order - 1) * self.total_rho()
        for epsilon, count in asking(self.pure, _PART_COST):
            size = ball(epsilon)
            tail = (-(2 * order - 1) * size).exp().log1p() - (-size).exp().log1p()
            total += count * ((order - 1) * size + tail)
        return total

    def slope(self, alpha: mpq) -> arb:
        """A ball of the derivative of (α-1)·τ(α)."""
        order = 2 * ball_of_rational(alpha) - 1
        total = order * self.total_rho()
        for epsilon, count in asking(self.pure, _PART_COST):
            size = ball(epsilon)
            total += count * size * (order * size / 2).tanh()
        return total


def log_failure(divergences: Divergences, alpha: mpq, epsilon: arb) -> arb:
    """g(α): a ball of the logarithm of the δ that α gives."""
    return divergences.scaled(alpha) - ball_of_rational(alpha - 1) * epsilon + _of_order(alpha)


def slope_of_log_failure(divergences: Divergences, alpha: mpq, epsilon: arb) -> arb:
    """g'(α)."""
    return divergences.slope(alpha) - epsilon + ball_of_rational(1 - 1 / alpha).log()


def least_log_failure(divergences: Divergences, alpha: mpq, epsilon: arb) -> arb:
    """A ball whose lower end is below g everywhere; all but ``pure`` must hold some ρ > 0."""
    slope = slope_of_log_failure(divergences, alpha, epsilon)
    slack = slope**2 / (4 * divergences.total_rho())
    return log_failure(divergences, alpha, epsilon) - slack


def epsilon_of_order(divergences: Divergences, alpha: mpq, log_delta: arb) -> arb:
    """A ball of the ε (of any sign) that α gives at δ."""
    return (divergences.scaled(alpha) + _of_order(alpha) - log_delta) / ball_of_rational(alpha - 1)


def order_for_delta(divergences: Divergences, log_delta: arb, digits: int) -> mpq:
    """About the α with the least ε at δ, to so many digits of α - 1."""

    def rises(alpha: mpq) -> bool:
        epsilon = epsilon_of_order(divergences, alpha, log_delta)
        return bool(slope_of_log_failure(divergences, alpha, epsilon).mid() > 0)

    return _turning_point(rises, digits)


def order_for_epsilon(divergences: Divergences, epsilon: arb, digits: int) -> mpq:
    """About the α with the least δ at ε, to so many digits of α - 1."""

    def rises(alpha: mpq) -> bool:
        return bool(slope_of_log_failure(divergences, alpha, epsilon).mid() > 0)

    return _turning_point(rises, digits)


def _of_order(alpha: mpq) -> arb:
    """α·ln(1 - 1/α) - ln(α - 1)."""
    return (
        ball_of_rational(alpha) * ball_of_rational(1 - 1 / alpha).log()
        - ball_of_rational(alpha - 1).log()
    )


def _turning_point(rises: Callable[[mpq], bool], digits: int) -> mpq:
    """About where a function of α > 1 begins to rise; a far α if it never does."""
    low = high = mpq(1)  # of α - 1
    for _ in range(_DOUBLINGS):
        if rises(1 + high):
            break
        low, high = high, 2 * high
    for _ in range(_DOUBLINGS):
        if not rises(1 + low):
            break
        low, high = low / 2, low
    _, high = halved(lambda x: rises(1 + x), low, high, digits * 10 // 3 + _SPARE_DIGITS)
    return 1 + round_below(high, digits + 1)


def failure_ends(log_delta: arb) -> tuple[mpq, mpq]:
    """Ends of the δ with this logarithm, at most 1; (0, e^-70000) for all below that."""
    if log_delta < _LEAST_LOG:
        return mpq(0), upper_end(arb(_LEAST_LOG).exp())
    delta = log_delta.exp()
    return min(mpq(1), lower_end(delta)), min(mpq(1), upper_end(delta))
