r"""The rule ``gaussian``: Gaussian mechanisms alone.

Rules of this file: an upper bound takes the profile from above, a lower bound from below; what
stands for a mechanism in a lower bound has its parameters exactly.

Theory of operation: Gaussian mechanisms compose to one with the root of Σμ² for its μ; every
adaptive composition is (ε, δ)-DP if its profile G_μ(ε) is at most Δ. From below, a Gaussian
mechanism with μ² = 2ρ is ρ-zCDP, and may stand for one.

Sources: certs/SPEC.md, section 11.11; Dong, Roth & Su, "Gaussian differential privacy", J. R. Stat.
Soc. B 84(1), 2022, with the numbers of arXiv:1905.02383: Corollary 2.13 (the profile), Corollary
3.3 (composition); Bun & Steinke, TCC 2016-B, Proposition 1.6.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.enclosures import bits_for, enclose, enclose_rationals
from ..arithmetic.normal import gaussian_profile
from ..format.outcomes import RejectedError
from ..statement import Interleaving
from .ledger import Ledger, LedgerRule, need_proof
from .rule import EITHER, parameter, read_digits
from .theorems import OF_PROFILES

GUARD: Final = 40


@dataclass(frozen=True)
class NoiseRule(LedgerRule):
    """A rule about privacy profiles with Gaussian noise in them."""

    interleaved: ClassVar[tuple[Interleaving, ...]] = OF_PROFILES

    digits: int = parameter(read_digits)

    def square(self, ledger: Ledger, bits: int) -> Fraction:
        """Σμ², to so many bits of its own; from below ρ counts as 2ρ."""
        squares = [(m.count, m.square) for m in ledger.gaussian]
        if self.bound.kind == "lower":
            squares += [(2 * m.count, m.parameter) for m in ledger.concentrated]
        elif ledger.has_rho:
            raise RejectedError("mechanisms given by rho have no upper bound here")
        return self.rounded(squares, bits)

    def positive_square(self, ledger: Ledger, bits: int) -> Fraction:
        """Σμ², which must not be 0."""
        square = self.square(ledger, bits)
        if not square:
            raise RejectedError("no mu is above 0")
        return square

    def rounded(self, squares: Iterable[tuple[int, Fraction]], bits: int) -> Fraction:
        """The sum of count times value: from above for ``upper``, as G grows with μ."""
        terms = [(count, value) for count, value in squares if value]
        lengths = [v.numerator.bit_length() - v.denominator.bit_length() for _, v in terms]
        places = bits + max(0, 1 - max(lengths, default=1))
        low, high = enclose_rationals(terms, places)
        return Fraction(high if self.bound.kind == "upper" else low, 1 << places)


class Gaussian(NoiseRule):
    """Gaussian mechanisms and mere failures: G_μ(ε) <= Δ, or G_μ(ε) > Δ."""

    name: ClassVar[str] = "gaussian"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    theorem: ClassVar[str] = "dong-roth-su-2022-corollary-2.13"

    def check(self, ledger: Ledger) -> None:
        """The profile against Δ."""
        if any(mechanism.positive for mechanism in ledger.mechanisms):
            raise RejectedError("is about mechanisms given by mu alone")
        bits = bits_for(self.digits) + GUARD
        square = self.positive_square(ledger, bits)
        profile = gaussian_profile(enclose(self.bound.finite(), bits), square, bits)
        need_proof(self.bound.kind, profile, ledger.delta(self.bound.delta, bits))
