r"""The bounds that the field quotes, beside the optimum: what each gives, rests on and gives away.

Rules of this file: a printed bound is certain (rounded up, or exact) and follows from its theorem
alone, so that it may be quoted with it; where a theorem does not apply, the reason is the answer;
how loose a bound is, is an enclosure too.

Theory of operation: which closed forms there are, and how they are shown, stands in the table of
rules; each comes with a function that answers for one question (a ledger's parameters and δ): with
a number, with a ball at any precision, or with a reason. Balls are refined until their decimals are
as close as asked.

Sources: see :mod:`exactdp.composition.closed_forms.formulas`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import enclose_in_decimals, places_within
from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_and_delta,
    meaningful_delta,
    width_for,
)
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.composition.closed_forms.rows import Bound, formulas
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable


@dataclass(frozen=True, slots=True)
class Bounds(Readable):
    """The bounds of one ledger at one δ.

    Attributes:
        ledger: what was composed.
        delta: the global δ.
        optimum: OptComp, or for ledgers with ρ, μ or noise the certified interval around the
            least ε; None where it could not be had.
        reason: why there is no optimum, or "".
        rows: one for each theorem, in the order of the table.
    """

    ledger: Ledger
    delta: mpq
    optimum: Composition | None
    reason: str
    rows: tuple[Bound, ...]

    @property
    def from_above(self) -> Bounds:
        """What holds for groups of mechanisms that were scaled for one, which may keep less."""
        optimum = self.optimum
        if optimum is not None and optimum.lower_end is not None:
            optimum = replace(optimum, lower_end=mpq(0), exact=None)
        rows = tuple(replace(row, excess=None) for row in self.rows)
        return replace(self, optimum=optimum, rows=rows)

    def facts(self) -> list[tuple[str, str]]:
        """The optimum, and the bounds beside it."""
        best = self.reason if self.optimum is None else str(self.optimum)
        return [("least ε", best), *(each.facts()[0] for each in self.rows)]


# --- answers ------------------------------------------------------------------------------------


def bounds(
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    tolerance: Number | None = None,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Bounds:
    r"""What the field's closed forms give for a ledger, beside the optimum.

    Args:
        ledger: as for :func:`exactdp.compose`, and all other arguments likewise.
        delta: the global δ.
        tolerance: how near the optimum's ends are, and how finely the bounds are rounded. None
            takes 1e-9, or 1e-4 where some mechanism is given by its noise.
        method: as for :func:`exactdp.compose`.
        max_cost: work predicted to cost more leaves the optimum out, not the bounds.

    Raises:
        InputError: bad arguments; a float among them.

    >>> answer = bounds([("0.1", 0, 100)], delta="2^-30")
    >>> for row in answer.rows[:2]:
    ...     print(row.formula, float(row.epsilon.rational))
    sum 10.0
    advanced-composition 7.5006494685
    """
    ledger, target = ledger_and_delta(ledger, delta)
    width = width_for(ledger, tolerance)
    rows = _rows(ledger, target, places_within(width) + 1, max_cost)
    try:
        optimum = compose(ledger, delta=target, tolerance=width, method=method, max_cost=max_cost)
    except CostLimitError as error:
        return Bounds(ledger, target, None, str(error), rows)
    rows = tuple(replace(row, excess=_excess(row, optimum)) for row in rows)
    return Bounds(ledger, target, optimum, "", rows)


def _rows(ledger: Ledger, delta: mpq, places: int, max_cost: int) -> tuple[Bound, ...]:
    if ledger.given_by == "epsilon-delta":
        return formulas(ledger, delta, places, max_cost=max_cost)
    from exactdp.composition.closed_forms.converted import converted_bounds, read_bounds  # noqa: PLC0415 (most ledgers need none of it)

    if ledger.given_by == "noise":
        return read_bounds(ledger, meaningful_delta(delta), places, max_cost)
    return converted_bounds(ledger, delta, places)


def _excess(row: Bound, optimum: Composition) -> tuple[mpq, mpq] | None:
    """What a bound lies above the optimum: at least, at most."""
    least, most = optimum.lower_end, optimum.upper_end
    if row.epsilon is None or row.lower is None or least is None or most is None:
        return None
    if optimum.exact is not None and compare(row.epsilon, optimum.exact) == 0:
        return mpq(0), mpq(0)
    places = places_within(most - least) if most > least else 12
    upper = enclose_in_decimals(row.epsilon, places + 1)[1]
    return max(mpq(0), row.lower - most), upper - least
