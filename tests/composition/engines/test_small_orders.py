"""Rényi divergences of sampled Gaussian noise at orders between 1 and 2, and what they answer."""

from __future__ import annotations

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq

from exactdp import compose, profile, verify
from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Subject
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.moments.orders import bound_at, sampled_moment
from exactdp.composition.noise.solve import bounded_on_both_sides
from exactdp.errors import CostLimitError
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.sampled import SampledMechanism

_SQUARES = (mpq(1, 4), mpq(4), mpq(100), mpq(10_000))
_RATES = (mpq(1, 2), mpq(1, 240))
_ORDERS = (mpq(1, 5000), mpq(1, 50), mpq(9, 10))


def _real(value: mpq) -> mpmath.mpf:
    return mpmath.mpf(int(value.numerator)) / int(value.denominator)


def _moment(square: mpq, rate: mpq, power: mpq) -> mpmath.mpf:
    """E(1 - q + qP/Q)^(1 + power) under Q by quadrature, for normal laws; less 1."""
    mu, q, x = mpmath.sqrt(_real(square)), _real(rate), _real(power)

    def mean_at(t: mpmath.mpf) -> mpmath.mpf:
        ratio = 1 - q + q * mpmath.exp(mu * t - mu * mu / 2)
        return mpmath.npdf(t) * (ratio ** (1 + x) - 1)

    ends = sorted({-40, 0, mu / 2, mu, mu * (1 + x), mu * (1 + x) + 12, mu * (1 + x) + 40})
    return mpmath.quad(mean_at, ends)


def test_divergences_below_order_two_are_never_below_those_by_quadrature() -> None:
    for square in _SQUARES:
        for rate in _RATES:
            for x in _ORDERS:
                true = mpmath.log1p(_moment(square, rate, x))
                found = sampled_moment(square, rate, 1 + ball_of_rational(x))
                assert float(found.mid()) >= true * (1 - 1e-9), (square, rate, x)


def test_very_little_noise_has_an_answer_that_the_verifier_accepts() -> None:
    step = SampledMechanism(GaussianMechanism(100), "1/240", 14_400)
    found = compose([step], delta="1e-5")
    assert found.lower is not None
    assert found.upper is not None
    assert 10_000 < found.lower < 450_000 < found.upper < 503_200
    assert not found.complete


@pytest.mark.slow
def test_little_noise_has_an_interval_of_a_hundredth() -> None:
    step = SampledMechanism(GaussianMechanism(20), "1/2", 10)
    found = compose([step], delta="1e-5")
    assert found.lower is not None
    assert found.upper is not None
    assert 2138 < found.lower < found.upper < 2141


@pytest.mark.slow
def test_what_costs_more_than_a_coarse_answer_is_worth_is_left_to_divergences() -> None:
    step = SampledMechanism(GaussianMechanism(mpq(100, 3)), "1/240", 14_400)
    found = compose([step], delta="1e-5")
    assert found.lower is not None
    assert found.upper is not None
    assert 10_000 < found.lower < 30_000 < found.upper < 55_500


def test_a_few_scores_give_a_lower_end_that_the_verifier_accepts() -> None:
    step = SampledMechanism(GaussianMechanism(8), "1/100", 20)
    known = compose([step], delta="1e-5", tolerance=1)
    laws = DominatingPairs(Subject.of(known.ledger))
    found = bounded_on_both_sides(laws, mpq(1, 10**5), bound_at(laws, mpq(1, 10**5), 3), 10**10)
    assert known.upper is not None
    assert known.upper / 2 < found.lower < known.upper < found.upper
    certificate = found.prove_lower(ExactNumber(found.lower))
    assert certificate is not None
    assert verify(certificate).status == "accepted"


@pytest.mark.slow
def test_a_profile_that_no_mesh_answers_is_bounded_by_divergences() -> None:
    step = SampledMechanism(GaussianMechanism(10), "1/240", 14_400)
    [point] = profile([step], epsilon=["5000"])
    assert point.lower == 0 < point.upper < mpq("1e-4")
    assert point.method == "moments"
    with pytest.raises(CostLimitError, match="cells"):
        profile([step], epsilon=["5000"], tolerance="1/100")
