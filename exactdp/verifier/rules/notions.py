r"""The rules ``zcdp-sum`` and ``gdp-sum``: bounds that are a ρ, or a μ.

Rules of this file: sums are exact; a mechanism without an entry here is rejected from above, and
from below it adds nothing.

Theory of operation: the ρ of mechanisms add up, and so do the μ²; a group of g has g² times as
much. What a pair of laws dominates has at most its Rényi divergences and its trade-offs, and
a sample of it no more. Gaussian noise has exactly its μ, and divergences of
α·μ²/2; discrete Gaussian noise has the divergence 2ρ of order 2.

Sources: certs/SPEC.md, sections 11.28 and 11.29; Bun & Steinke, TCC 2016-B, Lemma 1.7 and
Propositions 1.4 and 1.9; Dong, Roth & Su 2022, Theorem 2.14 and Corollary 3.3.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar, TypeAlias

from ..arithmetic.signs import sign_of_sum
from ..format.meter import of_division, pay
from ..format.numbers import Number, size
from ..format.outcomes import RejectedError
from ..kernel import Form
from ..statement import Interleaving
from .by_noise import Divergences
from .curves import Normal, Range, SampledCurve, TwoSided
from .discrete_noise import DiscreteNormal, Geometric
from .ledger import ALL_FAMILIES, Ledger, LedgerRule
from .pairs_of_laws import Dominating
from .rule import EITHER
from .tables import Response, SampledTable
from .theorems import OF_ALL

Counted: TypeAlias = tuple[int, Fraction]
"""A ρ or a μ², and how often it is there."""


class NotionSum(LedgerRule):
    """``upper``: at least the sum of what the mechanisms have. ``lower``: below what is attained.

    Both times g², for groups of g.
    """

    kinds: ClassVar[tuple[str, ...]] = EITHER
    families: ClassVar[frozenset[str]] = ALL_FAMILIES
    interleaved: ClassVar[tuple[Interleaving, ...]] = OF_ALL

    @property
    @abstractmethod
    def claimed(self) -> Number:
        """What the sum is compared with."""

    @abstractmethod
    def most(self, ledger: Ledger) -> Iterable[Counted]:
        """What the mechanisms have at most."""

    @abstractmethod
    def least(self, ledger: Ledger) -> Iterable[Counted]:
        """What some of them have."""

    def check(self, ledger: Ledger) -> None:
        """The sign of what is claimed, less the sum."""
        upper, times = self.bound.kind == "upper", self.bound.group**2
        summed = self.most(ledger) if upper else self.least(ledger)
        terms = [(-count * times, Number(each)) for count, each in summed]
        excess = sign_of_sum([(1, self.claimed), *terms])
        if upper and excess < 0:
            raise RejectedError("the bound is below the sum")
        if not upper and excess >= 0:
            raise RejectedError("the bound is not below what is attained")


class ZcdpSum(NotionSum):
    """Of ρ: whatever is pure, of bounded range or Gaussian has one."""

    name: ClassVar[str] = "zcdp-sum"
    theorem: ClassVar[str] = "bun-steinke-2016-lemma-1.7"
    form: ClassVar[Form] = Form(Ledger, notion="rho")
    keys: ClassVar[tuple[str, ...]] = ("bound", "group", "rho")

    @property
    def claimed(self) -> Number:
        """The ρ."""
        return self.bound.finite()

    def most(self, ledger: Ledger) -> Iterable[Counted]:
        """Every ρ; of no failure there is one."""
        if not ledger.lossless:
            raise RejectedError("what may fail has no rho")
        yield from ((each.count, _half(_rational(each.epsilon))) for each in ledger.mechanisms)
        yield from ((each.count, each.square / 2) for each in ledger.gaussian)
        yield from ((each.count, each.parameter) for each in ledger.concentrated)
        yield from ((count, _rho(pair)) for pair, count in _pairs(ledger))

    def least(self, ledger: Ledger) -> Iterable[Counted]:
        """Of Gaussian noise, discrete or not."""
        yield from ((each.count, each.square / 2) for each in ledger.gaussian)
        yield from ((each.count, each.parameter) for each in ledger.concentrated)
        for each in ledger.by_noise:
            for pair, count in each.attained(ledger.relation, Fraction(0)):
                if isinstance(pair, DiscreteNormal):
                    yield count, _rho(pair)


class GdpSum(NotionSum):
    """Of μ²: Gaussian noise alone has one."""

    name: ClassVar[str] = "gdp-sum"
    theorem: ClassVar[str] = "dong-roth-su-2022-corollary-3.3"
    form: ClassVar[Form] = Form(Ledger, notion="mu")
    keys: ClassVar[tuple[str, ...]] = ("bound", "group", "mu")

    @property
    def claimed(self) -> Number:
        """μ²."""
        return Number(2 * _half(self.bound.finite().rational))

    def most(self, ledger: Ledger) -> Iterable[Counted]:
        """Every μ²."""
        private = any(each.positive for each in ledger.mechanisms)
        if private or not ledger.lossless or ledger.has_rho:
            raise RejectedError("what is given by an epsilon, a delta or a rho has no mu")
        yield from ((each.count, each.square) for each in ledger.gaussian)
        yield from ((count, _square(pair)) for pair, count in _pairs(ledger))

    def least(self, ledger: Ledger) -> Iterable[Counted]:
        """Of Gaussian noise, which a ρ may stand for."""
        yield from ((each.count, each.square) for each in ledger.gaussian)
        yield from ((2 * each.count, each.parameter) for each in ledger.concentrated)


# --- what a pair of laws has --------------------------------------------------------------------


def _pairs(ledger: Ledger) -> Iterable[tuple[Dominating, int]]:
    """What dominates mechanisms by their noise; listed divergences are of some orders only."""
    for each in ledger.by_noise:
        if isinstance(each, Divergences):
            raise RejectedError("divergences of some orders give no rho and no mu")
        yield from each.dominating(ledger.relation)


def _unsampled(pair: Dominating) -> Dominating:
    """What has at least its divergences and its trade-off.

    What is known of a range is not known of all that the curve of a sample dominates.
    """
    if isinstance(pair, SampledTable):
        return pair.table
    if isinstance(pair, SampledCurve) and not isinstance(pair.curve, Range):
        return pair.curve
    return pair


def _rho(pair: Dominating) -> Fraction:
    match _unsampled(pair):
        case Normal(square=square):
            rho = square / 2
        case DiscreteNormal(variance=variance, shift=shift):
            rho = Fraction(shift**2) / (2 * variance)
        case Range(epsilon=epsilon):
            rho = _half(epsilon) / 4
        case TwoSided(most=epsilon):
            rho = _half(epsilon)
        case Geometric(scale=scale, shift=shift):
            rho = _half(shift / scale)
        case Response(epsilon=number):
            rho = _half(_rational(number))
        case _:
            raise RejectedError("one of the mechanisms has no rho that is known here")
    return rho


def _square(pair: Dominating) -> Fraction:
    law = _unsampled(pair)
    if not isinstance(law, Normal):
        raise RejectedError("one of the mechanisms is not Gaussian noise")
    return law.square


def _rational(epsilon: Number) -> Fraction:
    if epsilon.logs:
        raise RejectedError("an epsilon with logarithms has no rational rho")
    return epsilon.rational


def _half(value: Fraction) -> Fraction:
    """Half its square."""
    pay(4 * of_division(2 * size(value)))
    return value * value / 2
