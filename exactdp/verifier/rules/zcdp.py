r"""The rule ``zcdp-canonne-kamath-steinke``: all mechanisms as zCDP, converted at one order α.

Rules of this file: every α > 1 gives a bound that holds, and a certificate names its own. An
``underivable`` bound is about the formula alone; it says that no α at all would do.

Theory of operation: failures are kept apart, which leaves Δ for what is left. That is ρ-zCDP for
the sum ρ, and hence (ε, δ')-DP for

    ln δ' = g(α) = (α - 1)(αρ - ε) + α·ln(1 - 1/α) - ln(α - 1),

with g'(α) = (2α - 1)ρ - ε + ln(1 - 1/α); as g'' > 2ρ, g is nowhere below g(α) - g'(α)²/(4ρ),
whatever α is.

Sources: certs/SPEC.md, section 7.14; Canonne, Kamath & Steinke, NeurIPS 2020, arXiv:2004.00010,
Corollary 13; Bun & Steinke, TCC 2016-B, Proposition 1.4, Lemma 1.7; Dong, Roth & Su, J. R. Stat.
Soc. B 84(1), 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.enclosures import (
    Enclosure,
    bits_for,
    ceil_div,
    ceil_shift,
    enclose,
    enclose_ln,
    enclose_rationals,
    total,
)
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import string
from ..format.strict_json import Json
from ..statement import Interleaving
from .ledger import Ledger, LedgerRule
from .rule import FORMULA, parameter, read_digits
from .theorems import OF_RENYI_DIVERGENCES

_GUARD: Final = 60


def read_alpha(value: Json) -> Fraction:
    """An order, a rational above 1."""
    alpha = parse_canonical(string(value, "alpha"))
    if alpha.logs or alpha.rational <= 1:
        raise MalformedError("alpha is not a rational above 1")
    return alpha.rational


@dataclass(frozen=True)
class ConversionRule(LedgerRule):
    """A conversion of all mechanisms, whatever their notion."""

    interleaved: ClassVar[tuple[Interleaving, ...]] = OF_RENYI_DIVERGENCES

    digits: int = parameter(read_digits)

    def bits(self, ledger: Ledger) -> int:
        """Bits to work with."""
        return bits_for(self.digits) + _GUARD + 2 * ledger.count.bit_length()

    def log_delta(self, ledger: Ledger, bits: int) -> Enclosure:
        """The logarithm of Δ."""
        low, high = ledger.delta(self.bound.delta, bits)
        if low <= 0:
            raise RejectedError("too few digits: Δ may be 0")
        one = 1 << bits
        return logarithm(Fraction(low, one), bits)[0], logarithm(Fraction(high, one), bits)[1]


@dataclass(frozen=True)
class CanonneKamathSteinke(ConversionRule):
    """g(α) <= ln Δ, or ln Δ < g(α) - g'(α)²/(4ρ)."""

    name: ClassVar[str] = "zcdp-canonne-kamath-steinke"
    kinds: ClassVar[tuple[str, ...]] = FORMULA
    theorem: ClassVar[str] = "canonne-kamath-steinke-2020-corollary-13"

    alpha: Fraction = parameter(read_alpha)

    def check(self, ledger: Ledger) -> None:
        """All mechanisms as zCDP."""
        bits = self.bits(ledger)
        rho = total_rho(ledger, bits)
        scaled = times(rho, self.alpha * (self.alpha - 1))
        low, high = log_failure(scaled, self.bound.finite(), self.alpha, bits)
        log_low, log_high = self.log_delta(ledger, bits)
        if self.bound.kind == "upper":
            if high > log_low:
                raise RejectedError("this alpha is not proved to give delta")
            return
        if rho[0] <= 0:
            raise RejectedError("rho is not proved to be above 0")
        steepest = max(map(abs, self._slope(rho, bits)))
        if low - ceil_div(steepest * steepest, 4 * rho[0]) <= log_high:
            raise RejectedError("it is not proved that no alpha gives delta")

    def _slope(self, rho: Enclosure, bits: int) -> Enclosure:
        """g'(α)."""
        return total(
            times(rho, 2 * self.alpha - 1),
            times(enclose(self.bound.finite(), bits), Fraction(-1)),
            logarithm(1 - 1 / self.alpha, bits),
        )


def noise(ledger: Ledger) -> list[tuple[int, Fraction]]:
    """The mechanisms given by μ and ρ as zCDP: their counts, with μ²/2 and ρ."""
    gaussian = [(m.count, m.parameter**2 / 2) for m in ledger.gaussian]
    return gaussian + [(m.count, m.parameter) for m in ledger.concentrated]


def total_rho(ledger: Ledger, bits: int) -> Enclosure:
    """All as zCDP: Σρ + Σμ²/2 + Σε²/2."""
    low, high = enclose_rationals(noise(ledger), bits)
    for epsilon, count in ledger.groups:
        size_low, size_high = enclose(epsilon, bits)
        pay(4 * of_product(max(bits, size_high.bit_length())))
        low += count * max(size_low, 0) ** 2 >> bits + 1
        high += ceil_shift(count * size_high**2, bits + 1)
    return low, high


def log_failure(scaled: Enclosure, epsilon: Number, alpha: Fraction, bits: int) -> Enclosure:
    """g(α), for ``scaled`` = (α - 1) times the Rényi divergence of order α."""
    return total(
        scaled,
        times(enclose(epsilon, bits), 1 - alpha),
        times(logarithm(1 - 1 / alpha, bits), alpha),
        times(logarithm(alpha - 1, bits), Fraction(-1)),
    )


def logarithm(ratio: Fraction, bits: int) -> Enclosure:
    """The logarithm of any rational above 0."""
    if ratio >= 1:
        return enclose_ln(ratio, bits)
    low, high = enclose_ln(1 / ratio, bits)
    return -high, -low


def times(value: Enclosure, factor: Fraction) -> Enclosure:
    """The product with a rational."""
    low, high = value if factor >= 0 else value[::-1]
    pay(6 * of_division(high.bit_length() + size(factor)))
    return (
        low * factor.numerator // factor.denominator,
        ceil_div(high * factor.numerator, factor.denominator),
    )
