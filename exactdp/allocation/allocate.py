r"""One budget (ε, δ) shared among statistics: the noise with the least weighted error found.

Purpose: the application that Murtagh and Vadhan wrote their algorithm for: someone with a budget
chooses statistics, says which matter, and is told how accurate each can be.

Rules of this file: the noise that is answered composes to (ε, δ), certified by the ledger's
certificate; noise smaller by the tolerance, of all that is free, does not, certified as well. Every
error is an upper end. Whether another proportion would be better is not certified.

Theory of operation: minimise Σ w_i·E|Y_i| over the scales s_i of the noise, such that all noise
together composes to (ε, δ). E|Y_i| is about k_i·s_i. Where the cost of noise is
:math:`(\Delta_i/s_i)^p`, with the sensitivity Δ_i, the multiplier of Lagrange gives

.. math:: s_i \propto \Delta_i\,(w_i k_i \Delta_i)^{-1/(p+1)}.

For Gaussian noise p = 2 is exact: only Σμ_i² matters. Where δ is 0, p = 1 is exact for Laplace
noise: the ε_i add up. In between, and for mixtures, p = 2, 3/2 and 1 are tried, a heuristic. Each
proportion is scaled until the certified composition fits (:mod:`exactdp.allocation.fitting`), as is
the even one, s_i ∝ Δ_i; what reaches the greatest scale that its target allows stays there. The
least weighted error wins, so that the answer is never worse than an even split.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, section 1, on "Privacy Tools for Sharing
Research Data"; Gaboardi et al., "PSI (Ψ)", 2016; Boyd & Vandenberghe, Convex Optimization, 2004,
section 5.5 (Lagrange); Dong, Roth & Su, JRSS B 84, 2022, Corollary 3.3 (Σμ_i²).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.allocation.fitting import (
    Fitted,
    Party,
    SharedBudget,
    fitted,
    ledger_of_noise,
    proportions,
    width_of,
)
from exactdp.allocation.reading import StatisticsFile, read_statistics
from exactdp.allocation.results import (
    Allocation,
    RivalSplit,
    SetBy,
    StatisticShare,
)
from exactdp.allocation.statistics import (
    DEFAULT_CONFIDENCE,
    Statistic,
    checked_confidence,
    checked_statistics,
)
from exactdp.allocation.targets import greatest_scale_for, scale_of_epsilon
from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.numbers import Number
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.arguments import nonnegative, positive, probability
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import DomainError, InputError, shorten
from exactdp.ledger.model import Ledger

_EVEN: Final = 0.0
_BY_RHO: Final = 1 / 3
_BETWEEN: Final = 2 / 5
_BY_SUM: Final = 1 / 2
_ROUNDS: Final = 20
_DIGITS: Final = 8
_DOES_NOT_FIT: Final = "what is fixed and what the targets ask for already exceed the budget"
_NEEDS_DELTA: Final = "no Gaussian noise keeps a budget whose δ is 0"


def allocate(  # noqa: PLR0913 (the budget, who shares it, and how)
    statistics: Iterable[Statistic] | StatisticsFile | str | Path,
    *,
    epsilon: Number | None = None,
    delta: Number | None = None,
    fix: Mapping[str, Number] | None = None,
    without: Sequence[str] = (),
    confidence: Number | None = None,
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Allocation:
    r"""Share (ε, δ) among statistics so that the weighted sum of their expected errors is small.

    Args:
        statistics: what is to be answered, each with its noise, weight or target; or a file of
            them, or its path.
        epsilon: ε of the budget, above 0, in nats; None takes the file's.
        delta: δ of the budget, below 1; None takes the file's, if it names one.
        fix: ε by name, for statistics whose ε is decided already.
        without: names of statistics to leave out; the others share what becomes free.
        confidence: that of the intervals that are reported; None takes the file's, or 0.95.
        tolerance: how near the noise of what is free comes to the least, relative to it. None takes
            1e-6 where all noise is Gaussian or δ is 0, else 1e-3.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).

    Raises:
        InputError: bad arguments; a name that no statistic has among them.
        CostLimitError: the work would exceed the limits.

    >>> pair = [Statistic("mean"), Statistic("count", weight=8)]
    >>> answer = allocate(pair, epsilon=1, delta=0)
    >>> [round(float(share.scale), 2) for share in answer.shares]
    [3.83, 1.35]
    """
    if isinstance(statistics, str | Path):
        statistics = read_statistics(statistics)
    if isinstance(statistics, StatisticsFile):
        epsilon, delta, confidence = _named(statistics, epsilon, delta, confidence)
        statistics = statistics.statistics
    chosen = _chosen(checked_statistics(statistics), fix or {}, without)
    limit, target = nonnegative(_given(epsilon, "epsilon")), probability(_given(delta, "delta"))
    if sign(limit) == 0 or target >= 1:
        raise DomainError(
            field="epsilon" if target < 1 else "delta",
            value=str(limit) if target < 1 else str(target),
            expected="a number above 0" if target < 1 else "a rational below 1",
        )
    width = None if tolerance is None else positive(tolerance, "tolerance")
    budget = SharedBudget(limit, target, width, max_cost)
    level = checked_confidence(DEFAULT_CONFIDENCE if confidence is None else confidence)
    return _Task(tuple(_party(each, max_cost) for each in chosen), budget, level).answer()


def _named(
    file: StatisticsFile, epsilon: Number | None, delta: Number | None, confidence: Number | None
) -> tuple[Number | None, Number | None, Number | None]:
    """What was passed, and where nothing was, what the file names."""
    if delta is None and len(file.deltas) == 1:
        delta = file.deltas[0]
    return (
        file.epsilon if epsilon is None else epsilon,
        delta,
        file.confidence if confidence is None else confidence,
    )


def _given(value: Number | None, name: str) -> Number:
    if value is None:
        raise InputError(
            field=name,
            value="nothing",
            expected=f"one {name}, as no file names it",
            remedy=f"pass {name}, for example {'1' if name == 'epsilon' else '1e-6'}",
        )
    return value


def _chosen(
    statistics: tuple[Statistic, ...], fix: Mapping[str, Number], without: Sequence[str]
) -> tuple[Statistic, ...]:
    """The statistics that are left, with what is fixed."""
    if isinstance(without, str):
        raise InputError(
            field="without", value=without, expected="a list of names", remedy=f"pass [{without!r}]"
        )
    names = [each.name for each in statistics]
    for field_name, given in (("fix", list(fix)), ("without", list(without))):
        for name in given:
            if name not in names:
                raise _unknown(field_name, name, names)
    for name in fix:
        if name in without:
            raise InputError(
                field="fix", value=name, expected="a statistic that is not left out by without"
            )
    left = [each for each in statistics if each.name not in without]
    return checked_statistics(
        each.fixed(fix[each.name]) if each.name in fix else each for each in left
    )


def _unknown(field_name: str, name: str, names: Sequence[str]) -> InputError:
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    shown = " or ".join(map(shorten, close)) if close else ", ".join(map(shorten, names[:8]))
    return InputError(
        field=field_name,
        value=name,
        expected="the name of a statistic",
        remedy=f"did you mean {shown}?" if close else f"there are {shown}",
    )


@dataclass(frozen=True, slots=True)
class _Task:
    """One question: who shares, and what there is to share."""

    parties: tuple[Party, ...]
    budget: SharedBudget
    confidence: mpq

    def answer(self) -> Allocation:
        """The best split that was found, beside an even one."""
        decided = self._decided()
        if decided is not None:
            return decided
        first, *others = (self._proportions(each) for each in self._exponents())
        best = fitted(self.parties, first, self.budget)
        if best is None:
            return replace(self._nothing, reason=_DOES_NOT_FIT)
        for sizes in others:
            if sizes != first:
                best = self._better(sizes, best)
        even = self._even(best)
        rival = RivalSplit("even", even.scales, self._weighted_error(even.scales))
        best = min(best, even, key=self._error_of)
        proofs = best.kept.proof, None if best.broken is None else best.broken.proof
        found = self._found(best.scales, best.kept.ledger, *proofs)
        return replace(found, rivals=(rival,))

    def _even(self, best: Fitted) -> Fitted:
        """An even split; the best if that is one."""
        sizes = self._proportions(_EVEN)
        if len(self._free()) == 1:
            return best
        start = self._factor_as_good(sizes, best.scales)
        return fitted(self.parties, sizes, self.budget, start) or best

    def _decided(self) -> Allocation | None:
        """The answer if there is nothing to share, or what is fixed or aimed at leaves nothing."""
        if not self.budget.delta and not all(each.family.is_pure for each in self._statistics()):
            return replace(self._nothing, reason=_NEEDS_DELTA)
        decided = [each for each in self.parties if each.greatest is not None]
        if not decided:
            return None
        ledger = self._ledger(decided)
        found = self.budget.certify(ledger)
        if not found.holds:
            return replace(self._nothing, reason=_DOES_NOT_FIT, lower_certificate=found.proof)
        if self._free():
            return None
        scales = tuple(each.held for each in self.parties if each.held is not None)
        return self._found(scales, ledger, found.proof, None)

    def _statistics(self) -> tuple[Statistic, ...]:
        return tuple(party.statistic for party in self.parties)

    def _free(self) -> list[Party]:
        return [party for party in self.parties if party.held is None]

    def _ledger(self, decided: Sequence[Party]) -> Ledger:
        """What is fixed or aimed at, where all else costs nothing."""
        scales = [party.greatest for party in decided if party.greatest is not None]
        return ledger_of_noise([each.statistic for each in decided], scales, self.budget.delta)

    def _proportions(self, exponent: float) -> tuple[mpq, ...]:
        return proportions(self.parties, exponent, self.budget)

    def _exponents(self) -> tuple[float, ...]:
        """1/(p + 1) for each p that is tried."""
        if not self.budget.delta:
            return (_BY_SUM,)
        if not any(party.statistic.family.is_pure for party in self._free()):
            return (_BY_RHO,)
        return _BY_RHO, _BETWEEN, _BY_SUM

    def _better(self, sizes: Sequence[mpq], best: Fitted) -> Fitted:
        """What fits in other proportions, if its error is clearly less; else the best before."""
        start = self._factor_as_good(sizes, best.scales)
        start *= 1 - 2 * width_of(self.parties, self.budget)
        found = fitted(self.parties, sizes, self.budget, start, at_once=True)
        if found is None or self._error_of(found) >= self._error_of(best):
            return best
        return found

    def _factor_as_good(self, sizes: Sequence[mpq], scales: Sequence[mpq]) -> mpq:
        """About the factor at which proportions have the error of other scales."""
        goal, factor = self._about_error(scales), mpq(1)
        for _ in range(_ROUNDS):
            now = [
                party.scale(size, factor, _DIGITS)
                for party, size in zip(self.parties, sizes, strict=True)
            ]
            factor = round_above(factor * goal / self._about_error(now), _DIGITS)
        return factor

    def _about_error(self, scales: Sequence[mpq]) -> mpq:
        """About the weighted error of what is free."""
        return sum(
            (
                party.statistic.weight
                * party.statistic.count
                * scale
                * mpq(*party.statistic.family.about_error.as_integer_ratio())
                for party, scale in zip(self.parties, scales, strict=True)
                if party.held is None
            ),
            mpq(0),
        )

    def _error_of(self, split: Fitted) -> mpq:
        return self._weighted_error(split.scales)

    def _weighted_error(self, scales: Sequence[mpq]) -> mpq:
        return sum(
            (
                statistic.weighted_error(scale)
                for statistic, scale in zip(self._statistics(), scales, strict=True)
            ),
            mpq(0),
        )

    def _found(
        self,
        scales: Sequence[mpq],
        ledger: Ledger,
        upper: Certificate | None,
        lower: Certificate | None,
    ) -> Allocation:
        shares = tuple(
            StatisticShare(
                party.statistic,
                scale,
                _set_by(party, scale),
                party.statistic.accuracy(scale, self.confidence),
            )
            for party, scale in zip(self.parties, scales, strict=True)
        )
        return replace(
            self._nothing,
            outcome="found",
            shares=shares,
            ledger=ledger,
            upper_certificate=upper,
            lower_certificate=lower,
        )

    @property
    def _nothing(self) -> Allocation:
        """No allocation, and no reason yet."""
        budget = self.budget
        start = (self._statistics(), budget.epsilon, budget.delta, self.confidence)
        return Allocation(*start, "none", "", (), None, (), None, None)


def _party(statistic: Statistic, max_cost: int) -> Party:
    """A statistic with what it must have; one of weight 0 has its target's noise, and no less."""
    if statistic.epsilon is not None:
        return Party(statistic, scale_of_epsilon(statistic, statistic.epsilon, max_cost))
    if statistic.scale is not None:
        return Party(statistic, statistic.scale)
    if statistic.target is None:
        return Party(statistic)
    most = greatest_scale_for(statistic, statistic.target)
    return Party(statistic, None if statistic.weight else most, most)


def _set_by(party: Party, scale: mpq) -> SetBy:
    statistic = party.statistic
    if statistic.epsilon is not None or statistic.scale is not None:
        return "fixed"
    return "target" if scale == party.most else "allocation"
