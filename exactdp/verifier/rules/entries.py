r"""Mechanisms by parameters of privacy: (ε, δ), μ and ρ.

Rules of this file: every range is checked as an entry is read, once.

Sources: certs/SPEC.md, section 7.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.signs import sign
from ..format.numbers import Number, canonical, parse_canonical, rational_text
from ..format.outcomes import MalformedError
from ..format.shapes import integer, members, probability, rational, string
from ..format.strict_json import Json, canonical_bytes

MAX_COUNT: Final = 10**18
_KEYS: Final = (("mu",), ("rho",), ("delta", "epsilon"))
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
        """Those of epsilon and delta."""
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

    @property
    def family(self) -> str:
        """What it is given by; a μ or ρ of 0 is an ε of 0."""
        return self.key if self.parameter else "epsilon"

    @property
    def text(self) -> bytes:
        """Its bytes in a statement, without the count."""
        return canonical_bytes({self.key: rational_text(self.parameter)})


class Gaussian(Scaled):
    """``count`` mechanisms that are μ-GDP."""

    key: ClassVar[str] = "mu"


class Concentrated(Scaled):
    """``count`` mechanisms that are ρ-zCDP."""

    key: ClassVar[str] = "rho"


Parametric: TypeAlias = Mechanism | Gaussian | Concentrated


def read_parameters(value: dict[str, Json]) -> Parametric:
    """Mechanisms given by parameters of privacy."""
    keys = next((keys for keys in _KEYS if keys[0] in value), _KEYS[-1])
    parts = members(value, ("count", *keys), "mechanism")
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    if "mu" in parts:
        return Gaussian(rational(parts["mu"], "a mechanism's mu or rho"), count)
    if "rho" in parts:
        return Concentrated(rational(parts["rho"], "a mechanism's mu or rho"), count)
    epsilon = parse_canonical(string(parts["epsilon"], "epsilon"))
    order = sign(epsilon)
    if order < 0:
        raise MalformedError("a mechanism's epsilon is negative")
    return Mechanism(epsilon, read_delta(parts["delta"]), count, positive=order > 0)


def read_delta(value: Json) -> Fraction:
    """The delta of a mechanism, from 0 to below 1."""
    delta = probability(parse_canonical(string(value, "delta")), "a mechanism's delta")
    if delta == 1:
        raise MalformedError("a mechanism's delta is 1")
    return delta
