"""Bounds for groups: against brute force, against each other, and their certificates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.group_privacy.answers import (
    certify_for_groups,
    compose_for_groups,
    profile_for_groups,
)
from exactdp.group_privacy.bound import GroupBound
from exactdp.group_privacy.steps import (
    delta_for_neighbours,
    delta_of_group,
    least_fixed_point,
    scale_to_group,
)
from exactdp.ledger import Ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism
from exactdp.verifier import verify_bytes
from tests.marking import each_case

entries: st.SearchStrategy[Entry] = st.one_of(
    st.builds(
        Mechanism,
        st.sampled_from(["0", "1/10", "1/2", "ln(2)"]),
        st.sampled_from(["0", "0", "1e-12", "1e-9"]),
        st.integers(1, 3),
    ),
    st.builds(GaussianMechanism, st.sampled_from(["1/4", "1/10"]), st.integers(1, 2)),
    st.builds(ConcentratedMechanism, st.sampled_from(["1/50", "1/1000"]), st.integers(1, 2)),
)
pairs = st.builds(
    Mechanism,
    st.sampled_from(["0", "1/10", "1/2", "ln(2)"]),
    st.sampled_from(["0", "0", "1e-12", "1e-9"]),
    st.integers(1, 3),
)


def accepted(bound: GroupBound) -> Iterator[str]:
    """The kinds of the certificates of a bound, each accepted and about its group."""
    for certificate in (bound.upper_certificate(), bound.lower_certificate()):
        if certificate is not None:
            verdict = verify_bytes(certificate.to_bytes(), max_cost=10**14)
            assert verdict.status == "accepted", verdict.line
            assert verdict.group == str(bound.group)
            assert Fraction(verdict.delta) == Fraction(str(bound.delta))
            yield verdict.kind


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    st.lists(entries, min_size=1, max_size=3), st.integers(2, 4), st.sampled_from(["1e-6", "1e-3"])
)
def test_certificates_of_groups_are_accepted(
    mechanisms: list[Entry], group: int, delta: str
) -> None:
    bound = compose_for_groups(mechanisms, group, delta=delta, tolerance="1e-3")
    kinds = list(accepted(bound))
    assert ("upper" in kinds) == (bound.upper is not None)


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(
    st.lists(pairs, min_size=1, max_size=3),
    st.integers(2, 4),
    st.sampled_from(["0", "1e-6", "1e-3"]),
)
def test_a_bound_for_a_group_is_never_below_that_of_neighbours(
    mechanisms: list[Mechanism], group: int, delta: str
) -> None:
    bound = compose_for_groups(mechanisms, group, delta=delta)
    if bound.upper is None:
        reject()
    alone = compose(mechanisms, delta=delta)
    assert alone.lower is not None
    assert certify_for_groups(mechanisms, group, epsilon=bound.upper, delta=delta).holds
    assert compare(bound.upper, ExactNumber(alone.lower)) >= 0


@pytest.mark.slow
@settings(deadline=None, max_examples=10)
@given(st.lists(pairs, min_size=1, max_size=2), st.integers(2, 3))
def test_a_larger_group_never_gets_a_smaller_bound(mechanisms: list[Mechanism], group: int) -> None:
    small = compose_for_groups(mechanisms, group, delta="1e-3", tolerance="1e-3")
    large = compose_for_groups(mechanisms, group + 1, delta="1e-3", tolerance="1e-3")
    if large.upper is not None and small.upper is not None:
        assert compare(large.upper + ExactNumber(mpq(1, 1000)), small.upper) >= 0


def test_pure_mechanisms_at_delta_zero_are_scaled_exactly() -> None:
    bound = compose_for_groups([("ln(3)", 0, 2), ("1/10", 0)], 7, delta=0)
    assert str(bound.upper) == "7/10 + 14*ln(3)"
    assert bound.method == "group-mechanisms"


def test_one_mechanism_of_failures_alone_adds_them_up() -> None:
    bound = compose_for_groups([("0", "1e-9", 100)], 100, delta="1e-5")
    assert str(bound.upper) == "0"
    assert bound.lower == mpq(0)
    assert compose_for_groups([("0", "1e-9", 100)], 101, delta="1e-5").upper is None


def test_of_interleaved_mechanisms_both_ways_are_tried_and_the_better_is_named() -> None:
    ledger = replace(Ledger.of([("0.1", 0, 100)]), interaction="concurrent")
    bound = compose_for_groups(ledger, 2, delta="1e-6")
    assert (bound.method, bound.other) == ("group-mechanisms", "no less")
    assert "composed" in bound.explanation
    ledger = replace(Ledger.of([("5", "1e-3"), ("0", "1/1000")]), interaction="concurrent")
    only = compose_for_groups(ledger, 2, delta="1/2")
    assert (only.method, only.other) == ("group-mechanisms", "no less")


def test_where_a_delta_would_reach_one_only_the_result_is_scaled() -> None:
    ledger = [("5", "1e-3")]
    assert scale_to_group(Ledger.of(ledger), 3) is None
    bound = compose_for_groups(ledger, 3, delta="1/2")
    assert bound.upper is None
    assert "no finite ε" in bound.explanation
    assert bound.lower_certificate() is not None


def test_rho_and_mu_scale_as_their_theorems_say() -> None:
    scaled = scale_to_group(
        Ledger.of([ConcentratedMechanism("1/8"), GaussianMechanism("1/2", 3)]), 3
    )
    assert scaled is not None
    assert scaled.mechanisms == (ConcentratedMechanism("9/8"), GaussianMechanism("3/2", 3))


@each_case("epsilon", ["0", "1e-30", "1/10", "ln(2)", "3"])
@each_case("group", [2, 3, 1000])
def test_what_is_left_to_neighbours_is_spent_by_the_group(epsilon: str, group: int) -> None:
    size = ExactNumber.parse(epsilon)
    left = delta_for_neighbours(size, mpq(1, 1000), group)
    spent = delta_of_group(size, left, group)
    assert left * group <= mpq(1, 1000)
    assert mpq(999, 10**6) < spent <= mpq(1, 1000) * (1 + mpq(1, 10**20))


def test_the_profile_of_a_group_is_between_its_certificates() -> None:
    points = profile_for_groups([("0.1", "1e-12", 50)], 2, epsilon=["0", "3", "20"])
    assert [point.lower <= point.upper for point in points] == [True] * 3
    for point in points:
        if point.upper < 1:
            decided = certify_for_groups(
                [("0.1", "1e-12", 50)],
                2,
                epsilon=point.epsilon,
                delta=point.upper * mpq(1000001, 1000000),
            )
            assert decided.holds
            assert verify_bytes(decided.certificate.to_bytes()).status == "accepted"


def test_what_not_even_neighbours_keep_is_refuted() -> None:
    decided = certify_for_groups([("0.1", 0, 12)], 2, epsilon="1.1", delta=0)
    assert not decided.holds
    verdict = verify_bytes(decided.certificate.to_bytes())
    assert (verdict.status, verdict.kind, verdict.group) == ("accepted", "lower", "2")


def test_what_is_neither_derived_nor_refuted_is_undecided() -> None:
    with pytest.raises(CostLimitError, match="neither derived nor refuted"):
        certify_for_groups([("0.1", 0, 12)], 2, epsilon="1.5", delta=0)


def test_a_claim_by_the_result_is_proved_where_mechanisms_cannot_be_scaled() -> None:
    ledger = [("5", "1e-9"), ("0", "1/2")]
    assert scale_to_group(Ledger.of(ledger), 2) is None
    decided = certify_for_groups([("0", "1/3")], 2, epsilon="0", delta="2/3")
    assert decided.holds


@pytest.mark.parametrize(
    ("group", "error"), [(1, DomainError), (0, DomainError), ("2", InputError)]
)
def test_a_group_is_a_whole_number_from_two(group: object, error: type[InputError]) -> None:
    with pytest.raises(error, match="group"):
        compose_for_groups([("1", 0)], group, delta=0)  # type: ignore[arg-type]  # that is the point


def test_a_fixed_point_is_the_least_within_the_width() -> None:
    width = mpq(1, 10**6)
    found = least_fixed_point(lambda x: mpq(1) if x < 2 else mpq(3) if x < 3 else x, width)
    assert found is not None
    assert 1 <= found <= 1 + 2 * width
    assert least_fixed_point(lambda x: x + 1 if x < 10 else None, width) is None
    assert least_fixed_point(lambda _: mpq(0), width) == 0
    assert least_fixed_point(lambda x: x / 2 + 2, width, mpq(3)) is None
