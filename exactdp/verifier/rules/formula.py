r"""The rule ``formula``: what a conversion of zCDP does not give, whatever the mechanisms are.

Rules of this file: nothing is said of a mechanism. An ``underivable`` bound is about the formula
that the statement's theorem names, and says that no order α at all would do.

Theory of operation: failures are kept apart, which leaves Δ for what is left. That is ρ-zCDP for
the sum ρ. Bun and Steinke make (ρ + 2·√(ρ·ln(1/Δ)), Δ) of it. Canonne, Kamath and Steinke give
ln δ' = g(α) with τ(α) = αρ, for any α > 1 (``conversion``), where

    g'(α) = (2α - 1)ρ - ε + ln(1 - 1/α);

as g'' > 2ρ, g is nowhere below g(α) - g'(α)²/(4ρ), whatever α is.

Sources: certs/SPEC.md, section 11.15; Bun & Steinke, TCC 2016-B, Propositions 1.3, 1.4, Lemma 1.7;
Canonne, Kamath & Steinke, NeurIPS 2020, arXiv:2004.00010, Corollary 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.enclosures import (
    Enclosure,
    bits_for,
    ceil_div,
    ceil_shift,
    enclose,
    enclose_rationals,
    total,
)
from ..format.meter import of_product, pay
from ..format.outcomes import RejectedError
from ..format.strict_json import Json
from ..statement import Statement
from .conversion import log_delta, log_failure, logarithm, noise, read_alpha, times
from .ledger import Ledger, LedgerRule
from .rule import parameter, read_digits

BEST: Final = "best"
BUN_STEINKE: Final = "bun-steinke-2016-proposition-1.3"
CANONNE_KAMATH_STEINKE: Final = "canonne-kamath-steinke-2020-corollary-13"
_GUARD: Final = 60


def _read_order(value: Json) -> Fraction | None:
    """An order; or the text of the formula that is at its best order already."""
    return None if value == BEST else read_alpha(value)


@dataclass(frozen=True)
class Formula(LedgerRule):
    """``underivable``: ε is below ρ + 2·√(ρ·ln(1/Δ)), or ln Δ < g(α) - g'(α)²/(4ρ)."""

    name: ClassVar[str] = "formula"
    theorem: ClassVar[str] = CANONNE_KAMATH_STEINKE
    kinds: ClassVar[tuple[str, ...]] = ("underivable",)

    alpha: Fraction | None = parameter(_read_order)
    digits: int = parameter(read_digits)

    def theorems(self, _statement: Statement) -> Sequence[str]:
        """The formula that the parameters are about."""
        return (BUN_STEINKE if self.alpha is None else CANONNE_KAMATH_STEINKE,)

    def check(self, ledger: Ledger) -> None:
        """All mechanisms as zCDP."""
        bits = bits_for(self.digits) + _GUARD + 2 * ledger.count.bit_length()
        rho = _total_rho(ledger, bits)
        most = log_delta(ledger, self.bound.delta, bits)[1]
        if self.alpha is None:
            self._closed(rho, most, bits)
        else:
            self._of_orders(self.alpha, rho, most, bits)

    def _closed(self, rho: Enclosure, most: int, bits: int) -> None:
        """The square of ε - ρ against 4ρ·ln(1/Δ)."""
        room = enclose(self.bound.finite(), bits)[1] - rho[0]
        if room >= 0 and room * room >= -4 * rho[0] * most:
            raise RejectedError("epsilon is not proved to be below what the formula gives")

    def _of_orders(self, alpha: Fraction, rho: Enclosure, most: int, bits: int) -> None:
        """The least that g may be, against ln Δ."""
        if rho[0] <= 0:
            raise RejectedError("rho is not proved to be above 0")
        epsilon = self.bound.finite()
        low, _ = log_failure(times(rho, alpha * (alpha - 1)), epsilon, alpha, bits)
        slope = total(
            times(rho, 2 * alpha - 1),
            times(enclose(epsilon, bits), Fraction(-1)),
            logarithm(1 - 1 / alpha, bits),
        )
        steepest = max(map(abs, slope))
        if low - ceil_div(steepest * steepest, 4 * rho[0]) <= most:
            raise RejectedError("it is not proved that no alpha gives delta")


def _total_rho(ledger: Ledger, bits: int) -> Enclosure:
    """All as zCDP: Σρ + Σμ²/2 + Σε²/2."""
    low, high = enclose_rationals(noise(ledger), bits)
    for epsilon, count in ledger.groups:
        size_low, size_high = enclose(epsilon, bits)
        pay(4 * of_product(max(bits, size_high.bit_length())))
        low += count * max(size_low, 0) ** 2 >> bits + 1
        high += ceil_shift(count * size_high**2, bits + 1)
    return low, high
