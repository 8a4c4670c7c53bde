r"""The rules ``noise-fourier-upper`` and ``-lower``: Laplace noise in a characteristic function.

Rules of this file: as in ``fourier``; a mechanism whose characteristic function has no closed form
here is rejected.

Theory of operation: the pairs of laws that dominate the mechanisms, or that some of them have,
compose to a product. Where all are randomized responses, Gaussian noise, Laplace noise or discrete
Laplace noise, the hockey-stick divergence of that is a sum of values of one characteristic
function, as in ``fourier`` and ``mixtures``. Discrete Laplace noise of shift 1 is randomized
response.

Sources: certs/SPEC.md, section 13.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.waves import DiscreteLaplace, Laplace, Wave
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from ..kernel import Form
from ..statement import DEFINITION
from .curves import Normal, TwoSided
from .discrete_noise import Geometric
from .fourier import FourierRule, LowerEnd, Parts, UpperEnd, read_noise_or_none
from .ledger import ALL_FAMILIES, Ledger
from .mesh import DOMINATION
from .noise import attained, divergences_of, dominating
from .pairs_of_laws import Law
from .rule import parameter
from .tables import Response

_FEW_BITS: Final = 64
_MOST_SCALE: Final = 2**40


@dataclass(frozen=True)
class NoiseFourierRule(FourierRule[Ledger]):
    """What both have."""

    form: ClassVar[Form] = Form(Ledger)
    families: ClassVar[frozenset[str]] = ALL_FAMILIES

    noise: Fraction = parameter(read_noise_or_none)

    def laws(self, ledger: Ledger, bits: int) -> Sequence[tuple[Law, int]]:
        """The pairs of laws, M² to so many bits."""
        if self.bound.kind == "upper":
            return dominating(ledger, bits)
        return attained(ledger, Fraction(0), bits)

    def require(self, subject: Ledger) -> None:
        """Reject noise of other families, and a spectrum in which nothing falls."""
        if self.bound.kind == "upper" and (divergences_of(subject) or subject.has_rho):
            raise RejectedError("mechanisms given by rho or Rényi divergences have no profile")
        super().require(subject)
        if not self.noise and not self.variance(subject):
            raise RejectedError("without noise, and no mu is above 0")

    def parts(self, subject: Ledger) -> Parts:
        """The laws: randomized responses, and noise."""
        groups: list[tuple[Number, int]] = []
        waves: list[Wave] = []
        for law, count in self.laws(subject, _FEW_BITS):
            match law:
                case Response():
                    groups.append((law.epsilon, count))
                case Geometric(shift=1):
                    groups.append((Number(1 / law.scale), count))
                case Geometric() if law.scale <= _MOST_SCALE:
                    waves.append(DiscreteLaplace(count, 1 / law.scale, law.shift))
                case TwoSided():
                    waves.append(Laplace(count, law.most))
                case Normal():
                    pass
                case _:
                    raise RejectedError("a mechanism whose characteristic function is not known")
        found = sum(count for _, count in groups) + sum(wave.count for wave in waves)
        return Parts(subject, groups, found, tuple(waves))

    def variance(self, subject: Ledger) -> Fraction:
        """M² = Σμ²."""
        bits = self.bits(self.parts(subject))
        squares = (law.square for law, _ in self.laws(subject, bits) if isinstance(law, Normal))
        return next(squares, Fraction(0))


class NoiseFourierUpper(NoiseFourierRule, UpperEnd[Ledger]):
    """``upper``: of what dominates the mechanisms."""

    name: ClassVar[str] = "noise-fourier-upper"
    theorem: ClassVar[str] = DOMINATION


@dataclass(frozen=True)
class NoiseFourierLower(NoiseFourierRule, LowerEnd[Ledger]):
    """``lower``: of what some of the mechanisms have."""

    name: ClassVar[str] = "noise-fourier-lower"
    theorem: ClassVar[str] = DEFINITION
