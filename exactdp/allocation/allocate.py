r"""One budget (ε, δ) shared among statistics: the ε_i with the least weighted error found.

Purpose: the application that Murtagh and Vadhan wrote their algorithm for: someone with a budget
chooses statistics, says which matter, and is told how accurate each can be.

Rules of this file: the ε_i that are answered compose to (ε, δ), certified by the ledger's
certificate; all free ε_i larger by the tolerance do not, certified as well. Every error is an upper
end. Whether another proportion would be better is not certified.

Theory of operation: minimise Σ w_i·err_i(ε_i) over rationals ε_i > 0 such that OptComp((ε_i, δ_i);
δ) <= ε, ε_i at least what a target asks for, and as it is where it is fixed. Three proportions are
tried: those of :mod:`exactdp.allocation.shapes` for the optimum, those for basic composition, and
all equal. Each is scaled to the certified optimum by :func:`exactdp.budgets.budget.largest_scale`;
what falls below its target on the way is held there, and the others are scaled again. The least
weighted error wins, so that the answer is never worse than an even split.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, section 1, on "Privacy Tools for Sharing
Research Data"; Gaboardi et al., "PSI (Ψ)", 2016.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.allocation.reading import StatisticsFile, read_statistics
from exactdp.allocation.results import (
    Allocation,
    ComposedBy,
    RivalSplit,
    SetBy,
    SplitBy,
    StatisticShare,
)
from exactdp.allocation.shapes import (
    Claimant,
    Costs,
    costs_of_optimum,
    costs_of_sum,
    proportions,
    whole_steps,
)
from exactdp.allocation.splits import (
    Party,
    Scaled,
    ledger_of_parties,
    scaled_to_optimum,
    scaled_to_sum,
)
from exactdp.allocation.statistics import (
    DEFAULT_CONFIDENCE,
    Statistic,
    checked_confidence,
    checked_statistics,
)
from exactdp.allocation.targets import least_epsilon_for
from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.enclosures import ball, precision
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.budgets.answers import ScaleAnswer
from exactdp.budgets.budget import DEFAULT_TOLERANCE
from exactdp.budgets.guess import about
from exactdp.composition.answers.arguments import nonnegative, probability
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.errors import DomainError, InputError, shorten

_PLACES: Final = 30
_BITS: Final = 128
_SIZE: Final = mpq(1)
_DOES_NOT_FIT: Final = "what is fixed and what the targets ask for already exceed the budget"


def allocate(  # noqa: PLR0913 (the budget, who shares it, and how)
    statistics: Iterable[Statistic] | StatisticsFile | str | Path,
    *,
    epsilon: Number | None = None,
    delta: Number | None = None,
    fix: Mapping[str, Number] | None = None,
    without: Sequence[str] = (),
    confidence: Number | None = None,
    tolerance: Number = DEFAULT_TOLERANCE,
    max_cost: int = DEFAULT_MAX_COST,
) -> Allocation:
    r"""Share (ε, δ) among statistics so that the weighted sum of their expected errors is small.

    Args:
        statistics: what is to be answered, each with its noise, weight or target; or a file of
            them, or its path.
        epsilon: ε of the budget, above 0, in nats; None takes the file's.
        delta: δ of the budget, below 1; None takes the file's, if it names one.
        fix: ε by name, for statistics whose ε is decided already.
        without: names of statistics to leave out; the others share what becomes free.
        confidence: that of the intervals that are reported; None takes the file's, or 0.95.
        tolerance: how near the scale of the free ε comes to the largest, relative to it.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).

    Raises:
        InputError: bad arguments; a name that no statistic has among them.
        CostLimitError: the work would exceed the limits.

    >>> pair = [Statistic("mean"), Statistic("count", weight=8)]
    >>> answer = allocate(pair, epsilon=1, delta=0)
    >>> [round(float(share.epsilon), 2) for share in answer.shares]
    [0.26, 0.74]
    """
    if isinstance(statistics, str | Path):
        statistics = read_statistics(statistics)
    if isinstance(statistics, StatisticsFile):
        epsilon, delta, confidence = _named(statistics, epsilon, delta, confidence)
        statistics = statistics.statistics
    chosen = _chosen(checked_statistics(statistics), fix or {}, without)
    limit, target = nonnegative(_given(epsilon, "epsilon")), probability(_given(delta, "delta"))
    if sign(limit) == 0 or target >= 1:
        raise DomainError(
            field="epsilon" if target < 1 else "delta",
            value=str(limit) if target < 1 else str(target),
            expected="a number above 0" if target < 1 else "a rational below 1",
        )
    parties = tuple(map(_party, chosen))
    level = checked_confidence(DEFAULT_CONFIDENCE if confidence is None else confidence)
    task = _Task(parties, limit, target, level, tolerance, max_cost)
    return task.answer()


def _named(
    file: StatisticsFile, epsilon: Number | None, delta: Number | None, confidence: Number | None
) -> tuple[Number | None, Number | None, Number | None]:
    """What was passed, and where nothing was, what the file names."""
    if delta is None and len(file.deltas) == 1:
        delta = file.deltas[0]
    return (
        file.epsilon if epsilon is None else epsilon,
        delta,
        file.confidence if confidence is None else confidence,
    )


def _given(value: Number | None, name: str) -> Number:
    if value is None:
        raise InputError(
            field=name,
            value="nothing",
            expected=f"one {name}, as no file names it",
            remedy=f"pass {name}, for example {'1' if name == 'epsilon' else '1e-6'}",
        )
    return value


def _chosen(
    statistics: tuple[Statistic, ...], fix: Mapping[str, Number], without: Sequence[str]
) -> tuple[Statistic, ...]:
    """The statistics that are left, with what is fixed."""
    if isinstance(without, str):
        raise InputError(
            field="without", value=without, expected="a list of names", remedy=f"pass [{without!r}]"
        )
    names = [each.name for each in statistics]
    for field_name, given in (("fix", list(fix)), ("without", list(without))):
        for name in given:
            if name not in names:
                raise _unknown(field_name, name, names)
    for name in fix:
        if name in without:
            raise InputError(
                field="fix", value=name, expected="a statistic that is not left out by without"
            )
    left = [each for each in statistics if each.name not in without]
    return checked_statistics(
        each.fixed(fix[each.name]) if each.name in fix else each for each in left
    )


def _unknown(field_name: str, name: str, names: Sequence[str]) -> InputError:
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    shown = " or ".join(map(shorten, close)) if close else ", ".join(map(shorten, names[:8]))
    return InputError(
        field=field_name,
        value=name,
        expected="the name of a statistic",
        remedy=f"did you mean {shown}?" if close else f"there are {shown}",
    )


@dataclass(frozen=True, slots=True)
class _Task:
    """One question: who shares, and what there is to share."""

    parties: tuple[Party, ...]
    epsilon: ExactNumber
    delta: mpq
    confidence: mpq
    tolerance: Number
    max_cost: int

    def answer(self) -> Allocation:
        """The best split that was found, beside its rivals."""
        even = [_SIZE] * len(self.parties)
        sums = self._proportions(self._costs_of_sum()) or even
        optima = self._proportions(self._costs_of_optimum()) or sums
        first = self._scaled(even)
        if first.epsilons is None:
            return self._nothing(first.answer)
        if not self._free():
            return self._found(first, ())
        splits = [first, *(self._scaled(sizes) for sizes in (sums, optima) if sizes != even)]
        rivals = (
            self._rival("even", "basic", self._basic(even)),
            self._rival("weighted", "basic", self._basic(sums)),
            self._rival("even", "optimal", first.epsilons),
        )
        return self._found(min(splits, key=self._error_of), rivals)

    def _free(self) -> list[Party]:
        return [party for party in self.parties if party.held is None]

    def _scaled(self, sizes: Sequence[mpq]) -> Scaled:
        return scaled_to_optimum(
            self.parties,
            sizes,
            epsilon=self.epsilon,
            delta=self.delta,
            tolerance=self.tolerance,
            max_cost=self.max_cost,
        )

    def _basic(self, sizes: Sequence[mpq]) -> tuple[mpq, ...] | None:
        """The split whose ε add up to that of the budget, or hardly less if that is irrational."""
        return scaled_to_sum(self.parties, sizes, enclose_in_decimals(self.epsilon, _PLACES)[0])

    def _held(self) -> list[tuple[float, int]]:
        return [
            (about(party.held), party.statistic.count)
            for party in self.parties
            if party.held is not None
        ]

    def _costs_of_sum(self) -> Costs | None:
        """What basic composition leaves; None if nothing."""
        rest = self._size() - sum(epsilon * count for epsilon, count in self._held())
        return costs_of_sum(rest) if rest > 0 else None

    def _costs_of_optimum(self) -> Costs | None:
        """D against Δ; None if Δ is 0 or less."""
        allowed = Problem.of(ledger_of_parties(self.parties, self._zeros())).allowed(self.delta)
        if allowed.sign <= 0:
            return None
        room = float(allowed.ball(_BITS).mid())
        return costs_of_optimum(self._size(), room, self._held())

    def _zeros(self) -> list[mpq]:
        return [mpq(0)] * len(self.parties)

    def _size(self) -> float:
        with precision(_BITS):
            return float(ball(self.epsilon))

    def _proportions(self, costs: Costs | None) -> list[mpq] | None:
        """Whole multiples of one unit for those that share; None without costs or sharers."""
        free = self._free()
        if costs is None or not free:
            return None
        found = proportions([_claimant(party) for party in free], costs)
        steps = iter(whole_steps(found, [party.statistic.count for party in free]))
        return [mpq(next(steps)) if party.held is None else _SIZE for party in self.parties]

    def _rival(
        self, split: SplitBy, composition: ComposedBy, epsilons: tuple[mpq, ...] | None
    ) -> RivalSplit:
        error = None if epsilons is None else self._weighted_error(epsilons)
        return RivalSplit(split, composition, epsilons, error)

    def _error_of(self, split: Scaled) -> mpq:
        return self._weighted_error(split.epsilons or ())

    def _weighted_error(self, epsilons: Sequence[mpq]) -> mpq:
        return sum(
            (
                party.statistic.weighted_error(epsilon)
                for party, epsilon in zip(self.parties, epsilons, strict=True)
            ),
            mpq(0),
        )

    def _found(self, best: Scaled, rivals: tuple[RivalSplit, ...]) -> Allocation:
        shares = tuple(
            StatisticShare(
                party.statistic,
                epsilon,
                _set_by(party, pinned=place in best.pinned),
                party.statistic.accuracy(epsilon, self.confidence),
            )
            for place, (party, epsilon) in enumerate(
                zip(self.parties, best.epsilons or (), strict=True)
            )
        )
        return self._answer(best.answer, shares, rivals, "")

    def _nothing(self, answer: ScaleAnswer) -> Allocation:
        problem = Problem.of(ledger_of_parties(self.parties, self._zeros()))
        if problem.allowed(self.delta).sign < 0:
            return self._answer(answer, (), (), answer.reason)
        return self._answer(answer, (), (), _DOES_NOT_FIT)

    def _answer(
        self,
        answer: ScaleAnswer,
        shares: tuple[StatisticShare, ...],
        rivals: tuple[RivalSplit, ...],
        reason: str,
    ) -> Allocation:
        return Allocation(
            tuple(party.statistic for party in self.parties),
            self.epsilon,
            self.delta,
            self.confidence,
            "none" if reason else "found",
            reason,
            shares,
            None if reason else answer.fitting,
            rivals,
            None if reason else answer.upper_certificate(),
            answer.lower_certificate(),
        )


def _party(statistic: Statistic) -> Party:
    """A statistic with what it must have; one of weight 0 has its target's ε, and no more."""
    if statistic.epsilon is not None:
        return Party(statistic, mpq(0), statistic.epsilon)
    if statistic.target is None:
        return Party(statistic, mpq(0), None)
    floor = least_epsilon_for(statistic, statistic.target)
    return Party(statistic, floor, None if statistic.weight else floor)


def _claimant(party: Party) -> Claimant:
    statistic = party.statistic
    family = statistic.family
    delta, sensitivity = about(statistic.delta), about(statistic.sensitivity)
    return Claimant(
        statistic.count,
        about(statistic.weight),
        lambda epsilon: family.slope(epsilon, delta, sensitivity),
        about(party.floor),
    )


def _set_by(party: Party, *, pinned: bool) -> SetBy:
    if party.statistic.epsilon is not None:
        return "fixed"
    return "target" if pinned or party.held is not None else "allocation"
