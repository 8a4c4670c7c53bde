r"""How much more noise all queries in sequence need to cost what the overlap costs.

Purpose: the factor of the noise, where queries are given by it.

Rules of this file: floats guess at which factor to look next; an end is a factor at which the
sequence is certified to cost no more, or no less.

Theory of operation: at factor 1 the sequence costs no less than the overlap, which is within it,
and as the factor of all shifts beside their noise goes to 0 it costs less and less. In between its
cost is continuous, so that every factor with a certain upper end of at most the overlap's lower
one, and every greater factor with a certain lower end of at least the overlap's upper one, enclose
a factor at which they cost the same. The logarithm of the cost is nearly a line in that of the
factor, which secants follow.
"""

from __future__ import annotations

from math import exp, log
from typing import Final

from gmpy2 import mpq

from exactdp.composition.answers.results import Composition
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import scale_noise
from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.timing.deadlines import OutOfTimeError, stop_after

_TRIES: Final = 5
_NEAR: Final = mpq(1, 500)
_MARGIN: Final = 0.0005


class SequenceScale:
    """The factor at which a ledger costs a given ε.

    Args:
        ledger: mechanisms by noise of which more reveals less.
        composed: its composition, as it is.
        max_cost: refuse compositions predicted to cost more.
        clock: when to try no more factors.

    Attributes:
        out_of_time: whether more factors would have been tried with more time.
    """

    def __init__(
        self, ledger: Ledger, composed: Composition, *, max_cost: int, clock: Clock
    ) -> None:
        self._ledger = ledger
        self._max_cost = max_cost
        self._clock = clock
        self._delta = composed.delta
        self._found: dict[mpq, tuple[mpq, mpq]] = {}
        self.out_of_time = False
        self._keep(mpq(1), composed)

    def ends(self, least: mpq, most: mpq) -> tuple[mpq, mpq] | None:
        """Two factors in [0, 1] that enclose one at which the sequence costs the overlap.

        None where none was found within the limits.

        Args:
            least: ε of the overlap, from below.
            most: from above.
        """
        try:
            self._look(least, above=False)
            self._look(most, above=True)
        except CostLimitError:
            pass
        except TimeIsUpError:
            self.out_of_time = True
        keeping = [at for at, (_, upper) in self._found.items() if upper <= least]
        low = max(keeping, default=mpq(0))
        breaking = [at for at, (lower, _) in self._found.items() if lower >= most and at > low]
        high = min([*breaking, mpq(1)])
        return (low, high) if low or high < 1 else None

    def _look(self, epsilon: mpq, *, above: bool) -> None:
        """Try factors until the sequence is near ε, on one side of it.

        Raises:
            CostLimitError: a composition would exceed the limits.
            TimeIsUpError: it did not end in the time that is left.
        """
        for _ in range(_TRIES):
            if not epsilon or not self._found or self._is_near(epsilon, above=above):
                return
            guess = self._guess(epsilon, int(above)) * (1 + _MARGIN if above else 1 - _MARGIN)
            at = mpq(f"{guess:.6f}")
            if not 0 < at < 1 or at in self._found:
                return
            self._try(at)

    def _is_near(self, epsilon: mpq, *, above: bool) -> bool:
        if above:
            return any(0 <= lower - epsilon <= _NEAR * epsilon for lower, _ in self._found.values())
        return any(0 <= epsilon - upper <= _NEAR * epsilon for _, upper in self._found.values())

    def _guess(self, epsilon: mpq, above: int) -> float:
        """Where the line through the two nearest points, or one and slope 1, meets ε."""
        points = sorted(
            (abs(height := _log(ends[1 - above] / epsilon)), _log(at), height)
            for at, ends in self._found.items()
            if ends[0] > 0
        )
        if not points:
            return 0.0
        _, place, height = points[0]
        slope = 1.0
        if len(points) > 1 and points[1][1] != place:
            slope = (points[1][2] - height) / (points[1][1] - place)
        return exp(min(0.0, place - height / slope)) if slope > 0 else 0.0

    def _try(self, at: mpq) -> None:
        from exactdp.composition.answers.noise import compose_by_noise  # noqa: PLC0415 (most need none of it)

        self._clock.ask()
        ledger, left = scale_noise(self._ledger, at), self._clock.left
        try:
            with stop_after(left):
                composed = compose_by_noise(
                    ledger, delta=self._delta, max_cost=self._max_cost, seconds=left
                )
        except OutOfTimeError:
            raise TimeIsUpError from None
        self._keep(at, composed)

    def _keep(self, at: mpq, found: Composition) -> None:
        if found.lower_end is not None and found.upper_end is not None:
            self._found[at] = found.lower_end, found.upper_end


def _log(value: mpq) -> float:
    return log(int(value.numerator)) - log(int(value.denominator))
