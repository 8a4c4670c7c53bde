r"""Answers as near as the limits allow: where a width is out of reach, a wider one is answered.

Rules of this file: as in ``solver``, whose loops these are.

Theory of operation: beside Gaussian mechanisms a mesh keeps the width that it has, and stands in
where a characteristic function falls too slowly. So the solver of that function answers to the
least width within reach, and the widest however little time is left.

Source: ``certs/SPEC.md``, sections 11.7 and 11.8.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.decisions import Optimum
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError

MOST_COST: Final = 2 * 10**10
_WIDEST: Final = mpq(1, 10**4)


class WideningSolver(Solver):
    """Answers questions about randomized responses and a Gaussian mechanism, both ends at once.

    Args:
        problem: the randomized responses, their failures, and the μ² of the Gaussian mechanism.
        tolerance: the width that will be asked for; None if unknown.
        max_cost: units of about a nanosecond, for each side.
        seconds: from now on; None for no limit.
    """

    def __init__(
        self,
        problem: Problem,
        tolerance: mpq | None,
        max_cost: int = MOST_COST,
        seconds: float | None = None,
    ) -> None:
        super().__init__(problem, max_cost=min(max_cost, MOST_COST), tolerance=tolerance)
        self.allow(seconds)
        self._optima: dict[tuple[mpq, mpq], Optimum] = {}

    def optimum(self, delta: mpq, tolerance: mpq) -> Optimum:
        """As for all solvers, with Δ > 0 at ``delta``, to the least width within reach; kept.

        The widest is answered however little time is left.
        """
        asked = delta, tolerance
        if asked not in self._optima:
            self._optima[asked] = self._nearest(delta, tolerance)
        return self._optima[asked]

    def profile(self, epsilon: ExactNumber, tolerance: mpq) -> tuple[mpq, mpq]:
        """As for all solvers; the widest is answered however little time is left."""
        try:
            return super().profile(epsilon, tolerance)
        except CostLimitError:
            if self._deadline is None:
                raise
        over, self._deadline = self._deadline, None
        self.engine = self._planned(_WIDEST)
        try:
            return super().profile(epsilon, max(tolerance, _WIDEST))
        finally:
            self._deadline = over

    def _nearest(self, delta: mpq, tolerance: mpq) -> Optimum:
        while True:
            try:
                return super().optimum(delta, tolerance)
            except CostLimitError:
                if tolerance >= _WIDEST:
                    if self._deadline is None:
                        raise
                    self._deadline = None
                    continue
            tolerance *= 100
            self._tolerance = tolerance
            self.engine = self._planned(tolerance)

    @property
    def cost_of_width(self) -> int:
        """About how many nanoseconds the width that is asked for takes."""
        return self.predicted(self._tolerance)

    @property
    def least_cost(self) -> int:
        """What the widest answer takes."""
        return self.predicted(_WIDEST)
