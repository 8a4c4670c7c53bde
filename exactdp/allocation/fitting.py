r"""The least noise in given proportions with which statistics keep a budget.

Rules of this file: scales are decimals of few digits, rounded up, and what is decided is decided of
the noise that is printed; an end is one only if :func:`exactdp.certify` has decided it.

Theory of operation: the noise of all statistics is composed as it is. Where δ of the budget is 0
nothing is lost by composing the ε of each instead, which has a certificate. One factor turns the
scale of all that share; what a target limits stays at its greatest scale from some factor on. More
noise reveals less, so that there is one boundary, and :mod:`exactdp.budgets.turning` finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from gmpy2 import mpq

from exactdp.allocation.statistics import Statistic
from exactdp.arithmetic.decimal_text import places_within, round_above
from exactdp.arithmetic.enclosures import ball, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.budgets.guess import about, rho_within
from exactdp.budgets.monotone_parameters import MonotoneParameter
from exactdp.budgets.turning import DialSearch, TurnedLedger
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.results import Certified
from exactdp.errors import InternalError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry, Mechanism

_FARTHEST: Final = mpq(2) ** 40
_FINE: Final = mpq(1, 10**6)
_COARSE: Final = mpq(1, 10**3)
_SPARE_DIGITS: Final = 2
_DIGITS: Final = 8
_BITS: Final = 128
_LEAST_RHO: Final = 1e-60
_SIZES: Final = (1e-30, 1e30)
_WHOLE: Final = mpq(1)
_OF_CONVERSION: Final = 0.8
_NEAR: Final = mpq(11, 10)
_NEARER: Final = mpq(101, 100)


@dataclass(frozen=True, slots=True)
class SharedBudget:
    """What there is to share, and how it is searched for.

    Attributes:
        epsilon: ε, above 0.
        delta: δ, below 1.
        tolerance: how near the noise comes to the least, relative to it; None for the default.
        max_cost: refuse work predicted to cost more.
    """

    epsilon: ExactNumber
    delta: mpq
    tolerance: mpq | None
    max_cost: int

    @staticmethod
    def of(epsilon: mpq, delta: mpq, tolerance: mpq | None, max_cost: int) -> SharedBudget:
        """With a rational ε."""
        return SharedBudget(ExactNumber(epsilon), delta, tolerance, max_cost)

    @property
    def size(self) -> float:
        """About ε."""
        with precision(_BITS):
            return min(max(float(ball(self.epsilon)), _SIZES[0]), _SIZES[1])

    def certify(self, ledger: Ledger) -> Certified:
        """Whether a ledger keeps it."""
        return certify(ledger, epsilon=self.epsilon, delta=self.delta, max_cost=self.max_cost)


@dataclass(frozen=True, slots=True)
class Party:
    """A statistic, and what is decided of its noise already.

    Attributes:
        statistic: the statistic.
        held: the scale that it has in any case, or None if it takes part in the sharing.
        most: the greatest scale that its target allows; None without a target.
    """

    statistic: Statistic
    held: mpq | None = None
    most: mpq | None = None

    @property
    def greatest(self) -> mpq | None:
        """The scale that it has where noise costs nothing; None if that has no end."""
        return self.most if self.held is None else self.held

    def scale(self, size: mpq, factor: mpq, digits: int) -> mpq:
        """Its scale at a factor of the noise."""
        if self.held is not None:
            return self.held
        scale = round_above(size * factor, digits)
        return scale if self.most is None else min(scale, self.most)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The least noise in given proportions that keeps a budget.

    Attributes:
        scales: one for each party.
        kept: the ledger with this noise, decided.
        broken: one with a little less, which is certified to break the budget; None if there is
            none.
    """

    scales: tuple[mpq, ...]
    kept: TurnedLedger
    broken: TurnedLedger | None


def ledger_of_noise(statistics: Sequence[Statistic], scales: Sequence[mpq], delta: mpq) -> Ledger:
    """The noise of all statistics, labelled by their names; where δ is 0, their ε."""
    entries = [each.entry(scale) for each, scale in zip(statistics, scales, strict=True)]
    return Ledger(tuple(entries if delta else map(_by_epsilon, entries)))


