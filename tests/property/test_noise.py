"""Laws of mechanisms by their noise, against sums over all outputs in rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import exp, prod

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, LaplaceMechanism, PairMechanism, SampledMechanism

Law = tuple[Fraction, ...]
DELTA = Fraction(1, 50)
NEARLY = Fraction(1, 10**12)
"""More than the doubles of e^ε are off by."""


def _number(end: mpq | None) -> float:
    assert end is not None
    return int(end.numerator) / int(end.denominator)


def _law(weights: Sequence[int]) -> Law:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


LAWS = st.lists(st.integers(1, 9), min_size=2, max_size=3).map(_law)
PAIRS = st.integers(2, 3).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(1, 9), min_size=n, max_size=n).map(_law)] * 2)
)


def _divergence(pairs: Sequence[tuple[Law, Law]], y: Fraction) -> Fraction:
    """The sum over all outputs of all mechanisms."""
    total = Fraction(0)
    for outputs in product(*(range(len(p)) for p, _ in pairs)):
        first = prod((p[i] for (p, _), i in zip(pairs, outputs, strict=True)), start=Fraction(1))
        other = prod((q[i] for (_, q), i in zip(pairs, outputs, strict=True)), start=Fraction(1))
        total += max(Fraction(0), first - y * other)
    return total


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(st.lists(PAIRS, min_size=1, max_size=3))
def test_tables_compose_as_all_their_outputs_do(tables: list[tuple[Law, Law]]) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: pairs of laws compose to their product."""
    mechanisms = [PairMechanism(p, q) for p, q in tables]
    ledger = Ledger.of(mechanisms, neighbouring="add-remove-one")
    answer = compose(ledger, delta=str(DELTA), tolerance="1e-3")
    assert answer.lower is not None
    assert answer.upper is not None
    reverse = [(q, p) for p, q in tables]
    upper = Fraction(exp(_number(answer.upper)))
    assert max(_divergence(each, upper) for each in (tables, reverse)) <= DELTA + Fraction(
        1, 10**12
    )
    if answer.lower:
        lower = Fraction(exp(_number(answer.lower)))
        assert max(_divergence(each, lower) for each in (tables, reverse)) > DELTA - Fraction(
            1, 10**12
        )


@pytest.mark.slow
@settings(deadline=None, max_examples=10)
@given(st.integers(1, 9), st.integers(1, 6), st.integers(1, 20))
def test_more_noise_a_lower_rate_and_fewer_mechanisms_reveal_less(
    scale: int, count: int, rate: int
) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10 and Thm 11: a dominated mechanism reveals less."""

    def ends(noise: int, times: int, share: Fraction) -> tuple[float, float]:
        base = LaplaceMechanism(noise), GaussianMechanism(Fraction(1, noise))
        listed = [SampledMechanism(each, share, times) for each in base]
        ledger = Ledger.of(listed, neighbouring="add-remove-one")
        answer = compose(ledger, delta="1e-4", tolerance="1e-2")
        assert _number(answer.lower) <= _number(answer.upper)
        return _number(answer.lower), _number(answer.upper)

    share = Fraction(rate, 40)
    least = ends(scale, count, share)[0]
    assert least <= ends(scale, count + 1, share)[1]
    assert least <= ends(scale, count, share + Fraction(1, 40))[1]
    assert ends(scale + 1, count, share)[0] <= ends(scale, count, share)[1]
