"""The closed forms against mpmath at 50 digits, written down again from their theorems."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.closed_forms.formulas import (
    advanced_composition,
    greatest_step,
    kairouz_oh_viswanath,
)
from exactdp.composition.problem import Problem
from exactdp.ledger.model import Ledger
from tests.composition.oracle import fraction
from tests.marking import each_case, slow_after

DIGITS = 50
BITS = 400
EPSILONS = {
    "0.1": "0.1",
    "1e-12": "1e-12",
    "0.007": "0.007",
    "3": "3",
    "20": "20",
    "ln(3)": "log(3)",
    "1/2*ln(5)": "log(5)/2",
}
SEEDS = range(60)


def real(text: str) -> Any:  # noqa: ANN401 (mpmath ships no types)
    return mpmath.mpf(text) if "log" not in text else logarithm(text)


def logarithm(text: str) -> Any:  # noqa: ANN401 (as above)
    body, _, divisor = text.partition("/")
    return mpmath.log(int(body[4:-1])) / int(divisor or 1)


def assert_holds(ball: arb, value: Any) -> None:  # noqa: ANN401 (as above)
    """The ball holds the value to all digits of mpmath, and is as narrow as they are."""
    error = Fraction(10) ** (3 - DIGITS) * (1 + abs(exactly(value)))
    low, high = fraction(lower_end(ball)), fraction(upper_end(ball))
    assert high - low < error
    assert low - error <= exactly(value) <= high + error


def exactly(value: Any) -> Fraction:  # noqa: ANN401 (as above)
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)


def random_groups(chance: Random, most: int) -> list[tuple[str, int]]:
    names = chance.sample(sorted(EPSILONS), chance.randint(1, most))
    return [(name, chance.randint(1, 10 ** chance.randint(0, 6))) for name in names]


@each_case("seed", SEEDS)
def test_advanced_composition_is_its_formula(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 (examples, not secrets)
    [(name, k)] = random_groups(chance, 1)
    rest = mpq(chance.randint(1, 10**9), 10**9) ** chance.choice([1, 1, 20])
    value = advanced_composition(ExactNumber.parse(name), k, rest, BITS)
    with mpmath.workdps(DIGITS):
        e = real(EPSILONS[name])
        log = mpmath.log(mpmath.mpf(int(rest.denominator)) / int(rest.numerator))
        assert_holds(value, mpmath.sqrt(2 * k * log) * e + k * e * mpmath.expm1(e))


@each_case("seed", SEEDS)
def test_both_expressions_of_kairouz_oh_viswanath_are_their_formulas(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 (examples, not secrets)
    groups = random_groups(chance, 4)
    rest = mpq(chance.randint(1, 10**9), 10**9) ** chance.choice([1, 1, 20])
    parsed = [(ExactNumber.parse(name), k) for name, k in groups]
    with precision(BITS):
        found = kairouz_oh_viswanath(parsed, ball_of_rational(rest), BITS)
    with mpmath.workdps(DIGITS):
        losses = [(real(EPSILONS[name]), k) for name, k in groups]
        mean = mpmath.fsum(k * e * mpmath.expm1(e) / (mpmath.exp(e) + 1) for e, k in losses)
        square = mpmath.fsum(k * e * e for e, k in losses)
        inverse = mpmath.mpf(int(rest.denominator)) / int(rest.numerator)
        inner = mpmath.e + mpmath.sqrt(square) * inverse
        first = mean + mpmath.sqrt(2 * square * mpmath.log(inner))
        second = mean + mpmath.sqrt(2 * square * mpmath.log(inverse))
        assert_holds(found.least, min(first, second))


@pytest.mark.parametrize("seed", slow_after(4, SEEDS))
def test_the_greatest_step_is_that_of_the_theorems_sum(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 (examples, not secrets)
    name, k = chance.choice(sorted(set(EPSILONS) - {"1e-12"})), chance.randint(1, 80)
    allowed = mpq(1, chance.choice([2, 3, 100, 2**60, 10**25]))
    step = greatest_step(ExactNumber.parse(name), k, arb(1) / int(allowed.denominator), 300)
    with mpmath.workdps(DIGITS):
        e, limit = real(EPSILONS[name]), mpmath.mpf(1) / int(allowed.denominator)
        enough = [i for i in range(k // 2 + 1) if theorem_1_4(e, k, i) <= limit]
        assert step.index == max(enough)
        slack = limit - theorem_1_4(e, k, step.index)
        assert 0 < step.slack <= mpq(exactly(slack)) + mpq(1, 10**30)


def theorem_1_4(e: Any, k: int, i: int) -> Any:  # noqa: ANN401 (mpmath ships no types)
    """The sum of Murtagh and Vadhan's Theorem 1.4, over (1 + e^ε)^k."""
    terms = (
        mpmath.binomial(k, j) * (mpmath.exp((k - j) * e) - mpmath.exp((k - 2 * i + j) * e))
        for j in range(i)
    )
    return mpmath.fsum(terms) / (1 + mpmath.exp(e)) ** k


def test_a_delta_next_to_one_is_no_trouble() -> None:
    near = 1 - mpq(1, 10**80)
    for rest in (mpq(1), near):
        assert upper_end(advanced_composition(ExactNumber.of(1), 1, rest, 64)) < mpq("1.7182818285")
        found = kairouz_oh_viswanath([(ExactNumber.of(1), 1)], ball_of_rational(rest), 64)
        assert found.plain.is_finite()


def test_precision_narrows_the_ball_and_both_balls_overlap() -> None:
    problem = Problem.of(Ledger.of([("0.1", "1e-9", 50), ("ln(2)", 0, 3)]))
    budget = problem.allowed(mpq(1, 10**6))
    coarse, fine = (
        kairouz_oh_viswanath(problem.epsilons, budget.ball(bits), bits).least for bits in (60, 300)
    )
    assert coarse.overlaps(fine)
    assert fine.rad() < coarse.rad()
