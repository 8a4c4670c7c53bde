"""Coprime bases: pairwise coprime, complete, and found without factoring."""

from __future__ import annotations

from itertools import combinations
from math import gcd, prod

from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.coprime import coordinates, coprime_basis, exponents
from exactdp.arithmetic.numbers import ExactNumber
from tests.arithmetic.strategies import numbers

INTEGERS = st.lists(st.integers(1, 10**12) | st.integers(1, 200), max_size=8)


@given(INTEGERS)
def test_members_are_pairwise_coprime_and_above_one(integers: list[int]) -> None:
    basis = [int(p) for p in coprime_basis(integers)]
    assert all(p > 1 for p in basis)
    assert all(gcd(p, q) == 1 for p, q in combinations(basis, 2))


@given(INTEGERS)
def test_every_integer_is_a_product_of_powers_of_the_basis(integers: list[int]) -> None:
    basis = coprime_basis(integers)
    for integer in integers:
        powers = exponents(mpq(integer), basis)
        assert prod(int(p) ** e for p, e in zip(basis, powers, strict=True)) == integer


@given(st.lists(numbers(), min_size=1, max_size=4))
def test_coordinates_give_the_numbers_back_in_value(values: list[ExactNumber]) -> None:
    basis, vectors = coordinates(values)
    for number, (rational, *logs) in zip(values, vectors, strict=True):
        terms = [(c, mpq(p)) for c, p in zip(logs, basis, strict=True)]
        rebuilt = ExactNumber.combine(rational, terms)
        _, [difference] = coordinates([number - rebuilt])
        assert not any(difference)


def test_different_writings_of_one_value_have_equal_coordinates() -> None:
    texts = ["ln(4/9)", "2*ln(2/3)", "ln(4) - ln(9)", "ln(12) - 3*ln(3)"]
    _, vectors = coordinates([ExactNumber.parse(text) for text in texts])
    assert len(set(vectors)) == 1
