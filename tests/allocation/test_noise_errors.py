"""What noise costs in accuracy: against sums over all outputs and an independent library."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp  # type: ignore[import-untyped]

from exactdp.allocation import targets
from exactdp.allocation.discrete_gaussian import DiscreteGaussianSums
from exactdp.allocation.noise_errors import FAMILIES
from exactdp.allocation.statistics import AccuracyTarget, Statistic
from exactdp.allocation.targets import least_epsilon_for
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError, DomainError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import DiscreteGaussianMechanism, GaussianMechanism

REACH = 400
EPSILONS = st.fractions(Fraction(1, 20), 3, max_denominator=40)
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
@given(st.fractions(Fraction(1, 4), 60, max_denominator=8), EPSILONS, st.integers(1, 4))
def test_the_profile_of_discrete_gaussian_noise_is_the_sum_over_all_outputs(
    variance: Fraction, epsilon: Fraction, shift: int
) -> None:
    with mp.workdps(60):
        law, odds = weights(variance), mp.exp(number(epsilon))
        truth = mp.fsum(
            max(law[x] - odds * (law[x - shift] if x >= shift else 0), 0) for x in range(len(law))
        )
        upper = DiscreteGaussianSums(mpq(variance), 200).delta(shift, mpq(epsilon))
        assert -mp.mpf("1e-40") <= number(upper) - truth <= mp.mpf("1e-40")


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
@given(EPSILONS, st.integers(1, 5), MISSES)
def test_the_errors_of_discrete_laplace_noise_are_sums(
    epsilon: Fraction, sensitivity: int, miss: str
) -> None:
    family = FAMILIES["discrete_laplace"]
    scale = family.scale(mpq(epsilon), mpq(0), mpq(sensitivity))
    with mp.workdps(60):
        ratio = mp.exp(-1 / number(scale))
        assert is_just_above(family.expected(scale), 2 * ratio / (1 - ratio**2))
        t = int(family.within(scale, 1 - mpq(miss)))
        limit = number(mpq(miss))
        assert 2 * ratio ** (t + 1) / (1 + ratio) <= limit
        assert t == 0 or 2 * ratio**t / (1 + ratio) > limit


def test_the_errors_of_laplace_noise_are_its_scale_and_a_logarithm() -> None:
    family = FAMILIES["laplace"]
    answer = family.accuracy(mpq(1, 4), mpq(0), mpq(3), mpq(19, 20))
    assert answer.scale == answer.expected == mpq(12)
    with mp.workdps(30):
        assert is_just_above(answer.within, 12 * mp.log(20), "1e-7")
        assert number(answer.within) >= 12 * mp.log(20)


@settings(max_examples=25, deadline=None)
@given(EPSILONS, st.sampled_from(["1e-3", "1e-9", "1e-40", "1e-150"]), st.integers(1, 9))
def test_gaussian_noise_is_private_enough_and_hardly_less_would_do(
    epsilon: Fraction, delta: str, sensitivity: int
) -> None:
    scale = FAMILIES["gaussian"].scale(mpq(epsilon), mpq(delta), mpq(sensitivity))
    with mp.workdps(220):
        limit = number(mpq(delta))

        def profile(sigma: mp.mpf) -> mp.mpf:
            mu, size = sensitivity / sigma, number(epsilon)
            below = mp.erfc((size / mu - mu / 2) / mp.sqrt(2))
            return (below - mp.exp(size) * mp.erfc((size / mu + mu / 2) / mp.sqrt(2))) / 2

        assert profile(number(scale)) <= limit
        assert profile(number(scale) * (1 - mp.mpf("1e-6"))) > limit


def test_the_errors_of_gaussian_noise_are_those_of_the_normal_law() -> None:
    answer = FAMILIES["gaussian"].accuracy(mpq(1), mpq(1, 10**6), mpq(1), mpq(19, 20))
    with mp.workdps(30):
        sigma = number(answer.scale)
        assert is_just_above(answer.expected, sigma * mp.sqrt(2 / mp.pi), "1e-7")
        assert mp.erfc(number(answer.within) / (sigma * mp.sqrt(2))) <= mp.mpf(1) / 20
        shorter = number(answer.within) * (1 - mp.mpf("1e-6"))
        assert mp.erfc(shorter / (sigma * mp.sqrt(2))) > mp.mpf(1) / 20


def test_discrete_gaussian_noise_is_private_for_every_shift_and_hardly_less_would_do() -> None:
    family = FAMILIES["discrete_gaussian"]
    epsilon, delta, sensitivity = mpq(1), mpq(1, 10**6), mpq(3)
    scale = family.scale(epsilon, delta, sensitivity)
    assert family.suffices(scale, epsilon, delta, sensitivity)
    assert not family.suffices(scale * mpq(9999, 10**4), epsilon, delta, sensitivity)
    sums = DiscreteGaussianSums(scale**2, 200)
    assert all(sums.delta(shift, epsilon) <= delta for shift in (1, 2, 3))


@pytest.mark.parametrize("sensitivity", [1, 3])
def test_the_scales_are_those_of_the_engine_for_noise(sensitivity: int) -> None:
    epsilon, delta = mpq(1, 2), mpq(1, 10**6)
    gaussian = FAMILIES["gaussian"].scale(epsilon, delta, mpq(sensitivity))
    for factor, holds in ((mpq(1), True), (mpq(99999, 10**5), False)):
        ledger = Ledger((GaussianMechanism(sensitivity / (gaussian * factor)),))
        assert certify(ledger, epsilon=epsilon, delta=delta).holds == holds
    discrete = FAMILIES["discrete_gaussian"].scale(epsilon, delta, mpq(sensitivity))
    ledger = Ledger((DiscreteGaussianMechanism(discrete**2, [sensitivity]),))
    composed = compose(ledger, delta=delta, tolerance="1e-4")
    assert composed.upper is not None
    assert composed.lower is not None
    assert composed.upper <= epsilon <= composed.lower + mpq(1, 10**4)


def test_discrete_gaussian_noise_too_wide_to_add_up_is_refused() -> None:
    with pytest.raises(CostLimitError, match="σ at most 5000"):
        FAMILIES["discrete_gaussian"].scale(mpq(1, 10**5), mpq(1, 10**9), mpq(1))


@pytest.mark.parametrize("noise", FAMILIES)
def test_the_slope_of_the_error_is_its_derivative(noise: str) -> None:
    family = FAMILIES[noise]
    for epsilon in (0.01, 0.3, 2.0):
        step = epsilon * 1e-4
        fall = (
            family.slope(epsilon - step, 1e-9, 2.0)[0] - family.slope(epsilon + step, 1e-9, 2.0)[0]
        )
        assert abs(fall / (2 * step) / family.slope(epsilon, 1e-9, 2.0)[1] - 1) < 1e-5


@pytest.mark.parametrize("noise", FAMILIES)
@pytest.mark.parametrize(("error", "confidence"), [("7", None), ("15", "0.9"), ("3/2", "0.999")])
def test_a_target_is_met_with_hardly_more_epsilon_than_it_takes(
    noise: str, error: str, confidence: str | None
) -> None:
    family = FAMILIES[noise]
    statistic = Statistic("s", noise, delta="1e-6" if family.needs_delta else 0)
    target = AccuracyTarget(error, confidence)
    epsilon = least_epsilon_for(statistic, target)
    assert statistic.meets(target, epsilon)
    if not family.is_discrete or confidence is None:
        assert not statistic.meets(target, epsilon * mpq(999, 1000))


def test_a_target_that_no_noise_meets_is_refused() -> None:
    with pytest.raises(DomainError, match="an error that noise of some ε"):
        least_epsilon_for(Statistic("s"), AccuracyTarget("1e-40"))


@pytest.mark.parametrize("always", [False, True])
def test_a_target_that_no_epsilon_keeps_or_every_one_is_refused_soon(always: bool) -> None:
    asked = []

    def holds(epsilon: mpq) -> bool:
        asked.append(epsilon)
        assert len(asked) < 100
        return always

    with pytest.raises(DomainError, match="from 1e-12 to 1e12"):
        targets._last(holds, Statistic("s"))
