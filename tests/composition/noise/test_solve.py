"""Mechanisms by their noise: known values, closed forms, and what is refused at once."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.errors import CostLimitError, DomainError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
)
from exactdp.verifier import verify_bytes

DPSGD = SampledMechanism(GaussianMechanism("1"), "1/100", 1000)


def number(end: mpq | None) -> float:
    """An end that there is."""
    assert end is not None
    return int(end.numerator) / int(end.denominator)


def ledger(*mechanisms: object) -> Ledger:
    return Ledger.of(mechanisms, neighbouring="add-remove-one")


def interval(*mechanisms: object, delta: str, tolerance: str = "1e-4") -> tuple[float, float]:
    """The ends, once both are proved by their certificates."""
    answer = compose(ledger(*mechanisms), delta=delta, tolerance=tolerance)
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        verdict = verify_bytes(certificate.to_bytes())
        assert verdict.status == "accepted", verdict.reason
    return number(answer.lower), number(answer.upper)


def test_one_laplace_mechanism_has_its_closed_form() -> None:
    low, high = interval(LaplaceMechanism("2", "3"), delta="1e-3")
    assert low <= 3 / 2 + 2 * log(1 - 1e-3) <= high
    assert high - low <= 1e-4


def test_discrete_laplace_noise_of_shift_1_is_randomized_response() -> None:
    low, high = interval(DiscreteLaplaceMechanism("4", (1,), 20), delta="1e-6")
    optimum = compose([Mechanism("1/4", 0, 20)], delta="1e-6")
    assert low <= number(optimum.lower) <= high
    assert high - low <= 2e-6  # a lattice of losses: only the decimals differ


@pytest.mark.slow
def test_gaussian_noise_beside_randomized_responses_agrees_with_their_own_rules() -> None:
    parts = (GaussianMechanism("1/2", 4), Mechanism("1/10", "1e-7", 3))
    nothing = LaplaceMechanism("1000000000000")
    low, high = interval(*parts, nothing, delta="1e-5")
    known = compose(ledger(*parts), delta="1e-5", tolerance="1e-6")
    assert low <= number(known.upper) <= high + 1e-6


def test_both_directions_count_and_each_can_be_the_greater() -> None:
    tables = [(("1/2", "1/2"), ("1/4", "3/4")), (("1/4", "3/4"), ("1/2", "1/2"))]
    ends = [interval(PairMechanism(p, q, 2), delta="1/100") for p, q in tables]
    assert ends[0] == ends[1]


def test_a_sampled_table_with_an_infinite_loss_needs_its_delta() -> None:
    leaky = PairMechanism(("1/100", "99/100"), ("0", "1"))
    refused = compose(ledger(leaky), delta="1/1000")
    assert (refused.feasible, refused.least_feasible_delta) == (False, "0.01")
    low, high = interval(leaky, LaplaceMechanism("1"), delta="1/50", tolerance="1/100")
    assert 0 < low <= high < 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "delta", "low", "high"),
    [
        (DPSGD, "1e-5", 1.828150, 1.828412),
        (
            SampledMechanism(GaussianMechanism("10/11"), "256/60000", 14063),
            "1e-5",
            2.381512,
            2.382046,
        ),
    ],
)
def test_dp_sgd_lies_within_what_is_known_and_is_no_wider(
    mechanism: SampledMechanism, delta: str, low: float, high: float
) -> None:
    least, most = interval(mechanism, delta=delta, tolerance="2e-4")
    assert low <= least <= most <= high


@pytest.mark.slow  # two tilts are looked for
def test_a_bounded_range_is_better_than_its_epsilon_and_stays_open() -> None:
    low, high = interval(BoundedRangeMechanism("1/10", 100), delta="1e-6")
    assert 2.2453 <= low <= 2.246
    assert 2.4 <= high <= 2.4191
    answer = compose(ledger(BoundedRangeMechanism("1", 10)), delta="1e-6", tolerance="1e-3")
    assert number(answer.lower) >= 7.7133
    assert 8.1 <= number(answer.upper) <= 8.117
    assert not answer.complete


@pytest.mark.slow
def test_rho_and_lists_of_divergences_join_what_has_a_profile() -> None:
    listed = RenyiMechanism([("2", "1/50"), ("8", "1/10"), ("32", "1/2")])
    noise = LaplaceMechanism("2", "1", 3)
    low, high = interval(ConcentratedMechanism("1/20"), noise, delta="1e-5")
    assert 1.5 < low < high < 3.5
    assert interval(noise, delta="1e-5")[1] < high
    answer = compose(ledger(listed), delta="1e-6")
    certificate = answer.upper_certificate()
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"
    assert answer.lower == 0
    assert answer.lower_certificate() is None
    assert 0.80 < number(answer.upper) < 0.81
    mixed = ledger(listed, LaplaceMechanism("2"))
    assert number(compose(mixed, delta="1e-6").lower) >= 0.49
    assert certify(mixed, epsilon="2", delta="1e-6").holds
    [point] = profile(mixed, epsilon=["1/4"])
    assert 0 < point.lower < point.upper < 1


@pytest.mark.slow
def test_what_is_dropped_on_the_way_counts_little_where_epsilon_is_large() -> None:
    low, high = interval(Mechanism("0.9876541", 0, 28), LaplaceMechanism(10**9), delta="1e-6")
    assert high - low <= 1e-4
    assert high > 20


def test_a_range_that_is_a_point_of_the_mesh_is_as_good_as_any_other() -> None:
    answer = compose(ledger(BoundedRangeMechanism("1/10", 4)), delta="1/1000", tolerance="1/100")
    assert number(answer.upper) <= 0.41  # on a mesh of 1/30 all mass was lost


def test_claims_are_proved_or_refuted() -> None:
    ten = ledger(DiscreteGaussianMechanism("25/4", (1, 1), 10))
    assert certify(ten, epsilon="12", delta="1e-6").holds
    assert not certify(ten, epsilon="2", delta="1e-6").holds


def test_the_profile_is_enclosed_to_a_relative_tolerance() -> None:
    [point] = profile(ledger(LaplaceMechanism("1")), epsilon=["1/2"])
    truth = 1 - Fraction(2.718281828459045 ** (-1 / 4))
    assert number(point.lower) <= float(truth) <= number(point.upper)
    assert point.upper - point.lower <= point.lower / 10_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "mechanism",
    [
        LaplaceMechanism("1", "1", 10**18),
        SampledMechanism(GaussianMechanism("1"), "1/100", 10**18),
        DiscreteLaplaceMechanism("1", (1,), 10**18),
        LaplaceMechanism("1e-30"),
        DiscreteGaussianMechanism("1e12"),
        DiscreteLaplaceMechanism("1", (10**6,)),
    ],
)
def test_what_would_take_too_long_is_refused(mechanism: object) -> None:
    with pytest.raises(CostLimitError, match="expected"):
        compose(ledger(mechanism), delta="1e-5", tolerance="1e-4")


def test_what_no_rule_is_about_is_refused() -> None:
    with pytest.raises(DomainError, match=r"^delta: 1: expected a δ of at least 0 and below 1"):
        compose(ledger(LaplaceMechanism("1")), delta="1")


@pytest.mark.parametrize(
    "mechanism",
    [
        BoundedRangeMechanism("1/2", 6),
        LaplaceMechanism(3, 1, 4),
        SampledMechanism(BoundedRangeMechanism("1/2"), "1/4", 4),
        PairMechanism(["2/3", "1/3"], ["1/3", "2/3"], 5),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_reveals_next_to_nothing_moves_no_end_by_much(mechanism: Entry) -> None:
    alone, beside = (
        compose(ledger(*listed), delta="1e-3", tolerance="1/100")
        for listed in ([mechanism], [mechanism, Mechanism("1e-6")])
    )
    assert abs(number(alone.lower_end) - number(beside.lower_end)) < 0.02
    assert abs(number(alone.upper_end) - number(beside.upper_end)) < 0.02
