r"""Three laws: what a record does to a batch, what its neighbour does, and the batch without both.

Rules of this file: as in ``pairs_of_laws``; an output at which something is evaluated may be any,
and only decides how close an enclosure is.

Theory of operation: a record is in a batch, instead of another, or its neighbour is, which is the
record zeroed out, or replaced; R is the law of the batch with neither, P that with the record, Q
that with its neighbour. By Gaussian noise on sums of records of norm at most 1 any two of these are
within 1 or 2 of each other, in the units of the noise. How much a batch *lacks* is yQ/R - P/R. At
every u it has at most the call function

    C(u) = sup_S y·Q(S) - P(S) - u·R(S),

the supremum over all laws at such distances: Q's outputs against those that are furthest away.
Where a record is zeroed out it is y·G((1 + u)/y) for u > 0, with G the profile of noise around 0
and 1; and for u <= 0, with N, M', M noise around 0, 1 and 2, that of a half-line on which M is
least: y·M' - M - u·N of all outputs below x, for e^{2x - 2s} - y·e^{x - s/2} + u = 0 in units of
the variance, s its inverse. With y' for which an x is the right one, C is at most that for y,
and |y - y'| more. Where it is replaced, the record and its neighbour are opposites, and R lies
beside the one or the other.

Sources: certs/SPEC.md, sections 7.4 and 7.5.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar

from ..arithmetic.enclosures import (
    Enclosure,
    ceil_shift,
    enclose_exact,
    enclose_ln,
)
from ..arithmetic.normal import gaussian_profile
from ..arithmetic.tails import upper_tail
from ..format.meter import of_division, pay
from ..format.numbers import size
from ..format.outcomes import RejectedError
from .pairs_of_laws import Dominating, Pair, exp_of, opposite, quotient
from .replaced import logarithm_of


@dataclass(frozen=True)
class Batches(ABC):
    """``count`` mechanisms with Gaussian noise of a variance on the sums of batches."""

    family: ClassVar[str] = "noise"

    variance: Fraction
    count: int
    text: bytes
    """Its bytes in a statement, without the count."""

    @abstractmethod
    def dominating(self, relation: str) -> Iterable[tuple[Dominating, int]]:
        """What no mechanism exceeds, and how often it is there."""

    @abstractmethod
    def attained(self, relation: str, _tilt: Fraction) -> Iterable[tuple[Pair, int]]:
        """What a mechanism has where all other records pull the other way."""


# --- a record that is zeroed out, all others against it -----------------------------------------


def near(odds: int, rest: int, square: Fraction, bits: int) -> Fraction:
    """About ln X, for X²·e^{-2s} - yX·e^{-s/2} - v = 0 with v >= 0, s the square; y and v in bits.

    With the equation times e^{2s}.
    """
    pay(20 * of_division(4 * bits))
    own = odds * exp_of(3 * square / 2, bits)[0] >> bits
    far = rest * exp_of(2 * square, bits)[0] >> bits
    root = isqrt(own * own + 4 * far * (1 << bits))
    return logarithm_of(Fraction(own + root, 2 << bits), bits)


def beyond(output: Fraction, square: Fraction, bits: int) -> tuple[Enclosure, Enclosure, Enclosure]:
    """Noise around 2, 0 and 1 beyond an output: values of Φ."""
    return (
        upper_tail(output - 2 * square, square, bits),
        upper_tail(output, square, bits),
        upper_tail(output - square, square, bits),
    )


def ratios(output: Fraction, square: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
    """Their densities over that around 0, e^{2x - 2s} and e^{x - s/2}."""
    return exp_of(2 * (output - square), bits), exp_of(output - square / 2, bits)


# --- the call function --------------------------------------------------------------------------


def lacking(loss: Fraction, u: Fraction, square: Fraction, bits: int, *, far: bool) -> Enclosure:
    """C(u) for y = e^loss and noise of 1/square; ``far``: where a record is replaced."""
    pay(30 * of_division(3 * bits + size(u) + size(square) + size(loss)))
    odds = exp_of(loss, bits)
    if u > 0:
        ratio = _less(_ln(1 + u, bits), enclose_exact(loss, bits))
        return _scaled(odds, gaussian_profile(ratio, 4 * square if far else square, bits), bits)
    if far:
        low, high = enclose_exact(-u, bits)
        all_odds = odds[0] + low, odds[1] + high
        ends = (_ln(Fraction(each, 1 << bits), bits) for each in all_odds)
        (below, _), (_, above) = ends
        return _scaled(all_odds, gaussian_profile((-above, -below), 4 * square, bits), bits)
    return _against_all(odds, -u, square, bits)


def _against_all(odds: Enclosure, v: Fraction, square: Fraction, bits: int) -> Enclosure:
    """y·M' - M + v·N of all outputs below one near the best."""
    rest, one = enclose_exact(v, bits), 1 << bits
    output = near(odds[0], rest[0], square, bits)
    m, n, other = ((one - high, one - low) for low, high in beyond(output, square, bits))
    above, below = ratios(output, square, bits)
    if above[0] < rest[1] or below[0] <= 0:
        raise RejectedError("an output is not on the side of those that are best")
    off = max(
        above[1] - rest[0] - (odds[0] * below[0] >> bits),
        ceil_shift(odds[1] * below[1], bits) - above[0] + rest[1],
    )
    off = quotient((0, max(0, off)), below, bits)[1]
    (o_low, o_high), (n_low, n_high) = _scaled(odds, other, bits), _scaled(rest, n, bits)
    return o_low + n_low - m[1], o_high + n_high - m[0] + off


def _scaled(factor: Enclosure, value: Enclosure, bits: int) -> Enclosure:
    """A product with a factor of at least 0, the value at least 0 as well."""
    return factor[0] * max(0, value[0]) >> bits, ceil_shift(factor[1] * value[1], bits)


def _less(one: Enclosure, other: Enclosure) -> Enclosure:
    return one[0] - other[1], one[1] - other[0]


def _ln(value: Fraction, bits: int) -> Enclosure:
    """The logarithm of a rational above 0."""
    return enclose_ln(value, bits) if value >= 1 else opposite(enclose_ln(1 / value, bits))
