"""Shuffled batches: known values, closed forms, and a sum over all that may happen."""

from __future__ import annotations

from itertools import pairwise

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, ShuffledGaussianMechanism
from exactdp.mechanisms.shuffled import ShuffledMaxPair
from exactdp.verifier import verify_bytes

DELTA = "1e-5"


def about(value: mpq | None) -> float:
    assert value is not None
    return int(value.numerator) / int(value.denominator)


def ends(
    entry: ShuffledGaussianMechanism, relation: str = "zero-out", tolerance: str = "1e-3"
) -> tuple[float, float]:
    answer = compose(Ledger((entry,), neighbouring=relation), delta=DELTA, tolerance=tolerance)
    return about(answer.lower), about(answer.upper)


def at_best(sigma: str, batches: int, zeroed: int, delta: str = DELTA) -> float:
    """The greatest ε that a threshold of the maximum refutes: a search in 40 digits."""
    with mpmath.workdps(40):
        deviation = mpmath.mpf(sigma)

        def refuted(cut: mpmath.mpf) -> mpmath.mpf:
            rest = mpmath.ncdf(cut / deviation) ** (batches - 1)
            present = 1 - mpmath.ncdf((cut - 2) / deviation) * rest
            other = 1 - mpmath.ncdf((cut - zeroed) / deviation) * rest
            room = present - mpmath.mpf(delta)
            return mpmath.log(room / other) if room > 0 else mpmath.mpf(0)

        return float(max(refuted(2 + deviation * k / 200) for k in range(-1000, 1600)))


@pytest.mark.slow
def test_the_reference_value_is_certified_at_both_ends() -> None:
    ledger = Ledger((ShuffledGaussianMechanism("1/2", 1000),), neighbouring="zero-out")
    answer = compose(ledger, delta=DELTA, tolerance="1e-5")
    assert mpq("9.99661") <= mpq(answer.lower or 0) <= mpq(answer.upper or 99) <= mpq("9.99726")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sigma", "batches", "known"),
    [
        ("0.4", 10_000, 13.20620),
        ("0.6", 1000, 7.98753),
        ("0.8", 1000, 5.23497),
        ("1", 1000, 2.88208),
    ],
)
def test_one_epoch_is_refuted_up_to_what_is_known(sigma: str, batches: int, known: float) -> None:
    found, _ = ends(ShuffledGaussianMechanism(sigma, batches))
    assert found == pytest.approx(known, abs=1e-3)
    assert found == pytest.approx(at_best(sigma, batches, 1), abs=1e-3)


@pytest.mark.slow
def test_a_replaced_record_is_refuted_up_to_the_best_threshold() -> None:
    found, _ = ends(ShuffledGaussianMechanism("1", 100), "replace-one")
    assert found == pytest.approx(at_best("1", 100, 0), abs=1e-3)
    assert found <= at_best("1", 100, 0) + 1e-5


@pytest.mark.slow
@pytest.mark.parametrize(("relation", "reach"), [("zero-out", 1), ("replace-one", 2)])
def test_one_batch_is_gaussian_noise_at_both_ends(relation: str, reach: int) -> None:
    exact = about(compose([GaussianMechanism(reach, 2)], delta=DELTA, tolerance="1e-6").upper)
    low, high = ends(ShuffledGaussianMechanism("1", 1, 2), relation)
    assert low <= exact + 1e-6
    assert high >= exact - 1e-6
    assert high - low < 2e-3


@pytest.mark.slow
def test_one_order_of_all_epochs_is_one_epoch_with_less_noise() -> None:
    kept = ends(ShuffledGaussianMechanism("2", 7, 4, "persistent"))
    assert kept == ends(ShuffledGaussianMechanism("1", 7))


@pytest.mark.slow
def test_more_batches_and_more_noise_refute_less_and_more_epochs_more() -> None:
    less = [ShuffledGaussianMechanism(*each) for each in (("1", 100), ("0.8", 100), ("0.8", 10))]
    epochs = [ShuffledGaussianMechanism("1", 10, times) for times in (1, 2, 3)]
    for order in (less, epochs):
        assert all(ends(one)[0] < ends(other)[0] for one, other in pairwise(order))
        assert all(ends(one)[1] <= ends(other)[1] for one, other in pairwise(order))


