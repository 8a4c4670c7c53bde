r"""The rules about budgets: ``filter-sum``, ``filter-renyi`` and three that lead to a ledger.

Rules of this file: an upper bound rests on a theorem about fully adaptive composition, never on
one about parameters fixed in advance; what leads to a ledger says for which kind of bound.

Theory of operation: an interaction that keeps within a budget of ρ is a post-processing of one
mechanism that is ρ-zCDP and one that fails with the budget's delta and else says nothing; likewise
for μ. From below, parameters that are fixed in advance and fit are one such interaction.

Sources: certs/SPEC.md, section 12; Rogers, Roth, Ullman & Vadhan, NeurIPS 2016; Feldman & Zrnic,
NeurIPS 2021.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Never

from ..arithmetic.enclosures import bits_for, enclose_delta, enclose_rationals
from ..format.numbers import normal_form, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.strict_json import Json
from ..kernel import Form, Judgement, StandsIn
from ..statement import Interleaving
from .budget import MAX_BITS, Budget
from .conversion import log_failure, logarithm, noise, times
from .entries import Concentrated, Gaussian, Mechanism
from .ledger import BY_PARAMETERS, Ledger
from .reduction import Reduction
from .rule import Axiom, parameter, read_digits
from .theorems import about_budgets

_BASIC: Final = about_budgets("rogers-roth-ullman-vadhan-2016-basic-filter", "epsilon")
_RENYI: Final = about_budgets("feldman-zrnic-2021-renyi-filter", "renyi")
_GUARD: Final = 60
_MAX_ENTRIES: Final = 16


class BudgetRule(Axiom[Budget]):
    """A rule that proves an upper bound of whatever keeps within a budget.

    Of which measure, its theorem says.
    """

    form: ClassVar[Form] = Form(Budget)
    kinds: ClassVar[tuple[str, ...]] = ("upper",)


class FilterSum(BudgetRule):
    """Pure losses add up on every path, and so do failures: ε >= B and δ >= B_δ."""

    name: ClassVar[str] = "filter-sum"
    theorem: ClassVar[str] = _BASIC.name
    interleaved: ClassVar[tuple[Interleaving, ...]] = (_BASIC,)

    def check(self, budget: Budget) -> None:
        """The bound against the budget."""
        epsilon = self.bound.finite()
        if epsilon.logs:
            raise RejectedError("epsilon is not rational")
        if epsilon.rational < budget.size:
            raise RejectedError("epsilon is below the budget")
        if self.bound.delta < budget.delta:
            raise RejectedError("delta is below the budget of failures")


@dataclass(frozen=True)
class FilterRenyi(BudgetRule):
    """A Rényi divergence of order α of at most B, converted at that order: g(α) <= ln Δ."""

    name: ClassVar[str] = "filter-renyi"
    theorem: ClassVar[str] = _RENYI.name
    interleaved: ClassVar[tuple[Interleaving, ...]] = (_RENYI,)

    digits: int = parameter(read_digits)

    def check(self, budget: Budget) -> None:
        """The conversion of all that may be spent."""
        bits = bits_for(self.digits) + _GUARD
        alpha = budget.alpha
        scaled = times(enclose_rationals([(1, budget.size)], bits), alpha - 1)
        _, most = log_failure(scaled, self.bound.finite(), alpha, bits)
        low, _ = enclose_delta(self.bound.delta, [(budget.delta, 1)], bits)
        if low <= 0:
            raise RejectedError("too few digits: Δ may be 0")
        if most > logarithm(Fraction(low, 1 << bits), bits)[0]:
            raise RejectedError("this order is not proved to give delta")


# --- what stands in for a budget ----------------------------------------------------------------


class BudgetReduction(Reduction[Budget]):
    """A rule that concludes that a ledger stands in for a budget."""

    form: ClassVar[Form] = Form(Budget, by=Ledger)

    def conclude(self, budget: Budget, _premises: Sequence[Never]) -> Judgement:
        """The ledger for the budget."""
        return StandsIn(budget, self.ledger(budget), self.kind)

    def ledger(self, budget: Budget) -> Ledger:
        """One mechanism with all of the budget, and one that may fail."""
        failing = Mechanism(normal_form([], []), budget.delta, 1, positive=False)
        failures = (failing,) if budget.delta else ()
        if budget.measure == "mu":
            return Ledger(failures, gaussian=(Gaussian(budget.size, 1),))
        return Ledger(failures, concentrated=(Concentrated(budget.size, 1),))

    def check_given(self, _budget: Budget, _premises: Sequence[Never]) -> None:
        """Nothing is left: the measure was required."""


class FilterConcentrated(BudgetReduction):
    """``upper``: Σρ_i <= B on every path is B-zCDP, failures apart."""

    name: ClassVar[str] = "filter-concentrated"
    kind: ClassVar[str] = "upper"

    def require(self, budget: Budget) -> None:
        """A budget of ρ."""
        _require_measure(budget, "rho")


class FilterGaussian(BudgetReduction):
    """``upper``: Σμ_i² <= μ² on every path is μ-GDP, failures apart."""

    name: ClassVar[str] = "filter-gaussian"
    kind: ClassVar[str] = "upper"

    def require(self, budget: Budget) -> None:
        """A budget of μ."""
        _require_measure(budget, "mu")


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
class FixedSpends(BudgetReduction):
    """``lower``: parameters fixed in advance that fit into the budget."""

    name: ClassVar[str] = "fixed-spends"
    kind: ClassVar[str] = "lower"

    mechanisms: Ledger = parameter(_read_ledger)

    def ledger(self, _budget: Budget) -> Ledger:
        """The mechanisms that the step names."""
        return self.mechanisms

    def check_given(self, budget: Budget, _premises: Sequence[Never]) -> None:
        """What they count, against the budget."""
        failures = sum((m.count * m.delta for m in self.mechanisms.mechanisms), Fraction(0))
        if failures > budget.delta:
            raise RejectedError("the failures exceed the budget of failures")
        if self._charge(budget) > budget.limit:
            raise RejectedError("the mechanisms exceed the budget")

    def _charge(self, budget: Budget) -> Fraction:
        """What the mechanisms count in the measure of the budget."""
        ledger = self.mechanisms
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
            return _sum((m.count, m.parameter**2) for m in ledger.gaussian)
        halves = [(count, epsilon**2 / 2) for count, epsilon in pure]
        return budget.alpha * _sum([*halves, *noise(ledger)])


def _sum(terms: Iterable[tuple[int, Fraction]]) -> Fraction:
    return sum((count * value for count, value in terms), Fraction(0))


def _require_measure(budget: Budget, measure: str) -> None:
    if budget.measure != measure:
        raise RejectedError(f"is about a budget of {measure}")
