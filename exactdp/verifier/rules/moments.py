r"""The rule ``moments``: Rényi divergences of one order, added up and converted to (ε, δ).

Rules of this file: a divergence is from above, times α - 1 and 2^bits.

Theory of operation: Rényi divergences of one order add up under adaptive composition, whatever
gives them, so that mechanisms known by ε, μ and ρ, and those by their noise, join in one sum τ(α).
Failures are kept apart, which leaves Δ; the conversion of τ(α) (``conversion``) is to give no more.
An ε stands for randomized response, a μ for ρ = μ²/2.

Sources: certs/SPEC.md, section 11.14; Mironov, CSF 2017, Propositions 1 and 5; Canonne, Kamath &
Steinke, arXiv:2004.00010, Proposition 12.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.enclosures import bits_for, enclose_rationals
from ..format.outcomes import RejectedError
from ..statement import Interleaving
from .conversion import log_delta, log_failure, noise, of_response, read_alpha, times
from .ledger import ALL_FAMILIES, Ledger, LedgerRule
from .noise_moments import of_noise
from .rule import parameter, read_digits
from .theorems import OF_LISTED_DIVERGENCES, OF_RENYI_DIVERGENCES

_GUARD: Final = 60


@dataclass(frozen=True)
class Moments(LedgerRule):
    """``upper``: the divergences of order α, added up and converted: g(α) <= ln Δ."""

    name: ClassVar[str] = "moments"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    theorem: ClassVar[str] = "canonne-kamath-steinke-2020-proposition-12"
    interleaved: ClassVar[tuple[Interleaving, ...]] = (
        *OF_RENYI_DIVERGENCES,
        *OF_LISTED_DIVERGENCES,
    )
    families: ClassVar[frozenset[str]] = ALL_FAMILIES

    alpha: Fraction = parameter(read_alpha)
    digits: int = parameter(read_digits)

    def check(self, ledger: Ledger) -> None:
        """The sum against Δ."""
        bits, alpha = bits_for(self.digits) + _GUARD + 2 * ledger.count.bit_length(), self.alpha
        most = times(enclose_rationals(noise(ledger), bits), alpha * (alpha - 1))[1]
        for epsilon, count in ledger.groups:
            most += count * of_response(epsilon, alpha, bits)
        if ledger.by_noise:
            most += of_noise(ledger, alpha, bits)
        allowed, _ = log_delta(ledger, self.bound.delta, bits)
        if log_failure((most, most), self.bound.finite(), alpha, bits)[1] > allowed:
            raise RejectedError("this alpha is not proved to give delta")