@pytest.mark.slow
@pytest.mark.parametrize("order", ["fresh", "persistent"])
def test_a_replaced_record_is_easier_to_see_than_one_that_is_zeroed_out(order: str) -> None:
    entry = ShuffledGaussianMechanism("1", 20, 2, order)
    zeroed, replaced = ends(entry), ends(entry, "replace-one")
    assert 0 < zeroed[0] < replaced[0]
    assert zeroed[1] < replaced[1]


@pytest.mark.slow
def test_the_maximum_of_two_sums_has_the_law_of_all_that_may_happen() -> None:
    """P[M <= c] as the integral of both densities, the record in either batch."""
    law = ShuffledMaxPair.of(mpq(9, 4), 2, "zero-out")
    with mpmath.workdps(20):
        for cut in (-1, 0, 1, 3):
            p, q = law.tails(arb(cut))
            for mean, found in ((2, p), (1, q)):
                below = mpmath.quad(
                    lambda x, m=mean: mpmath.npdf(x, m, 1.5) * mpmath.ncdf(cut, 0, 1.5),  # noqa: B023
                    [-20, cut],
                )
                assert float(found) == pytest.approx(float(1 - below), abs=1e-12)


@pytest.mark.slow
def test_two_sums_say_more_than_the_greater_and_less_than_told_which() -> None:
    """The hockey-stick divergence of both sums, by a lattice over the plane."""
    deviation, delta = 1.0, 1e-2
    entry = Ledger((ShuffledGaussianMechanism(1, 2),), neighbouring="zero-out")
    answer = compose(entry, delta=str(delta), tolerance="1e-4")
    step = 0.04
    axis = [step * k for k in range(-150, 200)]
    weights = {
        mean: [
            float(mpmath.npdf(x, mean, deviation)) * step
            for x in axis
        ]
        for mean in (0, 1, 2)
    }  # fmt: skip

    def divergence(epsilon: float) -> float:
        odds = float(mpmath.exp(epsilon))
        p, q, others = weights[2], weights[1], weights[0]
        total = 0.0
        for i in range(len(axis)):
            for j in range(len(axis)):
                present = (p[i] * others[j] + others[i] * p[j]) / 2
                zeroed = (q[i] * others[j] + others[i] * q[j]) / 2
                total += max(0.0, present - odds * zeroed)
        return total

    assert divergence(about(answer.lower)) > delta - 1e-4
    assert divergence(about(answer.upper)) < delta + 1e-4


def test_a_claim_outside_the_ends_is_decided_and_one_between_them_is_not() -> None:
    ledger = Ledger((ShuffledGaussianMechanism(1, 1000),), neighbouring="zero-out")
    assert certify(ledger, epsilon="4.4", delta=DELTA).holds
    assert not certify(ledger, epsilon="2.8", delta=DELTA).holds
    with pytest.raises(CostLimitError, match="neither proved nor refuted"):
        certify(ledger, epsilon="3.5", delta=DELTA)


@pytest.mark.slow
def test_a_profile_of_shuffled_batches_has_both_ends() -> None:
    ledger = Ledger((ShuffledGaussianMechanism(1, 10),), neighbouring="zero-out")
    (point,) = profile(ledger, epsilon=["1"], tolerance="1e-2")
    assert 0 < point.lower < point.upper < 1


def test_very_much_noise_is_looked_at_on_a_mesh_that_is_fine_enough() -> None:
    low, high = ends(ShuffledGaussianMechanism(1000, 1))
    exact = compose([GaussianMechanism("1/1000")], delta=DELTA, tolerance="1e-6").upper
    assert low <= about(exact) <= high
    assert high - about(exact) < 1e-3


@pytest.mark.parametrize("plan", [(1, 9, 10**9), ("1/1000", 10**9, 1), ("20", 3, 10**6)])
def test_too_much_for_every_mesh_is_refused_at_once(plan: tuple[Number, int, int]) -> None:
    with pytest.raises(CostLimitError, match="privacy loss above 1000"):
        ends(ShuffledGaussianMechanism(*plan))
