r"""The rules ``fourier-upper`` and ``fourier-lower``: by a characteristic function.

Rules of this file: the parameters decide whether a proof goes through, never what it proves. How
much may be looked at is among them, and a check stops there. A mechanism whose characteristic
function has no closed form here is rejected.

Theory of operation: the pairs of laws that dominate the mechanisms, or that some of them have,
compose to a product. Where all are randomized responses, Gaussian noise, Laplace noise or discrete
Laplace noise, the hockey-stick divergence of that is a sum of values of one characteristic
function. Discrete Laplace noise of shift 1 is randomized response.

Sources: certs/SPEC.md, sections 11.7 and 11.8; ``arithmetic/spectrum.py`` has the theory.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Final

from ..arithmetic.enclosures import bits_for
from ..arithmetic.far_points import Spectrum
from ..arithmetic.spectrum import Divergence
from ..arithmetic.sweep import MAX_POINT
from ..arithmetic.waves import DiscreteLaplace, Laplace, Wave
from ..format.numbers import Number, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, string
from ..format.strict_json import Json
from ..statement import DEFINITION, Interleaving
from .curves import Normal, TwoSided
from .discrete_noise import Geometric
from .ledger import ALL_FAMILIES, DOMINATION, Group, Ledger, LedgerRule, need_proof
from .noise import attained, divergences_of, dominating
from .pairs_of_laws import Law
from .rule import parameter, read_digits
from .tables import Response
from .theorems import APPROXIMATE

_MAX_CUT: Final = 10**4
_MAX_FACTORS: Final = 10**4
_MAX_SIZE: Final = 512
_GUARD: Final = 48
_LEAST_BITS: Final = 160
_MOST_SCALE: Final = 2**40


def _positive(value: Json, what: str) -> Fraction:
    """A rational above 0, of few digits."""
    number = parse_canonical(string(value, what))
    if number.logs or number.rational <= 0 or size(number.rational) > _MAX_SIZE:
        raise MalformedError(f"{what} is not a rational above 0 of at most {_MAX_SIZE} bits")
    return number.rational


def _read_noise(value: Json) -> Fraction:
    """A rational above 0, and at most 1; or 0 for none."""
    noise = Fraction(0) if value == "0" else _positive(value, "noise")
    if noise > 1:
        raise MalformedError("noise is above 1")
    return noise


def _factors(value: Json) -> tuple[int, ...]:
    """The indices of factors, increasing."""
    indices = [integer(each, 0, _MAX_FACTORS, "factors") for each in array(value, "factors")]
    if any(before >= index for before, index in pairwise(indices)):
        raise MalformedError("factors do not increase")
    return tuple(indices)


@dataclass(frozen=True)
class Parts:
    """What is composed: the factors of a characteristic function.

    Attributes:
        groups: positive epsilons of randomized responses, and their counts.
        waves: noise on its own, Gaussian noise excepted.
        variance: M² = Σμ² of Gaussian noise.
    """

    groups: Sequence[Group]
    waves: Sequence[Wave]
    variance: Fraction

    @classmethod
    def of(cls, laws: Sequence[tuple[Law, int]]) -> Parts:
        """What these laws are."""
        groups: list[Group] = []
        waves: list[Wave] = []
        variance = Fraction(0)
        for law, count in laws:
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
                    variance += count * law.square
                case _:
                    raise RejectedError("a mechanism whose characteristic function is not known")
        return cls(groups, waves, variance)

    @property
    def size(self) -> int:
        """How many factors there are."""
        return len(self.groups) + len(self.waves)

    @property
    def count(self) -> int:
        """How many mechanisms there are beside Gaussian noise."""
        counts = [count for _, count in self.groups]
        return sum(counts) + sum(wave.count for wave in self.waves)

    @property
    def blur(self) -> int:
        """Bits that noise loses."""
        return max((wave.blur for wave in self.waves), default=0)


@dataclass(frozen=True)
class FourierRule(LedgerRule):
    """What both rules have."""

    blocks: int = parameter(lambda value: integer(value, 1, MAX_POINT, "blocks"))
    cut: int = parameter(lambda value: integer(value, 0, _MAX_CUT, "cut"))
    digits: int = parameter(read_digits)
    factors: tuple[int, ...] = parameter(_factors)
    far: int = parameter(lambda value: integer(value, 0, MAX_POINT, "far"))
    last: int = parameter(lambda value: integer(value, 1, MAX_POINT - 1, "last"))
    near: int = parameter(lambda value: integer(value, 1, MAX_POINT, "near"))
    noise: Fraction = parameter(_read_noise)
    step: Fraction = parameter(lambda value: _positive(value, "step"))
    tilt: Fraction = parameter(lambda value: _positive(value, "tilt"))

    families: ClassVar[frozenset[str]] = ALL_FAMILIES
    interleaved: ClassVar[tuple[Interleaving, ...]] = APPROXIMATE

    @abstractmethod
    def laws(self, ledger: Ledger, bits: int) -> Sequence[tuple[Law, int]]:
        """The pairs of laws, M² to so many bits."""

    def require(self, subject: Ledger) -> None:
        """Reject what has no losses, and points that do not follow one another."""
        if self.near > self.last:
            raise RejectedError("near is beyond last")
        parts = self.parts(subject)
        if not parts.size or self.factors[-1:] >= (parts.size,):
            raise RejectedError("factors are not all there")
        if not self.noise and not parts.variance:
            raise RejectedError("without noise, and no mu is above 0")

    def bits(self, parts: Parts) -> int:
        """Bits of precision: finer than the digits by what mechanisms and points lose."""
        lost = 2 * parts.count.bit_length() + self.last.bit_length() + parts.blur
        return max(_LEAST_BITS, bits_for(self.digits) + _GUARD + lost)

    def parts(self, ledger: Ledger) -> Parts:
        """What is composed, M² to as many bits as all the rest."""
        few = Parts.of(self.laws(ledger, _LEAST_BITS))
        return Parts.of(self.laws(ledger, self.bits(few)))

    def compare(self, ledger: Ledger, left: Fraction, right: Fraction) -> None:
        """D at e^ε, against Δ."""
        parts, kind = self.parts(ledger), self.bound.kind
        bits = self.bits(parts)
        spectrum = Spectrum(
            tilt=self.tilt,
            noise=self.noise,
            step=self.step,
            last=self.last,
            near=self.near,
            far=self.far,
            blocks=self.blocks,
            cut=self.cut,
            factors=self.factors,
            left=left,
            right=right,
            variance=parts.variance,
        )
        divergence = Divergence(
            parts.groups,
            spectrum,
            self.bound.finite(),
            lower=kind == "lower",
            bits=bits,
            waves=parts.waves,
        )
        need_proof(kind, divergence.ends(), ledger.delta(self.bound.delta, bits))


class FourierUpper(FourierRule):
    """D with a Gaussian mechanism more, as it stands in the trapezoid rule."""

    name: ClassVar[str] = "fourier-upper"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    theorem: ClassVar[str] = DOMINATION

    def laws(self, ledger: Ledger, bits: int) -> Sequence[tuple[Law, int]]:
        """What dominates the mechanisms."""
        if divergences_of(ledger) or ledger.has_rho:
            raise RejectedError("mechanisms given by rho or Rényi divergences have no profile")
        return dominating(ledger, bits)

    def check(self, ledger: Ledger) -> None:
        """Its bound from above, against Δ."""
        self.compare(ledger, self.tilt + 1, self.tilt)


@dataclass(frozen=True)
class FourierLower(FourierRule):
    """The same less what the Gaussian mechanism and other periods add at most."""

    left: Fraction = parameter(lambda value: _positive(value, "left"))
    right: Fraction = parameter(lambda value: _positive(value, "right"))

    name: ClassVar[str] = "fourier-lower"
    kinds: ClassVar[tuple[str, ...]] = ("lower",)
    theorem: ClassVar[str] = DEFINITION

    def require(self, subject: Ledger) -> None:
        """Reject an exponent for which Chernoff's inequality says nothing."""
        super().require(subject)
        if self.left < self.tilt + 1:
            raise RejectedError("left is below the tilt and 1")

    def laws(self, ledger: Ledger, bits: int) -> Sequence[tuple[Law, int]]:
        """What some of the mechanisms have."""
        return attained(ledger, Fraction(0), bits)

    def check(self, ledger: Ledger) -> None:
        """Its bound from below, against Δ."""
        self.compare(ledger, self.left, self.right)
