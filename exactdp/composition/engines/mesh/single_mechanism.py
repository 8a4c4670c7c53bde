r"""One mechanism alone: its profile is known in closed form, and both ends meet it.

Rules of this file: the closed form finds ε; what is printed is what the two sides prove there.

Theory of operation: dots keep the profile at every point of the mesh, so that a mesh through ε has
it there. The test of all outputs with a loss of at least ε has it too, on a mesh where ε lies
half-way between two points. Two points each are enough, but for listed outputs from above.

A mechanism of bounded range ε₀ has the greatest profile at e^l if one answer has the loss
(l + ε₀)/2 (Dong, Durfee & Rogers, ICML 2020, section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import ceil_to, floor_log10, floor_to, places_within
from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.arithmetic.threshold import threshold
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.bracket import Bracket
from exactdp.composition.engines.mesh.cells import LossMesh, Points, atoms_of, value
from exactdp.composition.engines.mesh.powers import Plan
from exactdp.composition.engines.mesh.sides import Discretization, LowerPld, UpperPld
from exactdp.mechanisms.pairs import (
    Atom,
    Curve,
    Direction,
    OutputTable,
    Pair,
    ReplaceOneEnvelope,
)

_MOST_ATOMS: Final = 5000
_MOST_POINTS: Final = 1_000_000
_GREATEST: Final = (1, 30, 900)
_SPARE_DIGITS: Final = 12
_BITS: Final = 160
_PLACES: Final = 30
_HALF: Final = mpq(1, 2)
_LEAST_UNIT: Final = mpq(1, 10**12)
_STEPS: Final = 3


@dataclass(frozen=True)
class SingleMechanism:
    """The only mechanism of a ledger."""

    laws: DominatingPairs
    law: Pair

    @staticmethod
    def of(laws: DominatingPairs) -> SingleMechanism | None:
        """The mechanism, if there is but one, of a known profile."""
        known = laws.known()
        open_ends = laws.gap_beyond_tilt and not laws.tilts
        if laws.by_orders or open_ends or len(known) != 1 or known[0][1] > 1:
            return None
        law = known[0][0]
        if isinstance(law, OutputTable) and law.size(_SPARE_DIGITS) > _MOST_ATOMS:
            return None
        return SingleMechanism(laws, law)

    def profiles(self, digits: int) -> list[Callable[[arb], arb]]:
        """For each direction the value of h(e^l) at a loss l."""
        return [_profile(self.law, digits, direction) for direction in self.laws.directions]

    def _attained(self, digits: int) -> list[Callable[[arb], arb]]:
        """What each choice of attained pairs has, where that is not what dominates."""
        listed = [self.laws.below(tilt) for tilt in self.laws.tilts]
        return [_profile(law, digits, "remove") for ((law, _),) in listed]

    # --- the least ε ----------------------------------------------------------------------------

    def solved(self, allowed: tuple[mpq, mpq], places: int) -> tuple[mpq, mpq, Bracket] | None:
        """Decimals below and above the least ε, with what proves them.

        None where the closed form is of no help: there is no such ε, or none that digits tell from
        its neighbours, or the mesh through it is too fine for a table.
        """
        ends = self._decimals(allowed, places)
        if ends is None:
            return None
        digits = places + _SPARE_DIGITS - floor_log10(allowed[0]) + _digits_of_odds(ends[1])
        step = mpq(1, mpz(10) ** places)
        for steps in range(_STEPS):
            low, high = max(mpq(0), ends[0] - steps * step), ends[1] + steps * step
            bracket = self.bracket(low, high, digits)
            if bracket is None:
                return None
            most = max(side.divergence(ExactNumber(high)) for side in bracket.above)
            least, _ = bracket.below.divergence(ExactNumber(low))
            if most <= allowed[0] and (not low or least > allowed[1]):
                return low, high, bracket
        return None

    def _decimals(self, allowed: tuple[mpq, mpq], places: int) -> tuple[mpq, mpq] | None:
        """Decimals below and above the ε of the closed form."""
        digits = places + _SPARE_DIGITS - floor_log10(allowed[0])
        step = mpq(1, mpz(10) ** places)
        for most in _GREATEST:
            with precision(4 * digits + bits_of(allowed[0]) + 4 * most):
                dominating = self.profiles(digits)
                profiles = dominating, self._attained(digits) or dominating
                found = [
                    _first(listed, each, step, most)
                    for listed, each in zip(profiles, allowed, strict=True)
                ]
            if found[0] * step <= most:
                return max(0, found[1] - 1) * step, found[0] * step
        return None

    # --- δ at an ε ------------------------------------------------------------------------------

    def point(self, epsilon: ExactNumber, scale: mpq, tolerance: mpq) -> tuple[mpq, mpq] | None:
        """The least divergence at ε: ends, to a relative tolerance where it is at least ``scale``.

        None where the mesh through ε is too fine for a table.
        """
        digits = places_within(tolerance) + _SPARE_DIGITS - floor_log10(scale)
        with precision(4 * digits + _BITS):
            size = ball(epsilon)
            short = epsilon.is_rational and bits_of(epsilon.rational) <= _BITS
            low = epsilon.rational if short else floor_to(lower_end(size), _PLACES)
            high = epsilon.rational if short else ceil_to(upper_end(size), _PLACES)
        if high > _GREATEST[-1]:
            return None
        bracket = self.bracket(high, low, digits + _digits_of_odds(high))
        if bracket is None:
            return None
        most = max(side.divergence(epsilon) for side in bracket.above)
        return bracket.below.divergence(epsilon)[0], most

    # --- the two sides --------------------------------------------------------------------------

    def bracket(self, low: mpq, high: mpq, digits: int) -> Bracket | None:
        """The sides that meet the profile from below at ``low`` and from above at ``high``."""
        parts = int(high) + 1
        unit = high / parts if high else mpq(1)
        chosen = _plan(parts if high else 0) if isinstance(self.law, Curve) else None
        if self._spread(digits) > _MOST_POINTS * unit or unit < _LEAST_UNIT:
            return None
        above = tuple(
            UpperPld.of(((self.law, 1),), _effort(unit, digits), direction, chosen=chosen)
            for direction in self.laws.directions
        )
        half = int(low)
        below_unit = max(2 * low / (2 * half + 1), _LEAST_UNIT)
        direction = self._greater_at(low, digits)
        tilt = self._tilt(low, direction, digits)
        attained = self.laws.below(tilt)
        at_half = _plan(half) if low or isinstance(attained[0][0], OutputTable) else _AROUND_ZERO
        below = LowerPld.of(attained, _effort(below_unit, digits), direction, chosen=at_half)
        return Bracket(self.laws.subject, unit, above, below, direction, tilt, below_unit)

    def _greater_at(self, epsilon: mpq, digits: int) -> Direction:
        """The direction of the greater profile."""
        with precision(4 * digits + _BITS):
            loss = ball_of_rational(epsilon)
            found = [upper_end(profile(loss)) for profile in self.profiles(digits)]
        return self.laws.directions[found.index(max(found))]

    def _tilt(self, epsilon: mpq, direction: Direction, digits: int) -> mpq:
        """The tilt of the greatest attained profile at e^ε."""
        if not self.laws.tilts:
            return _tilt(self.law, epsilon, direction)
        with precision(4 * digits + _BITS):
            loss = ball_of_rational(epsilon)
            found = [lower_end(profile(loss)) for profile in self._attained(digits)]
        return self.laws.tilts[found.index(max(found))]

    def _spread(self, digits: int) -> mpq:
        """The greatest finite loss of a table; 0 for a curve, whose points are chosen."""
        if isinstance(self.law, Curve):
            return mpq(0)
        with precision(_BITS):
            losses = (atom.loss for atom in self.law.atoms(digits) if atom.loss is not None)
            ends = (upper_end(abs(x)) if isinstance(x, arb) else abs(x) for x in losses)
            return max(ends, default=mpq(0))


_AROUND_ZERO: Final = Plan((Points(-1, ((2, 1),)),), ())


def _plan(first: int) -> Plan:
    """One point and the next."""
    return Plan((Points.of((first, first + 1)),), ())


def _effort(unit: mpq, digits: int) -> Discretization:
    """Digits alone: nothing is lost on the way."""
    lost = mpq(1, mpz(10) ** digits)
    return Discretization(unit, digits, lost, 0, _HALF, 0.0)


def _digits_of_odds(epsilon: mpq) -> int:
    """Digits before the point of e^ε: as often Q counts, and what is rounded away of it."""
    return int(epsilon) * 10 // 23 + 1


def _first(profiles: Sequence[Callable[[arb], arb]], allowed: mpq, step: mpq, most: int) -> int:
    """The least multiple of the step at which all profiles are surely so small."""
    ball_allowed = ball_of_rational(allowed)

    def enough(k: int) -> bool:
        loss = ball_of_rational(k * step)
        return all(profile(loss) <= ball_allowed for profile in profiles)

    return threshold(enough, -1, int(most / step) + 1)[1]


def _profile(law: Pair, digits: int, direction: Direction) -> Callable[[arb], arb]:
    if isinstance(law, Curve):
        return lambda loss: value(law, loss, direction)
    atoms = atoms_of(law, LossMesh(mpq(1), digits), direction)
    return lambda loss: _of_atoms(atoms, loss)


def _of_atoms(atoms: list[Atom], loss: arb) -> arb:
    odds, zero = loss.exp(), arb(0)
    return sum((zero.max(atom.p - odds * atom.q) for atom in atoms), zero)


def _tilt(law: Pair, epsilon: mpq, direction: Direction) -> mpq:
    """The tilt of greatest profile at e^ε, where there is a choice."""
    law = law.curve if isinstance(law, ReplaceOneEnvelope) else law
    base, rate = law.sample() or (law, mpq(1))
    with precision(_BITS):
        odds = ball_of_rational(-epsilon if direction == "add" else epsilon).exp()
        inner = 1 + (odds - 1) / ball_of_rational(rate)
        if not inner > 0:
            return mpq(0)
        tilt = base.tilt_at(inner.log())
    return _HALF if tilt is None else floor_to(min(max(tilt, mpq(0)), mpq(1)), _PLACES)
