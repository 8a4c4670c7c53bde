r"""Pairs of laws: what a family of mechanisms is by its noise.

Rules of this file: P is the law of the answer with the record, Q that without it; a probability is
enclosed, or from below where it says so; a loss is an enclosure by rationals, a point where exact.

Theory of operation: the privacy loss is ln(P/Q), the profile h(y) = sup_S P(S) - y·Q(S). A pair is
listed output by output (``tables``), or known by its profile, and by the tails of its loss if it
can be cut (``curves``). The other direction exchanges P and Q: its profile is 1 - y + y·h(1/y), its
losses are opposite.

Sources: certs/SPEC.md, section 7.4.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.dots import Losses, Mesh, Points
from ..arithmetic.enclosures import Enclosure, ceil_div, enclose_exact, enclose_ln, exp_fixed
from ..format.meter import of_division, pay
from ..format.numbers import size

Ends: TypeAlias = tuple[Fraction, Fraction]
"""An enclosure of a loss."""

MAX_LOSS: Final = 1000


class Dominating(ABC):
    """What dominates mechanisms: a pair of laws (P, Q), or with ``back`` the pair (Q, P)."""

    told_by: ClassVar[str] = ""
    """Under which name a plan says something of each such pair; it becomes the field ``told``."""

    @abstractmethod
    def dots(self, points: Points, mesh: Mesh, *, back: bool) -> Losses:
        """P on the mesh, so that the profile does not fall."""


class Pair(ABC):
    """The laws of one mechanism."""

    told_by: ClassVar[str] = ""
    """As above."""

    @abstractmethod
    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """P and Q of scores near losses, from the first point to the last."""

    def at_infinity(self, *, back: bool) -> Fraction:  # noqa: ARG002 (of most there is none)
        """The probability of outputs that the other law never has."""
        return Fraction(0)

    def is_unbounded(self, *, back: bool) -> bool:  # noqa: ARG002 (most losses are bounded)
        """Whether finite losses have no greatest value; False also where it is not known."""
        return False


Law: TypeAlias = Dominating | Pair


# --- arithmetic ---------------------------------------------------------------------------------


def exp_of(exponent: Fraction, bits: int) -> Enclosure:
    """The exponential of a rational."""
    return exp_fixed(enclose_exact(exponent, bits), bits)


def log_of(ratio: Fraction, bits: int) -> Ends:
    """The logarithm of a rational above 0."""
    pay(2 * of_division(bits + size(ratio)))
    low, high = enclose_ln(ratio, bits) if ratio >= 1 else opposite(enclose_ln(1 / ratio, bits))
    return Fraction(low, 1 << bits), Fraction(high, 1 << bits)


def opposite(ends: Enclosure) -> Enclosure:
    """A value times -1."""
    return -ends[1], -ends[0]


def one_less(one: int, ends: Enclosure) -> Enclosure:
    """1 less a value."""
    return one - ends[1], one - ends[0]


def quotient(above: Enclosure, below: Enclosure, bits: int) -> Enclosure:
    """A quotient of values at least 0, the divisor above 0."""
    pay(2 * of_division(2 * bits + below[1].bit_length()))
    return (above[0] << bits) // below[1], ceil_div(above[1] << bits, below[0])
