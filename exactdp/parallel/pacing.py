r"""Compositions of a workload's mechanisms, each within its part of a time limit.

Purpose: an enclosure whatever time there is, as narrow as fits.

Rules of this file: time decides how narrow an enclosure is, never whether it holds.

Theory of operation: many different ε take long to compose, and rounded to few of them they take
little (:mod:`exactdp.answers.rounded`). Of a few numbers of levels, and all, the greatest is taken
that is foreseen to fit; what it took tells of the next, as long as that is greater. A composition
that lasts longer than its part is stopped (:mod:`exactdp.timing.deadlines`), and what is known
without it stands; the coarsest is made in any case. Beside ρ or μ they are rounded once
(:mod:`exactdp.answers.between`). Mechanisms by their noise are composed at a wide tolerance first,
and then at finer ones (:mod:`exactdp.losses`); where too many are different for that, they are
rounded as well (:mod:`exactdp.parallel.levels`), or refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil
from typing import Final

from exactdp.answers.arguments import NOISE_TOLERANCE, probability, width_for
from exactdp.answers.compose import compose
from exactdp.answers.results import Composition
from exactdp.answers.rounded import (
    compose_rounded,
    different_epsilons,
    little_beside,
    rounded_ledgers,
)
from exactdp.composition.engines.problem import Problem
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger, Mechanism
from exactdp.parallel.levels import different_noise, rounded_noise
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError, stop_after

_LEVELS: Final = (64, 1024)
_SIDES: Final = 2
_USUAL: Final = 0.1
"""Seconds that a composition of the fewest levels takes, about."""
_UNKNOWN: Final = 2
"""How many times that is reckoned with before any was timed."""
_SPARE: Final = 1.25
_FIXED: Final = 4
_PER_LEVEL: Final = 1 / 700
_LITTLE: Final = 0.2
_LEVELS_OF_NOISE: Final = (256, 64, 16, 4)
_NOISE: Final = 1.0
"""Seconds that a hundred different mechanisms by their noise take at a wide tolerance, at first."""
_MIXED: Final = 2.5
"""Seconds that few ε beside ρ and μ take at first, by all rules."""
_QUICK: Final = 1.0
"""The same by the quickest rule, for each of two ends."""


class _Rate:
    """Seconds of a step for its size: as many as the quickest took, or at first as are given."""

    def __init__(self, seconds: float) -> None:
        self._rate = seconds

    def of(self, size: float) -> float:
        """What a step of a size takes, about."""
        return self._rate * size

    def learn(self, seconds: float, size: float) -> None:
        """A step took so long."""
        self._rate = min(self._rate, seconds / size)

    def exceed(self, seconds: float, size: float) -> None:
        """A step was stopped after so long."""
        self._rate = max(self._rate, seconds / size)


class Pace:
    """How long compositions take, as those showed that were made; and further ones by it.

    Args:
        clock: the time limit.
        delta: the global δ.
        tolerance: the greatest width of each interval where there is time; None for the usual.
        max_cost: refuse compositions predicted to cost more.
    """

    def __init__(self, clock: Clock, *, delta: object, tolerance: object, max_cost: int) -> None:
        self._clock = clock
        self._options = {"delta": delta, "tolerance": tolerance, "max_cost": max_cost}
        self._delta, self._tolerance = probability(delta), tolerance
        self._unit, self._stopped = _UNKNOWN * _USUAL, 0.0
        self._noise, self._mixed, self._quick = _Rate(_NOISE), _Rate(_MIXED), _Rate(_QUICK)
        self._rounded_ledgers: set[Ledger] = set()

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._clock.is_over

    @property
    def elapsed(self) -> float:
        """Seconds of the time limit that are over."""
        return self._clock.elapsed

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
        return found or self._rounded(ledger, _LEVELS[0])

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

    def _in_part(
        self, part: float, make: Callable[[], Composition], *, least: float = 0.0
    ) -> Composition | None:
        """What is made, if that ends within a part of the time that is left, or in ``least``."""
        left = self._clock.left
        try:
            with stop_after(None if left is None else max(left * part, least)):
                return make()
        except OutOfTimeError:
            return None

    def compose_by_noise(self, ledger: Ledger, *, part: float) -> Composition:
        """The composition of any ledger by its noise, as near as the part of the time allows.

        Raises:
            CostLimitError: not even rounded would it fit into the time that is left.
        """
        kinds = different_noise(ledger)
        if self.noise_fits(kinds, part=part):
            found = self._whole_noise(ledger, part)
            if found is not None:
                return found
        found = self._rounded_noise(ledger, part)
        if found is None and self.noise_fits(kinds, part=1):
            found = self._whole_noise(ledger, 1)
        if found is None:
            raise self._too_long(kinds)
        return found

    def _whole_noise(self, ledger: Ledger, part: float) -> Composition | None:
        """The composition of its mechanisms as they are; None if it lasts too long."""
        from exactdp.answers.noise import compose_by_noise  # noqa: PLC0415 (most need none of it)

        left = self._clock.left
        seconds = None if left is None else left * part
        return self._timed_noise(
            lambda: compose_by_noise(ledger, **self._options, seconds=seconds),  # type: ignore[arg-type]
            _noise_work(max(1, different_noise(ledger))),
            part,
        )

    def _timed_noise(
        self, make: Callable[[], Composition], work: float, part: float
    ) -> Composition | None:
        """What is made in a part of the time, and how long such work takes learnt from it."""
        begin = self._clock.elapsed
        coarsest = _SIDES * _noise_work(_LEVELS_OF_NOISE[-1])  # there is always time for that
        found = make() if work <= coarsest else self._in_part(part, make, least=_LITTLE)
        learn = self._noise.exceed if found is None else self._noise.learn
        learn(self._clock.elapsed - begin, work)
        return found

    def _rounded_noise(self, ledger: Ledger, part: float) -> Composition | None:
        """The same of few different mechanisms, where there are so few as fit."""
        kinds = different_noise(ledger)
        for levels in _LEVELS_OF_NOISE:
            if not self._noise_fits(_SIDES * _noise_work(min(levels, kinds)), part):
                continue  # rounding takes time as well
            ends = rounded_noise(ledger, levels)
            work = sum(_noise_work(different_noise(end)) for end in ends)
            if self._noise_fits(work, part):
                found = self._between_noise(ledger, ends, work, part)
                if found is not None:
                    return found
        return None

    def _between_noise(
        self, ledger: Ledger, ends: tuple[Ledger, Ledger], work: float, part: float
    ) -> Composition | None:
        """The composition between those of two ledgers; None if these last too long."""
        from exactdp.answers.between import compose_between  # noqa: PLC0415 (as above)

        left = self._clock.left
        seconds = None if left is None else left * part
        options = self._options | {"tolerance": self._options["tolerance"] or NOISE_TOLERANCE}
        found = self._timed_noise(
            lambda: compose_between(ledger, ends, **options, seconds=seconds),  # type: ignore[arg-type]
            work,
            part,
        )
        if found is not None:
            self._rounded_ledgers.add(found.ledger)
        return found

    def _too_long(self, kinds: int) -> CostLimitError:
        """What is said of mechanisms that the time does not allow to compose even once."""
        needed = _SIDES * _SPARE * self._noise.of(_noise_work(kinds)) + self._clock.elapsed
        return CostLimitError(
            field="time_limit",
            value=f"{kinds} different mechanisms by their noise",
            expected=f"about {ceil(needed)} seconds for them",
            remedy=f"allow {ceil(needed)} seconds by --time-limit, or round their noise, so that "
            "more are alike",
        )

    def noise_fits(self, kinds: int, *, part: float) -> bool:
        """Whether so many different mechanisms are composed by noise in time, or in little."""
        return self._noise_fits(_noise_work(kinds), part)

    def _noise_fits(self, work: float, part: float) -> bool:
        seconds = self._noise.of(work)
        return seconds <= _LITTLE or self._clock.fits(seconds / part)

    def mixed_fits_whole(self, kinds: int, *, part: float) -> bool:
        """Whether so many different ε beside ρ or μ are composed in time as they are."""
        return self._clock.fits(self._mixed.of(_mixed_work(kinds)) / part)

    def mixed_fits(self, kinds: int, *, part: float) -> bool:
        """Whether so many different ε beside ρ or μ are composed in time, rounded if need be."""
        return self._clock.fits(self._quick.of(_mixed_work(min(kinds, _LEVELS[0]))) / part)

    def _compose_mixed(self, ledger: Ledger, kinds: int, part: float) -> Composition:
        from exactdp.answers.between import compose_between  # noqa: PLC0415 (as above)

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
        coarse = little_beside(_pairs_of(ledger).total_epsilon)
        options = self._options | {"tolerance": max(coarse, width_for(ledger, self._tolerance))}
        found = compose_between(ledger, ends, **options)  # type: ignore[arg-type]
        self._quick.learn(self._clock.elapsed - begin, _mixed_work(levels))
        self._rounded_ledgers.add(found.ledger)
        return found

    def _is_feasible(self, ledger: Ledger) -> bool:
        """Whether δ leaves something beside what fails anyway."""
        return self._delta < 1 and _pairs_of(ledger).allowed(self._delta).sign > 0

    def seconds(self, kinds: int) -> float:
        """What a composition of so many different ε takes, about."""
        return _SPARE * self._unit * _work(kinds)

    def certifying_seconds(self, found: Composition) -> float:
        """What a certificate of each end takes to be found, about: of a rounded one all of it."""
        ledger = found.ledger
        if ledger not in self._rounded_ledgers:
            return 0.0
        if ledger.is_noisy:
            return self._noise.of(_noise_work(different_noise(ledger)))
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


def _noise_work(kinds: int) -> float:
    """How much longer so many different mechanisms by their noise take than 100, at most, about."""
    return kinds / 100 * (0.9 + kinds / 1250)


def _pairs_of(ledger: Ledger) -> Problem:
    """The mechanisms that are given by (ε, δ)."""
    pairs = (each for each in ledger.mechanisms if isinstance(each, Mechanism))
    return Problem.of(Ledger(tuple(pairs)))
