"""One mechanism alone has its closed profile, whatever its family, at once and to many digits."""

from __future__ import annotations

from math import exp, log

import pytest
from gmpy2 import mpq
from mpmath import mp, mpf, ncdf  # type: ignore[import-untyped]  # mpmath ships no types

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    Sampleable,
    SampledMechanism,
)
from exactdp.verifier import verify_bytes
from tests.marking import slow_after

TABLE = PairMechanism(["1/2", "1/3", "1/6"], ["1/7", "3/7", "3/7"])
BASES: list[Sampleable] = [
    LaplaceMechanism("2", "3"),
    DiscreteLaplaceMechanism("7/3", (2,)),
    DiscreteGaussianMechanism("25/4", (1,)),
    TABLE,
    BoundedRangeMechanism("1/2"),
    GaussianMechanism("1"),
]
ALONE: list[Entry] = [*BASES[:-1], *(SampledMechanism(base, "1/10") for base in BASES)]


def ledger(*mechanisms: Entry) -> Ledger:
    return Ledger.of(mechanisms, neighbouring="add-remove-one")


@pytest.mark.parametrize("mechanism", ALONE, ids=str)
@pytest.mark.parametrize("delta", ["1/1000", "1/40"])
def test_both_ends_meet_and_both_certificates_are_accepted(mechanism: Entry, delta: str) -> None:
    answer = compose(ledger(mechanism), delta=delta, tolerance="1e-10")
    assert answer.complete
    assert answer.upper is not None
    assert answer.lower is not None
    assert answer.upper - answer.lower <= mpq_of("1e-10")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        if certificate is not None:
            verdict = verify_bytes(certificate.to_bytes())
            assert verdict.status == "accepted", verdict.reason


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ALONE, ids=str)
@pytest.mark.parametrize("epsilon", ["0", "1e-7", "1/4", "5/2", "ln(3)"])
def test_its_delta_is_enclosed_at_every_epsilon(mechanism: Entry, epsilon: str) -> None:
    [point] = profile(ledger(mechanism), epsilon=[epsilon], tolerance="1e-8")
    assert point.lower <= point.upper
    assert point.upper - point.lower <= max(point.lower * mpq_of("1e-8"), mpq_of("1e-15"))


def test_beyond_its_greatest_loss_laplace_noise_has_no_delta() -> None:
    [point] = profile(ledger(LaplaceMechanism("2")), epsilon=["1/2"])
    assert point.lower == 0
    assert point.upper < mpq_of("1e-15")


def test_a_step_of_dp_sgd_is_what_the_textbook_says() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Theorem 11, at a rate of 1/10 and σ = 1."""
    step = SampledMechanism(GaussianMechanism("1"), "1/10")
    [point] = profile(ledger(step), epsilon=["1/5"], tolerance="1e-9")
    with mp.workdps(40):
        loss = mp.log((mp.exp(mpf(1) / 5) - 1 + mpf(1) / 10) * 10)
        removed = (ncdf(mpf(1) / 2 - loss) - mp.exp(loss) * ncdf(-mpf(1) / 2 - loss)) / 10
        assert mpf(str(float(point.lower))) <= removed * (1 + mpf("1e-12"))
        assert removed <= mpf(str(float(point.upper))) * (1 + mpf("1e-12"))
        assert abs(removed - mpf(str(float(point.upper)))) < removed * mpf("1e-8")


def test_laplace_noise_and_a_range_have_their_formulas() -> None:
    laplace = compose(ledger(LaplaceMechanism("2", "3")), delta="1e-3", tolerance="1e-12")
    assert abs(float(laplace.upper or 0) - (3 / 2 + 2 * log(1 - 1e-3))) < 1e-11
    ranged = compose(ledger(BoundedRangeMechanism("1/2")), delta="1/50", tolerance="1e-12")
    root = (1 / 50 * (1 - exp(-1 / 2))) ** 0.5
    assert abs(float(ranged.upper or 0) - (1 / 2 + 2 * log(1 - root))) < 1e-11


def test_failures_beside_it_count() -> None:
    leaky, claimed = Mechanism(0, "1e-4"), LaplaceMechanism("2")
    answer = compose(ledger(leaky, claimed), delta="1e-3", tolerance="1e-10")
    inner = 1 - (1 - 1e-3) / (1 - 1e-4)
    assert abs(float(answer.upper or 0) - (1 / 2 + 2 * log(1 - inner))) < 1e-9


@pytest.mark.parametrize("mu", slow_after(1, [20, 30]))
def test_a_mechanism_that_leaves_little_privacy_has_its_closed_form_too(mu: int) -> None:
    """Its odds are so great that a mesh over all losses takes long."""
    answer = compose(
        ledger(SampledMechanism(GaussianMechanism(mu), "1/2")), delta="1e-6", max_cost=10**6
    )
    assert answer.upper is not None
    assert answer.lower is not None
    assert answer.upper - answer.lower <= mpq_of("1e-5")
    for each in (answer.upper_certificate(), answer.lower_certificate()):
        assert each is not None
        assert verify_bytes(each.to_bytes()).status == "accepted"


def mpq_of(text: str) -> mpq:
    """A bound for a width."""
    return ExactNumber.parse(text).rational
