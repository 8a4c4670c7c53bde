r"""Answers about ledgers with mechanisms given by their noise.

Theory of operation: both ends come from privacy losses on a mesh. They meet within the
tolerance, but where a mechanism is known by its range or its ρ alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from itertools import chain
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare, sign
from exactdp.arithmetic.decimal_text import (
    floor_log10,
    places_within,
    power_of_ten,
    short_text,
)
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.arguments import (
    NOISE_TOLERANCE,
    inner_probability,
    meaningful_delta,
    probability,
    tolerance_of,
)
from exactdp.composition.answers.extremes import AtExtremes, undecided
from exactdp.composition.answers.results import (
    GREATEST_LOSS,
    Certified,
    Composition,
    Evidence,
    ProfilePoint,
)
from exactdp.composition.answers.shares import shared_out
from exactdp.composition.certificates import certificate
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.bracket import (
    MANY_ENTRIES,
    refuse_entries,
)
from exactdp.composition.engines.mesh.upper_bracket import UPPER_RULE
from exactdp.composition.engines.moments.orders import OrderBound, bound_at
from exactdp.composition.noise.deltas import Profile, point_by_divergences
from exactdp.composition.noise.judging import judge, nearly
from exactdp.composition.noise.solve import bounded, bounded_on_both_sides, solve
from exactdp.composition.noise.solved import Judged, Solved
from exactdp.composition.planner import DEFAULT_MAX_COST, has_exact_atoms
from exactdp.composition.routes import Derivation
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.timing.deadlines import OutOfTimeError

_ATTAINED: Final = "the mechanisms themselves, on some neighbouring inputs"
_MUCH_NOISE_LEFT: Final = 10
_GREAT: Final = 1000
_LEAST_COARSE: Final = 10
_MOST_BOUNDED: Final = 100
_PLACES: Final = 2
"""A ρ up to which, and an ε up to which, the default tolerance is the answer's; how many different
mechanisms have a bound of divergences beforehand, and to how many places."""

_COARSE_COST: Final = 10**10
"""What a side of a coarse answer may cost: who verifies it in plain Python takes longer."""

_STEPS: Final = tuple(mpq(1, 10**places) for places in range(2, 8))


def _evidence(extremes: AtExtremes, solved: Solved) -> Evidence:
    """What losses on a mesh rest on."""
    subject, delta = extremes.laws.subject, solved.delta
    attained = (each.attained_by(subject.neighbouring) for each, _ in subject.mechanisms)
    gaps = dict.fromkeys(each.gap() for each, _ in subject.mechanisms if each.gap())

    def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate | None:
        return solved.prove_upper(epsilon, delta) if enough else solved.prove_lower(epsilon)

    return Evidence(
        extremes.problem,
        prove,
        "; ".join([_ATTAINED, *dict.fromkeys(chain.from_iterable(attained))]),
        f"open: {'; '.join(gaps) or 'as near as the mesh in use, and the time, allow'}",
        reaches_least_delta=extremes.reaches_mass,
    )


@dataclass(frozen=True)
class ExactAnswers:
    """What listed losses say of a ledger, at a δ of at least the mass at infinity.

    Attributes:
        ledger: mechanisms that are written out, perhaps beside others by (ε, δ).
        subject: what a statement says of them.
        solver: of all of them.
    """

    ledger: Ledger
    subject: Subject
    solver: Solver

    def compose(self, extremes: AtExtremes, delta: mpq, width: mpq) -> Composition:
        """The least ε at δ."""
        found = self.solver.optimum(delta, width)

        def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate:
            del enough  # whoever decides it anew finds the same
            decision = self.solver.decide(epsilon, delta)
            return certificate(self.subject, epsilon, delta, decision)

        evidence = Evidence(
            extremes.problem,
            prove,
            _ATTAINED,
            "",
            reaches_least_delta=extremes.reaches_mass,
            places=places_within(width) + 1,
            costs=self.solver,
        )
        ends = found.lower, found.upper, found.exact
        return Composition(self.ledger, delta, *ends, found.method, found.complete, (), evidence)

    def point(self, epsilon: ExactNumber, width: mpq) -> ProfilePoint:
        """δ at ε."""
        return ProfilePoint(epsilon, *self.solver.profile(epsilon, width), "atoms")

    def certify(self, epsilon: ExactNumber, delta: mpq) -> Certified:
        """Whether ε is enough at δ."""
        decision = self.solver.decide(epsilon, delta)
        proof = certificate(self.subject, epsilon, delta, decision)
        return Certified(decision.holds, decision.equality, proof)


@dataclass(frozen=True)
class NoiseAnswers:
    """What privacy losses say of a ledger by noise.

    Attributes:
        ledger: any mechanisms.
        max_cost: refuse work predicted to cost more, on each side.
    """

    ledger: Ledger
    max_cost: int

    @property
    def laws(self) -> DominatingPairs:
        """What dominates the mechanisms."""
        return _laws_of(self.ledger, self.max_cost)

    def compose(
        self,
        delta: mpq,
        width: mpq,
        *,
        time_limit: float | None = None,
        refining: float | None = None,
    ) -> Composition:
        """The least ε at δ."""
        del time_limit
        laws = self.laws
        extremes = AtExtremes(laws, meaningful_delta(delta))
        exact = self._exact(width) if extremes.leaves_losses else None
        if extremes.decides and not (exact and exact.solver.has_exact_optimum(delta)):
            return extremes.compose(self.ledger, width, self.max_cost)
        if exact is not None:
            return exact.compose(extremes, delta, width)
        cost = self._cost_at(width)
        if refining is None:
            solved = _solved(laws, delta, width, cost)
        else:
            solved = solve(laws, delta, width, max_cost=cost, seconds=refining)
        met = solved.upper - solved.lower <= width
        if not met and refining is None and not laws.has_gap:
            raise _too_fine(width, solved.upper - solved.lower)
        return _composition(self.ledger, extremes, solved, complete=met)

    def usual_width(self, delta: mpq, width: mpq) -> mpq:
        """The default, or about a hundredth of ε where ε is surely so great that nobody asks."""
        entries = self.laws.subject.mechanisms
        rho = sum((entry.rho_estimate() * count for entry, count in entries), mpq(0))
        if rho < _MUCH_NOISE_LEFT or not 0 < delta < 1:
            return width
        bound = _order_bound(self.laws, delta)
        return width if bound is None or bound.epsilon < _GREAT else _coarse(bound.epsilon)[0]

    def nearly(self, delta: mpq, tolerance: mpq) -> mpq | None:
        """About the least ε at δ, for guesses; None where that is not known at once."""
        laws = self.laws
        if AtExtremes(laws, delta).decides or self._exact() is not None:
            return None
        return nearly(laws, delta, tolerance, max_cost=self.max_cost)

    def settle(self, delta: mpq, width: mpq, refused: CostLimitError) -> Composition:
        """As near as fits, from about a hundredth of ε on, or by Rényi divergences alone."""
        solved = _coarsely(self.laws, delta, width, self.max_cost, refused)
        return _composition(self.ledger, AtExtremes(self.laws, delta), solved, complete=False)

    def _cost_at(self, width: mpq) -> int:
        """What a side may cost: less where a width is as great as nobody asks for."""
        return _coarse_cost(self.max_cost) if width >= _LEAST_COARSE else self.max_cost

    def profile(
        self, points: Sequence[ExactNumber], width: mpq, time_limit: float | None
    ) -> tuple[ProfilePoint, ...]:
        """δ at each ε, the greatest first: sides that reach the least δ mostly do for others."""
        laws = self.laws
        extremes, exact = AtExtremes(laws, mpq(0)), self._exact(width)
        meshes = Profile(laws, self.max_cost)

        def point(epsilon: ExactNumber, seconds: float | None) -> ProfilePoint:
            least, most, is_all = extremes.point(epsilon)
            if is_all:
                return ProfilePoint(epsilon, least, most, GREATEST_LOSS)
            if exact is not None:
                return exact.point(epsilon, width)
            low, high = meshes.point(epsilon, width, seconds)
            return ProfilePoint(epsilon, max(low, least), high, UPPER_RULE)

        hardest_first = sorted(set(points), key=cmp_to_key(compare), reverse=True)
        shares = shared_out(hardest_first, time_limit)
        found = {epsilon: point(epsilon, seconds) for epsilon, seconds in shares}
        return tuple(found[epsilon] for epsilon in points)

    def settle_profile(
        self, points: Sequence[ExactNumber], refused: CostLimitError
    ) -> tuple[ProfilePoint, ...]:
        """δ at each ε from above by Rényi divergences, with what is known anyway from below.

        Raises:
            CostLimitError: what was refused, if they are not known, or work or time was limited.
        """
        laws = self.laws
        limited = isinstance(refused, OutOfTimeError) or self.max_cost < DEFAULT_MAX_COST
        if limited or not laws.has_moments or len(laws.known()) > _MOST_BOUNDED:
            raise refused
        extremes = AtExtremes(laws, mpq(0))

        def point(epsilon: ExactNumber) -> ProfilePoint:
            least, most, is_all = extremes.point(epsilon)
            if is_all:
                return ProfilePoint(epsilon, least, most, GREATEST_LOSS)
            return ProfilePoint(epsilon, least, point_by_divergences(laws, epsilon), "moments")

        return tuple(map(point, points))

    def _exact(self, width: mpq | None = None) -> ExactAnswers | None:
        """The answers by listed losses, where every mechanism has few and rational odds."""
        problem = self.laws.listed_exactly()
        if problem is None or not has_exact_atoms(problem, self.max_cost):
            return None
        solver = Solver(problem, method="atoms", max_cost=self.max_cost, tolerance=width)
        return ExactAnswers(self.ledger, self.laws.subject, solver)

    def certify(self, epsilon: ExactNumber, delta: mpq) -> Certified:
        """Whether ε is enough at δ."""
        laws = self.laws
        extremes = AtExtremes(laws, meaningful_delta(delta))
        exact = self._exact() if extremes.leaves_losses else None
        if extremes.decides:
            return self._at_the_mass(extremes, exact, epsilon)
        if exact is not None:
            return exact.certify(epsilon, delta)
        for tolerance in _STEPS:
            try:
                judged = judge(laws, delta, epsilon, tolerance, max_cost=self.max_cost)
            except CostLimitError as error:
                if tolerance < _STEPS[0]:
                    raise
                solved = _coarsely(laws, delta, tolerance, self.max_cost, error)
                judged = Judged.of(solved, epsilon)
            if judged.holds is not None:
                return Certified(judged.holds, False, judged.prove)
            if laws.has_tilt or laws.by_orders or _is_open(judged.solved, epsilon, tolerance, laws):
                break
        beyond = extremes.certify_beyond(epsilon)
        if beyond is None:
            raise undecided()
        return beyond

    def _at_the_mass(
        self, extremes: AtExtremes, exact: ExactAnswers | None, epsilon: ExactNumber
    ) -> Certified:
        """Whether ε is enough at a δ of at most the mass at infinity.

        Listed losses have a certificate, but cannot tell that nothing is left beyond that mass.
        """
        if exact is not None and exact.solver.has_exact_optimum(extremes.delta):
            with suppress(CostLimitError):
                return exact.certify(epsilon, extremes.delta)
        return extremes.certify(epsilon, self.max_cost)


def _order_bound(laws: DominatingPairs, delta: mpq) -> OrderBound | None:
    """What Rényi divergences give; None where they are not known, or take too long."""
    if not laws.has_moments or len(laws.known()) > _MOST_BOUNDED:
        return None
    try:
        return bound_at(laws, delta, _PLACES)
    except OutOfTimeError:
        raise
    except CostLimitError:
        return None


def _coarse_cost(max_cost: int) -> int:
    """What a side of a coarse answer may cost, unless another limit was chosen."""
    return _COARSE_COST if max_cost == DEFAULT_MAX_COST else max_cost


def _coarse(epsilon: mpq) -> tuple[mpq, ...]:
    """Tolerances for an ε of about this size: powers of ten from a hundredth of it on."""
    first = floor_log10(max(epsilon, mpq(1))) - 2
    return tuple(power_of_ten(first + step) for step in range(3))


def _coarsely(
    laws: DominatingPairs, delta: mpq, tried: mpq, max_cost: int, refused: CostLimitError
) -> Solved:
    """The ends at the least of a few coarse tolerances that fits, or Rényi divergences alone.

    Args:
        laws: the mechanisms.
        delta: δ, above 0.
        tried: the tolerance that was refused.
        max_cost: what was allowed.
        refused: how it was refused.

    Raises:
        CostLimitError: what was refused, if nothing else is known, or work or time was limited.
    """
    limited = isinstance(refused, OutOfTimeError) or max_cost < DEFAULT_MAX_COST
    bound = None if limited else _order_bound(laws, delta)
    if limited or (bound is None and laws.has_moments):
        raise refused
    for tolerance in _coarse(mpq(0) if bound is None else bound.epsilon):
        if tolerance <= tried:
            continue
        try:
            found = solve(laws, delta, tolerance, max_cost=_coarse_cost(max_cost))
            return found if bound is None else found.with_order(bound)
        except OutOfTimeError:
            raise
        except CostLimitError:
            continue
    if bound is None:
        raise refused
    return bounded_on_both_sides(laws, delta, bound, _coarse_cost(max_cost))


def has_divergences(ledger: Ledger, *, max_cost: int) -> bool:
    """Whether Rényi divergences of all mechanisms are known, and finite."""
    return _laws_of(ledger, max_cost).has_moments


def bound_by_noise(ledger: Ledger, above: Ledger, *, delta: Number, max_cost: int) -> Composition:
    """An upper end that is found at once, by Rényi divergences, and a lower one of 0.

    Args:
        ledger: mechanisms with divergences.
        above: mechanisms of which each dominates one of them; or the ledger, where it has few.
        delta: the global δ.
        max_cost: refuse work predicted to cost more.

    Raises:
        CostLimitError: δ is not above what fails anyway, or the time is up.
    """
    laws, greater = _laws_of(ledger, max_cost), _laws_of(above, max_cost)
    width, target = tolerance_of(NOISE_TOLERANCE), inner_probability(probability(delta))
    solved = bounded(laws, greater, target, width)
    return _composition(ledger, AtExtremes(laws, target), solved, complete=False)


def _composition(
    ledger: Ledger, extremes: AtExtremes, solved: Solved, *, complete: bool
) -> Composition:
    rule = solved.rule
    derivation = Derivation(rule, solved.upper, solved.explanation)
    return Composition(
        ledger,
        solved.delta,
        solved.lower,
        solved.upper,
        None,
        rule,
        complete,
        (derivation,),
        _evidence(extremes, solved),
    )


def compose_by_noise(
    ledger: Ledger,
    *,
    delta: Number,
    tolerance: Number | None = None,
    max_cost: int,
    seconds: float | None = None,
) -> Composition:
    """The same of any ledger, for its mechanisms may stand in for others given by their noise."""
    width = tolerance_of(NOISE_TOLERANCE if tolerance is None else tolerance)
    return NoiseAnswers(ledger, max_cost).compose(probability(delta), width, refining=seconds)


def _too_fine(width: mpq, found: mpq) -> CostLimitError:
    """What is said of a tolerance that no mesh within the limits reaches."""
    fitting = power_of_ten(floor_log10(found) + 1)
    return CostLimitError(
        field="tolerance",
        value=short_text(width),
        expected=f"at least {short_text(fitting)} for these mechanisms",
        remedy=f"ask for {short_text(fitting)}, or give a time limit to have what it allows",
    )


def _is_open(
    solved: Solved | None, epsilon: ExactNumber, tolerance: mpq, laws: DominatingPairs
) -> bool:
    """Whether a claim is so far within ends that need not meet that no finer mesh settles it."""
    if solved is None:
        return False
    least, most = solved.lower + tolerance, solved.upper - tolerance
    inside = sign(epsilon - ExactNumber(least)) > 0 > sign(epsilon - ExactNumber(most))
    return laws.has_gap and inside


@lru_cache(maxsize=16)
def _solved(laws: DominatingPairs, delta: mpq, width: mpq, max_cost: int) -> Solved:
    """The ends; those of the last mechanisms are kept, as ledgers of a folder often share them."""
    return solve(laws, delta, width, max_cost=max_cost)


@lru_cache(maxsize=4)
def _laws_of(ledger: Ledger, max_cost: int) -> DominatingPairs:
    """The laws of a ledger, or an error where it has too many different entries."""
    if len(ledger.mechanisms) > MANY_ENTRIES:
        refuse_entries(len({each.parameters() for each in ledger.mechanisms}), max_cost)
    return DominatingPairs(Subject.of(ledger))
