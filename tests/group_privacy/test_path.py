"""Groups along a path, by several bounds for neighbours."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.errors import CostLimitError
from exactdp.group_privacy.answers import (
    certify_for_groups,
    compose_for_groups,
    profile_for_groups,
)
from exactdp.group_privacy.path import path_for, path_within
from exactdp.ledger import Ledger
from exactdp.mechanisms import (
    Entry,
    GaussianMechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
)
from exactdp.verifier import verify_bytes
from tests.marking import each_case


def number(value: object) -> float:
    return float(Fraction(str(value)))


@each_case("group", [2, 3, 5])
def test_gaussian_noise_comes_near_the_closed_form(group: int) -> None:
    ledger, delta = Ledger.of([GaussianMechanism("1/4")]), mpq(1, 10**6)
    start = compose(ledger, delta=delta).upper_end
    assert start is not None
    path = path_for(ledger, group, delta, start, mpq(1, 100), 10**12)
    best = compose([GaussianMechanism(mpq(group, 4))], delta=delta)
    assert path is not None
    assert path.delta <= delta
    assert best.lower_end is not None
    assert number(best.lower_end) <= number(path.epsilon) <= 1.05 * number(best.lower_end)
    spent = before = 0.0
    for steps, epsilon, own in path.parts:
        spent += exp(before) * number(own)
        before += steps * number(epsilon)
    assert spent == pytest.approx(number(path.delta), rel=1e-9)


def test_the_least_delta_within_an_epsilon_comes_near_that_of_the_group() -> None:
    path = path_within(Ledger.of([GaussianMechanism("1/4")]), 3, mpq(3), mpq(1, 100), 10**12)
    [best] = profile([GaussianMechanism("3/4")], epsilon=[3])
    assert path is not None
    assert path.epsilon <= 3
    assert number(best.lower_end) <= number(path.delta) <= 4 * number(best.lower_end)


def test_a_profile_for_groups_of_sampled_noise_lies_between_neighbours_and_scaled_noise() -> None:
    sample = SampledMechanism(GaussianMechanism("1/4"), "1/2", 2)
    ledger = Ledger((sample,), neighbouring="add-remove-one")
    [point] = profile_for_groups(ledger, 2, epsilon=["1/2"], tolerance="1/10")
    [alone] = profile(ledger, epsilon=["1/2"], tolerance="1/10")
    [whole] = profile([GaussianMechanism("1/2", 2)], epsilon=["1/2"])
    assert point.method == "group-path"
    assert alone.lower_end * mpq(8, 10) <= point.lower_end <= point.upper_end
    assert point.upper_end <= whole.upper_end


def test_long_paths_have_parts_of_several_steps() -> None:
    ledger, delta = Ledger.of([GaussianMechanism("1/50")]), mpq(1, 10**6)
    start = compose(ledger, delta=delta).upper_end
    assert start is not None
    path = path_for(ledger, 20, delta, start, mpq(1, 100), 10**12)
    assert path is not None
    assert sum(steps for steps, _, _ in path.parts) == 20
    best = compose([GaussianMechanism(mpq(20, 50))], delta=delta)
    assert best.lower_end is not None
    assert number(best.lower_end) <= number(path.epsilon) <= 1.5 * number(best.lower_end)


TABLE = PairMechanism(["1/2", "3/10", "1/5"], ["1/5", "3/10", "1/2"], 3)


def test_a_chain_of_tables_has_at_most_what_the_path_says() -> None:
    bound = compose_for_groups(Ledger((TABLE,), neighbouring="add-remove-one"), 2, delta="1/100")
    assert (bound.method, bound.of_neighbours) == ("group-path", True)
    for certificate, kind in (
        (bound.upper_certificate(), "upper"),
        (bound.lower_certificate(), "lower"),
    ):
        assert certificate is not None
        verdict = verify_bytes(certificate.to_bytes())
        assert (verdict.status, verdict.kind, verdict.group) == ("accepted", kind, "2")


@pytest.mark.slow
def test_samples_have_certificates_along_a_path() -> None:
    step = SampledMechanism(GaussianMechanism(1), "1/100", 100)
    ledger = Ledger((step,), neighbouring="add-remove-one")
    bound = compose_for_groups(ledger, 3, delta="1e-6")
    assert bound.upper is not None
    assert number(bound.upper.rational) < 3.8
    certificate = bound.upper_certificate()
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"
    refuted = certify_for_groups(ledger, 3, epsilon="1/2", delta="1e-6")
    assert not refuted.holds
    assert verify_bytes(refuted.certificate.to_bytes()).status == "accepted"


def test_claims_that_follow_along_a_path_are_proved_and_others_left_open() -> None:
    ledger = Ledger((TABLE,), neighbouring="add-remove-one")
    most = compose_for_groups(ledger, 2, delta="1/100").upper
    assert most is not None
    decided = certify_for_groups(ledger, 2, epsilon=most, delta="1/100")
    assert decided.holds
    assert verify_bytes(decided.certificate.to_bytes()).status == "accepted"
    with pytest.raises(CostLimitError, match="neither derived nor refuted"):
        certify_for_groups(ledger, 2, epsilon=most * mpq(9, 10), delta="1/100")


@pytest.mark.slow
@pytest.mark.parametrize(
    "mechanism",
    [
        RenyiMechanism([("2", "0.1"), ("8", "0.5")]),
        PairMechanism(["1/2", "1/2"], ["9/10", "1/10"]),
    ],
)
def test_an_end_is_called_certified_only_if_it_has_a_certificate(mechanism: Entry) -> None:
    neighbouring = "add-remove-one"
    ledger = Ledger((mechanism,), neighbouring=neighbouring)
    bound = compose_for_groups(ledger, 2, delta="1/100", tolerance="1/100")
    made = bound.upper_certificate()
    assert (bound.evidence == "certificate") == (made is not None)
    assert made is None or verify_bytes(made.to_bytes()).status == "accepted"
