"""What noise costs in accuracy: against sums over all outputs and an independent library."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp  # type: ignore[import-untyped]

from exactdp.allocation.discrete_gaussian import DiscreteGaussianSums
from exactdp.allocation.noise_errors import FAMILIES
from exactdp.allocation.statistics import AccuracyTarget, Statistic
from exactdp.allocation.targets import greatest_scale_for, scale_of_epsilon
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError, DomainError
from tests.marking import each_case

REACH = 400
MISSES = st.sampled_from(["1/2", "1/10", "1/20", "1e-3", "1e-9"])


def weights(variance: Fraction) -> list[mp.mpf]:
    """The discrete Gaussian law from -REACH to REACH."""
    terms = [
        mp.exp(-mp.mpf(x * x) / (2 * mp.mpf(variance.numerator) / variance.denominator))
        for x in range(-REACH, REACH + 1)
    ]
    whole = mp.fsum(terms)
    return [term / whole for term in terms]


def number(value: mpq | Fraction) -> mp.mpf:
    return mp.mpf(int(value.numerator)) / int(value.denominator)


def is_just_above(upper: mpq, truth: mp.mpf, relative: str = "1e-20") -> bool:
    return bool(-mp.mpf(relative) <= number(upper) / truth - 1 <= mp.mpf(relative))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.fractions(Fraction(1, 4), 60, max_denominator=8), MISSES)
def test_the_errors_of_discrete_gaussian_noise_are_sums(variance: Fraction, miss: str) -> None:
    sums = DiscreteGaussianSums(mpq(variance), 200)
    with mp.workdps(60):
        law = weights(variance)
        truth = mp.fsum(abs(x - REACH) * law[x] for x in range(len(law)))
        assert is_just_above(sums.expected(), truth, "1e-30")
        t = sums.quantile(mpq(miss))
        beyond = [1 - mp.fsum(law[REACH - each : REACH + each + 1]) for each in (t, max(t - 1, 0))]
        limit = number(mpq(miss))
        assert beyond[0] <= limit
        assert t == 0 or beyond[1] > limit


@settings(max_examples=25, deadline=None)
@given(st.fractions(Fraction(1, 3), 100, max_denominator=40), MISSES)
def test_the_errors_of_discrete_laplace_noise_are_sums(drawn: Fraction, miss: str) -> None:
    family, scale = FAMILIES["discrete_laplace"], mpq(drawn)
    with mp.workdps(60):
        ratio = mp.exp(-1 / number(scale))
        assert is_just_above(family.expected(scale), 2 * ratio / (1 - ratio**2))
        t = int(family.within(scale, 1 - mpq(miss)))
        limit = number(mpq(miss))
        assert 2 * ratio ** (t + 1) / (1 + ratio) <= limit
        assert t == 0 or 2 * ratio**t / (1 + ratio) > limit


def test_the_errors_of_laplace_noise_are_its_scale_and_a_logarithm() -> None:
    family = FAMILIES["laplace"]
    answer = family.accuracy(mpq(12), mpq(19, 20))
    assert answer.expected == 12
    with mp.workdps(30):
        assert is_just_above(answer.within, 12 * mp.log(20), "1e-7")
        assert number(answer.within) >= 12 * mp.log(20)


def test_the_errors_of_gaussian_noise_are_those_of_the_normal_law() -> None:
    answer = FAMILIES["gaussian"].accuracy(mpq(17, 4), mpq(19, 20))
    with mp.workdps(30):
        sigma = mp.mpf(17) / 4
        assert is_just_above(answer.expected, sigma * mp.sqrt(2 / mp.pi), "1e-7")
        assert mp.erfc(number(answer.within) / (sigma * mp.sqrt(2))) <= mp.mpf(1) / 20
        shorter = number(answer.within) * (1 - mp.mpf("1e-6"))
        assert mp.erfc(shorter / (sigma * mp.sqrt(2))) > mp.mpf(1) / 20


@each_case(
    ("noise", "epsilon", "delta", "sensitivity"),
    [
        ("laplace", "1/7", "0", 3),
        ("discrete_laplace", "1/7", "0", 3),
        ("gaussian", "1/2", "1e-9", 3),
        ("gaussian", "8", "1e-40", 1),
        ("discrete_gaussian", "2", "1e-6", 1),
    ],
)
def test_an_epsilon_that_is_decided_gets_the_least_noise_that_keeps_it(
    noise: str, epsilon: str, delta: str, sensitivity: int
) -> None:
    statistic = Statistic("s", noise, sensitivity=sensitivity, delta=delta, count=7)
    scale = scale_of_epsilon(statistic, mpq(epsilon), 10**11)
    for factor, holds in ((mpq(1), True), (mpq(998, 1000), False)):
        entry = statistic.entry(scale * factor).times(1)
        assert certify([entry], epsilon=epsilon, delta=delta).holds == holds


@each_case("shift", [1, 2, 3])
def test_discrete_noise_tells_no_more_of_a_smaller_shift(shift: int) -> None:
    for noise in ("discrete_laplace", "discrete_gaussian"):
        near, far = (
            Statistic("s", noise, sensitivity=each).entry(mpq(5)) for each in (shift, shift + 1)
        )
        epsilon = compose([far], delta="1e-4", tolerance="1e-4").upper
        assert epsilon is not None
        assert certify([near], epsilon=str(epsilon), delta="1e-4").holds


def test_discrete_gaussian_noise_too_wide_to_add_up_is_refused() -> None:
    family = FAMILIES["discrete_gaussian"]
    with pytest.raises(CostLimitError, match="σ at most 5000"):
        family.expected(mpq(5001))
    with pytest.raises(CostLimitError, match="σ at most 5000"):
        family.entry(mpq(10**7), mpq(1), 1, "")


@pytest.mark.parametrize("noise", FAMILIES)
@pytest.mark.parametrize(("error", "confidence"), [("7", None), ("15", "0.9"), ("3/2", "0.999")])
def test_a_target_is_met_with_hardly_less_noise_than_it_allows(
    noise: str, error: str, confidence: str | None
) -> None:
    family = FAMILIES[noise]
    statistic, target = Statistic("s", noise), AccuracyTarget(error, confidence)
    scale = greatest_scale_for(statistic, target)
    assert statistic.meets(target, scale)
    if not family.is_discrete or confidence is None:
        assert not statistic.meets(target, scale * mpq(1001, 1000))


def test_a_target_that_no_noise_meets_is_refused() -> None:
    with pytest.raises(DomainError, match="an error that noise of some scale"):
        greatest_scale_for(Statistic("s"), AccuracyTarget("1e-40"))


@pytest.mark.parametrize("error", ["1e-13", "1e13"])
def test_a_target_beyond_all_noise_is_refused_soon(error: str) -> None:
    with pytest.raises(DomainError, match="from 1e-12 to 1e12"):
        greatest_scale_for(Statistic("s"), AccuracyTarget(error))
