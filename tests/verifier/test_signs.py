from __future__ import annotations

import math
from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.signs import (
    ceil_quotient,
    coordinates,
    coprime_basis,
    sign,
    sign_of_sum,
)
from exactdp.verifier.format.numbers import Number, linear, parse
from exactdp.verifier.format.outcomes import RejectedError
from tests.marking import each_case

ratios = st.fractions(min_value=1, max_value=10**9, max_denominator=10**6)
coefficients = st.fractions(-9, 9, max_denominator=9)
numbers = st.builds(
    lambda rational, logs: linear(
        [(1, Number(rational)), *((c, Number(Fraction(0), ((Fraction(1), r),))) for c, r in logs)]
    ),
    coefficients,
    st.lists(st.tuples(coefficients, ratios.filter(lambda r: r > 1)), max_size=3),
)


@each_case(
    ("text", "expected"),
    [
        ("0", 0),
        ("-1/7", -1),
        ("3", 1),
        ("ln(4) - 2*ln(2)", 0),
        ("ln(6) - ln(2) - ln(3)", 0),
        ("1/2*ln(9/4) - ln(3/2)", 0),
        ("ln(8/27) + 3*ln(3/2)", 0),
        ("ln(2^3000) - 3000*ln(2)", 0),
        ("ln(12) + ln(18) - 3*ln(6)", 0),
        ("ln(12) + ln(18) - 3*ln(6) + 1e-100", 1),
        ("ln(3) - 1", 1),
        ("ln(2) - 0.6931471805599453094172321214581765680756", -1),
        ("ln(2) - 0.6931471805599453094172321214581765680755", 1),
        ("ln(1e100+1)".replace("1e100+1", "1" + "0" * 99 + "1") + " - 100*ln(10)", 1),
        ("100*ln(10) - ln(1" + "0" * 199 + "1) + 100*ln(10)", -1),
    ],
)
def test_a_sign_is_exact(text: str, expected: int) -> None:
    assert sign(parse(text)) == expected


def test_a_sign_that_is_read_is_given_up_early() -> None:
    with pytest.raises(RejectedError, match="cannot be decided within the limits"):
        sign(parse("ln(1" + "0" * 499 + "1) - 500*ln(10)"))


def test_a_tie_of_many_logarithms_is_not_looked_for_while_reading() -> None:
    ties = "".join(f" + ln({n}^2) - 2*ln({n})" for n in range(101, 120, 2))
    with pytest.raises(RejectedError, match="too many logarithms"):
        sign(parse("ln(4) - 2*ln(2)" + ties))


def test_a_check_decides_what_reading_gives_up() -> None:
    ties = "".join(f" + ln({n}^2) - 2*ln({n})" for n in range(101, 120, 2))
    assert sign_of_sum([(1, parse("ln(4) - 2*ln(2)" + ties))]) == 0
    assert sign_of_sum([(1, parse("ln(1" + "0" * 499 + "1)")), (-500, parse("ln(10)"))]) == 1
    assert sign_of_sum([(1, parse("ln(2^60000)")), (-60_000, parse("ln(2)"))]) == 0


@pytest.mark.slow
def test_a_check_gives_up_where_nothing_of_that_size_comes_so_close() -> None:
    near = parse("ln(1" + "0" * 4_999 + "1)")
    ties = [(1, parse("".join(f" + ln({n}^2)" for n in range(101, 200, 2)).lstrip(" +")))]
    ties += [(-2, parse(f"ln({n})")) for n in range(101, 200, 2)]
    with pytest.raises(RejectedError, match="cannot be decided within the limits"):
        sign_of_sum([(1, near), (-5000, parse("ln(10)")), *ties])


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(-(10**18), 10**18), numbers), max_size=5))
def test_the_sign_of_a_sum_is_that_of_its_value(terms: list[tuple[int, Number]]) -> None:
    total = linear(terms)
    with mpmath.workprec(600):
        value = mpmath.mpf(total.rational.numerator) / total.rational.denominator
        for c, r in total.logs:
            c_r = mpmath.mpf(c.numerator) / c.denominator
            value += c_r * mpmath.log(mpmath.mpf(r.numerator) / r.denominator)
        expected = 0 if abs(value) < mpmath.mpf(2) ** -400 else int(mpmath.sign(value))
    assert sign_of_sum(terms) == expected


@pytest.mark.slow
@given(st.lists(numbers, max_size=4), st.lists(st.integers(1, 10**6), min_size=4, max_size=4))
def test_a_sum_less_itself_is_zero(parts: list[Number], factors: list[int]) -> None:
    terms = list(zip(factors, parts, strict=False))
    total = linear(terms)
    assert sign_of_sum([(1, total), *((-factor, part) for factor, part in terms)]) == 0


@pytest.mark.slow
def test_a_tie_of_too_many_logarithms_is_given_up() -> None:
    logs = tuple((Fraction((-1) ** n, 10**60), Fraction(n + 2)) for n in range(10_001))
    with pytest.raises(RejectedError, match="too many logarithms"):
        sign_of_sum([(1, Number(Fraction(0), logs))])


@given(st.lists(st.integers(1, 10**6), max_size=8))
def test_a_coprime_basis_is_coprime_and_generates(integers: list[int]) -> None:
    basis = coprime_basis(integers)
    assert all(p > 1 for p in basis)
    assert all(math.gcd(p, q) == 1 for i, p in enumerate(basis) for q in basis[:i])
    for integer in integers:
        rest = integer
        for p in basis:
            while rest % p == 0:
                rest //= p
        assert rest == 1


def test_a_coprime_basis_of_large_powers_comes_at_once() -> None:
    assert coprime_basis([2**200_001, 2**3, 6]) == [2, 3]
    semiprime = (2**89 - 1) * (2**107 - 1)
    assert coprime_basis([semiprime, semiprime**2]) == [semiprime]


@given(st.lists(st.tuples(st.fractions(-9, 9, max_denominator=9), ratios), max_size=4))
def test_coordinates_denote_the_number(logs: list[tuple[Fraction, Fraction]]) -> None:
    number = Number(Fraction(5, 7), tuple(logs))
    basis, [vector] = coordinates([number])
    assert vector[0] == Fraction(5, 7)
    over_basis = zip(vector[1:], map(Fraction, basis), strict=True)
    same = Number(vector[0], tuple((c, p) for c, p in over_basis if c))
    assert sign_of_sum([(1, number), (-1, same)]) == 0


@pytest.mark.parametrize(
    ("number", "unit", "expected"),
    [
        ("1/10", "1/10", (1, True)),
        ("1/10", "3/100", (4, False)),
        ("0", "1/10", (0, True)),
        ("ln(8)", "ln(2)", (3, True)),
        ("ln(9)", "ln(2)", (4, False)),
        ("ln(4) - 2*ln(2)", "1/3", (0, True)),
        ("1", "1e-30", (10**30, True)),
        ("1/3", "1e-30", (333333333333333333333333333334, False)),
    ],
)
def test_a_quotient_is_rounded_up_exactly(
    number: str, unit: str, expected: tuple[int, bool]
) -> None:
    assert ceil_quotient(parse(number), parse(unit)) == expected


def test_a_unit_below_what_reading_decides_is_rejected() -> None:
    with pytest.raises(RejectedError, match="the unit is too small"):
        ceil_quotient(parse("1"), parse("1/1" + "0" * 400 + "*ln(2)"))
    with pytest.raises(RejectedError, match="too many units"):
        ceil_quotient(parse("1" + "0" * 40 + "*ln(3)"), parse("ln(2)"))
