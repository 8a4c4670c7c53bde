"""What mechanisms are for groups: against all chains of small tables, and by certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdp.composition.answers.compose import compose
from exactdp.group_privacy.answers import (
    certify_for_groups,
    compose_for_groups,
    profile_for_groups,
)
from exactdp.group_privacy.noise import noise_of_group
from exactdp.ledger import Ledger
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
    SampledMechanism,
)
from exactdp.verifier import verify_bytes
from tests.marking import each_case

laws = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any)


def divergence(p: Sequence[float], q: Sequence[float], epsilon: float) -> float:
    """The hockey-stick divergence of two laws."""
    return sum(max(0.0, a - exp(epsilon) * b) for a, b in zip(p, q, strict=True))


def bound_at(mechanisms: Sequence[Entry], group: int, epsilon: str) -> tuple[float, float]:
    [point] = profile_for_groups(mechanisms, group, epsilon=[epsilon])
    return float(point.lower), float(point.upper)


@settings(deadline=None, max_examples=60)
@given(st.lists(laws, min_size=3, max_size=4), st.sampled_from(["1/4", "1/2", "1"]))
def test_no_chain_of_laws_has_more_than_the_bound(counts: list[list[int]], epsilon: str) -> None:
    chain = [[each / sum(law) for each in law] for law in counts]
    size = float(Fraction(epsilon))
    steps = [
        divergence(p, q, size)
        for one, other in pairwise(chain)
        for p, q in ((one, other), (other, one))
    ]
    delta = Fraction(max(steps) + 1e-9).limit_denominator(10**6) + Fraction(1, 10**6)
    assume(delta < 1)
    group = len(chain) - 1
    ledger = [Mechanism(epsilon, str(delta))]
    assume(noise_of_group(Ledger.of(ledger), group) is not None)
    for at in ("0", "1/4", "1", "3/2", "2"):
        _, most = bound_at(ledger, group, at)
        assert divergence(chain[0], chain[-1], float(Fraction(at))) <= most + 1e-9


@each_case(
    ("mechanism", "group", "attained"),
    [
        (Mechanism("1/2", 0), 3, [exp(-abs(x) / 2) for x in range(-90, 91)]),
        (LaplaceMechanism(8, 2), 2, [exp(-abs(x) / 8) for x in range(-400, 401)]),
        (DiscreteLaplaceMechanism(3, [2]), 2, [exp(-abs(x) / 3) for x in range(-200, 201)]),
        (DiscreteGaussianMechanism(4, [1]), 3, [exp(-x * x / 8) for x in range(-60, 61)]),
    ],
)
def test_a_count_with_such_noise_comes_near_the_bound(
    mechanism: Entry, group: int, attained: list[float]
) -> None:
    law = [each / sum(attained) for each in attained]
    shift = {Mechanism: 1, LaplaceMechanism: 2, DiscreteLaplaceMechanism: 2}.get(type(mechanism), 1)
    p, q = [*law, *[0.0] * shift * group], [*[0.0] * shift * group, *law]
    for at in ("0", "1/4", "1/2"):
        low, most = bound_at([mechanism], group, at)
        found = divergence(p, q, float(Fraction(at)))
        slack = 0.02 if isinstance(mechanism, LaplaceMechanism) else 1e-9  # of the rounded noise
        assert low - 1e-9 <= found + slack
        assert found <= most + 1e-9
        assert most - low <= 1e-3 * most + 1e-12


def trade_off(power: float, epsilon: float, delta: float) -> float:
    """1 - f of (ε, δ)-DP."""
    return min(1.0, delta + exp(epsilon) * power, 1 - exp(-epsilon) * (1 - delta - power))


@each_case(
    ("epsilon", "delta", "group"),
    [("1/10", "0", 3), ("1/10", "1/100", 3), ("1", "1/1000", 5), ("2", "1/50", 2)],
)
def test_one_mechanism_has_at_most_the_iterated_trade_off_and_failures(
    epsilon: str, delta: str, group: int
) -> None:
    size, failure = (float(Fraction(each)) for each in (epsilon, delta))
    for at in ("0", "1/10", "1/2", "2"):
        most = 0.0
        for place in range(2001):
            power = (place / 2000) ** 4
            iterated = power
            for _ in range(group):
                iterated = trade_off(iterated, size, failure)
            most = max(most, iterated - exp(float(Fraction(at))) * power)
        low, high = bound_at([Mechanism(epsilon, delta)], group, at)
        assert most <= high + 1e-9
        assert low <= high
        if not failure:
            assert high - most <= 2e-3


def test_a_hundred_mechanisms_have_their_optimum_for_groups() -> None:
    for group, known in ((3, 16.59972), (5, 30.59986)):
        bound = compose_for_groups([("0.1", 0, 100)], group, delta="1e-6")
        assert (bound.method, bound.of_neighbours) == ("group-noise", False)
        assert bound.upper is not None
        assert bound.lower is not None
        assert (
            known - 1e-4
            < float(Fraction(str(bound.lower)))
            <= float(Fraction(str(bound.upper.rational)))
            < known + 1e-4
        )


MECHANISMS: list[Entry] = [
    Mechanism("1/10", "1e-9", 4),
    Mechanism("ln(2)", 0, 2),
    Mechanism("0", "1e-8"),
    GaussianMechanism("1/4", 2),
    GaussianMechanism(mu_squared="1/50"),
    LaplaceMechanism(10, 1),
    DiscreteLaplaceMechanism(10, [1, 2]),
    DiscreteGaussianMechanism(50, [1, 3]),
    BoundedRangeMechanism("1/10"),
    ConcentratedMechanism("1/200"),
]


@pytest.mark.slow
@settings(deadline=None, max_examples=8)
@given(st.lists(st.sampled_from(MECHANISMS), min_size=1, max_size=3), st.integers(2, 4))
def test_certificates_of_any_mechanisms_are_accepted(mechanisms: list[Entry], group: int) -> None:
    bound = compose_for_groups(mechanisms, group, delta="1e-4", tolerance="1e-2")
    made = {"upper": bound.upper_certificate(), "lower": bound.lower_certificate()}
    for kind, certificate in made.items():
        if certificate is not None:
            verdict = verify_bytes(certificate.to_bytes())
            assert (verdict.status, verdict.kind) == ("accepted", kind), verdict.line
            assert verdict.group == str(group)
    assert made["upper"] is not None
    alone = compose(mechanisms, delta="1e-4", tolerance="1e-2")
    assert alone.lower_end is not None
    assert bound.upper is not None
    assert Fraction(str(alone.lower_end)) <= Fraction(str(bound.upper.rational))


def test_claims_about_groups_are_proved_and_refuted() -> None:
    ledger = [("0.1", "1e-12", 100)]
    for epsilon, holds in (("16.61", True), ("16.59", False)):
        decided = certify_for_groups(ledger, 3, epsilon=epsilon, delta="1e-6")
        assert decided.holds == holds
        assert verify_bytes(decided.certificate.to_bytes()).status == "accepted"


def test_what_has_no_such_noise_is_left_to_other_ways() -> None:
    for entry in (
        PairMechanism(["3/4", "1/4"], ["1/4", "3/4"]),
        SampledMechanism(GaussianMechanism(1), "1/10"),
    ):
        assert noise_of_group(Ledger.of([entry]), 2) is None
    assert noise_of_group(Ledger.of([("5", "1e-3")]), 3) is None
    assert noise_of_group(Ledger.of(["1/10"]), 10**6 + 1) is None
