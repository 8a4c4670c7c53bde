r"""The field's closed forms: bounds on ε_g that take a line to write down, evaluated in balls.

Rules of this file: pure functions of the parameters; what is irrational comes as a ball that holds
the formula's value, at the precision asked for; δ' and Δ are never formed from 1 - δ in rounded
arithmetic (δ' = δ_g - kδ is exact, Δ comes from
:class:`exactdp.composition.problem.AllowedDivergence`).

Theory of operation: randomized response with odds :math:`e^\epsilon` has a privacy loss of ε or -ε
with mean :math:`\epsilon\tanh(\epsilon/2)`, so by Hoeffding's inequality the sum L of the losses
passes its mean M by more than t with probability at most :math:`e^{-t^2/2V}`,
:math:`V = \sum_i \epsilon_i^2`. Every bound here but the stepwise one rests on that, with more or
less of it given away. The forms agree with their theorems letter
by letter: nothing is sharpened.

Sources: Dwork, Rothblum & Vadhan, FOCS 2010, Theorem III.3 (also Dwork & Roth 2014, Theorem 3.20);
Kairouz, Oh & Viswanath, ICML 2015 (arXiv 1311.0776v4), Theorems 3.4 and 3.5; Murtagh & Vadhan,
Theory of Computing 14(8), 2018, Theorem 1.4 (Kairouz, Oh & Viswanath, Theorem 3.3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import compare, sign
from exactdp.arithmetic.enclosures import ball, ball_of_rational, bits_of, lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.prediction import window
from exactdp.certificate.subject import Epsilons, Subject
from exactdp.composition.engines.binomial import block
from exactdp.composition.problem import AllowedDivergence, Problem

_FIRST_BITS: Final = 128
_MOST_BITS: Final = 100_000
_SPARE_BITS: Final = 96
_GREATEST_EXPONENT: Final = ExactNumber(mpq(1000))
_LONGEST_BLOCK: Final = 10**6
_ZERO: Final = ExactNumber(mpq(0))
_DIFFERENT: Final = "the parameters are not the same for all"


def advanced_composition(epsilon: ExactNumber, count: int, rest: mpq, bits: int) -> arb:
    r"""A ball of :math:`\sqrt{2k\ln(1/\delta')}\,\epsilon + k\epsilon(e^\epsilon - 1)`.

    k mechanisms that are (ε, δ)-DP are together (that, kδ + δ')-DP, for any δ' > 0.

    Args:
        epsilon: ε >= 0, in nats, below about 10^6.
        count: k.
        rest: δ' from 0 (excluded) to 1.
        bits: binary digits of the working precision.

    Source: Dwork, Rothblum & Vadhan, FOCS 2010, Theorem III.3.

    >>> value = advanced_composition(ExactNumber.of("0.1"), 100, mpq(1, 2**30), 64)
    >>> print(value.str(6, radius=False))
    7.50065
    """
    with precision(bits):
        e = ball(epsilon)
        return _root(2 * count * _log_inverse(rest)) * e + count * e * e.expm1()


@dataclass(frozen=True, slots=True)
class Concentration:
    """The last two of the three expressions whose least is the bound of Kairouz, Oh & Viswanath.

    Attributes:
        logarithmic: with ln(e + √V/δ̃); the smaller one where √V is far below 1.
        plain: with ln(1/δ̃).
    """

    logarithmic: arb
    plain: arb

    @property
    def least(self) -> arb:
        """A ball of the smaller one."""
        return self.logarithmic.min(self.plain)


def kairouz_oh_viswanath(epsilons: Epsilons, rest: arb, bits: int) -> Concentration:
    r"""Balls of the two expressions that hold a square root.

    .. math:: M + \sqrt{2V\ln(e + \sqrt V/\tilde\delta)}, \quad M + \sqrt{2V\ln(1/\tilde\delta)}

    with :math:`M = \sum_i \epsilon_i (e^{\epsilon_i} - 1)/(e^{\epsilon_i} + 1)`,
    :math:`V = \sum_i \epsilon_i^2`. With δ = 1 - (1 - δ̃)∏(1 - δ_i), the mechanisms are together
    (ε, δ)-DP for ε either of these, and for ε = Σ ε_i.

    Args:
        epsilons: pairs (ε, count).
        rest: a ball of δ̃ from 0 (excluded) to 1; a global δ forces δ̃ = Δ.
        bits: binary digits of the working precision.

    Source: Kairouz, Oh & Viswanath, arXiv 1311.0776v4, Theorem 3.5, and Theorem 3.4 for one group.
    """
    with precision(bits):
        sizes = [(ball(epsilon), count) for epsilon, count in epsilons]
        mean = sum((count * e * (e / 2).tanh() for e, count in sizes), arb(0))
        square = sum((count * e * e for e, count in sizes), arb(0))
        logarithm = (arb(1).exp() + square.sqrt() / rest).log()
        return Concentration(
            mean + (2 * square * logarithm).sqrt(),
            mean + _root(2 * square * -rest.log()),
        )


@dataclass(frozen=True, slots=True)
class GridStep:
    """A place on the grid kε, (k - 2)ε, (k - 4)ε, … that is certainly enough.

    Attributes:
        index: i, for ε_g = (k - 2i)ε.
        slack: Δ less the sum of Theorem 1.4 is at least this.
    """

    index: int
    slack: mpq


def greatest_step(epsilon: ExactNumber, count: int, allowed: arb, bits: int) -> GridStep:
    r"""The greatest i <= k/2 whose sum is certainly below Δ; then (k - 2i)ε is enough.

    .. math:: \sum_{l=0}^{i-1} \binom{k}{l}
        \frac{e^{(k-l)\epsilon} - e^{(k-2i+l)\epsilon}}{(1+e^\epsilon)^k} \le \Delta

    Where the two sides are equal, or too close to tell at this precision, i stops before: the
    bound that follows still holds.

    Args:
        epsilon: ε > 0, in nats.
        count: k.
        allowed: a ball of Δ > 0.
        bits: binary digits of the weights.

    Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Theorem 1.4.

    >>> greatest_step(ExactNumber.of("0.5"), 100, arb(2) ** -60, 200).index
    2
    """
    with precision(bits + 32 + 2 * count.bit_length()):
        x = (-ball(epsilon)).exp()
        weights = block(x, count, bits)
        left = allowed * arb(2) ** bits - arb(weights.lost(bits))
        if not left > 0:
            return GridStep(0, lower_end(allowed))
        index = min(weights.offset, count // 2)
        slack, returning = left, arb(0)
        # With b_l = C(k, l)x^l/(1 + x)^k, a term of the sum is b_l·(1 - x^(2(i - l))).
        for weight in weights.scaled.coeffs()[: count // 2 - index]:
            left -= weight
            returning = x * x * (returning + weight)
            if not left + returning > 0:
                break
            index, slack = index + 1, left + returning
        return GridStep(index, lower_end(slack) / (mpz(1) << bits))


def _log_inverse(value: mpq) -> arb:
    """ln(1/v) for 0 < v <= 1, without loss where v is near 1."""
    near = 2 * value > 1
    return -(ball_of_rational(value - 1).log1p() if near else ball_of_rational(value).log())


def _root(value: arb) -> arb:
    """A ball of √v for v >= 0, where the ball of v may reach below 0."""
    if value.lower() > 0:
        return value.sqrt()
    return arb(0).union(arb(value.upper()).max(arb(0)).sqrt())


# --- what each form gives for a ledger ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FormulaInput:
    """What every bound is asked: how private is a composition of these mechanisms at this δ?"""

    subject: Subject
    allowed: AllowedDivergence

    @property
    def problem(self) -> Problem:
        """The parameters."""
        return self.allowed.problem


@dataclass(frozen=True, slots=True)
class Value:
    """What a theorem gives: the least of what is present.

    Attributes:
        exact: a number in closed form.
        ball: a formula, enclosed at any number of bits.
    """

    exact: ExactNumber | None = None
    ball: Callable[[int], arb] | None = None


def _basic(question: FormulaInput) -> Value | str:
    return Value(question.problem.total_epsilon)


def _advanced(question: FormulaInput) -> Value | str:
    mechanisms = question.subject.pairs
    if not mechanisms:
        return "there are no mechanisms"
    count = question.problem.mechanisms
    rest = question.allowed.delta - count * max(delta for _, delta, _ in mechanisms)
    if rest <= 0:
        return "δ' = δ - kδ_i is not above 0"
    greatest = reduce(_greater, (epsilon for epsilon, _, _ in mechanisms))
    if compare(greatest, _GREATEST_EXPONENT) > 0:
        return "e^ε - 1 is astronomical"
    if sign(greatest) == 0:
        return Value(_ZERO)
    return Value(ball=lambda bits: advanced_composition(greatest, count, rest, bits))


def _greater(left: ExactNumber, right: ExactNumber) -> ExactNumber:
    return right if compare(left, right) < 0 else left


def _kairouz_oh_viswanath(question: FormulaInput) -> Value | str:
    epsilons = question.problem.epsilons
    total = question.problem.total_epsilon
    if (
        not epsilons or question.allowed.sign == 0
    ):  # the other two expressions are infinite at δ̃ = 0
        return Value(total)
    return Value(
        total, lambda bits: kairouz_oh_viswanath(epsilons, question.allowed.ball(bits), bits).least
    )


def _kairouz_oh_viswanath_homogeneous(question: FormulaInput) -> Value | str:
    if len(question.subject.pairs) != 1:
        return _DIFFERENT
    return _kairouz_oh_viswanath(question)


def _stepwise(question: FormulaInput) -> Value | str:
    if len(question.subject.pairs) != 1:
        return _DIFFERENT
    [(epsilon, _, count)] = question.subject.pairs
    if sign(epsilon) == 0 or question.allowed.sign == 0:
        return Value(question.problem.total_epsilon)
    bits = bits_of(1 / lower_end(question.allowed.ball(_FIRST_BITS))) + _SPARE_BITS
    if bits > _MOST_BITS or window(count, bits // 3) > _LONGEST_BLOCK:
        return "the sum has too many terms"
    step = greatest_step(epsilon, count, question.allowed.ball(bits), bits)
    return Value(epsilon * (count - 2 * step.index))


EVALUATIONS: Final[dict[str, Callable[[FormulaInput], Value | str]]] = {
    "sum": _basic,
    "advanced-composition": _advanced,
    "kairouz-oh-viswanath-homogeneous": _kairouz_oh_viswanath_homogeneous,
    "kairouz-oh-viswanath-heterogeneous": _kairouz_oh_viswanath,
    "murtagh-vadhan-1.4": _stepwise,
}
"""What a closed form gives where Δ >= 0, or why it gives nothing."""
