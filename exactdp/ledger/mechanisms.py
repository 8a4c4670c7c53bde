r"""Mechanisms: the three notions that parameters speak of, and what all noise has in common.

Rules of this file: as in :mod:`exactdp.ledger.model`. The classes of noise stand in
:mod:`exactdp.ledger.noise`, and the closed set of all in :mod:`exactdp.ledger.model`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.errors import DomainError, UnsupportedError
from exactdp.ledger.checks import (
    checked_count,
    checked_epsilon,
    checked_text,
    delta_of_mechanism,
    not_negative,
)

if TYPE_CHECKING:
    from gmpy2 import mpq

ZERO_OUT: Final = "zero-out"

_set = object.__setattr__


@dataclass(frozen=True, slots=True, init=False)
class Mechanism:
    r"""An (ε, δ)-differentially private mechanism, ``count`` times.

    The constructor takes whatever :func:`exactdp.arithmetic.numbers.as_number` takes.

    Attributes:
        epsilon: ε >= 0, in nats.
        delta: 0 <= δ < 1, rational.
        count: how many such mechanisms, an integer from 1 to 10^18.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> Mechanism("0.1", "1e-9", 3).epsilon
    ExactNumber(rational=mpq(1,10), logs=())
    """

    epsilon: ExactNumber
    delta: mpq
    count: int
    label: str

    def __init__(self, epsilon: object, delta: object = 0, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        _set(self, "epsilon", checked_epsilon(epsilon))
        _set(self, "delta", delta_of_mechanism(as_rational(delta, "delta")))
        _set(self, "count", checked_count(count))
        _set(self, "label", checked_text(label, "label"))


@dataclass(frozen=True, slots=True, init=False)
class ConcentratedMechanism:
    r"""A ρ-zero-concentrated differentially private mechanism, ``count`` times.

    Attributes:
        rho: ρ >= 0, rational.
        count: as for :class:`Mechanism`.
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

    def __init__(self, rho: object, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        _set(self, "rho", not_negative(as_rational(rho, "rho"), "rho"))
        _set(self, "count", checked_count(count))
        _set(self, "label", checked_text(label, "label"))


@dataclass(frozen=True, slots=True, init=False)
class GaussianMechanism:
    r"""A μ-Gaussian differentially private mechanism, ``count`` times.

    Gaussian noise of standard deviation σ on a query of L2 sensitivity s has μ = s/σ.

    Attributes:
        mu: μ >= 0, rational.
        count: as for :class:`Mechanism`.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> GaussianMechanism.of_noise(sigma="2", sensitivity="1").mu
    mpq(1,2)
    """

    mu: mpq
    count: int
    label: str

    def __init__(self, mu: object, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        _set(self, "mu", not_negative(as_rational(mu, "mu"), "mu"))
        _set(self, "count", checked_count(count))
        _set(self, "label", checked_text(label, "label"))

    @staticmethod
    def of_noise(
        sigma: object, sensitivity: object, count: int = 1, label: str = ""
    ) -> GaussianMechanism:
        """The mechanism that adds noise of standard deviation ``sigma`` > 0."""
        deviation = as_rational(sigma, "sigma")
        if deviation <= 0:
            raise DomainError(
                field="sigma", value=str(deviation), expected="a rational number above 0"
            )
        reach = not_negative(as_rational(sensitivity, "sensitivity"), "sensitivity")
        return GaussianMechanism(reach / deviation, count, label)


NoiseShape = dict[str, Any]
"""A mechanism as ``exactdp-ledger/1`` has it: nested, its leaves rationals, integers and names."""


class NoiseMechanism(ABC):
    """A mechanism given by its noise, ``count`` times: see :mod:`exactdp.ledger.noise`."""

    __slots__ = ()
    count: int
    label: str

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The neighbouring relations that it is about, the likeliest first; empty for all."""
        return ()

    def refused(self, _neighbouring: str) -> UnsupportedError | None:
        """The error, if the mechanism does not say enough between such neighbours."""
        return None

    @abstractmethod
    def shape(self) -> NoiseShape:
        """How the format writes it, without count and label."""
