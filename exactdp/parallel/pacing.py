r"""Compositions of a workload's mechanisms, each within its part of a time limit.

Purpose: an enclosure whatever time there is, as narrow as fits.

Rules of this file: time decides how narrow an enclosure is, never whether it holds.

Theory of operation: many different ε take long to compose, and rounded to few of them they take
little (:mod:`exactdp.answers.rounded`). Of a few numbers of levels, and all, the greatest is taken
that is foreseen to fit; what it took tells of the next, as long as that is greater. A composition
that lasts longer than its part is stopped (:mod:`exactdp.timing.deadlines`), and what is known
without it stands; the coarsest is made in any case, unless whoever asks for it can do without.
Beside ρ or μ they are rounded once (:mod:`exactdp.answers.between`). Mechanisms by their noise have
a pace of their own (:mod:`exactdp.parallel.noise_pacing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Final

from exactdp.answers.arguments import probability, width_for
from exactdp.answers.compose import compose
from exactdp.answers.results import Composition
from exactdp.answers.rounded import (
    compose_rounded,
    different_epsilons,
    little_beside,
    rounded_ledgers,
)
from exactdp.arithmetic.numbers import Number
from exactdp.composition.engines.problem import Problem
from exactdp.ledger.model import Ledger
from exactdp.parallel.noise_pacing import NoisePace
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError, made_within, stop_after
from exactdp.timing.rates import Rate

_LEVELS: Final = (64, 1024)
_COARSEST: Final = 8
_LITTLE: Final = 0.1
_SIDES: Final = 2
_USUAL: Final = 0.1
"""Seconds that a composition of the fewest levels takes, about."""
_UNKNOWN: Final = 2
"""How many times that is reckoned with before any was timed."""
_SPARE: Final = 1.25
_FIXED: Final = 4
_PER_LEVEL: Final = 1 / 700
_MIXED: Final = 2.5
"""Seconds that few ε beside ρ and μ take at first, by all rules."""
_QUICK: Final = 1.0
"""The same by the quickest rule, for each of two ends."""


class Pace:
    """How long compositions take, as those showed that were made; and further ones by it.

    Args:
        clock: the time limit.
        size: how many mechanisms there are in all.
        delta: the global δ.
        tolerance: the greatest width of each interval where there is time; None for the usual.
        max_cost: refuse compositions predicted to cost more.
    """

    def __init__(
        self, clock: Clock, size: int, *, delta: Number, tolerance: Number | None, max_cost: int
    ) -> None:
        self._clock = clock
        self._options = {"delta": delta, "tolerance": tolerance, "max_cost": max_cost}
        self._delta, self._tolerance = probability(delta), tolerance
        self._unit, self._stopped = _UNKNOWN * _USUAL, 0.0
        self._by_noise = NoisePace(clock, size, delta=delta, tolerance=tolerance, max_cost=max_cost)
        self._mixed, self._quick = Rate(_MIXED), Rate(_QUICK)
        self._rounded_ledgers: set[Ledger] = set()

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._clock.is_over

    @property
    def elapsed(self) -> float:
        """Seconds of the time limit that are over."""
        return self._clock.elapsed

    def stopping(self, part: float = 1) -> AbstractContextManager[None]:
        """What is composed within is stopped after a part of the time, and be it the coarsest.

        A little time there is always.
        """
        seconds = self._clock.seconds_of(part)
        return stop_after(None if seconds is None else max(seconds, _LITTLE))

    def compose(self, ledger: Ledger, *, part: float) -> Composition:
        """The composition of a ledger whose mechanisms are given by ε and δ, ρ or μ.

        Args:
            ledger: what to compose.
            part: of the time that is left, how much it may take, above 0 and at most 1.
        """
        kinds = different_epsilons(ledger)
        if kinds and not ledger.is_approximate and self._is_feasible(ledger):
            return self._compose_mixed(ledger, kinds, part)
        if not kinds or not self._takes_long(ledger):
            return compose(ledger, **self._options)  # type: ignore[arg-type]
        found: Composition | None = None
        for levels in self._stages(kinds, part):
            make = self._timed if levels == kinds else self._rounded
            nearer = self._in_part(part, lambda: make(ledger, levels))  # noqa: B023 (called at once)
            if nearer is None:
                break
            found = nearer
        return found or self._rounded(ledger, min(_COARSEST, _LEVELS[0]))

    def _stages(self, kinds: int, part: float) -> Iterator[int]:
        """How many levels are foreseen to fit, more and more as rates are learnt, and then all."""
        stages = [levels for levels in _LEVELS if levels < kinds]
        while not self._fits_whole(kinds, part):
            fitting = [levels for levels in stages if self._fits(levels, _SIDES, part)]
            if not fitting:
                return
            yield max(fitting)
            stages = [further for further in stages if further > max(fitting)]
        yield kinds

    def _in_part(self, part: float, make: Callable[[], Composition]) -> Composition | None:
        """What is made, if that ends within a part of the time that is left."""
        return made_within(self._clock.seconds_of(part), make)

    @property
    def reserved_for_noise(self) -> float:
        """Seconds in which nothing is composed by noise, but bounded."""
        return self._by_noise.reserved

    def compose_by_noise(self, ledger: Ledger, *, part: float) -> Composition:
        """See :meth:`NoisePace.compose`."""
        return self._by_noise.compose(ledger, part=part)

    def noise_fits(self, kinds: int, size: int, *, part: float) -> bool:
        """See :meth:`NoisePace.fits`."""
        return self._by_noise.fits(kinds, size, part=part)

    def mixed_fits_whole(self, kinds: int, *, part: float) -> bool:
        """Whether so many different ε beside ρ or μ are composed in time as they are."""
        return self._clock.fits(self._mixed.of(_mixed_work(kinds)) / part)

    def mixed_fits(self, kinds: int, *, part: float) -> bool:
        """Whether so many different ε beside ρ or μ are composed in time, rounded if need be."""
        return self._clock.fits(self._quick.of(_mixed_work(min(kinds, _LEVELS[0]))) / part)

    def _compose_mixed(self, ledger: Ledger, kinds: int, part: float) -> Composition:
        from exactdp.answers.between import compose_between  # noqa: PLC0415 (few ledgers are mixed)

        begin = self._clock.elapsed
        if self.mixed_fits_whole(kinds, part=part):
            found = self._in_part(part, lambda: compose(ledger, **self._options))  # type: ignore[arg-type]
            if found is not None:
                self._mixed.learn(self._clock.elapsed - begin, _mixed_work(kinds))
                return found
            begin = self._clock.elapsed
        fitting = [
            levels
            for levels in (kinds, *_LEVELS)
            if levels <= kinds and self._clock.fits(self._quick.of(_mixed_work(levels)) / part)
        ]
        levels = max(fitting, default=min(kinds, _LEVELS[0]))
        ends = (ledger, ledger) if levels == kinds else rounded_ledgers(ledger, levels)
        coarse = little_beside(Problem.of(Ledger(ledger.pairs)).total_epsilon)
        options = self._options | {"tolerance": max(coarse, width_for(ledger, self._tolerance))}
        found = compose_between(ledger, ends, **options)  # type: ignore[arg-type]
        self._quick.learn(self._clock.elapsed - begin, _mixed_work(levels))
        self._rounded_ledgers.add(found.ledger)
        return found

    def _is_feasible(self, ledger: Ledger) -> bool:
        """Whether δ leaves something beside what fails anyway."""
        return self._delta < 1 and Problem.of(Ledger(ledger.pairs)).allowed(self._delta).sign > 0

    def seconds(self, kinds: int) -> float:
        """What a composition of so many different ε takes, about."""
        return _SPARE * self._unit * _work(kinds)

    def certifying_seconds(self, found: Composition) -> float:
        """What a certificate of each end takes to be found, about: of a rounded one all of it."""
        ledger = found.ledger
        if ledger.is_noisy:
            return self._by_noise.certifying_seconds(ledger)
        if ledger not in self._rounded_ledgers:
            return 0.0
        kinds = different_epsilons(ledger)
        return self.seconds(kinds) if ledger.is_approximate else self._mixed.of(_mixed_work(kinds))

    def least_seconds(self, kinds: int, *, mixed: bool) -> float:
        """What a composition of so many different parameters takes, rounded as far as can be."""
        if mixed:
            return self._quick.of(_mixed_work(min(kinds, _LEVELS[0])))
        return _SIDES * self.seconds(min(kinds, _LEVELS[0]))

    def _takes_long(self, ledger: Ledger) -> bool:
        """Whether a ledger is one of (ε, δ) alone whose answer is no closed form."""
        return ledger.is_approximate and self._is_feasible(ledger)

    def pairs_fit(self, kinds: int) -> bool:
        """Whether so many different ε alone are composed in time, rounded as far as can be."""
        return self._fits(min(kinds, _LEVELS[0]), _SIDES, 1)

    def _fits_whole(self, kinds: int, part: float) -> bool:
        """Whether no more is known against them than that few of them take little, mostly."""
        if kinds <= _LEVELS[0]:
            return self._clock.fits(self._stopped * _work(kinds) / part)
        return self._fits(kinds, 1, part)

    def _fits(self, levels: int, sides: int, part: float) -> bool:
        return self._clock.fits(sides * self.seconds(levels) / part)

    def _timed(self, ledger: Ledger, kinds: int) -> Composition:
        begin = self._clock.elapsed
        try:
            found = compose(ledger, **self._options)  # type: ignore[arg-type]
        except OutOfTimeError:
            self._stopped = max(self._stopped, (self._clock.elapsed - begin) / _work(kinds))
            raise
        self._learn(self._clock.elapsed - begin, kinds)
        self._rounded_ledgers.discard(found.ledger)
        return found

    def _rounded(self, ledger: Ledger, levels: int) -> Composition:
        begin = self._clock.elapsed
        found = compose_rounded(ledger, levels=levels, **self._options)  # type: ignore[arg-type]
        self._learn((self._clock.elapsed - begin) / _SIDES, levels)
        self._rounded_ledgers.add(found.ledger)
        return found

    def _learn(self, seconds: float, levels: int) -> None:
        self._unit = max(_USUAL, self._stopped, min(self._unit, seconds / _work(levels)))


def _work(levels: int) -> float:
    """How much longer so many levels take than the fewest, about; as was measured."""
    if levels <= _LEVELS[0]:
        return levels / _LEVELS[0]
    return _FIXED + levels * _PER_LEVEL


def _mixed_work(kinds: int) -> float:
    """How much longer so many different ε take beside ρ or μ than few, about; as was measured."""
    return 1 + kinds / 250
