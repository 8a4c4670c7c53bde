r"""The rule ``filter``, which leads from a budget to a ledger.

Rules of this file: an upper bound of the ledger holds of the budget only by a theorem about fully
adaptive composition, never by one about parameters fixed in advance.

Theory of operation: an interaction that keeps within a budget is a post-processing of one mechanism
that has all of it at once (B-DP, ρ-zCDP, μ-GDP, or with a Rényi divergence of the budget's order)
and one that fails with the budget's delta and else says nothing. From below, parameters that are
fixed in advance and fit are one such interaction.

Sources: certs/SPEC.md, section 11.19; Rogers, Roth, Ullman & Vadhan, NeurIPS 2016; Feldman & Zrnic,
NeurIPS 2021.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Never

from ..format.numbers import normal_form, rational_text, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.strict_json import Json, canonical_bytes
from ..kernel import Form, Judgement, StandsIn
from .budget import MAX_BITS, Budget
from .by_noise import Divergences
from .conversion import noise
from .entries import Concentrated, Gaussian, Mechanism
from .ledger import BY_PARAMETERS, Entry, Ledger
from .reduction import Reduction
from .rule import EITHER, optional

_MAX_ENTRIES: Final = 16


def _read_ledger(value: Json) -> Ledger:
    ledger = Ledger.listed(value)
    if not ledger.families <= BY_PARAMETERS:
        raise MalformedError("an entry is given by its noise")
    if ledger.size > _MAX_ENTRIES:
        raise MalformedError(f"more than {_MAX_ENTRIES} entries")
    numbers = [size(each.parameter) for each in (*ledger.gaussian, *ledger.concentrated)]
    for each in ledger.mechanisms:
        numbers += [each.epsilon.size, size(each.delta)]
    if max(numbers, default=0) > MAX_BITS:
        raise MalformedError(f"an entry has a number of more than {MAX_BITS} bits")
    return ledger


@dataclass(frozen=True)
class Filter(Reduction[Budget]):
    """``upper``: one mechanism with all of the budget, and one that may fail.

    ``lower``: mechanisms whose parameters are fixed in advance, and fit.
    """

    name: ClassVar[str] = "filter"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    form: ClassVar[Form] = Form(Budget, by=Ledger)

    mechanisms: Ledger | None = optional(_read_ledger)

    @property
    def kind(self) -> str:
        """From below by mechanisms that are named."""
        return "upper" if self.mechanisms is None else "lower"

    def conclude(self, budget: Budget, _premises: Sequence[Never]) -> Judgement:
        """The ledger for the budget."""
        ledger = Ledger.merged(_at_once(budget)) if self.mechanisms is None else self.mechanisms
        return StandsIn(budget, ledger, self.kind)

    def check_given(self, budget: Budget, _premises: Sequence[Never]) -> None:
        """What the mechanisms count that are named, against the budget."""
        if self.mechanisms is None:
            return
        failures = sum((m.count * m.delta for m in self.mechanisms.mechanisms), Fraction(0))
        if failures > budget.delta:
            raise RejectedError("the failures exceed the budget of failures")
        if _charge(self.mechanisms, budget) > budget.limit:
            raise RejectedError("the mechanisms exceed the budget")


def _at_once(budget: Budget) -> Iterable[Entry]:
    """One mechanism with all of the budget, and one that fails if any may."""
    if budget.delta:
        yield Mechanism(normal_form([], []), budget.delta, 1, positive=False)
    if budget.measure == "epsilon":
        epsilon = normal_form([budget.size], [])
        yield Mechanism(epsilon, Fraction(0), 1, positive=budget.size > 0)
    elif budget.measure == "mu":
        yield Gaussian(budget.size, 1)
    elif budget.measure == "rho":
        yield Concentrated(budget.size, 1)
    else:
        order: list[Json] = [rational_text(budget.alpha), rational_text(budget.size)]
        text = canonical_bytes({"renyi": [order]})
        yield Divergences(((budget.alpha, budget.size),), 1, text)


def _charge(ledger: Ledger, budget: Budget) -> Fraction:
    """What the mechanisms count in the measure of the budget."""
    pure = [(m.count, m.epsilon.rational) for m in ledger.mechanisms]
    if any(m.epsilon.logs for m in ledger.mechanisms):
        raise RejectedError("an epsilon is not rational")
    if budget.measure == "epsilon":
        if not ledger.by_pairs:
            raise RejectedError("a mechanism has no pure epsilon")
        return _sum(pure)
    if budget.measure == "mu":
        if ledger.has_rho or any(m.positive for m in ledger.mechanisms):
            raise RejectedError("a mechanism is not Gaussian")
        return _sum((m.count, m.square) for m in ledger.gaussian)
    halves = [(count, epsilon**2 / 2) for count, epsilon in pure]
    return budget.alpha * _sum([*halves, *noise(ledger)])


def _sum(terms: Iterable[tuple[int, Fraction]]) -> Fraction:
    return sum((count * value for count, value in terms), Fraction(0))