def _by_epsilon(entry: Entry) -> Mechanism:
    """The ε that noise has by its scale.

    Raises:
        InternalError: it has none; who asks has made sure that it does.
    """
    implied = entry.implied_epsilon_delta()
    if implied is None:
        raise InternalError(field="noise", value=entry.name, expected="noise that has an ε")
    return Mechanism(*implied, entry.count, entry.label)


def fitted(
    parties: Sequence[Party],
    sizes: Sequence[mpq],
    budget: SharedBudget,
    start: mpq | None = None,
    *,
    at_once: bool = False,
) -> Fitted | None:
    """The least multiple of ``sizes`` that keeps a budget.

    Args:
        parties: who shares, at least one of them without a scale of its own.
        sizes: their scales at a factor of 1; those of what is held count for nothing.
        budget: the budget.
        start: a factor near the least; None if none is known.
        at_once: whether that must keep the budget already, else the answer is None.

    Raises:
        CostLimitError: undecided within the limits.
    """
    statistics = [party.statistic for party in parties]
    width = width_of(parties, budget)
    digits = places_within(width) + _SPARE_DIGITS

    def scales(factor: mpq) -> tuple[mpq, ...]:
        return tuple(
            party.scale(size, factor, digits) for party, size in zip(parties, sizes, strict=True)
        )

    dial = MonotoneParameter(
        "noise",
        lambda factor: ledger_of_noise(statistics, scales(factor), budget.delta),
        _WHOLE if start is None else start,
        False,
        1 / _FARTHEST,
        _FARTHEST,
    )
    search = DialSearch(
        dial,
        epsilon=budget.epsilon,
        delta=budget.delta,
        width=width,
        max_cost=budget.max_cost,
        stride=_NEAR if start is None else _NEARER,
    )
    if at_once and not search.now.holds:
        return None
    if search.now.holds is None and search.decide(2 * dial.now).holds is None:
        budget.certify(search.now.ledger)  # says why it cannot be decided
    ends = search.ends()
    if ends.kept is None:
        return None
    return Fitted(scales(ends.kept.at), ends.kept, ends.broken)


def width_of(parties: Sequence[Party], budget: SharedBudget) -> mpq:
    """How near the noise comes to the least."""
    if budget.tolerance is not None:
        return budget.tolerance
    is_closed = not budget.delta or all(party.statistic.adds_up for party in parties)
    return _FINE if is_closed else _COARSE


def fitted_alone(statistic: Statistic, budget: SharedBudget) -> mpq:
    """The least scale of one answer that keeps a budget alone.

    Raises:
        CostLimitError: undecided within the limits.
    """
    alone = [Party(replace(statistic, count=1))]
    found = fitted(alone, proportions(alone, 0.0, budget), budget)
    if found is None:
        raise InternalError(
            field="epsilon", value=str(budget.epsilon), expected="noise that is as private"
        )
    return found.scales[0]


def proportions(parties: Sequence[Party], exponent: float, budget: SharedBudget) -> tuple[mpq, ...]:
    """The scales of what shares, about as large as the budget asks for.

    A scale is the sensitivity times a power of weight and sensitivity, to the negative exponent.
    """
    found = []
    for party in parties:
        statistic = party.statistic
        reach = about(statistic.sensitivity)
        error = about(statistic.weight) * statistic.family.about_error
        found.append(reach * (reach * error) ** -exponent if party.held is None else 1.0)
    factor = _about_factor(parties, found, budget)
    return tuple(round_above(mpq(*(size * factor).as_integer_ratio()), _DIGITS) for size in found)


def _about_factor(parties: Sequence[Party], sizes: Sequence[float], budget: SharedBudget) -> float:
    """About the factor of the noise with which what shares keeps the budget alone.

    Where δ is above 0 that is some 4/5 of what the conversion of ρ asks for.
    """
    free = [
        (party.statistic.count, about(party.statistic.sensitivity) / size)
        for party, size in zip(parties, sizes, strict=True)
        if party.held is None
    ]
    if not budget.delta:
        return sum(count * epsilon for count, epsilon in free) / budget.size
    allowed = max(about(rho_within(budget.epsilon, budget.delta)), _LEAST_RHO)
    return _OF_CONVERSION * sqrt(sum(count * mu**2 for count, mu in free) / 2 / allowed)
