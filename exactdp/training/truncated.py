r"""Poisson samples that keep at most so many examples: batches of a size that memory allows.

Rules of this file: the probability of a longer sample is from above, and so is what it adds to δ.

Theory of operation: with n examples, the one in question included, and the rate q, some step
has a sample longer than B with a probability of at most

.. math:: \tau = \sum_t P[\mathrm{Bin}(n, q_t) > B],

and all else is as if nothing were cut. So a δ of samples that keep all, at ε, is for those that are
cut at most δ + (1 + e^ε)τ, and at least δ - (1 + e^ε)τ. Past its mode the terms of the binomial
distribution fall faster than geometrically: the first, over 1 less the ratio to the next, bounds
their sum.

Source: Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang, "Scalable DP-SGD: shuffling vs.
Poisson subsampling", NeurIPS 2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.enclosures import ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.compose import compose
from exactdp.errors import DomainError
from exactdp.training.phases import drawn_by
from exactdp.training.plans import TrainingPlan

_BITS: Final = 256
_DIGITS: Final = 12
_MORE: Final = mpq(1, 10)


@dataclass(frozen=True, slots=True)
class Truncation:
    """What holds of samples that keep at most ``most`` examples.

    Attributes:
        most: how many a batch has at most.
        tail: at least the probability that any step draws more.
        lower: an ε below which none holds on some training data; None is infinity.
        upper: an ε that holds; None is infinity.
    """

    most: int
    tail: mpq
    lower: mpq | None
    upper: mpq | None


def longer_sample(plan: TrainingPlan, most: int) -> mpq:
    """At least the probability that some step draws more than so many examples, at most 1.

    >>> plan = TrainingPlan.of(256, 60_000, 60, "1.1")
    >>> longer_sample(plan, 400) < mpq(1, 10**11)
    True
    """
    if most >= plan.examples:
        return mpq(0)
    first, rate = most + 1, plan.rate
    ratio = mpq(plan.examples - first, first + 1) * rate / (1 - rate) if rate < 1 else mpq(1)
    if ratio >= 1:
        return mpq(1)
    with precision(_BITS + plan.examples.bit_length() * 4):
        n, k = arb(plan.examples), arb(first)
        chosen = (n + 1).lgamma() - (k + 1).lgamma() - (n - k + 1).lgamma()
        log = chosen + k * ball_of_rational(rate).log()
        log += (n - k) * ball_of_rational(1 - rate).log()
        bound = plan.steps * log.exp() / ball_of_rational(1 - ratio)
        return min(mpq(1), round_above(upper_end(bound), _DIGITS))


def truncated(
    phases: Sequence[TrainingPlan], most: int, delta: mpq, tolerance: Number
) -> Truncation:
    """Both ends at δ, by those of samples that keep all, at a δ less and at a δ more.

    Raises:
        DomainError: longer samples are too likely for any ε at δ.
    """
    tail = min(mpq(1), sum((longer_sample(each, most) for each in phases), mpq(0)))
    ledger = drawn_by(phases, "poisson")
    about = compose(ledger, delta=delta, tolerance=tolerance).upper_end
    if about is None or not tail:
        found = compose(ledger, delta=delta, tolerance=tolerance)
        return Truncation(most, tail, found.lower_end, found.upper_end)
    spare = delta - _added(tail, about + about * _MORE + _MORE)
    if spare <= 0:
        raise DomainError(
            field="max_batch",
            value=str(most),
            expected=f"so many that longer samples are rarer than δ: beyond about "
            f"{max(int(each.rate * each.examples) for each in phases)}, by more of its root",
            remedy="allow a longer batch, or a larger δ",
        )
    above = compose(ledger, delta=spare, tolerance=tolerance).upper_end
    more = delta + _added(tail, about)
    below = compose(ledger, delta=min(more, mpq(1)), tolerance=tolerance).lower_end
    within = above is not None and above <= about + about * _MORE + _MORE
    return Truncation(most, tail, below, above if within else None)


def _added(tail: mpq, epsilon: mpq) -> mpq:
    """(1 + e^ε)τ, from above."""
    with precision(_BITS):
        odds = upper_end(1 + ball_of_rational(epsilon).exp())
    return round_above(odds * tail, _DIGITS)
