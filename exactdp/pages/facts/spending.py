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
from exactdp.pages.facts import Fact, fact
from exactdp.pages.number_text import delta_of, rational_text
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


def charge_fact(key: str, title: str, kind: str, charge: Charge, also: str = "") -> Fact:
    """A charge against a budget of this kind."""
    value = {"size": str(charge.size), "delta": str(charge.delta)}
    return fact(key, value, title, f"{charge_text(kind, charge)}{also}")


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


def promise_facts(promised: Promise, *remarks: str) -> list[Fact]:
    """The promise, with what is known from below."""
    lower, upper = promised.lower, promised.upper
    delta = fact("delta", str(promised.delta))
    at = f"at δ = {rational_text(promised.delta)}"
    if upper is None:
        return [delta, fact("epsilon", None, "promise", f"no finite ε {at}", *remarks)]
    known = f"; not below {decimal_text(lower)}" if lower and lower != upper else ""
    exact = ", exactly" if (lower or mpq(0)) == upper else ""
    text = f"ε ≤ {short_text(upper)} {at}, whatever is spent of it{exact}{known}"
    value = {"lower": None if lower is None else short_text(lower), "upper": short_text(upper)}
    return [delta, fact("epsilon", value, "promise", text, *remarks)]


def odometer_facts(budget: Budget, spent: Charge, promised: Promise) -> list[Fact]:
    """The reading of the odometer, for a budget that has one."""
    try:
        now = decimal_text(odometer(budget, spent, promised.delta).epsilon)
        end = decimal_text(odometer(budget, budget.limit, promised.delta).epsilon)
    except UnsupportedError:
        return []
    value = {"epsilon": now, "at_the_end": end, "theorem": THEOREM}
    text = f"ε ≤ {now} so far, at all times at once ({THEOREM})"
    price = f"its price: it would end at {end}, above the filter's promise"
    return [fact("odometer", value, "odometer", text, price)]


def older_copies_fact(finds: str) -> Fact:
    """Where an older copy of the log can be put back without being found."""
    lines = [_LACKS[finds], _KEEP_HEAD] if finds in _LACKS else []
    return fact("finds_older_copies", finds, "beware", *lines)
