"""Enclosures in doubles contain what balls say, for drawn numbers and hard ones."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isfinite, nextafter

import numpy as np
import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.doubles import Enclosures
from exactdp.arithmetic.enclosures import precision
from exactdp.arithmetic.transforms import ROUNDING, Reals

BITS = 2400
"""More than the digits of 1 less the least tail that is looked at."""

HARD = (0.0, -0.0, 5e-324, -5e-324, 2.3e-308, 1e-300, 1.0, -1.0, 1.8e308, -1.8e308)


def about(*points: float) -> list[float]:
    """Numbers, and the doubles next to them on both sides."""
    return [each for at in points for each in (nextafter(at, -inf), at, nextafter(at, inf))]


def drawn(most: float, *hard: float) -> Reals:
    """Numbers of all sizes up to one, of either sign, and some more."""
    random = np.random.default_rng(round(most))
    sizes = most * 10.0 ** -(20 * random.random(900) ** 4)
    near = random.normal(size=300) * 10.0 ** -random.integers(0, 300, 300)
    return np.concatenate([np.where(random.random(900) < 0.5, -sizes, sizes), near, [*HARD, *hard]])


def check(
    values: Reals, found: Enclosures, true: Callable[[arb], arb], limits: tuple[float, float]
) -> int:
    """See that all are enclosed; how many to 12 digits.

    Args:
        values: the arguments.
        found: what is said of them.
        true: the function.
        limits: what it is at -∞ and at ∞.
    """
    narrow = 0
    with precision(BITS):
        for value, low, high in zip(values, found.low, found.high, strict=True):
            if isfinite(value):
                exact = true(arb(float(value)))
                assert low == -inf or arb(float(low)) <= exact, value
                assert high == inf or exact <= arb(float(high)), value
                narrow += bool(arb(float(high)) - arb(float(low)) <= abs(exact) * 1e-12)
            else:
                limit = limits[int(value > 0)]
                assert low <= limit <= high
    return narrow


def tail(point: arb) -> arb:
    return arb(0.5) if point == 0 else (point / arb(2).sqrt()).erfc() / 2


def test_normal_tails_are_enclosed_from_end_to_end() -> None:
    values = drawn(40.0, inf, -inf, *about(0.25, -0.25, 0.75, 25.75, 26.0, -26.0, 37.5, 39.0))
    said = check(values, Enclosures.exactly(values).tail(), tail, (1.0, 0.0))
    assert said > 0.8 * len(values)


def test_a_tail_errs_by_no_more_than_its_bound() -> None:
    """By a part of the bound: what is proved is not what is hoped."""
    values = np.random.default_rng(5).random(2000) * 26
    found = Enclosures.exactly(values).tail()
    with precision(200):
        for value, low, high in zip(values, found.low, found.high, strict=True):
            exact = tail(arb(float(value)))
            bound = (80 + 1.25 * value**2 / 2) * ROUNDING
            assert arb(float(low)) / exact - 1 <= -bound / 8
            assert arb(float(high)) / exact - 1 >= bound / 8


def test_powers_of_e_are_enclosed() -> None:
    values = drawn(750.0, inf, -inf, *about(700.0, -700.0, 709.8, -745.2, -708.4))
    said = check(values, Enclosures.exactly(values).exp(), arb.exp, (0.0, inf))
    assert said > 0.8 * len(values)


def test_powers_of_e_less_1_are_enclosed_to_as_many_digits_near_0() -> None:
    values = drawn(1.0, inf, -inf, *about(1 / 256, -1 / 256, 0.0054, -0.0054, 700.0, -700.0))
    said = check(values, Enclosures.exactly(values).expm1(), arb.expm1, (-1.0, inf))
    assert said > 0.8 * len(values)


def test_logarithms_are_enclosed() -> None:
    values = np.abs(drawn(1e300, inf, *about(0.5, 1.0, 2.0, 1 - 2.0**-8, 1 + 2.0**-8)))
    near_1 = 1 + drawn(0.1)
    positive = np.concatenate([values[values > 0], near_1[near_1 > 0]])

    def true(point: arb) -> arb:
        return arb(0) if point == 1 else point.log()

    said = check(positive, Enclosures.exactly(positive).log(), true, (0.0, inf))
    assert said > 0.5 * len(positive)


def test_the_logarithm_of_0_and_less_is_beyond_every_double() -> None:
    found = Enclosures.exactly(np.array([0.0, -1.0, -inf])).log()
    assert (found.low == -inf).all()
    assert (found.high < -1e308).all()


@pytest.mark.parametrize("scalar", [mpq(1, 3), mpq(10), mpq(1, 10**12)])
def test_sums_and_products_with_rationals_are_enclosed(scalar: mpq) -> None:
    values = drawn(1e6)
    ball = arb(int(scalar.numerator)) / int(scalar.denominator)
    inside = Enclosures.exactly(values)
    with precision(BITS), np.errstate(over="ignore"):
        ball = arb(int(scalar.numerator)) / int(scalar.denominator)
        check(values, inside + scalar, lambda x: x + ball, (-inf, inf))
        check(values, inside - scalar, lambda x: x - ball, (-inf, inf))
        check(values, inside * scalar, lambda x: x * ball, (-inf, inf))
        check(values, inside / scalar, lambda x: x / ball, (-inf, inf))


def odd(point: arb) -> arb:
    """An odd function."""
    return abs(point).expm1() if point > 0 else -abs(point).expm1()


def test_a_wide_enclosure_stays_around_what_it_was_about() -> None:
    random = np.random.default_rng(8)
    middle, wide = random.normal(size=300) * 5, random.random(300)
    given = Enclosures(middle - wide, middle + wide)
    for found, true in ((given.tail(), tail), (given.exp(), arb.exp), (given.expm1(), arb.expm1)):
        check(middle, found, true, (0.0, 0.0))
    check(middle, given.size(), abs, (0.0, 0.0))
    check(middle, given.size().sqrt(), lambda x: abs(x).sqrt(), (0.0, 0.0))
    check(middle, given.size().expm1().with_signs(given), odd, (0.0, 0.0))
    check(middle, -given, lambda x: -x, (0.0, 0.0))
    check(given.middle(), given, lambda x: x, (0.0, 0.0))
