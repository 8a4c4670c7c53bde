r"""Budgets of ledgers in ρ, μ and by noise: the scale, noise, rate or count that they allow.

Rules of this file: as in :mod:`exactdp.budgets.turning`, which searches; here its ends become
answers.
"""

from __future__ import annotations

from typing import Final, Literal

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.budgets.answers import CountAnswer, DialAnswer, ScaleAnswer, SearchOutcome
from exactdp.budgets.labels import index_of
from exactdp.budgets.monotone_parameters import (
    MonotoneParameter,
    count_dial,
    noise_dial,
    rate_dial,
    runs_dial,
    scale_dial,
)
from exactdp.budgets.turning import DialSearch
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_and_delta,
    nonnegative,
    positive,
)
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import places_of

DIAL_TOLERANCE: Final = "1e-3"
"""How near the ends of noise and of a rate come, unless it is said."""
_WHOLE: Final = "the whole ledger"
_NOTHING_LEFT: Final = "no mechanism is left to scale"
_OPEN: Final = "neither proved nor refuted between them"
_NOTHING: Final = "no number is proved to keep the budget"
_EVERYTHING: Final = "every number that makes sense here keeps the budget"


def turned_scale(
    ledger: Ledger,
    hold: tuple[str, ...],
    epsilon: ExactNumber,
    delta: mpq,
    width: mpq,
    max_cost: int,
) -> ScaleAnswer:
    """See :func:`exactdp.budgets.budget.largest_scale`."""
    hold = _with_tables(ledger, hold)
    dial = scale_dial(ledger, hold)
    if len(places_of(ledger, hold)) == len(ledger.mechanisms):
        now = _search(dial, epsilon, delta, width, max_cost).now
        outcome: SearchOutcome = "unbounded" if now.holds else "none"
        kept, broken = (now if now.holds is each else None for each in (True, False))
        return ScaleAnswer(ledger, epsilon, delta, outcome, _NOTHING_LEFT, kept, broken, hold)
    found = _search(dial, epsilon, delta, width, max_cost).ends()
    kept, broken = found.kept, found.broken
    if kept is None:
        return ScaleAnswer(ledger, epsilon, delta, "none", _NOTHING, None, broken, hold)
    if broken is None:
        reason = found.between or _EVERYTHING
        return ScaleAnswer(ledger, epsilon, delta, "unbounded", reason, kept, None, hold)
    reason = _OPEN if found.between else ""
    return ScaleAnswer(
        ledger, epsilon, delta, "found", reason, kept, broken, hold, kept.at, broken.at
    )


def _with_tables(ledger: Ledger, hold: tuple[str, ...]) -> tuple[str, ...]:
    """What is held, with the mechanisms that have no factor."""
    known = places_of(ledger, hold)
    tables = (
        f"#{index + 1}"
        for index, each in enumerate(ledger.mechanisms)
        if index not in known and not each.can_be_scaled
    )
    return (*hold, *tables)


def turned_count(
    ledger: Ledger, label: str, index: int, epsilon: ExactNumber, delta: mpq, max_cost: int
) -> CountAnswer:
    """See :func:`exactdp.budgets.budget.largest_count`."""
    return _counted(ledger, count_dial(ledger, index), label, epsilon, delta, max_cost)


