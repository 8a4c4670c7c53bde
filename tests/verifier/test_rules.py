"""Each rule against brute force over subsets: true statements near the truth pass, false ones fail.

A rule proves; it does not decide. So whatever is accepted must be true, and what is true by a
margin must be accepted.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from exactdp.verifier import Verdict, verify_bytes
from tests.marking import slow_after
from tests.verifier import handmade, oracles

MARGIN = Fraction(1, 10**9)
Entry = handmade.Entry


def verdict_on(value: dict[str, Any], max_cost: int = 10**13) -> Verdict:
    return verify_bytes(handmade.canonical_bytes(value), max_cost=max_cost)


def merged(parameters: list[tuple[str, str]]) -> list[Entry]:
    return [(e, d, parameters.count((e, d))) for e, d in sorted(set(parameters))]


def below_and_above(entries: list[Entry], delta: str) -> tuple[str, str]:
    """An epsilon at which ``lower`` is true, and one at which ``upper`` is, close together."""
    found = oracles.optimum(entries, delta, places=10)
    return str(max(found - MARGIN, Fraction(0))), str(found + MARGIN)


def random_ledger(seed: int, epsilons: list[str]) -> tuple[list[Entry], str]:
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    losses = ["0", "0", "1/1000", "1/100"]
    parameters = [
        (chance.choice(epsilons), chance.choice(losses)) for _ in range(chance.randint(1, 6))
    ]
    return merged(parameters), chance.choice(["1/20", "1/10", "1/5", "2/5"])


def assert_settled(make: Any, entries: list[Entry], delta: str) -> None:  # noqa: ANN401 (a maker)
    below, above = below_and_above(entries, delta)
    assert verdict_on(make("upper", entries, above, delta)).status == "accepted"
    assert verdict_on(make("lower", entries, above, delta)).status == "rejected"
    if Fraction(below) > 0:
        assert verdict_on(make("lower", entries, below, delta)).status == "accepted"
        assert verdict_on(make("upper", entries, below, delta)).status == "rejected"


@pytest.mark.parametrize("seed", slow_after(3, range(12)))
def test_grid_agrees_with_brute_force(seed: int) -> None:
    entries, delta = random_ledger(seed, ["0", "1/10", "1/5", "3/10", "7/10", "3"])

    def make(kind: str, entries: list[Entry], epsilon: str, delta: str) -> dict[str, Any]:
        return handmade.grid(kind, entries, epsilon, delta, unit="1/10")

    assert_settled(make, entries, delta)


@pytest.mark.parametrize("seed", slow_after(3, range(12)))
def test_exact_atoms_agree_with_brute_force(seed: int) -> None:
    entries, delta = random_ledger(seed, ["0", "ln(2)", "ln(3)", "ln(3/2)", "ln(9/8)", "ln(4)"])
    assert_settled(handmade.atoms, entries, delta)


@pytest.mark.parametrize("seed", slow_after(3, range(12)))
def test_rounded_atoms_agree_with_brute_force(seed: int) -> None:
    entries, delta = random_ledger(seed, ["0", "1/10", "7/1000", "ln(2)", "ln(3)", "1/4 + ln(2)"])

    def make(kind: str, entries: list[Entry], epsilon: str, delta: str) -> dict[str, Any]:
        return handmade.rounded_atoms(kind, entries, epsilon, delta)

    assert_settled(make, entries, delta)


@pytest.mark.parametrize("seed", slow_after(3, range(8)))
@pytest.mark.parametrize("unit", ["1/7", "3/100", "1/3"])
def test_grid_never_accepts_what_brute_force_refutes_on_a_unit_that_does_not_divide(
    seed: int, unit: str
) -> None:
    entries, delta = random_ledger(seed, ["1/10", "1/5", "3/10", "7/10"])
    below, above = below_and_above(entries, delta)
    refused = [("lower", above)]
    if Fraction(below) > 0:
        refused.append(("upper", below))
    for kind, epsilon in refused:
        claim = handmade.grid(kind, entries, epsilon, delta, unit=unit)
        assert verdict_on(claim).status == "rejected"
    far = str(Fraction(above) + 3)
    assert verdict_on(handmade.grid("upper", entries, far, delta, unit=unit)).status == "accepted"


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 40))]
)
def test_nothing_false_is_accepted_however_few_the_digits(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    entries, delta = random_ledger(seed, ["1/10", "1/5", "3/10", "7/10"])
    found = oracles.optimum(entries, delta, places=6)
    digits = chance.randint(1, 7)
    for _ in range(10):
        epsilon = str(max(found + Fraction(chance.randint(-50, 50), 10**6), Fraction(0)))
        true_kind = oracles.truth(entries, epsilon, delta)
        for kind in ("upper", "lower"):
            grid = handmade.grid(kind, entries, epsilon, delta, unit="1/10", digits=digits)
            lattice = handmade.rounded_atoms(kind, entries, epsilon, delta, digits=digits)
            for claim in (grid, lattice):
                assert verdict_on(claim).status == "rejected" or kind == true_kind


BRACKETED = ["123/1000", "1/7", "617/1000", "1/100", "9/5"]


@pytest.mark.parametrize("seed", slow_after(3, range(10)))
def test_a_bracket_closes_on_the_truth_to_second_order(seed: int) -> None:
    entries, delta = random_ledger(seed, BRACKETED)
    found = oracles.optimum(entries, delta, places=10)
    for unit, width in (("1/10", Fraction(1, 10)), ("1/100", Fraction(1, 1000))):
        above, below = str(max(found + width, width)), str(found - width)
        upper = handmade.mesh_upper(entries, above, delta, unit=unit)
        assert verdict_on(upper).status == "accepted"
        if Fraction(below) > 0:
            lower = handmade.mesh_lower(entries, below, delta, unit=unit)
            assert verdict_on(lower).status == "accepted"


@pytest.mark.parametrize("seed", slow_after(1, range(10)))
def test_a_bracket_never_accepts_what_brute_force_refutes(seed: int) -> None:
    entries, delta = random_ledger(seed, BRACKETED)
    below, above = below_and_above(entries, delta)
    for unit in ("1/100", "1/7", "3/100", "617/1000", "1", "3"):
        for digits, sums in ((2, 1), (5, 8), (30, 64)):
            finely: dict[str, Any] = {"unit": unit, "digits": digits, "sums": sums}
            lower = handmade.mesh_lower(entries, above, delta, **finely)
            assert verdict_on(lower).status == "rejected"
            if Fraction(below) > 0:
                upper = handmade.mesh_upper(entries, below, delta, **finely)
                assert verdict_on(upper).status == "rejected"


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["1/10", "1/1000"])
def test_on_a_grid_the_bracket_is_exact(unit: str) -> None:
    entries: list[Entry] = [("1/10", "0", 3), ("1/5", "1/1000", 4)]
    below, above = below_and_above(entries, "1/20")
    upper = handmade.mesh_upper(entries, above, "1/20", unit=unit)
    assert verdict_on(upper).status == "accepted"
    lower = handmade.mesh_lower(entries, below, "1/20", unit=unit)
    assert verdict_on(lower).status == "accepted"


def logarithmic_grid(kind: str, epsilon: str, delta: str, unit: str) -> dict[str, Any]:
    entries = [("ln(2)", "0", 2), ("ln(4)", "0", 1)]
    return handmade.certificate("grid", kind, entries, epsilon, delta, digits="30", unit=unit)


@pytest.mark.parametrize("unit", ["ln(2)", "1/4*ln(2)"])
def test_a_grid_of_logarithms_is_exact(unit: str) -> None:
    entries = [("ln(2)", "0", 2), ("ln(4)", "0", 1)]
    below, above = below_and_above(entries, "1/10")
    assert verdict_on(logarithmic_grid("upper", above, "1/10", unit)).status == "accepted"
    assert verdict_on(logarithmic_grid("lower", below, "1/10", unit)).status == "accepted"
    assert verdict_on(logarithmic_grid("lower", above, "1/10", unit)).status == "rejected"
    assert verdict_on(logarithmic_grid("upper", below, "1/10", unit)).status == "rejected"


def test_a_grid_beyond_10_to_the_8_weights_is_rejected() -> None:
    claim = handmade.grid("upper", [("1", "0", 1)], "1", "0", unit="1/100000001", digits=1)
    assert "the grid is too long" in verdict_on(claim).reason


def test_an_epsilon_above_the_sum_needs_no_weights() -> None:
    claim = handmade.grid("upper", [("1/10", "0", 5)], "1000", "1/100", unit="1/10")
    assert verdict_on(claim).status == "accepted"


def test_epsilon_zero_is_judged_exactly() -> None:
    entries = [("1/10", "0", 1)]  # D(1) = tanh(1/20) = 0.04995…
    grid = handmade.grid("lower", entries, "0", "1/25", unit="1/10")
    assert verdict_on(grid).status == "accepted"
    grid = handmade.grid("upper", entries, "0", "1/20", unit="1/10")
    assert verdict_on(grid).status == "accepted"
    lattice = handmade.rounded_atoms("lower", entries, "0", "1/20")
    assert verdict_on(lattice).status == "rejected"


def test_a_tie_of_rational_odds_is_upper_and_not_lower() -> None:
    for entries, epsilon, delta in [
        ([("ln(3)", "0", 2)], "ln(37/5)", "1/10"),
        ([("ln(3)", "0", 1)], "ln(5/3)", "1/3"),
        ([("ln(2)", "0", 1), ("ln(3)", "0", 1)], "0", "1/2"),
    ]:
        upper = handmade.atoms("upper", entries, epsilon, delta)
        lower = handmade.atoms("lower", entries, epsilon, delta)
        assert verdict_on(upper).status == "accepted"
        assert verdict_on(lower).status == "rejected"


def test_atoms_of_rational_odds_merges_equal_values_of_different_texts() -> None:
    entries = [("2*ln(2)", "0", 1), ("ln(4)", "0", 1)]
    claim = handmade.atoms("upper", entries, "ln(16)", "1/10", sums=3)
    assert verdict_on(claim).status == "accepted"


def test_atoms_of_rational_odds_of_opposite_logarithms_are_a_fraction() -> None:
    entries = [("-ln(2) + ln(3)", "0", 2)]
    same = handmade.atoms("lower", [("ln(3/2)", "0", 2)], "2/5", "1/10")
    claim = handmade.atoms("lower", entries, "2/5", "1/10", sums=3)
    assert verdict_on(claim).status == verdict_on(same).status == "accepted"


@pytest.mark.parametrize("epsilon", ["1000000", "5000000", "1" + "0" * 100, "10000000*ln(2)"])
def test_an_enormous_epsilon_neither_hangs_nor_passes_as_lower(epsilon: str) -> None:
    entries = [("ln(3)", "0", 2)]
    for kind in ("upper", "lower"):
        exact = handmade.atoms(kind, entries, epsilon, "0")
        assert verdict_on(exact).status == "rejected" or kind == "upper"
        for claim in (
            handmade.rounded_atoms(kind, entries, epsilon, "0"),
            handmade.grid(kind, entries, epsilon, "0", unit="ln(3)"),
        ):
            assert verdict_on(claim).status == "rejected"


def test_sum_decides_ties_between_logarithms() -> None:
    entries = [("ln(2)", "0", 2), ("ln(3)", "0", 1)]
    for kind, epsilon, expected in [
        ("upper", "ln(12)", "accepted"),
        ("lower", "ln(12)", "rejected"),
        ("upper", "ln(11)", "rejected"),
        ("lower", "ln(11)", "accepted"),
    ]:
        assert verdict_on(handmade.simple("sum", kind, entries, epsilon, "0")).status == expected


def test_sum_uses_the_product_and_not_the_sum_of_the_deltas() -> None:
    entries = [("1", "1/10", 2), ("1", "1/5", 1)]  # 1 - 0.9·0.9·0.8 = 0.352
    for kind, delta, expected in [
        ("upper", "44/125", "accepted"),
        ("upper", "351/1000", "rejected"),
        ("lower", "44/125", "accepted"),
        ("lower", "353/1000", "rejected"),
    ]:
        epsilon = "3" if kind == "upper" else "2"
        assert verdict_on(handmade.simple("sum", kind, entries, epsilon, delta)).status == expected


def test_infeasible_holds_for_a_count_of_10_to_the_18() -> None:
    entries = [("1", "1/1000000000000000000", 10**18)]  # 1 - 1/e = 0.632120558…
    for delta, expected in [("63/100", "accepted"), ("64/100", "rejected")]:
        claim = handmade.simple("trivial", "lower", entries, "every", str(Fraction(delta)))
        assert verdict_on(claim).status == expected


def test_sum_accepts_delta_one() -> None:
    entries = [("1", "1/10", 2)]
    assert verdict_on(handmade.simple("sum", "upper", entries, "2", "1")).status == "accepted"


def test_the_empty_ledger_is_perfectly_private() -> None:
    assert verdict_on(handmade.simple("sum", "upper", [], "0", "0")).status == "accepted"
    assert verdict_on(handmade.simple("sum", "lower", [], "0", "0")).status == "rejected"
    assert verdict_on(handmade.grid("upper", [], "0", "1/10", unit="1")).status == "accepted"
    assert verdict_on(handmade.grid("lower", [], "0", "0", unit="1")).status == "rejected"
    assert verdict_on(handmade.mesh_upper([], "0", "1/10", unit="1")).status == "rejected"
    assert verdict_on(handmade.mesh_lower([], "0", "0", unit="1")).status == "rejected"
    assert verdict_on(handmade.atoms("upper", [], "0", "0")).status == "accepted"
    assert verdict_on(handmade.atoms("lower", [], "0", "0")).status == "rejected"
    assert verdict_on(handmade.rounded_atoms("upper", [], "0", "1/10")).status == "accepted"
    assert verdict_on(handmade.rounded_atoms("lower", [], "0", "0")).status == "rejected"
