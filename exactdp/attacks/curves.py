r"""What an attack's outcome is compared with, at many places: for pictures.

Rules of this file: every number is on the side that allows more, as in
:mod:`exactdp.attacks.attack`; places are chosen for the eye.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.attacks.attack import Attack, greatest_power
from exactdp.attacks.experiment import OneRun
from exactdp.attacks.risk import power_curve
from exactdp.attacks.tails import BITS, chance_of_right_guesses
from exactdp.composition.planner import DEFAULT_MAX_COST

_POINTS: Final = 60
_STEPS: Final = 12
_SPREAD: Final = (12, 15, 18, 24, 30, 36, 48, 60, 72, 90, 105)
"""Places in a decade of false positives, in twelfths of its beginning."""
_DECADES: Final = 2
_BESIDE: Final = mpq(1, 2)
CurvePoints = list[tuple[mpq, mpq]]


def claimed_epsilon(found: Attack) -> ExactNumber:
    """The ε that was asked about: the claimed one, or else the greatest that is rejected."""
    if found.epsilon is not None:
        return found.epsilon
    return ExactNumber(found.rejected_up_to or mpq(0))


def allowed_rates(found: Attack, max_cost: int = DEFAULT_MAX_COST) -> CurvePoints:
    """The greatest true positives that the claim, or the ledger, allows at false positives."""
    _, q = found.rates or (mpq(0), mpq(1))
    if found.ledger is not None:
        curve = [
            (each.fpr, each.upper_end) for each in power_curve(found.ledger, max_cost=max_cost)
        ]
        return sorted([*curve, *([] if found.power is None else [(q, found.power)]), (mpq(1),) * 2])
    epsilon, delta = claimed_epsilon(found), found.delta or mpq(0)
    least = _decade_below(q) - _DECADES
    rates = [
        mpq(10) ** exponent * step / _STEPS for exponent in range(least, 0) for step in _SPREAD
    ]
    return [(rate, greatest_power(epsilon, delta, rate)) for rate in sorted({*rates, q, mpq(1)})]


def _decade_below(rate: mpq) -> int:
    """The exponent of the greatest power of ten that is at most a rate above 0."""
    exponent = 0
    while mpq(10) ** exponent > rate:
        exponent -= 1
    return exponent


def levels_of_rejection(found: Attack) -> CurvePoints:
    """The p-value of one run at the δ, for each ε up to twice the one that was asked about."""
    experiment = found.experiment
    assert isinstance(experiment, OneRun)
    with precision(BITS):
        top = 2 * max(upper_end(ball(claimed_epsilon(found))), _BESIDE)
    curve = []
    for at in range(_POINTS + 1):
        epsilon = top * at / _POINTS
        with precision(BITS):
            odds = ball_of_rational(epsilon).exp()
            _, most = chance_of_right_guesses(
                experiment.canaries,
                experiment.guesses,
                experiment.right,
                odds,
                found.delta or mpq(0),
            )
        curve.append((epsilon, min(mpq(1), experiment.choices * most)))
    return curve
