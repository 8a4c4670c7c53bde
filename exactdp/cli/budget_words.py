r"""Budgets in words: what was charged, what is left, and what is promised.

Rules of this file: an ε that is promised is an upper end, and written as one; what a file system
does not find is said with what to do about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text, short_text
from exactdp.errors import UnsupportedError
from exactdp.pages.number_text import Rows, delta_of, rational_text
from exactdp.pages.phrases import counted
from exactdp.spending.auditing import Adoption
from exactdp.spending.budget import Budget, Charge
from exactdp.spending.odometer import THEOREM, odometer
from exactdp.spending.promises import Promise

_MEASURES: Final = {"epsilon": "ε", "rho": "ρ", "mu": "μ²", "renyi": "Rényi divergence"}
_LACKS: Final = {
    "moved": "no extended attributes on this file system: an older copy that is written over the "
    "log is not found",
    "none": "neither extended attributes nor times of birth on this file system: an older copy "
    "that is put in the place of the log is not found",
}
_KEEP_HEAD: Final = "keep the head that status prints elsewhere, for: exactdp filter audit --head"


# --- the log -------------------------------------------------------------------------------------


def adopted_since(adoptions: Sequence[Adoption]) -> str:
    """Since when a log is as it was written, and what may be missing; "" without an adoption."""
    if not adoptions:
        return ""
    last = adoptions[-1]
    what = "after older bytes were put back" if last.in_place else "as a copy"
    more = len(adoptions) - 1
    again = f" (and {counted(more, 'time')} before)" if more else ""
    return (
        f"it was adopted in line {last.line}, {what}{again}, and spends that these bytes did not "
        "have may be missing"
    )


# --- charges ------------------------------------------------------------------------------------


def left_text(budget: Budget, spent: Charge) -> str:
    """What of the budget is not spent."""
    return charge_text(budget.kind, budget.limit - spent)


def charge_json(charge: Charge) -> dict[str, str]:
    """A charge, for JSON."""
    return {"size": str(charge.size), "delta": str(charge.delta)}


def charge_text(kind: str, charge: Charge) -> str:
    """A charge against a budget of this kind."""
    failures = f", δ = {rational_text(charge.delta)}" if charge.delta else ""
    return f"{_MEASURES[kind]} = {short_text(mpq(charge.size))}{failures}"


# --- promises -----------------------------------------------------------------------------------


def promise_sentence(budget: Budget, promised: Promise) -> str:
    """The first line of an answer: what the budget promises."""
    at = f"at δ = {delta_of(promised.delta, up=True)}"
    if promised.upper is None:
        return f"The budget {budget} promises no finite ε {at}."
    return f"The budget {budget} promises ε = {short_text(promised.upper)} {at}, whatever is spent."


def promise_row(promised: Promise) -> tuple[str, str]:
    """The promise, with what is known from below."""
    at = f"at δ = {rational_text(promised.delta)}"
    if promised.upper is None:
        return "promise", f"no finite ε {at}"
    lower = promised.lower or mpq(0)
    known = f"; not below {decimal_text(lower)}" if lower and lower != promised.upper else ""
    exact = ", exactly" if lower == promised.upper else ""
    above = f"ε ≤ {short_text(promised.upper)} {at}"
    return "promise", f"{above}, whatever is spent of it{exact}{known}"


def promise_json(promised: Promise) -> dict[str, object]:
    """The promise, for JSON: both ends."""
    ends = [None if end is None else short_text(end) for end in (promised.lower, promised.upper)]
    return {
        "delta": str(promised.delta),
        "epsilon": None if ends[1] is None else {"lower": ends[0], "upper": ends[1]},
    }


def odometer_rows(
    budget: Budget, spent: Charge, promised: Promise, result: dict[str, object]
) -> Rows:
    """The reading of the odometer, for a budget that has one."""
    try:
        now = odometer(budget, spent, promised.delta)
        end = odometer(budget, budget.limit, promised.delta)
    except UnsupportedError:
        return []
    result["odometer"] = {
        "epsilon": decimal_text(now.epsilon),
        "at_the_end": decimal_text(end.epsilon),
        "theorem": THEOREM,
    }
    text = f"ε ≤ {decimal_text(now.epsilon)} so far, at all times at once ({THEOREM})"
    price = f"its price: it would end at {decimal_text(end.epsilon)}, above the filter's promise"
    return [("odometer", text), ("", price)]


def rows_on_older_copies(finds: str) -> Rows:
    """What is said where an older copy of the log can be put back without being found."""
    return [("beware", _LACKS[finds]), ("", _KEEP_HEAD)] if finds in _LACKS else []
