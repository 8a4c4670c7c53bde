r"""Answers about mechanisms by their noise: the least ε at a δ, and δ at an ε.

Rules of this file: an end is printed only if the side at hand proves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import (
    ceil_to,
    floor_to,
    places_within,
    round_above,
    round_below,
)
from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.errors import CostLimitError, InternalError
from exactdp.losses.alignment import aligned
from exactdp.losses.alone import Alone
from exactdp.losses.bracket import (
    NO_LIMIT,
    Bracket,
    Target,
    bracket_at,
    finer_unit,
    first_unit,
    lower_bracket_at,
    refuse_below,
    upper_sides_at,
)
from exactdp.losses.ledgers import Laws
from exactdp.losses.orders import ORDER_RULE, OrderBound, bound_at, divergence_at

_ATTEMPTS = 6
_SECOND_ORDER = 2
_BITS = 256
_HALF = mpq(1, 2)
_WHOLE = mpq(1)
_LEAST_RATIO = mpq(1, 100)
_TILTS = 16
_FINER = 4
_REFINEMENTS = 4
_FINE = mpq(1, 2000)
_ROUGH = mpq(1, 20)
_MUCH = 4
_COARSE = mpq(1, 10)
_GROWTH = 5
_FEW = 8
_STALLED = mpq(9, 10)
_LEAST_SCALE = mpq(1, 10**60)
_DIGITS = 12


@dataclass(frozen=True)
class Solved:
    """The least ε at δ: its ends, and what proves them."""

    delta: mpq
    lower: mpq
    upper: mpq
    bracket: Bracket | None
    """None where no mechanism has laws to compose."""

    threshold: int
    order: OrderBound | None = None
    """What Rényi divergences give, where that is the best."""

    @property
    def upper_rule(self) -> str:
        """What proves the upper end."""
        return self._bracket().upper_rule if self.order is None else ORDER_RULE

    @property
    def explanation(self) -> str:
        """How the upper end was found, in words."""
        if self.order is not None:
            return f"Rényi divergences of order {self.order.alpha}"
        return f"privacy losses on a mesh of {self._bracket().unit}"

    def upper_certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """The proof that an ε of at least ``upper`` is enough at a δ of at least that solved."""
        if self.order is not None:
            return self.order.certificate(epsilon, delta)
        return self._bracket().upper_certificate(epsilon, delta)

    def _bracket(self) -> Bracket:
        if self.bracket is None:
            raise InternalError(field="bracket", value="none", expected="laws to compose")
        return self.bracket

    def lower_certificate(self, epsilon: ExactNumber) -> Certificate:
        """The proof that an ε of at most ``lower`` is not enough."""
        return self._bracket().lower_certificate(epsilon, self.delta, self.threshold)


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
    tilt = _HALF
    if laws.ranged:
        most = _most(laws, delta, low, max_cost)
        tilt = _best_tilt(laws, high, Target(low, tolerance, most, max_cost))
    question = _Question(laws, delta, (low, high), tilt, max_cost)
    if not laws.known():
        return question.by_orders(tolerance)
    try:
        found = _within(question, tolerance, seconds)
    except CostLimitError:
        if not laws.by_orders or laws.sampled:
            raise
        return question.by_orders(tolerance)
    return question.improved(found, tolerance) if laws.converts else found


def _within(question: _Question, tolerance: mpq, seconds: float | None) -> Solved:
    """As near as the time allows: the tolerance is a tenth of the last as long as there is time."""
    if seconds is None:
        return question.solved(tolerance)
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
        found = self._alone(tolerance)
        if found is not None:
            return found
        unit = _aligned(self.laws, first_unit(self.laws, self.tilt, tolerance), tolerance)
        near = self._near(tolerance)
        found, order, finer_points = self.at(unit, tolerance, near), _SECOND_ORDER, _WHOLE
        for _ in range(_ATTEMPTS):
            width = found.upper - found.lower
            if width <= tolerance or (self.laws.apart and found.upper > _FEW * unit):
                break
            ratio = mpq(0) if self.laws.apart else tolerance / width
            if order:
                unit = _aligned(self.laws, finer_unit(unit, ratio, order), tolerance)
            else:
                finer_points *= max(ratio * _HALF, _LEAST_RATIO)
            try:
                finer = self.at(unit, tolerance, near, finer_points)
            except CostLimitError:
                break
            narrower = finer.upper - finer.lower
            order = _order(narrower / width, before=order)
            found = finer if narrower < width else found
        return found

    def _alone(self, tolerance: mpq) -> Solved | None:
        """Both ends by the closed form of the only mechanism."""
        alone = Alone.of(self.laws)
        found = alone and alone.solved(self.allowed, places_within(tolerance) + 2)
        if not found:
            return None
        lower, upper, bracket, threshold = found
        return Solved(self.delta, lower, upper, bracket, threshold)

    def _near(self, tolerance: mpq) -> tuple[mpq, ...]:
        """How near each direction should come: one that matters less than the other, less."""
        if not self.laws.directed or tolerance >= _ROUGH / _MUCH:
            return ()
        unit = first_unit(self.laws, self.tilt, _ROUGH)
        rough = upper_sides_at(self.laws, Target(self.allowed[0], _ROUGH, 0, self.max_cost), unit)
        ends = [side.least_epsilon(self.allowed[0]) for side in rough]
        if any(end is None for end in ends):
            return ()
        known = [end for end in ends if end is not None]
        most, fine = max(known), first_unit(self.laws, self.tilt, tolerance)
        finer = Target(self.allowed[0], tolerance, int(most) + 1, self.max_cost)
        refuse_below(self.laws, finer, fine, self.tilt, back=known.index(most) > 0)
        spare = (most - end - 2 * _ROUGH for end in known)
        return tuple(max(tolerance, each / _MUCH) for each in spare)

    def by_orders(self, tolerance: mpq) -> Solved:
        """Both ends where the upper one is that of Rényi divergences alone."""
        order = bound_at(self.laws, self.delta, places_within(tolerance) + 2)
        found = Solved(self.delta, mpq(0), order.epsilon, None, 0, order)
        if not self.laws.below(self.tilt):
            return found
        unit = first_unit(self.laws, self.tilt, tolerance)
        target = Target(self.allowed[0], tolerance, int(order.epsilon) + 1, self.max_cost)
        bracket = lower_bracket_at(self.laws, target, unit, self.tilt)
        lower, threshold = _lower_end(bracket, self.allowed[1], places_within(tolerance) + 2)
        return replace(found, lower=lower, bracket=bracket, threshold=threshold)

    def improved(self, found: Solved, tolerance: mpq) -> Solved:
        """What was found, with the upper end of Rényi divergences where that is less."""
        order = bound_at(self.laws, self.delta, places_within(tolerance) + 2)
        if order.epsilon >= found.upper:
            return found
        return replace(found, upper=order.epsilon, order=order)

    def at(
        self, unit: mpq, tolerance: mpq, near: Sequence[mpq] = (), finer_points: mpq = _WHOLE
    ) -> Solved:
        """Both ends at a mesh, with ``near`` for each direction.

        Points are chosen as for a tolerance times ``finer_points``.
        """
        low, high = self.allowed
        target = Target(low, tolerance * finer_points, max_cost=self.max_cost)
        near = [each * finer_points for each in near]
        bracket = bracket_at(self.laws, target, unit, self.tilt, near)
        places = places_within(tolerance) + 2
        upper = _upper_end(bracket, low, places)
        lower, threshold = _lower_end(bracket, high, places)
        return Solved(self.delta, lower, upper, bracket, threshold)


def _order(narrower: mpq, *, before: int) -> int:
    """Of which order the width shrinks with the mesh; 0 where not the mesh, but its points hold.

    Args:
        narrower: the width over that before.
        before: the order that was thought of, 0 where points were chosen anew.
    """
    if narrower * _SECOND_ORDER <= 1 or not before:
        return _SECOND_ORDER
    return 0 if narrower > _STALLED else 1


def _aligned(laws: Laws, unit: mpq, tolerance: mpq) -> mpq:
    """A mesh as fine that the greatest losses meet."""
    directions = (False, True) if laws.directed else (False,)
    return aligned(laws.known(), unit, tolerance, directions=directions)


def _most(laws: Laws, delta: mpq, allowed: mpq, max_cost: int) -> int:
    """An integer above every end."""
    if laws.by_orders and not laws.sampled:
        return int(bound_at(laws, delta, places_within(_ROUGH)).epsilon) + 1
    unit = first_unit(laws, _HALF, _ROUGH)
    above = bracket_at(laws, Target(allowed, _ROUGH, max_cost=max_cost), unit, _HALF).above
    ends = [side.least_epsilon(allowed) for side in above]
    return int(max((end for end in ends if end is not None), default=mpq(0))) + 1


def _best_tilt(laws: Laws, allowed: mpq, target: Target) -> mpq:
    """About the tilt with the greatest lower end: on a rough mesh, then near the best so far."""
    step = mpq(1, _TILTS)
    tilts = [i * step for i in range(1, _TILTS)]
    best, rough = _HALF, _ROUGH
    for _ in range(_REFINEMENTS):
        roughly = replace(target, tolerance=rough)
        found = {tilt: _lower_at(laws, roughly, allowed, tilt) for tilt in tilts}
        best = max(tilts, key=found.__getitem__)
        rough, step = max(_FINE, target.tolerance), step / _FINER
        tilts = [best + i * step for i in range(1 - _FINER, _FINER)]
    return best


def _lower_at(laws: Laws, target: Target, allowed: mpq, tilt: mpq) -> mpq:
    """The lower end at a tilt."""
    unit = first_unit(laws, tilt, target.tolerance)
    bracket = lower_bracket_at(laws, target, unit, tilt)
    return _lower_end(bracket, allowed, places_within(target.tolerance) + 2)[0]


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
    if not laws.known():
        return _point_by_orders(laws, epsilon, tolerance, max_cost)
    try:
        return _point_on_a_mesh(laws, epsilon, tolerance, max_cost)
    except CostLimitError:
        if not laws.by_orders or laws.sampled:
            raise
        return _point_by_orders(laws, epsilon, tolerance, max_cost)


def _point_on_a_mesh(
    laws: Laws, epsilon: ExactNumber, tolerance: mpq, max_cost: int
) -> tuple[mpq, mpq]:
    """The ends of δ at ε, by privacy losses on a mesh."""
    scale = _scale_of(laws, epsilon)
    alone = Alone.of(laws)
    ends = alone and alone.point(epsilon, scale, tolerance)
    if ends:
        return _with_failures(laws, *ends)
    near = min(tolerance, _ROUGH) / 8
    unit = _aligned(laws, first_unit(laws, _HALF, near), tolerance)
    low, high = _ends_at(laws, epsilon, Target(scale, near, max_cost=max_cost), unit)
    order = 2
    for attempt in range(_ATTEMPTS):
        width = high - low
        if width <= tolerance * low or laws.apart or scale < _LEAST_SCALE:
            break
        ratio = tolerance * max(low, width / 100) / width
        before, unit = unit, _aligned(laws, finer_unit(unit, ratio, order), tolerance)
        try:
            low, high = _ends_at(laws, epsilon, Target(scale, near, max_cost=max_cost), unit)
        except CostLimitError:
            if low > 0:
                raise
            break  # it may be 0 itself, to which no mesh comes relatively near
        if _stalled(before / unit, (high - low) / width, low, attempt):
            break
        order = 2 if (high - low) * _SECOND_ORDER <= width else 1
    return low, high


def _stalled(finer: mpq, narrower: mpq, low: mpq, attempt: int) -> bool:
    """Whether a much finer mesh brought nothing, or δ seems to be 0, to which none comes near."""
    return (finer >= _FINER and narrower > _STALLED) or (low == 0 and attempt > 0)


def _point_by_orders(
    laws: Laws, epsilon: ExactNumber, tolerance: mpq, max_cost: int
) -> tuple[mpq, mpq]:
    """The ends of δ at ε, the upper one by Rényi divergences."""
    most, least = divergence_at(laws, epsilon), mpq(0)
    near = min(tolerance, _ROUGH) / 8
    if laws.below(_HALF):
        with precision(_BITS):
            size = int(upper_end(ball(epsilon))) + 1
        target = Target(max(most, _LEAST_SCALE), near, size, max_cost)
        bracket = lower_bracket_at(laws, target, first_unit(laws, _HALF, near), _HALF)
        least = bracket.below.divergence(epsilon)[0]
    return _with_failures(laws, least, most)


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
    """The ends of δ at a mesh."""
    bracket = bracket_at(laws, replace(target, point=epsilon), unit, _HALF)
    high = max(side.divergence(epsilon) for side in bracket.above)
    if laws.converts:
        high = min(high, divergence_at(laws, epsilon))
    return _with_failures(laws, bracket.below.divergence(epsilon)[0], high)


def _with_failures(laws: Laws, low: mpq, high: mpq) -> tuple[mpq, mpq]:
    """The ends of δ for those of D: with the failures beside it, in decimals."""
    with precision(_BITS):
        kept = 1 - laws.allowed(mpq(0))  # 1/∏(1 - δ_i)
        ends = (1 - (1 - ball_of_rational(each)) / kept for each in (low, high))
        below, above = lower_end(next(ends)), upper_end(next(ends))
    return max(mpq(0), round_below(below, _DIGITS)), min(mpq(1), round_above(above, _DIGITS))
