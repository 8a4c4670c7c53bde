r"""The rules about Gaussian mechanisms among others.

Rules of this file: an upper bound takes the profile from above and counts lost weight in full, a
lower bound takes it from below and leaves lost weight out; what stands for a mechanism in a lower
bound has its parameters exactly.

Theory of operation: beside randomized responses with privacy loss L, the hockey-stick divergence of
the whole is the mean of the Gaussian profile over their loss,

    D(e^ε) = Σ_L w(L)·G_μ(ε - L),

and every adaptive composition of mechanisms with these parameters is (ε, δ)-DP if D(e^ε) <= Δ. In
z = e^{-L} each term is convex and does not rise, so that atoms may be split as in ``responses``.

Sources: certs/SPEC.md, sections 11.12, 11.13 and 11.22; Dong, Roth & Su, "Gaussian
differential privacy", J. R. Stat. Soc. B 84(1), 2022, with the numbers of arXiv:1905.02383: Theorem
3.2 (composition).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import ClassVar

from ..arithmetic.enclosures import Enclosure, bits_for, enclose, enclose_rationals, exp_fixed
from ..arithmetic.normal import gaussian_profile
from ..arithmetic.products import product as product_of_weights
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, linear, parse_canonical
from ..format.outcomes import RejectedError
from ..format.shapes import string
from ..format.strict_json import Json
from ..statement import Interleaving, not_negative
from .bracket import Mesh, on_mesh
from .conversion import log_failure, read_alpha, times
from .entries import Mechanism
from .fixed_point import Comparison, Losses, exact_block
from .gaussian import GUARD, NoiseRule
from .grid import on_grid
from .ledger import Ledger
from .rule import EITHER, parameter, read_sums, read_unit
from .theorems import OF_ALL

_COMPOSITION = "dong-roth-su-2022-theorem-3.2"


class GaussianMixture(NoiseRule):
    """Gaussian mechanisms among a few given by (ε, δ), all of whose atoms are listed."""

    name: ClassVar[str] = "gaussian-mixture"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    theorem: ClassVar[str] = _COMPOSITION

    def check(self, ledger: Ledger) -> None:
        """D, atom by atom, against Δ."""
        comparison = Comparison(ledger, self.bound, self.digits)
        bits = comparison.bits(ledger.count)
        square = self.positive_square(ledger, bits)
        epsilon_low, epsilon_high = enclose(self.bound.finite(), bits)
        kept = total = 0
        for weight, (loss_low, loss_high) in self._atoms(ledger, bits):
            pay(2 * of_product(2 * bits))
            rest = epsilon_low - loss_high, epsilon_high - loss_low
            low, high = gaussian_profile(rest, square, bits)
            kept += weight * (high if comparison.upper else max(0, low))
            total += weight
        comparison.decide(kept, total, bits)

    def _atoms(self, ledger: Ledger, bits: int) -> Iterator[tuple[int, Enclosure]]:
        """The weight, from below, and the loss of every choice of untruthful answers."""
        scale = 10**self.digits
        blocks = []
        for epsilon, count in ledger.groups:
            low, high = enclose(epsilon, bits)
            block = []
            for j, weight in exact_block(epsilon, count, self.digits).items():
                ends = (count - 2 * j) * low, (count - 2 * j) * high
                block.append((weight, min(ends), max(ends)))
            blocks.append(block)
        for choice in product(*blocks):
            pay(len(choice) * (1000 + of_division(8 * self.digits)))
            weight = scale
            for one, _, _ in choice:
                weight = weight * one // scale
            yield weight, (sum(low for _, low, _ in choice), sum(high for _, _, high in choice))


@dataclass(frozen=True)
class MixtureOnMesh(NoiseRule):
    """Gaussian mechanisms among any given by (ε, δ), whose losses are moved to a mesh."""

    theorem: ClassVar[str] = _COMPOSITION

    sums: int = parameter(read_sums)
    unit: Number = parameter(read_unit)

    @property
    def mesh(self) -> Mesh:
        """The mesh of the parameters."""
        return Mesh(self.unit, self.sums, self.digits)

    def compare(self, comparison: Comparison, square: Fraction, losses: Losses) -> None:
        """Compare D with Δ, with noise of μ² = square beside the losses."""
        if not square:
            comparison.decide_by(losses)
            return
        epsilon, bits = self.bound.finite(), comparison.bits(losses.total)
        terms = [dict(enumerate(values, first)) for first, values in losses.factors]
        first, weights = product_of_weights(terms, self.digits)
        kept = 0
        pay(len(weights) * (500 + of_product(2 * bits)))
        for s, weight in enumerate(weights, first):
            if weight:
                steps = losses.stride * s - losses.total
                rest = enclose(linear([(1, epsilon), (steps, self.unit)]), bits)
                low, high = gaussian_profile(rest, square, bits)
                kept += weight * (high if comparison.upper else max(0, low))
        comparison.decide(kept, sum(weights), bits)


class GaussianMesh(MixtureOnMesh):
    """``upper``: the atoms of ``mesh-upper``. ``lower``: the blocks of ``grid``."""

    name: ClassVar[str] = "gaussian-mesh"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    def check(self, ledger: Ledger) -> None:
        """D on the mesh against Δ."""
        comparison = Comparison(ledger, self.bound, self.digits)
        square = self.square(ledger, comparison.bits(ledger.count))
        if comparison.upper:
            losses = on_mesh(comparison, self.mesh)
        else:
            losses = on_grid(comparison, self.unit)
        self.compare(comparison, square, losses)


def _read_pair(value: Json) -> Number:
    return not_negative(parse_canonical(string(value, "pair")), "pair")


@dataclass(frozen=True)
class ZcdpPair(MixtureOnMesh):
    """The mechanisms given by ρ as one more, which is (pair, δ')-DP."""

    name: ClassVar[str] = "zcdp-pair"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    interleaved: ClassVar[tuple[Interleaving, ...]] = OF_ALL

    alpha: Fraction = parameter(read_alpha)
    pair: Number = parameter(_read_pair)

    def check(self, ledger: Ledger) -> None:
        """D with the pair among the mechanisms."""
        bits = bits_for(self.digits) + GUARD
        together = self._with_pair(ledger, self._failure(ledger, bits))
        square = self.rounded([(m.count, m.square) for m in ledger.gaussian], bits)
        comparison = Comparison(together, self.bound, self.digits)
        self.compare(comparison, square, on_mesh(comparison, self.mesh))

    def _failure(self, ledger: Ledger, bits: int) -> Fraction:
        """A δ' with which those given by ρ compose to (pair, δ')-DP, by Corollary 13."""
        rho = enclose_rationals([(m.count, m.parameter) for m in ledger.concentrated], bits)
        scaled = times(rho, self.alpha * (self.alpha - 1))
        low, high = log_failure(scaled, self.pair, self.alpha, bits)
        if high >= 0:
            raise RejectedError("this alpha gives no delta below 1 for the pair")
        return Fraction(exp_fixed((low, high), bits)[1], 1 << bits)

    def _with_pair(self, ledger: Ledger, failure: Fraction) -> Ledger:
        """The ledger with the pair as one more mechanism, beside those of its epsilon."""
        pair = Mechanism(self.pair, failure, 1, self.pair != Number(Fraction(0)))
        same = [i for i, m in enumerate(ledger.mechanisms, 1) if m.epsilon == self.pair]
        place = same[-1] if same else len(ledger.mechanisms)
        mechanisms = (*ledger.mechanisms[:place], pair, *ledger.mechanisms[place:])
        return replace(ledger, mechanisms=mechanisms)
