r"""Compositions of a workload's mechanisms by their noise, each within its part of a time limit.

Purpose: an enclosure in the time there is, as narrow as fits, or a refusal that says what would do.

Rules of this file: time decides how narrow an enclosure is, never whether it holds.

Theory of operation: mechanisms are composed at a wide tolerance first, and then at finer ones
(:mod:`exactdp.losses`); where too many are different for that, they are rounded to few
(:mod:`exactdp.parallel.levels`), of which the greatest number is taken that is foreseen to fit.
What lasts longer than its part is stopped, and fewer are tried: how long a mechanism takes depends
on its family, and shows only so. The coarsest is given half of the time, or a little. Where not
even that is enough, Rényi divergences give an upper end that takes hardly any.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final, TypeVar

from exactdp.answers.arguments import NOISE_TOLERANCE
from exactdp.answers.results import Composition
from exactdp.arithmetic.numbers import Number
from exactdp.ledger.model import Ledger
from exactdp.parallel.levels import different_noise, rounded_noise
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError, made_within
from exactdp.timing.rates import Rate

T = TypeVar("T")

_SIDES: Final = 2
_SPARE: Final = 1.25
_LITTLE: Final = 0.1
_LEVELS: Final = (256, 64, 16, 4)
_PART_OF_COARSEST: Final = 1 / 2
_USUAL: Final = 1.0
"""Seconds that a hundred different mechanisms take at a wide tolerance, at first."""
_BOUNDING: Final = 0.02
"""The same for their divergences alone."""
_QUICKER: Final = 20
_ROUNDING: Final = 2e-5
"""Seconds in which a mechanism is rounded, and written into a bound."""


class NoisePace:
    """How long compositions by noise take, as those showed that were made; and further ones by it.

    Args:
        clock: the time limit.
        size: how many mechanisms there are in all; there is to be time for a bound of them.
        delta: the global δ.
        tolerance: the greatest width of each interval where there is time; None for the usual.
        max_cost: refuse compositions predicted to cost more.

    Attributes:
        reserved: seconds in which nothing is composed, for a bound.
    """

    def __init__(
        self, clock: Clock, size: int, *, delta: Number, tolerance: Number | None, max_cost: int
    ) -> None:
        self._clock = clock
        self._delta, self._max_cost = delta, max_cost
        self._tolerance = NOISE_TOLERANCE if tolerance is None else tolerance
        self.reserved = size * _ROUNDING
        self._composing = _Steps(clock.reserve(self.reserved), _USUAL)
        self._bounding = _Steps(clock, _BOUNDING)
        self._rounded: set[Ledger] = set()
        self._last_ends: tuple[Ledger, int, tuple[Ledger, Ledger]] | None = None

    def compose(self, ledger: Ledger, *, part: float) -> Composition:
        """The composition of any ledger, as near as the part of the time allows.

        Raises:
            OutOfTimeError: not even rounded would it fit into the time that is left.
        """
        self._composing.begin()
        found = self._enclosed(ledger, part)
        if found is not None:
            return found
        _, above = self._ends(ledger, _LEVELS[-1])
        diverging = self._has_divergences(above)
        if diverging:
            found = self._bounded(ledger, above)
        if found is None:
            raise self._too_long(ledger, _work_of_bound(above) if diverging else None)
        return found

    def fits(self, kinds: int, size: int, *, part: float) -> bool:
        """Whether mechanisms are composed in a part of the time that is left, or in little.

        Args:
            kinds: how many different ones.
            size: how many, at least.
            part: above 0 and at most 1.
        """
        return self._composing.fits(_work(kinds), size, part)

    def certifying_seconds(self, ledger: Ledger) -> float:
        """What a certificate of each end takes to be found, about: of a rounded one all of it."""
        if ledger not in self._rounded:
            return 0.0
        return self._composing.seconds(_work(different_noise(ledger)), ledger.size)

    def _enclosed(self, ledger: Ledger, part: float) -> Composition | None:
        """Both ends, as they are or rounded, where that is foreseen to fit and does."""
        kinds, size = different_noise(ledger), ledger.size
        if self.fits(kinds, size, part=part):
            found = self._whole(ledger, part)
            if found is not None:
                return found
        found = self._rounded_to_few(ledger, part)
        if found is None and self.fits(kinds, size, part=_PART_OF_COARSEST):
            found = self._whole(ledger, _PART_OF_COARSEST)
        return found

    def _whole(self, ledger: Ledger, part: float) -> Composition | None:
        """The composition of its mechanisms as they are; None if it lasts too long."""
        from exactdp.answers.noise import compose_by_noise  # noqa: PLC0415 (most need none of it)

        def make(seconds: float | None) -> Composition:
            return compose_by_noise(
                ledger,
                delta=self._delta,
                tolerance=self._tolerance,
                max_cost=self._max_cost,
                seconds=seconds,
            )

        work = _work(max(1, different_noise(ledger)))
        return self._composing.made(make, work, ledger.size, part, _part_of(work, part))

    def _rounded_to_few(self, ledger: Ledger, part: float) -> Composition | None:
        """The same of few different mechanisms, where there are so few as fit."""
        kinds, size = different_noise(ledger), ledger.size
        for levels in _LEVELS:
            if not self._composing.fits(_SIDES * _work(min(levels, kinds)), size, part):
                continue  # rounding takes time as well
            ends = self._ends(ledger, levels)
            work = sum(_work(different_noise(end)) for end in ends)
            if self._composing.fits(work, size, part):
                found = self._between(ledger, ends, work, part)
                if found is not None:
                    return found
        return None

    def _ends(self, ledger: Ledger, levels: int) -> tuple[Ledger, Ledger]:
        """The ledger rounded; once where it is asked for twice in turn."""
        last = self._last_ends
        if last is None or last[0] is not ledger or last[1] != levels:
            last = self._last_ends = ledger, levels, rounded_noise(ledger, levels)
        return last[2]

    def _between(
        self, ledger: Ledger, ends: tuple[Ledger, Ledger], work: float, part: float
    ) -> Composition | None:
        """The composition between those of two ledgers; None if these last too long."""
        from exactdp.answers.between import compose_between  # noqa: PLC0415 (as above)

        def make(seconds: float | None) -> Composition:
            return compose_between(
                ledger,
                ends,
                delta=self._delta,
                tolerance=self._tolerance,
                max_cost=self._max_cost,
                seconds=seconds,
            )

        found = self._composing.made(make, work, ledger.size, part, _part_of(work, part))
        if found is not None:
            self._rounded.add(found.ledger)
        return found

    def _bounded(self, ledger: Ledger, above: Ledger) -> Composition | None:
        """An upper end alone: of few different mechanisms, and nearer of all as they are."""
        self._bounding.begin()
        found = self._bounded_by(ledger, above)
        if different_noise(above) == different_noise(ledger):
            return found
        return self._bounded_by(ledger, ledger) or found

    def _bounded_by(self, ledger: Ledger, above: Ledger) -> Composition | None:
        """The upper end of what dominates, where that is foreseen to fit and does."""
        from exactdp.answers.noise import bound_by_noise  # noqa: PLC0415 (as above)

        def make(_: float | None) -> Composition:
            return bound_by_noise(ledger, above, delta=self._delta, max_cost=self._max_cost)

        work = _work_of_bound(above)
        if not self._bounding.fits(work, 0, _PART_OF_COARSEST):
            return None
        return self._bounding.made(make, work, 0, _PART_OF_COARSEST, _PART_OF_COARSEST)

    def _has_divergences(self, ledger: Ledger) -> bool:
        from exactdp.answers.noise import has_divergences  # noqa: PLC0415 (as above)

        return has_divergences(ledger, max_cost=self._max_cost)

    def _too_long(self, ledger: Ledger, bounding: float | None) -> OutOfTimeError:
        """What is said of mechanisms that the time does not allow to compose even once.

        Args:
            ledger: the mechanisms.
            bounding: how much work a bound is; None where there is none.
        """
        kinds = different_noise(ledger)
        if bounding is not None:
            seconds = self._bounding.seconds(bounding, 0)
        else:
            seconds = self._composing.seconds(_work(kinds), ledger.size)
        elapsed = self._clock.elapsed
        enough = max(_SPARE * seconds / _PART_OF_COARSEST, self._clock.left or 0)
        needed = ceil(elapsed + enough) + 1
        return OutOfTimeError(
            field="time_limit",
            value=f"{kinds} different mechanisms by their noise",
            expected=f"about {needed} seconds for them",
            remedy=f"allow {needed} seconds by --time-limit, or round their noise, so that more "
            "are alike",
        )


class _Steps:
    """Steps of one kind within the time limit, and how long they take.

    Args:
        clock: the time limit.
        usual: the seconds that work of 1 takes, before any is known.
    """

    def __init__(self, clock: Clock, usual: float) -> None:
        self._clock = clock
        self._rate = Rate(usual)
        self._grace = _LITTLE

    def begin(self) -> None:
        """Let the next steps last a little in any case, all that are stopped together."""
        self._grace = _LITTLE

    def seconds(self, work: float, size: int) -> float:
        """What such work on so many mechanisms takes, about."""
        return self._rate.of(work, weight=size)

    def fits(self, work: float, size: int, part: float) -> bool:
        """Whether it is foreseen to end in a part of the time that is left, or in little."""
        seconds = self.seconds(work, size)
        return seconds <= self._grace or self._clock.fits(seconds / part)

    def made(
        self, make: Callable[[float | None], T], work: float, size: int, part: float, most: float
    ) -> T | None:
        """What is made in time, and how long such work takes learnt from it.

        Args:
            make: what is called with the seconds in which its answer may become nearer.
            work: how much it is.
            size: how many mechanisms it is about.
            part: of the time that is left, how much it may take so.
            most: the same for the first answer; if it takes longer there is none.
        """
        begin, nearer = self._clock.elapsed, self._clock.seconds_of(part)
        seconds = self._clock.seconds_of(most)
        seconds = None if seconds is None else max(seconds, self._grace)
        found = made_within(seconds, lambda: make(nearer))
        taken = self._clock.elapsed - begin
        if found is None:
            self._grace = max(0.0, self._grace - taken)
            self._rate.exceed(taken, work, weight=size)
        else:
            self._rate.learn(taken, work)
        return found


def _part_of(work: float, part: float) -> float:
    """The part of the time for a composition: no less than half for the coarsest."""
    is_coarsest = work <= _SIDES * _work(_LEVELS[-1])
    return max(part, _PART_OF_COARSEST) if is_coarsest else part


def _work_of_bound(ledger: Ledger) -> float:
    """How much longer the divergences of different mechanisms take than those of 100.

    Those that are α·ρ at every order α are added up once.
    """
    quick = sum(
        not each.is_sampled and (each.implied_rho(), each.implied_mu()) != (None, None)
        for each in ledger.mechanisms
    )
    return (1 + len(ledger.mechanisms) - quick + quick / _QUICKER) / 100


def _work(kinds: int) -> float:
    """How much longer so many different mechanisms by their noise take than 100, at most, about."""
    return kinds / 100 * (0.9 + kinds / 1250)
