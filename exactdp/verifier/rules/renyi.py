r"""The rules ``zcdp-bun-steinke`` and ``renyi``: other conversions from Rényi divergences.

Rules of this file: those of ``zcdp``.

Theory of operation: mechanisms with Rényi divergences τ_i(α) compose to one with Στ_i(α) = τ(α),
and that is (ε, δ')-DP for ln δ' = (α - 1)(τ(α) - ε) + α·ln(1 - 1/α) - ln(α - 1).

Sources: certs/SPEC.md, sections 7.13 and 7.15; Bun & Steinke, TCC 2016-B, Proposition 1.3; Mironov,
CSF 2017, Propositions 1 and 5; Canonne, Kamath & Steinke, arXiv:2004.00010, Proposition 12.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ..arithmetic.enclosures import Enclosure, enclose, enclose_rationals, exp_fixed, total
from ..format.meter import of_division, pay
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from .ledger import Ledger
from .rule import FORMULA, parameter
from .zcdp import ConversionRule, log_failure, logarithm, noise, read_alpha, times, total_rho


class BunSteinke(ConversionRule):
    """(ρ + 2·√(ρ·ln(1/Δ)), Δ) is what ρ-zCDP gives: ε is at least that, or below it."""

    name: ClassVar[str] = "zcdp-bun-steinke"
    kinds: ClassVar[tuple[str, ...]] = FORMULA
    theorem: ClassVar[str] = "bun-steinke-2016-proposition-1.3"

    def check(self, ledger: Ledger) -> None:
        """The square of ε - ρ against 4ρ·ln(1/Δ)."""
        bits = self.bits(ledger)
        rho_low, rho_high = total_rho(ledger, bits)
        epsilon_low, epsilon_high = enclose(self.bound.finite(), bits)
        log_low, log_high = self.log_delta(ledger, bits)
        if self.bound.kind == "upper":
            room = epsilon_low - rho_high
            if room < 0 or room * room < -4 * rho_high * log_low:
                raise RejectedError("epsilon is not proved to be what the formula gives, or more")
        else:
            room = epsilon_high - rho_low
            if room >= 0 and room * room >= -4 * rho_low * log_high:
                raise RejectedError("epsilon is not proved to be below what the formula gives")


@dataclass(frozen=True)
class Renyi(ConversionRule):
    """Pure mechanisms with the divergence of randomized response: g(α) <= ln Δ."""

    name: ClassVar[str] = "renyi"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    theorem: ClassVar[str] = "canonne-kamath-steinke-2020-proposition-12"

    alpha: Fraction = parameter(read_alpha)

    def check(self, ledger: Ledger) -> None:
        """The divergences of order α, added up."""
        bits = self.bits(ledger)
        alpha = self.alpha
        low, high = times(enclose_rationals(noise(ledger), bits), alpha * (alpha - 1))
        for epsilon, count in ledger.groups:
            part_low, part_high = scaled_divergence(epsilon, alpha, bits)
            low, high = low + count * part_low, high + count * part_high
        _, most = log_failure((low, high), self.bound.finite(), alpha, bits)
        if most > self.log_delta(ledger, bits)[0]:
            raise RejectedError("this alpha is not proved to give delta")


def scaled_divergence(epsilon: Number, alpha: Fraction, bits: int) -> Enclosure:
    """(α - 1)·τ(α) of randomized response: (α-1)ε + ln(1 + e^{-(2α-1)ε}) - ln(1 + e^{-ε})."""
    value = enclose(epsilon, bits)
    return total(
        times(value, alpha - 1),
        _ln_one_plus_exp(times(value, 1 - 2 * alpha), bits),
        times(_ln_one_plus_exp(times(value, Fraction(-1)), bits), Fraction(-1)),
    )


def _ln_one_plus_exp(argument: Enclosure, bits: int) -> Enclosure:
    """ln(1 + e^x) for x <= 0."""
    pay(4 * of_division(bits))
    low, high = exp_fixed(argument, bits)
    one = 1 << bits
    return logarithm(Fraction(one + low, one), bits)[0], logarithm(Fraction(one + high, one), bits)[
        1
    ]
