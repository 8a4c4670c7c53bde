r"""Anytime composition: the narrowest enclosure that there is time for, and one in any case.

Rules of this file: time decides how narrow an enclosure is, never whether it holds.

Theory of operation: many different mechanisms take long to compose, and rounded to few of them they
take little (``composition.answers.rounded``, :mod:`exactdp.workloads.levels`). So a ledger is
composed rounded to few, then to more, then as it is, each in what is left of its part of the time
(:mod:`exactdp.timing.deadlines`); the last that ended stands. If none did, the coarsest is made,
whatever it takes, which is little: ε rounded to eight of them, or for noise a bound by Rényi
divergences; where these are not known, the answer is a refusal. Without a limit a ledger is
composed as it is, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.arguments import NOISE_TOLERANCE, probability, width_for
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.composition.answers.rounded import (
    compose_rounded,
    different_epsilons,
    little_beside,
    rounded_ledgers,
)
from exactdp.composition.problem import Problem
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.mechanisms.family import GivenBy
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError, stop_after
from exactdp.workloads.levels import different_noise, rounded_noise

GRACE: Final = 0.1
"""Seconds in which a first answer may be made even when the time is up."""
_PART: Final = 1 / 4
"""Of the time that is left, how much one composition may take."""
_COARSEST: Final = 8
_LEVELS: Final = (64, 1024)
_COARSEST_NOISE: Final = 4
_LEVELS_OF_NOISE: Final = (16, 64)
_FEWER: Final = 4
"""Rounding to levels is worth its time where there are so many times as many mechanisms."""

_Step = Callable[[Clock], Composition | None]


class AnytimeComposer:
    """Compositions within a time limit.

    Args:
        clock: the time limit.
        given_by: what says all of the mechanisms that are composed in the end.
        delta: the global δ.
        tolerance: the greatest width of each interval where there is time; None for the usual.
        max_cost: refuse compositions predicted to cost more.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        given_by: GivenBy,
        delta: Number,
        tolerance: Number | None,
        max_cost: int,
    ) -> None:
        self._clock, self._given_by = clock, given_by
        self._delta, self._tolerance, self._max_cost = delta, tolerance, max_cost
        self._cut_short: set[Ledger] = set()

    def compose(self, ledger: Ledger) -> Composition:
        """The composition of some of the mechanisms, or of what stands for them.

        Raises:
            OutOfTimeError: there is no time, and no bound by divergences.
        """
        if self._given_by == "noise":
            return self._compose_by_noise(ledger)
        if not different_epsilons(ledger) or not self._is_feasible(ledger):
            return compose(ledger, **self._options)
        found = self._nearest(ledger, self._steps(ledger))
        return found or self._rounded(ledger, _COARSEST)

    def _compose_by_noise(self, ledger: Ledger) -> Composition:
        found = self._nearest(ledger, self._steps_by_noise(ledger))
        found = found or self._bounded(ledger)
        if found is None:
            raise OutOfTimeError(
                field="time_limit",
                value=f"{different_noise(ledger)} different mechanisms by their noise",
                expected="more time for them",
                remedy="allow more time by --time-limit, or round their noise, so that more are "
                "alike",
            )
        return found

    def is_cut_short(self, found: Composition) -> bool:
        """Whether a composition that was made here would be narrower with more time."""
        return found.ledger in self._cut_short

    def _nearest(self, ledger: Ledger, steps: Iterator[_Step]) -> Composition | None:
        """What the last step found that ended in time, if any did."""
        found: Composition | None = None
        clock = self._clock.share(_PART)
        for step in steps:
            if found is not None and clock.is_over:
                break
            try:
                with stop_after(_graced(clock) if found is None else clock.left):
                    found = step(clock) or found
            except OutOfTimeError:
                break
        else:
            return found
        self._cut_short.add(ledger)
        return found

    # --- ε and δ, ρ, μ ----------------------------------------------------------------------------

    def _steps(self, ledger: Ledger) -> Iterator[_Step]:
        kinds = different_epsilons(ledger)
        if self._clock.left is not None:
            for levels in _LEVELS:
                if _FEWER * levels < kinds:
                    yield lambda _, levels=levels: self._rounded(ledger, levels)  # type: ignore[misc]
        yield lambda _: compose(ledger, **self._options)

    @property
    def _options(self) -> dict[str, Any]:
        return {"delta": self._delta, "tolerance": self._tolerance, "max_cost": self._max_cost}

    def _rounded(self, ledger: Ledger, levels: int) -> Composition:
        """The composition of few different ε, beside what else there is."""
        if ledger.given_by == "epsilon-delta":
            return compose_rounded(ledger, levels=levels, **self._options)
        from exactdp.composition.answers.sandwiched import compose_sandwiched  # noqa: PLC0415 (few ledgers are mixed)

        coarse = little_beside(_pairs_of(ledger).total_epsilon)
        wide = self._options | {"tolerance": max(coarse, width_for(ledger, self._tolerance))}
        return compose_sandwiched(ledger, rounded_ledgers(ledger, levels), **wide)

    def _is_feasible(self, ledger: Ledger) -> bool:
        """Whether δ leaves something beside what fails anyway."""
        delta = probability(self._delta)
        return delta < 1 and _pairs_of(ledger).allowed(delta).sign > 0

    # --- noise ------------------------------------------------------------------------------------

    def _steps_by_noise(self, ledger: Ledger) -> Iterator[_Step]:
        kinds = different_noise(ledger)
        if self._clock.left is not None:
            for levels in _LEVELS_OF_NOISE:
                if _FEWER * levels < kinds:
                    yield partial(self._between, ledger, levels)
        yield partial(self._whole, ledger)

    def _whole(self, ledger: Ledger, clock: Clock) -> Composition:
        from exactdp.composition.answers.noise import compose_by_noise  # noqa: PLC0415 (most need none of it)

        return compose_by_noise(ledger, seconds=clock.left, **self._options)

    def _between(self, ledger: Ledger, levels: int, clock: Clock) -> Composition | None:
        """The composition between those of few mechanisms; None where few cannot stand for all."""
        from exactdp.composition.answers.sandwiched import compose_sandwiched  # noqa: PLC0415 (as above)

        ends = rounded_noise(ledger, levels)
        if _FEWER * max(map(different_noise, ends)) > different_noise(ledger):
            return None
        tolerance = NOISE_TOLERANCE if self._tolerance is None else self._tolerance
        options = self._options | {"tolerance": tolerance, "seconds": clock.left}
        return compose_sandwiched(ledger, ends, **options)

    def _bounded(self, ledger: Ledger) -> Composition | None:
        """An upper end by divergences, of few mechanisms that dominate; None if it is unknown."""
        from exactdp.composition.answers.noise import bound_by_noise, has_divergences  # noqa: PLC0415 (as above)

        _, above = rounded_noise(ledger, _COARSEST_NOISE)
        if not has_divergences(above, max_cost=self._max_cost):
            return None
        return bound_by_noise(ledger, above, delta=self._delta, max_cost=self._max_cost)


def _graced(clock: Clock) -> float | None:
    """The seconds that are left, or a little; None without a limit."""
    left = clock.left
    return None if left is None else max(left, GRACE)


def _pairs_of(ledger: Ledger) -> Problem:
    """The mechanisms that are given by (ε, δ)."""
    pairs = (each for each in ledger.mechanisms if isinstance(each, Mechanism))
    return Problem.of(Ledger(tuple(pairs)))
