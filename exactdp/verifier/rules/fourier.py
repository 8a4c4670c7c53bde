r"""The rules ``fourier-upper`` and ``fourier-lower``: a bracket for many mechanisms.

With Gaussian mechanisms among them the same ends stand in ``mixtures``.

Rules of this file: the parameters decide whether a proof goes through, never what it proves. How
much may be looked at is among them, and a check stops there: so its cost is known.

Sources: certs/SPEC.md, section 7.23; ``arithmetic/spectrum.py`` has the theory.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Final

from ..arithmetic.enclosures import bits_for
from ..arithmetic.spectrum import Divergence, Spectrum
from ..arithmetic.sweep import MAX_POINT
from ..format.numbers import parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, string
from ..format.strict_json import Json
from . import prices
from .ledger import Ledger, LedgerRule, PairsRule, need_proof
from .rule import parameter, read_digits
from .work import Work

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


def _factors(value: Json) -> tuple[int, ...]:
    """The indices of groups, increasing."""
    indices = [integer(each, 0, _MAX_FACTORS, "factors") for each in array(value, "factors")]
    if any(before >= index for before, index in pairwise(indices)):
        raise MalformedError("factors do not increase")
    return tuple(indices)


@dataclass(frozen=True)
class FourierRule(LedgerRule):
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

    def require(self, ledger: Ledger) -> None:
        """Reject a ledger without groups, and points that do not follow one another."""
        super().require(ledger)
        if self.near > self.last:
            raise RejectedError("near is beyond last")
        if not ledger.groups or self.factors[-1:] >= (len(ledger.groups),):
            raise RejectedError("factors are not all there")

    def cost(self, ledger: Ledger) -> int:
        """SPEC 7.23."""
        work = Work(ledger, self.bound, self.digits)
        products = sum(2 * count.bit_length() + 1 for _, count in ledger.groups)
        value = 1000 + 20 * prices.product(4 * self.digits + 128)
        return (
            work.entries
            + 10**8
            + work.transcendental(6 * work.terms + self.near + self.far)
            + work.fractions
            + products * (self.near * value + 1000 * self.far)
            + 20_000 * self.blocks
            + len(self.factors) * (2_000_000 + 3000 * self.blocks)
        )

    def bits(self, ledger: Ledger) -> int:
        """Bits of precision: finer than the digits by what mechanisms and points lose."""
        lost = 2 * ledger.count.bit_length() + self.last.bit_length()
        return max(_LEAST_BITS, bits_for(self.digits) + _GUARD + lost)

    def variance(self, _ledger: Ledger) -> Fraction:
        """M²: without Gaussian mechanisms 0."""
        return Fraction(0)

    def divergence(self, ledger: Ledger, left: Fraction, right: Fraction) -> Divergence:
        """D at e^ε."""
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
            variance=self.variance(ledger),
        )
        return Divergence(
            ledger.groups,
            spectrum,
            self.bound.finite(),
            lower=self.bound.kind == "lower",
            bits=self.bits(ledger),
        )


class UpperEnd(FourierRule):
    """``upper``: D with a Gaussian mechanism more, as it stands in the trapezoid rule."""

    kinds: ClassVar[tuple[str, ...]] = ("upper",)

    def check(self, ledger: Ledger) -> None:
        """Its bound from above, against Δ."""
        divergence = self.divergence(ledger, self.tilt + 1, self.tilt)
        need_proof("upper", divergence.ends(), ledger.delta(self.bound.delta, self.bits(ledger)))


@dataclass(frozen=True)
class LowerEnd(FourierRule):
    """``lower``: the same less what the Gaussian mechanism and other periods add at most."""

    left: Fraction = parameter(lambda value: _positive(value, "left"))
    right: Fraction = parameter(lambda value: _positive(value, "right"))

    kinds: ClassVar[tuple[str, ...]] = ("lower",)

    def require(self, ledger: Ledger) -> None:
        """Reject an exponent for which Chernoff's inequality says nothing."""
        super().require(ledger)
        if self.left < self.tilt + 1:
            raise RejectedError("left is below the tilt and 1")

    def check(self, ledger: Ledger) -> None:
        """Its bound from below, against Δ."""
        divergence = self.divergence(ledger, self.left, self.right)
        need_proof("lower", divergence.ends(), ledger.delta(self.bound.delta, self.bits(ledger)))


class FourierUpper(UpperEnd, PairsRule):
    """Of randomized responses alone."""

    name: ClassVar[str] = "fourier-upper"


class FourierLower(LowerEnd, PairsRule):
    """Of randomized responses alone."""

    name: ClassVar[str] = "fourier-lower"
