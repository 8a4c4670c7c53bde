r"""Mechanisms by ρ: zero-concentrated, which Gaussian noise attains.

Source: Bun & Steinke, TCC 2016-B, Definition 1.1 and Proposition 1.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.mechanisms.checks import not_negative
from exactdp.mechanisms.divergences import GAP_OF_DIVERGENCES, RenyiBounds
from exactdp.mechanisms.family import GivenBy, NeverFails, Symmetric, set_field
from exactdp.mechanisms.gaussian import GaussianPair
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import CountedPair


@dataclass(frozen=True, slots=True, init=False)
class ConcentratedMechanism(Symmetric, NeverFails):
    r"""A ρ-zero-concentrated differentially private mechanism, ``count`` times.

    Attributes:
        rho: ρ >= 0, rational.
        count: as for :class:`~exactdp.mechanisms.approximate.Mechanism`.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> ConcentratedMechanism("1/8").rho
    mpq(1,8)
    """

    rho: mpq
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (Key("rho"),)

    def __init__(self, rho: Number, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        set_field(self, "rho", not_negative(as_rational(rho, "rho"), "rho"))
        self._counted(count, label)

    @property
    def given_by(self) -> GivenBy:
        return "rho-mu" if self.rho else "epsilon-delta"

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """None by itself: ρ of all mechanisms together is one curve."""
        yield from ()

    def divergences(self) -> RenyiBounds:
        """α·ρ at every order α."""
        return RenyiBounds(self.rho)

    def attained(self, _relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """Gaussian noise with μ² = 2ρ."""
        if self.rho:
            yield GaussianPair(2 * self.rho), 1

    def gap(self) -> str:
        return GAP_OF_DIVERGENCES if self.rho else ""

    def attained_by(self, _relation: str) -> Iterator[str]:
        if self.rho:
            yield "of those given by ρ, by Gaussian noise with μ² = 2ρ"

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> mpq:
        """Its ρ."""
        return self.rho

    def attained_rho(self) -> mpq:
        """Of Gaussian noise, which may be the mechanism."""
        return self.rho

    def rho_estimate(self) -> mpq:
        """Its ρ."""
        return self.rho

    def ordering(self) -> Order:
        """By ρ."""
        return Order((type(self),), (self.rho,))

    @property
    def adds_up(self) -> bool:
        return True

    def for_group(self, times: int) -> ConcentratedMechanism:
        return self.scaled(mpq(times))

    def scaled(self, factor: mpq) -> ConcentratedMechanism:
        return replace(self, rho=self.rho * factor**2)

    def promise(self) -> tuple[str, mpq]:
        """Its ρ."""
        return "rho", self.rho

    def with_promise(self, size: mpq) -> ConcentratedMechanism:
        return replace(self, rho=size)
