r"""Enclosures of many numbers at once in doubles: sums, powers of e, logarithms, normal tails.

Rules of this file: only sums, products, quotients, roots and comparisons of doubles are used, which
are rounded to the nearest one, beside scaling by powers of 2; no exponential or other function of a
library is called, for none has a proved bound. An end is moved outward by the bound of what it may
err by, u = 2^-53 being that of one rounding.

Theory of operation: e^y is 2^{k/64}·e^r with \|r\| below 0.0055; ln x is e·ln 2 + ln c + ln(1 + r)
for a tabled c within 1/128 of the fraction of x. A normal tail is e^{-x²/2} times a Mills ratio M,
of which the Taylor polynomial around the next multiple of 1/2 is tabled: its coefficients alternate
in sign, and its terms sum up to at most 1.6·M(x) in size.

Source: docs/guarantees.md, Doubles, has the proofs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf, nextafter
from typing import Final, TypeAlias

import numpy as np
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, precision
from exactdp.arithmetic.transforms import ROUNDING, Reals

Scalar: TypeAlias = "arb | mpq"

_BITS: Final = 300
_SPARE_BITS: Final = 17
_PARTS: Final = 64
_OF_EXP: Final = 8 * ROUNDING
_OF_LOG: Final = 8 * ROUNDING
_FURTHEST: Final = 700.0
_DEGREE_OF_EXP: Final = 7
_DEGREE_OF_LOG: Final = 9
_DEGREE: Final = 16
_LAST: Final = 26.0
_ROWS: Final = 16
_KEPT: Final = 256
_OF_TAIL: Final = 80 * ROUNDING
_OF_SQUARE: Final = 1.25 * ROUNDING


@dataclass(frozen=True, slots=True)
class Enclosures:
    """Numbers that lie between two doubles each, of which an end may be infinite."""

    low: Reals
    high: Reals

    @staticmethod
    def exactly(values: Reals) -> Enclosures:
        """Doubles themselves."""
        return Enclosures(values, values)

    def __neg__(self) -> Enclosures:
        """Their opposites."""
        return Enclosures(-self.high, -self.low)

    def __add__(self, other: Enclosures | Scalar) -> Enclosures:
        """Sums."""
        other = _enclosed(other)
        return _outward(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Enclosures | Scalar) -> Enclosures:
        """Differences."""
        return self + -_enclosed(other)

    def __mul__(self, other: Enclosures | Scalar) -> Enclosures:
        """Products with what is above 0."""
        other = _enclosed(other)
        low, high = self.low, self.high
        return _outward(
            low * np.where(low < 0, other.high, other.low),
            high * np.where(high < 0, other.low, other.high),
        )

    def __truediv__(self, other: Enclosures | Scalar) -> Enclosures:
        """Quotients by what is above 0."""
        other = _enclosed(other)
        low, high = self.low, self.high
        return _outward(
            low / np.where(low < 0, other.low, other.high),
            high / np.where(high < 0, other.high, other.low),
        )

    def sqrt(self) -> Enclosures:
        """Roots of what is at least 0."""
        found = _outward(np.sqrt(np.maximum(self.low, 0.0)), np.sqrt(self.high))
        return Enclosures(np.maximum(found.low, 0.0), found.high)

    def size(self) -> Enclosures:
        """Absolute values."""
        low, high = np.abs(self.low), np.abs(self.high)
        around_0 = (self.low < 0) & (self.high > 0)
        return Enclosures(np.where(around_0, 0.0, np.minimum(low, high)), np.maximum(low, high))

    def with_signs(self, other: Enclosures) -> Enclosures:
        """Their opposites where another one is below 0, which is 0 where these are."""
        return Enclosures(
            np.where(other.low < 0, -self.high, self.low),
            np.where(other.high <= 0, -self.low, self.high),
        )

    def middle(self) -> Reals:
        """A double of each."""
        return np.where(self.low == self.high, self.low, self.low / 2 + self.high / 2)

    def exp(self) -> Enclosures:
        """Powers of e."""
        low, high = _exp(self.low), _exp(self.high)
        low, high = low * (1 - _OF_EXP), high * (1 + _OF_EXP)
        return Enclosures(
            np.where(self.low < -_FURTHEST, 0.0, low),
            np.where(self.high > _FURTHEST, inf, high),
        )

    def expm1(self) -> Enclosures:
        """Powers of e, less 1: near 0 by their Taylor polynomial."""
        whole = self.exp()
        low, high = np.nextafter(whole.low - 1, -inf), np.nextafter(whole.high - 1, inf)
        return Enclosures(
            np.where(np.abs(self.low) < 1 / 256, _near_0(self.low, -_OF_EXP), low),
            np.where(np.abs(self.high) < 1 / 256, _near_0(self.high, _OF_EXP), high),
        )

    def log(self) -> Enclosures:
        """Natural logarithms, of what is below 0 as of 0."""
        low, high = _log(self.low), _log(self.high)
        return _outward(low - _error_of_log(low), high + _error_of_log(high))

    def tail(self) -> Enclosures:
        """The probability that a standard normal variable is above them."""
        return Enclosures(_tail(self.high)[0], _tail(self.low)[1])


def _enclosed(value: Enclosures | Scalar) -> Enclosures:
    if isinstance(value, Enclosures):
        return value
    return _around(value) if isinstance(value, arb) else _around_rational(value)


@lru_cache(maxsize=_KEPT)
def _around_rational(value: mpq) -> Enclosures:
    with precision(_BITS):
        return _around(ball_of_rational(value))


def _around(value: arb) -> Enclosures:
    """One number, rounded outward."""
    low, high = float(value.lower()), float(value.upper())
    return Enclosures(np.array([nextafter(low, -inf)]), np.array([nextafter(high, inf)]))


def _outward(low: Reals, high: Reals) -> Enclosures:
    """Ends moved by one double each."""
    return Enclosures(np.nextafter(low, -inf), np.nextafter(high, inf))


# --- powers of e and logarithms -----------------------------------------------------------------


@cache
def _powers_of_2() -> tuple[Reals, float, float]:
    """The values of 2^{k/64}, and ln 2/64 as a double of few digits and what it lacks."""
    with precision(_BITS):
        part = arb.const_log2() / _PARTS
        scale = 2 ** (53 - _SPARE_BITS + 6)
        coarse = float((part * scale).floor()) / scale
        listed = np.array([float((part * k).exp()) for k in range(_PARTS)])
        return listed, coarse, float(part - coarse)


@cache
def _inverse_factorials() -> tuple[float, ...]:
    with precision(_BITS):
        return tuple(float(1 / arb(n).fac()) for n in range(_DEGREE_OF_EXP + 1))


def _exp(values: Reals) -> Reals:
    """The powers of e, within 4u relatively; of what is beyond 700 in size, those of 700."""
    known, coarse, fine = _powers_of_2()
    near = np.clip(values, -_FURTHEST, _FURTHEST)
    steps = np.rint(near / coarse)
    rest = (near - steps * coarse) - steps * fine
    found = np.full_like(rest, _inverse_factorials()[-1])
    for each in reversed(_inverse_factorials()[:-1]):
        found *= rest
        found += each
    whole = steps.astype(np.int64)
    scaled: Reals = np.ldexp(found * known[whole & (_PARTS - 1)], (whole >> 6).astype(np.int32))
    return scaled


def _near_0(values: Reals, error: float) -> Reals:
    """The powers of e, less 1, of numbers below 1/256 in size, moved up or down by an error."""
    near = np.clip(values, -1 / 256, 1 / 256)
    found = np.full_like(near, _inverse_factorials()[-1])
    for each in reversed(_inverse_factorials()[1:-1]):
        found *= near
        found += each
    found *= near
    return found + error * np.abs(found) + (5e-324 if error > 0 else -5e-324)


@cache
def _logarithms() -> tuple[Reals, float]:
    """The logarithms of (2k + 1)/256 for k from 64 on, and of 2."""
    with precision(_BITS):
        listed = [float((arb(2 * k + 1) / 256).log()) for k in range(64, 128)]
        return np.array(listed), float(arb.const_log2())


def _log(values: Reals) -> Reals:
    """The logarithms, within 4u times themselves and 5u more; that of 0 and below is -∞."""
    known, of_2 = _logarithms()
    fraction, exponent = np.frexp(np.where((values > 0) & (values < inf), values, 1.0))
    place = np.floor(fraction * 128).astype(np.int64)
    centre = (2 * place + 1) / 256
    rest = (fraction - centre) / centre
    found = np.full_like(rest, (-1.0) ** (_DEGREE_OF_LOG + 1) / _DEGREE_OF_LOG)
    for n in range(_DEGREE_OF_LOG - 1, 0, -1):
        found *= rest
        found += (-1.0) ** (n + 1) / n
    found *= rest
    found += exponent * of_2 + known[place - 64]
    return np.where(values > 0, np.where(values == inf, inf, found), -inf)


def _error_of_log(found: Reals) -> Reals:
    return np.where(np.isfinite(found), _OF_LOG * (np.abs(found) + 1), 0.0)


# --- normal tails -------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _mills(count: int) -> Reals:
    """Taylor coefficients of M at the first multiples of 1/2, a column for each.

    As M' = xM - 1/√(2π), coefficients of the powers n + 1, n and n - 1 satisfy
    (n + 1)·c_{n+1} = x·c_n + c_{n-1} from n = 1 on.
    """
    found = np.empty((_DEGREE + 1, count))
    with precision(_BITS):
        density = 1 / (2 * arb.pi()).sqrt()
        for k in range(count):
            at = arb(k) / 2
            before = (at / arb(2).sqrt()).erfc() * (at * at / 2).exp() / 2
            after = at * before - density
            for n in range(_DEGREE + 1):
                found[n, k] = float(before)
                before, after = after, (at * after + before) / (n + 2)
    return found


def _tail(values: Reals) -> tuple[Reals, Reals]:
    """Both ends of the normal tails from doubles on."""
    size = np.minimum(np.abs(values), _LAST)
    row = np.rint(2 * size).astype(np.int64)
    count = int(row.max(initial=0)) + 1
    table = _mills(-(-count // _ROWS) * _ROWS)
    step = size - row / 2
    found = table[_DEGREE][row]
    for n in range(_DEGREE - 1, -1, -1):
        found *= step
        found += table[n][row]
    half = size * size / 2
    found *= _exp(-half)
    error = _OF_TAIL + _OF_SQUARE * half
    low, high = found * (1 - error), found * (1 + error)
    low = np.where(size < np.abs(values), 0.0, low)
    high = np.where(np.abs(values) == inf, 0.0, high)
    below, above = 1 - high, 1 - low
    turned = values < 0
    return (
        np.where(turned, np.where(high == 0, 1.0, np.nextafter(below, 0)), low),
        np.where(turned, np.minimum(np.nextafter(above, 2), 1.0), high),
    )
