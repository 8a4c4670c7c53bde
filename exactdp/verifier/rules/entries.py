r"""Mechanisms by parameters of privacy: (ε, δ), μ and ρ.

Rules of this file: every range is checked as an entry is read, once.

Sources: certs/SPEC.md, section 7.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.signs import sign
from ..format.meter import of_division, pay
from ..format.numbers import Number, canonical, parse_canonical, rational_text
from ..format.outcomes import MalformedError
from ..format.shapes import integer, members, probability, rational, string
from ..format.strict_json import Json, canonical_bytes

MAX_COUNT: Final = 10**18
_KEYS: Final = (("mu",), ("mu_squared",), ("rho",), ("delta", "epsilon"))
"""The keys of entries, besides their counts."""


@dataclass(frozen=True)
class Mechanism:
    """``count`` mechanisms that are (epsilon, delta)-DP."""

    epsilon: Number
    delta: Fraction
    count: int
    positive: bool
    """Whether epsilon > 0."""

    family: ClassVar[str] = "epsilon"

    @cached_property
    def texts(self) -> tuple[str, str]:
        """Its epsilon and its delta."""
        return canonical(self.epsilon), rational_text(self.delta)

    @property
    def text(self) -> bytes:
        """Its bytes in a statement, without the count."""
        epsilon, delta = self.texts
        return canonical_bytes({"delta": delta, "epsilon": epsilon})


@dataclass(frozen=True)
class Scaled:
    """``count`` mechanisms that are private by one rational."""

    parameter: Fraction
    count: int

    key: ClassVar[str]
    given_by: ClassVar[str]
    power: ClassVar[int] = 2
    """With which power of the size of a group the parameter grows."""

    @property
    def family(self) -> str:
        """What it is given by; a μ or ρ of 0 is an ε of 0."""
        return self.given_by if self.parameter else "epsilon"

    @property
    def text(self) -> bytes:
        """Its bytes in a statement, without the count."""
        return canonical_bytes({self.key: rational_text(self.parameter)})


class Gaussian(Scaled):
    """``count`` mechanisms that are μ-GDP."""

    key: ClassVar[str] = "mu"
    given_by: ClassVar[str] = "mu"
    power: ClassVar[int] = 1

    @property
    def square(self) -> Fraction:
        """μ²."""
        return self.parameter**2


class GaussianBySquare(Gaussian):
    """``count`` mechanisms that are μ-GDP, by μ², where μ is irrational."""

    key: ClassVar[str] = "mu_squared"
    power: ClassVar[int] = 2

    @property
    def square(self) -> Fraction:
        """The parameter."""
        return self.parameter


class Concentrated(Scaled):
    """``count`` mechanisms that are ρ-zCDP."""

    key: ClassVar[str] = "rho"
    given_by: ClassVar[str] = "rho"


Parametric: TypeAlias = Mechanism | Gaussian | Concentrated


def read_parameters(value: dict[str, Json]) -> Parametric:
    """Mechanisms given by parameters of privacy."""
    keys = next((keys for keys in _KEYS if keys[0] in value), _KEYS[-1])
    parts = members(value, ("count", *keys), "mechanism")
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    if "mu" in parts:
        return Gaussian(rational(parts["mu"], "a mechanism's mu or rho"), count)
    if "mu_squared" in parts:
        return GaussianBySquare(read_square(parts["mu_squared"], "mu_squared"), count)
    if "rho" in parts:
        return Concentrated(rational(parts["rho"], "a mechanism's mu or rho"), count)
    epsilon = parse_canonical(string(parts["epsilon"], "epsilon"))
    order = sign(epsilon)
    if order < 0:
        raise MalformedError("a mechanism's epsilon is negative")
    return Mechanism(epsilon, read_delta(parts["delta"]), count, positive=order > 0)


def read_square(value: Json, what: str) -> Fraction:
    """A rational above 0 whose root is irrational: else that is what an entry has."""
    square = rational(value, what)
    if root(square) is not None:
        raise MalformedError(f"a mechanism's {what} is the square of a rational")
    return square


def root(square: Fraction) -> Fraction | None:
    """The root of a rational at least 0, if that is rational."""
    parts = square.numerator, square.denominator
    pay(2 * of_division(max(part.bit_length() for part in parts)))
    above, below = map(isqrt, parts)
    return Fraction(above, below) if (above * above, below * below) == parts else None


def read_delta(value: Json) -> Fraction:
    """The delta of a mechanism, from 0 to below 1."""
    delta = probability(parse_canonical(string(value, "delta")), "a mechanism's delta")
    if delta == 1:
        raise MalformedError("a mechanism's delta is 1")
    return delta
