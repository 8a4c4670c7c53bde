r"""All queries of a workload in sequence: what its overlap is measured against.

Rules of this file: nothing that is certified rests on it, so that it takes the time that is left.

Theory of operation: what one row meets is a part of the sequence, so that it costs no more: where
the sequence is beyond the limits, its lower end is that of the row, and an upper end is not known.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Final

from exactdp.answers.results import Composition
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms.multiset import merged
from exactdp.parallel.costliest import Price, exceeds
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError

_FEW: Final = 4
"""Different mechanisms that are composed even when the time is up."""
_AHEAD: Final = 1 / 2
"""Of the time that is left, how much they may take before a row and its classes are composed."""
_AHEAD_BY_NOISE: Final = 1 / 4
"""The same by noise, of which these take long as well."""


class InSequence:
    """All queries, composed once.

    Args:
        price: of the queries.
        clock: what measures how long it takes.

    Attributes:
        seconds: how long it took, whenever that was.
        cut_short: whether more would be known of it with more time.
    """

    def __init__(self, price: Price, clock: Clock) -> None:
        self._price = price
        self._clock = clock
        self._found: Composition | None = None
        self._is_asked = False
        self.seconds = 0.0
        self.cut_short = False

    @property
    def is_near(self) -> bool:
        """Whether its composition is known, and as narrow as was asked."""
        return self._found is not None and self._found.complete

    def ask_ahead(self) -> None:
        """Compose them before all else; see :meth:`ask`."""
        self.ask(part=_AHEAD_BY_NOISE if self._price.workload.is_noisy else _AHEAD)

    def ask(self, *, part: float) -> None:
        """Compose them, in a part of the time that is left.

        Raises:
            CostLimitError: that would exceed the limits, for queries that no noise is given of.
        """
        begin, price = self._clock.elapsed, self._price
        workload = price.workload
        fits = price.fits_whole(part=part)
        can_be_left_out = len(price.kinds) > _FEW
        try:
            with price.pace.stopping(part) if can_be_left_out else nullcontext():
                self._found = price.of_queries(range(len(workload)), part=part / 2)
        except OutOfTimeError:
            fits = False
        except CostLimitError:
            if not workload.is_noisy:
                raise
        self._is_asked = True
        known = 0.0 if self._found is None else price.seconds_of(self._found)
        self.seconds = max(known, self._clock.elapsed - begin)
        is_rounded = self._found is not None and self._found.ledger.is_approximate
        self.cut_short = not fits or (is_rounded and not self.is_near)

    def beside(self, below: Composition) -> Composition:
        """The composition; of one beyond the limits the lower end of what a row meets.

        Raises:
            CostLimitError: see :meth:`ask`.
        """
        noisy = self._price.workload.is_noisy
        if noisy and self._price.pace.is_over and len(self._price.kinds) > _FEW:
            self.cut_short = self._found is None or self.cut_short
        elif not self._is_asked:
            self.ask(part=1)
        if self._found is not None and exceeds(below.lower_end, self._found.lower_end):
            return replace(self._found, lower_end=below.lower_end)
        if self._found is not None:
            return self._found
        entries = merged(query.mechanism for query in self._price.workload)
        ledger = Ledger(entries, neighbouring=self._price.workload.neighbouring, empty=True)
        return replace(below, ledger=ledger, upper_end=None, exact=None, derivations=())
