"""Shuffled batches from below: never above what holds, and near what is known."""

from __future__ import annotations

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from gmpy2 import mpq

from exactdp.answers.compose import compose
from exactdp.ledger.model import GaussianMechanism
from exactdp.ledger.noise import ShuffledGaussianMechanism
from exactdp.training.shuffling import least_epsilon

DELTA = mpq(1, 10**5)


def _about(value: mpq) -> float:
    return int(value.numerator) / int(value.denominator)


def _least(sigma: str, batches: int, epochs: int = 1, order: str = "fresh") -> mpq:
    return least_epsilon(ShuffledGaussianMechanism(sigma, batches, epochs, order), DELTA)


def _at_best(sigma: str, batches: int) -> mpmath.mpf:
    """The greatest ε that a threshold of the maximum refutes: a search in 40 digits."""
    with mpmath.workdps(40):
        deviation = mpmath.mpf(sigma)

        def refuted(cut: mpmath.mpf) -> mpmath.mpf:
            rest = mpmath.ncdf(cut / deviation) ** (batches - 1)
            present = 1 - mpmath.ncdf((cut - 2) / deviation) * rest
            zeroed = 1 - mpmath.ncdf((cut - 1) / deviation) * rest
            room = present - mpmath.mpf(1) / 10**5
            return mpmath.log(room / zeroed) if room > 0 else mpmath.mpf(0)

        return max(refuted(2 + deviation * k / 200) for k in range(-1000, 1600))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sigma", "batches", "known"),
    [
        ("0.5", 1000, 9.99661),
        ("0.4", 10_000, 13.20620),
        ("0.6", 1000, 7.98753),
        ("0.8", 1000, 5.23497),
        ("1", 1000, 2.88208),
    ],
)
def test_one_epoch_is_refuted_up_to_what_is_known(sigma: str, batches: int, known: float) -> None:
    found = _about(_least(sigma, batches))
    assert found == pytest.approx(known, abs=1e-3)
    assert found == pytest.approx(float(_at_best(sigma, batches)), abs=1e-3)


def test_one_batch_is_gaussian_noise() -> None:
    exact = compose([GaussianMechanism("2")], delta=DELTA, tolerance="1e-6").upper
    assert exact is not None
    found = _least("0.5", 1)
    assert found <= exact
    assert _about(exact - found) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("epochs", [1, 2, 5])
@pytest.mark.parametrize("order", ["fresh", "persistent"])
def test_what_is_refuted_is_below_what_telling_the_batch_proves(epochs: int, order: str) -> None:
    told = compose([GaussianMechanism("1", epochs)], delta=DELTA, tolerance="1e-6").upper
    assert told is not None
    assert 0 < _least("1", 50, epochs, order) <= told


@pytest.mark.slow
def test_more_batches_and_more_noise_refute_less_and_more_epochs_more() -> None:
    assert _least("0.8", 10) > _least("0.8", 100) > _least("1", 100)
    assert _least("1", 10, 1) < _least("1", 10, 2) < _least("1", 10, 3)


def test_nothing_is_refuted_where_delta_pays_for_all() -> None:
    assert least_epsilon(ShuffledGaussianMechanism(5, 100), mpq(1, 2)) == 0
    assert least_epsilon(ShuffledGaussianMechanism(5, 100), mpq(1)) == 0


def test_at_delta_zero_something_finite_is_refuted() -> None:
    assert least_epsilon(ShuffledGaussianMechanism(1, 10), mpq(0)) > 5


@pytest.mark.slow
def test_a_great_many_epochs_are_at_least_some_of_them() -> None:
    assert _least("20", 3, 10**9) >= _least("20", 3, 100)
