r"""``exactdp.budget``: whatever a budget is asked about, by one function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from exactdp.arithmetic.numbers import Number
from exactdp.budgets.answers import BudgetAnswer
from exactdp.budgets.budget import largest_count, largest_scale
from exactdp.budgets.notions import (
    DIAL_TOLERANCE,
    largest_rate,
    largest_repetition,
    least_noise,
)
from exactdp.composition.answers.arguments import LedgerLike, ledger_and_delta, refuse_method
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import InputError

_DIALS: Final = {"noise_of": least_noise, "rate_of": largest_rate}


def budget(  # noqa: PLR0913 (one argument for each option)
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number | None = None,
    hold: Sequence[str] = (),
    count_of: str | None = None,
    noise_of: str | None = None,
    rate_of: str | None = None,
    tolerance: Number | None = None,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> BudgetAnswer:
    """What a budget (ε, δ) allows: the largest scale of all ε_i, unless something else is asked.

    Tables and lists of Rényi divergences are held, as they have no scale; of a ledger of nothing
    else, how many more fit.

    Args:
        ledger: a Ledger, the path of one, or mechanisms.
        epsilon: ε of the budget.
        delta: δ of the budget; None takes the ledger's ``target_delta``.
        hold: labels of mechanisms that are not scaled.
        count_of: the label of a mechanism: how many more of it fit?
        noise_of: the label of a mechanism: the least noise with which it fits, or the greatest
            ε, ρ or range.
        rate_of: the label of a mechanism: the greatest rate of a Poisson sample.
        tolerance: the greatest width of the interval; None takes the question's default.
        method: force an engine.
        max_cost: refuse work predicted to cost more.

    Raises:
        InputError: bad arguments.
        CostLimitError: the work would exceed the limits.

    >>> budget([("0.1", 0, 10, "survey")], epsilon=2, delta=0, count_of="survey").fits
    10
    """
    asked = {"count_of": count_of, "noise_of": noise_of, "rate_of": rate_of}
    given = {name: label for name, label in asked.items() if label is not None}
    if len(given) > 1 or (given and hold):
        found = [*given, *(["hold"] if hold else [])]
        raise InputError(field="budget", value=" and ".join(found), expected="one of these")
    limits: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "max_cost": max_cost}
    for name, label in given.items():
        if name == "count_of":
            return largest_count(ledger, label=label, method=method, **limits)
        refuse_method(method)
        width = DIAL_TOLERANCE if tolerance is None else tolerance
        return _DIALS[name](ledger, label=label, tolerance=width, **limits)
    known, _ = ledger_and_delta(ledger, delta)
    if known.mechanisms and not hold and not any(each.can_be_scaled for each in known.mechanisms):
        refuse_method(method)
        return largest_repetition(known, **limits)
    return largest_scale(known, hold=hold, tolerance=tolerance, method=method, **limits)
