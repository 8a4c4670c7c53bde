r"""Answers about mechanisms by their noise: the least ε at a δ, and δ at an ε.

Rules of this file: an end is printed only if the side at hand proves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import (
    ceil_to,
    floor_to,
    places_within,
    round_above,
    round_below,
)
from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.errors import CostLimitError
from exactdp.losses.bracket import (
    NO_LIMIT,
    Bracket,
    Target,
    bracket_at,
    finer_unit,
    first_unit,
)
from exactdp.losses.ledgers import Laws

_ATTEMPTS = 4
_BITS = 256
_HALF = mpq(1, 2)
_TILTS = tuple(mpq(i, 16) for i in range(3, 14))
_ROUGH = mpq(1, 20)
_MUCH = 4
_COARSE = mpq(1, 10)
_GROWTH = 5
_LEAST_SCALE = mpq(1, 10**60)
_DIGITS = 12


@dataclass(frozen=True)
class Solved:
    """The least ε at δ: its ends, and what proves them."""

    delta: mpq
    lower: mpq
    upper: mpq
    bracket: Bracket
    threshold: int

    def lower_certificate(self, epsilon: ExactNumber) -> Certificate:
        """The proof that an ε of at most ``lower`` is not enough."""
        return self.bracket.lower_certificate(epsilon, self.delta, self.threshold)


def allowed_ends(laws: Laws, delta: mpq) -> tuple[mpq, mpq]:
    """Δ for δ, from below and from above."""
    with precision(_BITS + 4 * delta.denominator.bit_length()):
        ball = laws.allowed(delta)
        return lower_end(ball), upper_end(ball)


def solve(
    laws: Laws,
    delta: mpq,
    tolerance: mpq,
    *,
    max_cost: int = NO_LIMIT,
    seconds: float | None = None,
) -> Solved:
    """The least ε at which every composition is (ε, δ)-DP, within the tolerance where ends meet.

    Args:
        laws: the mechanisms.
        delta: δ, above 0.
        tolerance: how near the ends shall come.
        max_cost: refuse work that is predicted to cost more.
        seconds: how long to refine; the ends are coarser then, where the time is up before.

    Raises:
        CostLimitError: δ is not above what fails anyway, or the work would exceed the limits.
    """
    low, high = allowed_ends(laws, delta)
    if low <= 0:
        raise CostLimitError(
            field="delta",
            value=str(delta),
            expected="a δ above 1 - ∏(1 - δ_i)",
            remedy="beside noise, no ε is certified for a δ that failures alone use up",
        )
    tilt = _best_tilt(laws, low, high, delta) if laws.ranged else _HALF
    question = _Question(laws, delta, (low, high), tilt, max_cost)
    if seconds is None:
        return question.solved(tolerance)
    return _within(question, tolerance, seconds)


def _within(question: _Question, tolerance: mpq, seconds: float) -> Solved:
    """As near as the time allows: the tolerance is a tenth of the last as long as there is time."""
    end = monotonic() + seconds
    stage = max(tolerance, _COARSE)
    found = question.solved(stage)
    while stage > tolerance:
        begin = monotonic()
        stage = max(tolerance, stage / 10)
        try:
            found = question.solved(stage)
        except CostLimitError:
            break
        if monotonic() + _GROWTH * (monotonic() - begin) > end:
            break
    return found


@dataclass(frozen=True)
class _Question:
    """What is asked at every tolerance."""

    laws: Laws
    delta: mpq
    allowed: tuple[mpq, mpq]
    tilt: mpq
    max_cost: int

    def solved(self, tolerance: mpq) -> Solved:
        """Both ends, refined until they are as near as the tolerance where they meet."""
        unit = first_unit(self.laws, self.tilt, tolerance)
        near = self._near(tolerance)
        found = self.at(unit, tolerance, near)
        for _ in range(_ATTEMPTS):
            width = found.upper - found.lower
            if width <= tolerance or self.laws.ranged or self.laws.rho:
                break
            unit = finer_unit(unit, tolerance / width)
            found = self.at(unit, tolerance, near)
        return found

    def _near(self, tolerance: mpq) -> tuple[mpq, ...]:
        """How near each direction should come: one that matters less than the other, less."""
        if not self.laws.directed or tolerance >= _ROUGH / _MUCH:
            return ()
        rough = self.at(first_unit(self.laws, self.tilt, _ROUGH), _ROUGH).bracket
        ends = [side.least_epsilon(self.allowed[0]) for side in rough.above]
        if any(end is None for end in ends):
            return ()
        known = [end for end in ends if end is not None]
        spare = (max(known) - end - 2 * _ROUGH for end in known)
        return tuple(max(tolerance, each / _MUCH) for each in spare)

    def at(self, unit: mpq, tolerance: mpq, near: Sequence[mpq] = ()) -> Solved:
        """Both ends at a mesh, with ``near`` for each direction."""
        low, high = self.allowed
        target = Target(low, tolerance, max_cost=self.max_cost)
        bracket = bracket_at(self.laws, target, unit, self.tilt, near)
        places = places_within(tolerance) + 2
        upper = _upper_end(bracket, low, places)
        lower, threshold = _lower_end(bracket, high, places)
        return Solved(self.delta, lower, upper, bracket, threshold)


def _best_tilt(laws: Laws, low: mpq, high: mpq, delta: mpq) -> mpq:
    """The tilt with the greatest lower end, on a rough mesh."""
    ends = {}
    for tilt in _TILTS:
        question = _Question(laws, delta, (low, high), tilt, NO_LIMIT)
        ends[tilt] = question.at(first_unit(laws, tilt, _ROUGH), _ROUGH).lower
    return max(ends, key=lambda tilt: ends[tilt])


def _upper_end(bracket: Bracket, allowed: mpq, places: int) -> mpq:
    """The least decimal that all directions prove."""
    ends = [side.least_epsilon(allowed) for side in bracket.above]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        raise CostLimitError(
            field="delta",
            value=str(allowed),
            expected="a δ above what the mechanisms reveal for every ε",
            remedy="some answers are possible on one input alone",
        )
    epsilon = ceil_to(max(known), places)
    step = mpq(1, mpz(10) ** places)
    while any(side.divergence(ExactNumber(epsilon)) > allowed for side in bracket.above):
        epsilon += step
    return epsilon


def _lower_end(bracket: Bracket, allowed: mpq, places: int) -> tuple[mpq, int]:
    """The greatest decimal that the test refutes; 0 if there is none."""
    found = bracket.below.greatest_epsilon(allowed)
    if found is None:
        return mpq(0), 0
    epsilon, threshold = floor_to(found[0], places), found[1]
    step = mpq(1, mpz(10) ** places)
    while epsilon > 0:
        value, threshold = bracket.below.divergence(ExactNumber(epsilon))
        if value > allowed:
            return epsilon, threshold
        epsilon -= step
    return mpq(0), 0


# --- δ at an ε ----------------------------------------------------------------------------------


def point(
    laws: Laws, epsilon: ExactNumber, tolerance: mpq, *, max_cost: int = NO_LIMIT
) -> tuple[mpq, mpq]:
    """The least δ at ε: ends, at a relative tolerance where the ends meet.

    About how large it is is found on a rough mesh first: the digits follow from it.
    """
    scale = _scale_of(laws, epsilon)
    near = min(tolerance, _ROUGH) / 8
    unit = first_unit(laws, _HALF, near)
    low, high = _ends_at(laws, epsilon, Target(scale, near, max_cost=max_cost), unit)
    for _ in range(_ATTEMPTS):
        width = high - low
        if width <= tolerance * low or laws.ranged or laws.rho or scale < _LEAST_SCALE:
            break
        unit = finer_unit(unit, tolerance * max(low, width / 100) / width)
        low, high = _ends_at(laws, epsilon, Target(scale, near, max_cost=max_cost), unit)
    return low, high


def _scale_of(laws: Laws, epsilon: ExactNumber) -> mpq:
    """A divergence of about the size of that at ε, or below all that matter."""
    unit, scale = first_unit(laws, _HALF, _ROUGH), mpq(1, 100)
    while scale > _LEAST_SCALE:
        bracket = bracket_at(laws, Target(scale, _ROUGH), unit, _HALF)
        found = max(side.divergence(epsilon) for side in bracket.above)
        if found >= scale / 10:
            return scale
        scale = max(found / 2, scale * mpq(1, 10**6))
    return scale


def _ends_at(laws: Laws, epsilon: ExactNumber, target: Target, unit: mpq) -> tuple[mpq, mpq]:
    """The ends of δ at a mesh: D with the failures beside it, in decimals."""
    bracket = bracket_at(laws, target, unit, _HALF)
    high = max(side.divergence(epsilon) for side in bracket.above)
    low = bracket.below.divergence(epsilon)[0]
    with precision(_BITS):
        kept = 1 - laws.allowed(mpq(0))  # 1/∏(1 - δ_i)
        ends = (1 - (1 - ball_of_rational(each)) / kept for each in (low, high))
        below, above = lower_end(next(ends)), upper_end(next(ends))
    return max(mpq(0), round_below(below, _DIGITS)), min(mpq(1), round_above(above, _DIGITS))
