"""Quantities that grow, and groups: against closed forms and brute force."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import iv  # type: ignore[import-untyped]  # mpmath ships no types

from exactdp.verifier import Verdict, verify_bytes
from exactdp.verifier.rules import growth
from tests.verifier import chains, handmade, oracles
from tests.verifier.handmade import Entry

BITS = 40
numbers = st.tuples(st.integers(0, 2**60), st.integers(-90, 90))


def verdict_on(value: dict[str, Any]) -> Verdict:
    return verify_bytes(handmade.canonical_bytes(value))


def value(above: tuple[int, int]) -> Fraction:
    return above[0] * Fraction(2) ** above[1]


def rational(end: Any) -> Fraction:  # noqa: ANN401 (mpmath has no types)
    """An end of an interval, exactly."""
    sign, mantissa, exponent, _ = end._mpi_[0]
    size = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -size if sign else size


# --- arithmetic ---------------------------------------------------------------------------------


@given(numbers, numbers)
@example((0, 0), (1, -41))
def test_sums_are_above_and_close(one: tuple[int, int], other: tuple[int, int]) -> None:
    exact = value(one) + value(other)
    found = value(growth.plus(one, other, BITS))
    assert exact <= found <= exact * (1 + Fraction(1, 2 ** (BITS - 3)))


@given(numbers, numbers)
def test_products_are_above_and_close(one: tuple[int, int], other: tuple[int, int]) -> None:
    exact = value(one) * value(other)
    found = value(growth.times(one, other, BITS))
    assert exact <= found <= exact * (1 + Fraction(1, 2 ** (BITS - 3)))


@given(st.integers(0, 12), st.integers(1, 40))
def test_sums_of_powers_are_those_of_a_geometric_series(base: int, count: int) -> None:
    power, total = growth.powers((base, 0), count, 500)
    assert value(power) == base**count
    assert value(total) == sum(base**t for t in range(count))


@given(st.fractions(0, 1), numbers)
@example(Fraction(0), (0, 2))
def test_a_limit_is_exceeded_or_not_exactly(limit: Fraction, above: tuple[int, int]) -> None:
    assert growth.exceeds(above, limit) == (value(above) > limit)


# --- groups -------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", [2, 3, 10, 10**6])
@pytest.mark.parametrize(("epsilon", "delta"), [("1/100000", "1/10000000000"), ("0", "1/10000000")])
def test_a_group_adds_up_its_steps(group: int, epsilon: str, delta: str) -> None:
    one = handmade.simple("sum", "upper", [(epsilon, delta, 1)], epsilon, delta)
    odds = iv.exp(oracles.value_of(epsilon))
    weights = group if epsilon == "0" else (odds**group - 1) / (odds - 1)
    exact = iv.mpf(weights) * oracles.interval(Fraction(delta))
    times = str(Fraction(epsilon) * group)
    above = str(rational(exact.b) * (1 + Fraction(1, 10**12)))
    below = str(rational(exact.a) * (1 - Fraction(1, 10**12)))
    assert verdict_on(chains.for_groups(one, times, above, group)).status == "accepted"
    assert verdict_on(chains.for_groups(one, times, below, group)).status == "rejected"


def test_scaled_mechanisms_are_composed_as_they_are_for_the_group() -> None:
    entries: list[Entry] = [("1/10", "0", 3), ("9/10", "0", 2)]
    scaled: list[Entry] = [("1/5", "0", 3), ("9/5", "0", 2)]
    claim = handmade.grid("upper", scaled, "3", "1/2", unit="1/5")
    assert verdict_on(chains.of_groups(claim, entries, 2)).status == "accepted"


def test_scaled_mechanisms_are_sorted_again() -> None:
    entries: list[Entry] = [("1/10", "0", 3), ("1/2", "0", 2)]
    scaled: list[Entry] = [("1", "0", 2), ("1/5", "0", 3)]
    assert sorted(scaled) == scaled
    assert [e for e, _, _ in scaled] == ["1", "1/5"]
    claim = handmade.rounded_atoms("upper", scaled, "2", "1/2")
    assert verdict_on(chains.of_groups(claim, entries, 2)).status == "accepted"


def test_mechanisms_that_are_equal_for_the_group_are_merged() -> None:
    entries: list[Entry] = [("1/10", "0", 3), ("1/10", "1/1000", 2)]
    claim = handmade.simple("sum", "upper", [("1/5", "1/400", 5)], "1", "13/1000")
    merged = chains.of_groups(claim, entries, 2, deltas=("1/400", "1/400"))
    assert verdict_on(merged).status == "accepted"


def test_other_notions_are_scaled_too() -> None:
    claim = chains.of_groups(handmade.trivial([]), [], 3)
    entries = [{"count": "2", "mu": "1/2"}, {"count": "1", "rho": "2"}, {"count": "1", "rho": "3"}]
    claim["statement"]["subject"]["mechanisms"] = entries
    verdict = verdict_on(handmade.resealed(claim))
    assert (
        verdict.line == "ACCEPTED  ε ≤ 0 at δ = 1 for 4 mechanisms (upper, adaptive, groups of 3)"
    )
    assert verdict.group == "3"


@pytest.mark.parametrize("kind", ["upper", "lower"])
def test_a_claim_about_a_group_is_settled(kind: str) -> None:
    epsilon = {"upper": "6/5", "lower": "1"}[kind]
    one = handmade.simple("sum", kind, chains.TWELVE, epsilon, "0")
    times = {"upper": "18/5", "lower": "1"}[kind]
    data = handmade.canonical_bytes(chains.for_groups(one, times, "0", 3))
    claimed = {"upper": "4", "lower": "1"}[kind]
    verb = {"upper": "proves", "lower": "refutes"}[kind]
    assert verb in verify_bytes(data, claim=(claimed, "0")).settles


def test_what_no_epsilon_keeps_no_epsilon_keeps_for_groups_either() -> None:
    alone = handmade.simple("trivial", "lower", [("1", "1/10", 1)], "every", "1/20")
    together = chains.for_groups(alone, "every", "1/20", 3)
    assert verify_bytes(handmade.canonical_bytes(together)).status == "accepted"
    elsewhere = chains.for_groups(alone, "every", "1/30", 3)
    assert verify_bytes(handmade.canonical_bytes(elsewhere)).status == "rejected"