def largest_repetition(
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> CountAnswer:
    r"""How many more runs of the whole ledger fit within (ε, δ).

    Args:
        ledger: as for :func:`least_noise`, and all other arguments likewise.
        epsilon: ε of the budget.
        delta: δ of the budget.
        max_cost: refuse work predicted to cost more.

    >>> from exactdp import GaussianMechanism
    >>> largest_repetition([GaussianMechanism("1/4")], epsilon=2, delta="1e-5").fits
    3
    """
    known, target = ledger_and_delta(ledger, delta)
    only = known.mechanisms[0]
    label = _WHOLE if len(known.mechanisms) > 1 else only.label or "#1"
    dial = count_dial(known, 0) if label != _WHOLE else runs_dial(known)
    return _counted(known, dial, label, nonnegative(epsilon), target, max_cost)


def _counted(
    ledger: Ledger,
    dial: MonotoneParameter,
    label: str,
    epsilon: ExactNumber,
    delta: mpq,
    max_cost: int,
) -> CountAnswer:
    found = _search(dial, epsilon, delta, mpq(1), max_cost).ends()
    kept, broken = found.kept, found.broken
    if kept is None:
        reason = "the ledger itself is not proved to keep the budget"
        return CountAnswer(ledger, epsilon, delta, "none", reason, None, broken, label)
    fits = int(kept.at - dial.now)
    if broken is None:
        reason = found.between or f"a ledger holds at most 10^18 mechanisms; {fits} more still fit"
        return CountAnswer(ledger, epsilon, delta, "capped", reason, kept, None, label, fits)
    exceeds = int(broken.at - dial.now)
    reason = _OPEN if found.between else ""
    return CountAnswer(ledger, epsilon, delta, "found", reason, kept, broken, label, fits, exceeds)


def least_noise(
    ledger: LedgerLike,
    *,
    label: str,
    epsilon: Number,
    delta: Number | None = None,
    tolerance: Number = DIAL_TOLERANCE,
    max_cost: int = DEFAULT_MAX_COST,
) -> DialAnswer:
    r"""The least noise of the mechanism called ``label`` with which the ledger keeps (ε, δ).

    Of one that is given by its ε, its ρ or its range, the greatest of these.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        label: that of the mechanism, or #N for the N-th.
        epsilon: ε of the budget, >= 0.
        delta: δ of the budget; None takes the ledger's ``target_delta``.
        tolerance: how near the ends come, relative to them below 1.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).

    Raises:
        InputError: bad arguments; a table or a list of Rényi divergences among them.

    >>> from exactdp import GaussianMechanism
    >>> least_noise([GaussianMechanism(1)], label="#1", epsilon=1, delta="1e-5").fits
    mpq(3731,1000)
    """
    return _turned(ledger, "noise", label, epsilon, delta, tolerance, max_cost)


def largest_rate(
    ledger: LedgerLike,
    *,
    label: str,
    epsilon: Number,
    delta: Number | None = None,
    tolerance: Number = DIAL_TOLERANCE,
    max_cost: int = DEFAULT_MAX_COST,
) -> DialAnswer:
    r"""The greatest rate of the mechanism called ``label``, on a Poisson sample, that keeps (ε, δ).

    Args:
        ledger: as for :func:`least_noise`, and all other arguments likewise.
        label: that of the mechanism, or #N for the N-th.
        epsilon: ε of the budget, >= 0.
        delta: δ of the budget.
        tolerance: how near the ends come.
        max_cost: refuse work predicted to cost more.

    Raises:
        InputError: bad arguments; one that is given by (ε, δ), ρ or Rényi divergences, or
            shuffled, among them.
    """
    return _turned(ledger, "rate", label, epsilon, delta, tolerance, max_cost)


def _turned(
    ledger: LedgerLike,
    what: Literal["noise", "rate"],
    label: str,
    epsilon: Number,
    delta: Number | None,
    tolerance: Number,
    max_cost: int,
) -> DialAnswer:
    known, target = ledger_and_delta(ledger, delta)
    limit, index = nonnegative(epsilon), index_of(known, label)
    dial = noise_dial(known, index) if what == "noise" else rate_dial(known, index)
    width = positive(tolerance, "tolerance")
    found = _search(dial, limit, target, width, max_cost).ends()
    kept, broken = found.kept, found.broken
    start = (known, limit, target)
    if kept is None:
        return DialAnswer(*start, "none", _NOTHING, None, broken, label, what, dial.name)
    if broken is None:
        reason = found.between or _EVERYTHING
        return DialAnswer(*start, "unbounded", reason, kept, None, label, what, dial.name, kept.at)
    reason = _OPEN if found.between else ""
    return DialAnswer(
        *start, "found", reason, kept, broken, label, what, dial.name, kept.at, broken.at
    )


def _search(
    dial: MonotoneParameter, epsilon: ExactNumber, delta: mpq, width: mpq, max_cost: int
) -> DialSearch:
    return DialSearch(dial, epsilon=epsilon, delta=delta, width=width, max_cost=max_cost)
