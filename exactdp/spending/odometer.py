r"""An odometer: a bound on the privacy loss that holds at all times at once, and its price.

Rules of this file: it is about the loss, "so far", of one analyst whose stopping may depend on
answers; a filter is about all that may be spent. Both are printed beside each other, never mixed.

Theory of operation: for inputs x and x' let L be the logarithm of the ratio of the probabilities
of all answers so far, and S the sum of the ρ so far. For λ > 0, e^{λL − λ(1+λ)S} is a nonnegative
supermartingale under x: given the answers before it, the next mechanism multiplies the mean of
e^{λL} by at most e^{λ(1+λ)ρ}, for its Rényi divergence of order 1 + λ is at most (1+λ)ρ, and ρ is
known by then. By Ville's inequality, with probability at least 1 − δ, at all times at once,

    L ≤ (1 + λ)·S + ln(1/δ)/λ.

Here λ_k = √(ln(1/δ_k)/S_k) for S_k = B/2^k and δ_k = δ/((k + 1)(k + 2)), k = 0, 1, …, which add
up to δ; so all these lines hold at once, and the least of them at S is the odometer. Beside one
line for that very S it loses ln((k + 1)(k + 2)) beside ln(1/δ): a doubly logarithmic price. The
failures add their budget to δ.

Sources: Ville, Étude critique de la notion de collectif, 1939; the idea of lines that hold at all
times: Whitehouse, Ramdas, Rogers & Wu, ICML 2023, whose constants are others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, round_above
from exactdp.arithmetic.enclosures import ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.arguments import probability
from exactdp.errors import UnsupportedError
from exactdp.spending.budget import Budget, Charge

THEOREM: Final = "ville-1939, for zCDP"
_LINES: Final = 64
_BITS: Final = 256
_PLACES: Final = 9
_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class OdometerReading:
    """What an odometer shows.

    Attributes:
        epsilon: with probability at least 1 − δ the loss never exceeded what was shown.
        delta: δ, with the failures.
        spent: the ρ at which it is read.
    """

    epsilon: mpq
    delta: mpq
    spent: mpq


def odometer(budget: Budget, spent: Charge, delta: Number) -> OdometerReading:
    r"""The reading of the odometer of a budget of ρ.

    Args:
        budget: it decides which lines there are; they are fixed before the first spend.
        spent: what has been spent.
        delta: the probability with which the odometer may ever be too low.

    Raises:
        UnsupportedError: a budget of another kind.
        InputError: bad arguments.

    >>> from exactdp.spending.budget import parse_budget
    >>> budget = parse_budget("rho=1/2")
    >>> print(float(odometer(budget, budget.limit, "1e-6").epsilon))
    5.886772269
    """
    if budget.kind != "rho":
        raise UnsupportedError(
            field="budget", value=str(budget), expected="a budget of rho for an odometer"
        )
    target = probability(delta) - budget.delta
    if not 0 < target < 1:
        raise UnsupportedError(
            field="delta", value=str(delta), expected="a δ above the budget of failures, below 1"
        )
    if not spent.size:
        return OdometerReading(mpq(0), target + budget.delta, mpq(0))
    least = min(_line(budget.size, target, k, spent.size) for k in range(_LINES))
    return OdometerReading(ceil_to(least, _PLACES), target + budget.delta, spent.size)


def _line(size: mpq, delta: mpq, k: int, spent: mpq) -> mpq:
    """The k-th line at a sum, from above; its λ is a decimal, any would do."""
    with precision(_BITS):
        weight = ball_of_rational((k + 1) * (k + 2) / delta).log()
        root = (weight / ball_of_rational(size / 2**k)).sqrt()
        slope = round_above(upper_end(root), _DIGITS)
        return upper_end(ball_of_rational((1 + slope) * spent) + weight / ball_of_rational(slope))
