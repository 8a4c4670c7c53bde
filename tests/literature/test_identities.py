"""Identities that the papers and the pages use, proved by sympy for all values at once."""

from __future__ import annotations

from itertools import product

import sympy  # type: ignore[import-untyped]

ALPHA, RHO, EPSILON, Y = sympy.symbols("alpha rho epsilon y", positive=True)


def is_zero(value: sympy.Expr) -> bool:
    return bool(sympy.simplify(value) == 0)


def test_the_logarithm_of_what_zcdp_converts_to_is_convex_in_the_order() -> None:
    g = (ALPHA - 1) * (ALPHA * RHO - EPSILON) + ALPHA * sympy.log(1 - 1 / ALPHA)
    g -= sympy.log(ALPHA - 1)
    assert is_zero(sympy.diff(g, ALPHA, 2) - 2 * RHO - 1 / (ALPHA * (ALPHA - 1)))


def test_exchanging_neighbours_in_an_order_adds_what_the_best_order_is_sorted_by() -> None:
    before, one, other, own, others = sympy.symbols("W x_i x_j delta_i delta_j")
    as_they_stand = before * (own + one * others)
    exchanged = before * (others + other * own)
    assert is_zero(exchanged - as_they_stand - before * (own * (other - 1) - others * (one - 1)))


def test_two_randomized_responses_have_the_divergence_of_the_sum_over_subsets() -> None:
    odds = sympy.symbols("E_1 E_2", positive=True)
    whole = sympy.prod([1 + each for each in odds])
    masses = {
        told: sympy.prod([each if true else 1 for each, true in zip(odds, told, strict=True)])
        for told in product((True, False), repeat=2)
    }
    p = {told: mass / whole for told, mass in masses.items()}
    q = {told: masses[tuple(not each for each in told)] / whole for told in masses}
    assert is_zero(sum(p.values()) - 1)
    # beyond the largest but one threshold only the most truthful outputs count
    largest = (True, True)
    assert is_zero(p[largest] - Y * q[largest] - (odds[0] * odds[1] - Y) / whole)


def test_the_ends_of_randomized_response_give_a_mechanism_back() -> None:
    odds, p, q = sympy.symbols("E P Q", positive=True)
    first, second = (odds * p - q) / (odds - 1), (odds * q - p) / (odds - 1)
    assert is_zero((odds * first + second) / (odds + 1) - p)
    assert is_zero((first + odds * second) / (odds + 1) - q)


def test_the_constraint_of_one_direction_is_the_mirror_of_the_other() -> None:
    delta = sympy.symbols("delta")
    mirror, value = 1 / Y, 1 - (1 - delta) / Y
    assert is_zero(1 / mirror - Y)
    assert is_zero(1 - (1 - value) / mirror - delta)
