"""Tables that are chosen in the light of earlier answers, summed over all outputs in rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball_of_rational, precision, upper_end
from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    LaplaceMechanism,
    PairMechanism,
    RenyiMechanism,
)

Law = tuple[Fraction, ...]
Pair = tuple[Law, Law]
Channel = tuple[Law, ...]
"""For each answer of a table the law of what is said instead."""

DELTA = Fraction(1, 50)


def _law(weights: Sequence[int]) -> Law:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def _laws(size: int) -> st.SearchStrategy[Law]:
    return st.lists(st.integers(1, 9), min_size=size, max_size=size).map(_law)


TABLES = st.tuples(_laws(2), _laws(2))
CHANNELS = st.tuples(_laws(3), _laws(3))


def _said(law: Law, channel: Channel) -> Law:
    """The law of what is said instead of an answer."""
    rows = list(zip(law, channel, strict=True))
    return tuple(sum((p * row[i] for p, row in rows), Fraction(0)) for i in range(len(channel[0])))


def _adaptive(first: Pair, second: Pair, third: Pair, channels: Sequence[Channel]) -> list[Pair]:
    """The laws of all outputs, where each later answer is garbled as earlier ones say."""
    laws: list[list[Fraction]] = [[], []]
    for one in range(2):
        for two, three in product(range(3), range(2)):
            garbled = channels[one], channels[2 + two % 2]
            for law, (p, q, r) in zip(laws, zip(first, second, third, strict=True), strict=True):
                later = _said(q, garbled[0])[two]
                last = _said(r, tuple((row[0], row[1] + row[2]) for row in garbled[1]))[three]
                law.append(p[one] * later * last)
    return [(tuple(laws[0]), tuple(laws[1])), (tuple(laws[1]), tuple(laws[0]))]


def _divergence(pair: Pair, y: Fraction) -> Fraction:
    terms = (p - y * q for p, q in zip(*pair, strict=True))
    return sum((term for term in terms if term > 0), Fraction(0))


def _odds(epsilon: mpq) -> Fraction:
    """A rational above e^ε."""
    with precision(128):
        above = upper_end(ball_of_rational(epsilon).exp())
    return Fraction(int(above.numerator), int(above.denominator))


@pytest.mark.slow  # a hundred ledgers are composed
@settings(deadline=None, max_examples=100)
@given(TABLES, TABLES, TABLES, st.lists(CHANNELS, min_size=4, max_size=4))
def test_tables_that_depend_on_earlier_answers_stay_below_what_is_certified(
    first: Pair, second: Pair, third: Pair, channels: list[Channel]
) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: adaptive mechanisms, each of them dominated."""
    mechanisms = [PairMechanism(p, q) for p, q in (first, second, third)]
    answer = compose(
        Ledger.of(mechanisms, neighbouring="add-remove-one"), delta=str(DELTA), tolerance="1e-2"
    )
    assert answer.upper is not None
    y = _odds(answer.upper)
    garbled = _adaptive(first, second, third, channels)
    assert all(_divergence(pair, y) <= DELTA for pair in garbled)


def test_garbling_nothing_reaches_the_lower_end() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: the tables themselves are a composition."""
    table = _law([3, 1]), _law([1, 4])
    plain = (_law([1, 0, 0]), (Fraction(0), Fraction(1, 2), Fraction(1, 2)))
    answer = compose(
        Ledger.of([PairMechanism(*table, 3)], neighbouring="add-remove-one"),
        delta=str(DELTA),
        tolerance="1e-3",
    )
    assert answer.lower is not None
    found = max(
        _divergence(pair, _odds(answer.lower - mpq(1, 10**6)))
        for pair in _adaptive(table, table, table, [plain] * 4)
    )
    assert found > DELTA


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(TABLES, st.integers(1, 4), st.integers(1, 8))
def test_orders_never_give_less_than_tables_do(table: Pair, count: int, rho: int) -> None:
    """Canonne, Kamath & Steinke, NeurIPS 2020, Prop. 12: Rényi divergences convert from above."""
    pair, beside = PairMechanism(*table, count), ConcentratedMechanism(Fraction(rho, 10**6))
    known, answer = (
        compose(Ledger.of(each, neighbouring="add-remove-one"), delta="1/50", tolerance="1e-2")
        for each in ([pair], [pair, beside])
    )
    assert known.lower is not None
    assert answer.lower is not None
    assert answer.upper is not None
    assert answer.lower <= answer.upper
    assert known.lower <= answer.upper


@pytest.mark.slow
@settings(deadline=None, max_examples=8)
@given(st.integers(1, 20), st.integers(1, 5), st.integers(1, 9))
def test_more_mechanisms_by_orders_reveal_more(scale: int, count: int, bound: int) -> None:
    """Mironov, CSF 2017, Prop. 1: divergences of one order add up."""
    listed = RenyiMechanism([("2", Fraction(bound, 100)), ("16", Fraction(bound, 10))], count)
    fewer = [LaplaceMechanism(scale, 1, count), listed]
    answers = [
        compose(Ledger.of(each), delta="1e-5", tolerance="1e-2").upper
        for each in (fewer, [*fewer, BoundedRangeMechanism("1/3")])
    ]
    assert answers[0] is not None
    assert answers[1] is not None
    assert answers[0] <= answers[1]
