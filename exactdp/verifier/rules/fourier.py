r"""The rules ``fourier-upper`` and ``fourier-lower``: a bracket for many mechanisms.

With Gaussian mechanisms among them the same ends stand in ``mixtures``, with noise in
``noise_fourier``.

Rules of this file: the parameters decide whether a proof goes through, never what it proves. How
much may be looked at is among them, and a check stops there.

Sources: certs/SPEC.md, sections 7.23 and 13.8; ``arithmetic/spectrum.py`` has the theory.
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
from ..arithmetic.waves import Wave
from ..format.numbers import Number, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, string
from ..format.strict_json import Json
from ..kernel import S
from .ledger import Ledger, PairsRule, need_proof
from .rule import Axiom, parameter, read_digits

_MAX_CUT: Final = 10**4
_MAX_FACTORS: Final = 10**4
_MAX_SIZE: Final = 512
_GUARD: Final = 48
_LEAST_BITS: Final = 160


def _positive(value: Json, what: str) -> Fraction:
    """A rational above 0, of few digits."""
    number = parse_canonical(string(value, what))
    if number.logs or number.rational <= 0 or size(number.rational) > _MAX_SIZE:
        raise MalformedError(f"{what} is not a rational above 0 of at most {_MAX_SIZE} bits")
    return number.rational


def read_noise(value: Json) -> Fraction:
    """A rational above 0, and at most 1."""
    noise = _positive(value, "noise")
    if noise > 1:
        raise MalformedError("noise is above 1")
    return noise


def read_noise_or_none(value: Json) -> Fraction:
    """The noise, or 0 for none."""
    return Fraction(0) if value == "0" else read_noise(value)


def _factors(value: Json) -> tuple[int, ...]:
    """The indices of groups, increasing."""
    indices = [integer(each, 0, _MAX_FACTORS, "factors") for each in array(value, "factors")]
    if any(before >= index for before, index in pairwise(indices)):
        raise MalformedError("factors do not increase")
    return tuple(indices)


@dataclass(frozen=True)
class Parts:
    """What is composed.

    Attributes:
        ledger: the mechanisms given by (ε, δ), for what fails.
        groups: positive epsilons and their counts.
        count: how many mechanisms there are.
        waves: the noise.
    """

    ledger: Ledger
    groups: Sequence[tuple[Number, int]]
    count: int
    waves: tuple[Wave, ...] = ()

    @property
    def size(self) -> int:
        """How many factors the characteristic function has."""
        return len(self.groups) + len(self.waves)

    @property
    def blur(self) -> int:
        """Bits that noise loses."""
        return max((wave.blur for wave in self.waves), default=0)


@dataclass(frozen=True)
class FourierRule(Axiom[S]):
    """What these rules have."""

    blocks: int = parameter(lambda value: integer(value, 1, MAX_POINT, "blocks"))
    cut: int = parameter(lambda value: integer(value, 0, _MAX_CUT, "cut"))
    digits: int = parameter(read_digits)
    factors: tuple[int, ...] = parameter(_factors)
    far: int = parameter(lambda value: integer(value, 0, MAX_POINT, "far"))
    last: int = parameter(lambda value: integer(value, 1, MAX_POINT - 1, "last"))
    near: int = parameter(lambda value: integer(value, 1, MAX_POINT, "near"))
    noise: Fraction = parameter(read_noise)
    step: Fraction = parameter(lambda value: _positive(value, "step"))
    tilt: Fraction = parameter(lambda value: _positive(value, "tilt"))

    @abstractmethod
    def parts(self, subject: S) -> Parts:
        """What is composed."""

    def require(self, subject: S) -> None:
        """Reject what has no losses, and points that do not follow one another."""
        super().require(subject)
        if self.near > self.last:
            raise RejectedError("near is beyond last")
        size = self.parts(subject).size
        if not size or self.factors[-1:] >= (size,):
            raise RejectedError("factors are not all there")

    def bits(self, parts: Parts) -> int:
        """Bits of precision: finer than the digits by what mechanisms and points lose."""
        lost = 2 * parts.count.bit_length() + self.last.bit_length() + parts.blur
        return max(_LEAST_BITS, bits_for(self.digits) + _GUARD + lost)

    def variance(self, _subject: S) -> Fraction:
        """M²: without Gaussian mechanisms 0."""
        return Fraction(0)

    def compare(self, subject: S, left: Fraction, right: Fraction) -> None:
        """D at e^ε, against Δ."""
        parts, kind = self.parts(subject), self.bound.kind
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
            variance=self.variance(subject),
        )
        divergence = Divergence(
            parts.groups,
            spectrum,
            self.bound.finite(),
            lower=kind == "lower",
            bits=bits,
            waves=parts.waves,
        )
        need_proof(kind, divergence.ends(), parts.ledger.delta(self.bound.delta, bits))


class UpperEnd(FourierRule[S]):
    """``upper``: D with a Gaussian mechanism more, as it stands in the trapezoid rule."""

    kinds: ClassVar[tuple[str, ...]] = ("upper",)

    def check(self, subject: S) -> None:
        """Its bound from above, against Δ."""
        self.compare(subject, self.tilt + 1, self.tilt)


@dataclass(frozen=True)
class LowerEnd(FourierRule[S]):
    """``lower``: the same less what the Gaussian mechanism and other periods add at most."""

    left: Fraction = parameter(lambda value: _positive(value, "left"))
    right: Fraction = parameter(lambda value: _positive(value, "right"))

    kinds: ClassVar[tuple[str, ...]] = ("lower",)

    def require(self, subject: S) -> None:
        """Reject an exponent for which Chernoff's inequality says nothing."""
        super().require(subject)
        if self.left < self.tilt + 1:
            raise RejectedError("left is below the tilt and 1")

    def check(self, subject: S) -> None:
        """Its bound from below, against Δ."""
        self.compare(subject, self.left, self.right)


class OfLedger(FourierRule[Ledger]):
    """Without noise of a family."""

    def parts(self, subject: Ledger) -> Parts:
        """Randomized responses."""
        return Parts(subject, subject.groups, subject.count)


class FourierUpper(UpperEnd[Ledger], OfLedger, PairsRule):
    """Of randomized responses alone."""

    name: ClassVar[str] = "fourier-upper"


class FourierLower(LowerEnd[Ledger], OfLedger, PairsRule):
    """Of randomized responses alone."""

    name: ClassVar[str] = "fourier-lower"
