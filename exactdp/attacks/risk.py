r"""``exactdp.risk``: what an attack on membership gains at most, as certain intervals.

Rules of this file: the profile is asked of :func:`exactdp.profile`, between ends; an upper end here
is what one of its upper ends implies, and a lower end what a lower end and two upper ends do.

Theory of operation: see :mod:`exactdp.attacks.power`. Points are asked for in rounds, coarse ones
first, each for all rates at once, so that what composes them is shared.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.attacks.guessing import log_of, next_places, ratio_at
from exactdp.attacks.power import (
    RatioPoint,
    both_roles,
    least_power,
    least_power_of_one_pair,
    most_power,
)
from exactdp.attacks.results import RightGuesses, Risk, TruePositives
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.arguments import LedgerLike, ledger_of, positive
from exactdp.composition.answers.profile import profile
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import DomainError, InputError
from exactdp.ledger.model import Ledger

FALSE_POSITIVES: Final = "1/1000"
PRIOR: Final = "1/2"
TOLERANCE: Final = "1e-12"
NOISE_TOLERANCE: Final = "1e-3"
"""Defaults: the rate and the prior that are asked about, and how narrow points are."""
_LEAST: Final = mpq(1, 10**100)
_FIRST: Final = 12
_FAR: Final = 4.0
_ROUNDS: Final = 4
_COARSE: Final = mpq(1, 10)
_FINER: Final = (1 / 8, 1 / 32, 1 / 256, 1e-3, 1e-4)
_ABOUT: Final = (mpq(1, 50), mpq(1, 8), mpq(1, 3), mpq(2, 3))
_SHOWN: Final = (mpq(1, 500), mpq(1, 100), *(mpq(i, 40) for i in range(1, 40)))
_NEAR: Final = mpq(1, 10**6)


def risk(
    ledger: LedgerLike,
    *,
    fpr: Iterable[Number] | None = None,
    prior: Iterable[Number] | None = None,
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Risk:
    r"""What an attack gains that knows all but who is a member: true positives, right guesses.

    Args:
        ledger: as for :func:`exactdp.compose`.
        fpr: rates of false positives, above 0 and below 1 (default: 1/1000).
        prior: probabilities of membership before the attack, above 0 and below 1 (default: 1/2).
        tolerance: the width of each point of the profile, relative to its lower end.
        max_cost: as for :func:`exactdp.compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    >>> answer = risk([("ln(3)", 0)], fpr=["1/100"], prior=["1/2"])
    >>> print(answer.guesses[0])
    between 0.75 and 0.75 of guesses are right at a prior of 0.5
    >>> answer.rates[0].lower_end <= mpq(3, 100) <= answer.rates[0].upper_end
    True
    """
    search = _search_of(ledger_of(ledger), tolerance, max_cost)
    checked = search.ledger
    neither = fpr is None and prior is None
    rates = _rates([FALSE_POSITIVES] if neither else fpr or (), "fpr")
    priors = _rates([PRIOR] if neither else prior or (), "prior")
    if rates:
        search.find(rates)
    points = search.exactly([_ratio_of(each) for each in (*priors, mpq(1, 2))])
    guesses = [_guesses(prior, point) for prior, point in zip(priors, points, strict=False)]
    gain = points[-1]
    return Risk(
        checked,
        tuple(search.true_positives(alpha) for alpha in rates),
        tuple(guesses),
        gain,
    )


def power_curve(
    ledger: LedgerLike, *, tolerance: Number | None = None, max_cost: int = DEFAULT_MAX_COST
) -> tuple[TruePositives, ...]:
    """The greatest rates of true positives at many rates of false ones, from points about a few."""
    search = _search_of(ledger_of(ledger), tolerance, max_cost)
    search.find(list(_ABOUT))
    return tuple(map(search.true_positives, _SHOWN))


def refuting_ratio(
    ledger: LedgerLike, fpr: mpq, tpr: mpq, *, max_cost: int = DEFAULT_MAX_COST
) -> mpq | None:
    """Where one point of the profile, from below, shows true positives of more than ``tpr``.

    Args:
        ledger: as for :func:`exactdp.compose`.
        fpr: the rate of false positives, above 0 and below 1.
        tpr: a rate of true positives, at least ``fpr``.
        max_cost: as for :func:`exactdp.compose`.

    Returns:
        A ratio, below 1 where roles are exchanged; None if no one point was found that does.

    Raises:
        CostLimitError: the work would exceed the limits.
    """
    search = _search_of(ledger_of(ledger), None, max_cost)
    far = max(_FAR, log_of(1 / min(fpr, 1 - fpr)))
    places = [far * at / _FIRST for at in range(_FIRST + 1)]
    for _ in range(_ROUNDS):
        search.ask(places, search.width)
        best = max(search.points, key=lambda point: least_power([point], fpr).value)
        if least_power([best], fpr).value > tpr:
            return best.ratio
        far /= _FIRST / 2
        places = [log_of(best.ratio) + far * (at / _FIRST - 1 / 2) for at in range(_FIRST + 1)]
    return None


def points_about(
    ledger: LedgerLike, fpr: mpq, *, max_cost: int = DEFAULT_MAX_COST
) -> list[RatioPoint]:
    """Points of the profile about that which says most of a rate of false positives.

    Args:
        ledger: as for :func:`exactdp.compose`.
        fpr: the rate of false positives, above 0 and below 1.
        max_cost: as for :func:`exactdp.compose`.

    Raises:
        CostLimitError: the work would exceed the limits.
    """
    search = _search_of(ledger_of(ledger), None, max_cost)
    search.find([fpr])
    return search.points


def _search_of(ledger: Ledger, tolerance: Number | None, max_cost: int) -> _Search:
    usual = NOISE_TOLERANCE if ledger.given_by == "noise" else TOLERANCE
    width = positive(usual if tolerance is None else tolerance, "tolerance")
    return _Search(ledger, width, max_cost, _of_one_pair(ledger))


def _rates(values: Iterable[Number], name: str) -> list[mpq]:
    """Rationals above 0 and below 1."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(
            field=name, value=values, expected="a list of numbers", remedy="pass a list"
        )
    return [_rate(value, name) for value in values]


def _rate(value: Number, name: str) -> mpq:
    rate = as_rational(value, name)
    if not 0 < rate < 1:
        raise DomainError(field=name, value=str(rate), expected="a rational above 0 and below 1")
    if min(rate, 1 - rate) < _LEAST:
        raise DomainError(
            field=name, value=str(rate), expected="a rational that is not within 1e-100 of 0 or 1"
        )
    return rate


def _ratio_of(prior: mpq) -> mpq:
    """The odds of the less probable of both, at least 1."""
    return max(prior, 1 - prior) / min(prior, 1 - prior)


def _guesses(prior: mpq, point: RatioPoint) -> RightGuesses:
    """Bayes' guess is right with probability 1 - p + p·h((1 - p)/p), p the lesser of both."""
    lesser = min(prior, 1 - prior)
    lower, upper = (1 - lesser + lesser * end for end in (point.lower, point.upper))
    return RightGuesses(prior, lower, upper, point.source)


def _of_one_pair(ledger: Ledger) -> bool:
    """Whether one pair of laws, the same in both roles, attains all points from below.

    Randomized responses and Gaussian noise do, and noise that tells both roles alike.
    """
    if ledger.given_by != "noise":
        return True
    from exactdp.composition.dominating_pairs import DominatingPairs  # noqa: PLC0415 (noise alone)

    laws = DominatingPairs(Subject.of(ledger))
    return len(laws.directions) == 1 and not laws.has_gap


@dataclass
class _Search:
    """Points of a profile, as they are found.

    Attributes:
        ledger: whose profile.
        width: of the narrowest points, relative.
        max_cost: refuse work predicted to cost more.
        is_of_one_pair: whether one pair attains all points from below.
        found: the narrowest so far, in both roles, by their ratios.
    """

    ledger: Ledger
    width: mpq
    max_cost: int
    is_of_one_pair: bool
    found: dict[mpq, RatioPoint] = field(default_factory=dict)

    @property
    def points(self) -> list[RatioPoint]:
        """All points so far."""
        return [*self.found.values()]

    def find(self, rates: list[mpq]) -> None:
        """Add points until the ends for each rate are near, or would come no nearer."""
        has_noise = self.ledger.given_by == "noise"
        far = max(_FAR, *(log_of(1 / min(rate, 1 - rate)) for rate in rates))
        coarse = max(self.width, _COARSE) if has_noise else self.width
        self.ask([far * at / _FIRST for at in range(_FIRST + 1)], coarse)
        for at, step in enumerate(self._steps()):
            left = [rate for rate in rates if not self._is_near(rate)]
            if not left:
                return
            width = max(self.width, mpq(1, 10 ** (at + 2))) if has_noise else self.width
            self.ask(self._places(left, step), width)

    @property
    def _apart(self) -> float:
        """Where a difference of points is lost in their widths no more than in their bend."""
        return 2 * math.exp(log_of(self.width) / 2)

    def _steps(self) -> tuple[float, ...]:
        """How far apart points of a round are, in ln z: where ends are lines, not too near."""
        return _FINER if self.is_of_one_pair else (*_FINER[:2], self._apart)

    def true_positives(self, rate: mpq) -> TruePositives:
        """The ends for a rate of false positives, from all points so far."""
        least, high = least_power(self.points, rate).value, most_power(self.points, rate)
        if self.is_of_one_pair:
            least = max(least, least_power_of_one_pair(self.points, rate))
        by = next(iter(high.points), None)
        if by is None:
            return TruePositives(rate, least, high.value)
        return TruePositives(rate, least, high.value, by.source, by.ratio)

    def _places(self, rates: list[mpq], step: float) -> list[float]:
        found: list[float] = []
        for rate in rates:
            for place in next_places(self.points, rate, angles=self.is_of_one_pair):
                found += [place - step, place, place + step]
        return found

    def _is_near(self, rate: mpq) -> bool:
        found = self.true_positives(rate)
        near = 4 * self.width if self.is_of_one_pair else mpq(Fraction(self._apart))
        return found.upper_end - found.lower_end <= max(_NEAR, near) * found.lower_end

    def exactly(self, ratios: list[mpq]) -> list[RatioPoint]:
        """The points at these ratios, each at least 1."""
        epsilon = [ExactNumber.ln(each) for each in ratios]
        points = profile(self.ledger, epsilon=epsilon, tolerance=self.width, max_cost=self.max_cost)
        found = [both_roles(ratio, point) for ratio, point in zip(ratios, points, strict=True)]
        for each in chain.from_iterable(found):
            known = self.found.setdefault(each.ratio, each)
            if each.upper - each.lower < known.upper - known.lower:
                self.found[each.ratio] = each
        return [pair[0] for pair in found]

    def ask(self, places: list[float], width: mpq) -> None:
        """Add the points at these values of ln z, and their inverses."""
        replace(self, width=width).exactly(sorted({ratio_at(place) for place in places}))
