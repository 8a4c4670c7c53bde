"""The rules for closed forms against their formulas in mpmath, and against brute force."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest

from exactdp.verifier import verify_bytes
from tests.marking import each_case, slow_after
from tests.verifier import handmade, oracles
from tests.verifier.handmade import Entry

NEAR = Fraction(1, 10**20)
DIGITS = 60
ADVANCED = "advanced-composition"
ALIKE = "kairouz-oh-viswanath-homogeneous"
DIFFERENT = "kairouz-oh-viswanath-heterogeneous"
EPSILONS = ["0", "1/100", "1/10", "7/10", "3", "ln(3)", "1/4 + ln(2)"]
LOSSES = ["0", "0", "1/1000", "1/50"]
DELTAS = ["1/2", "3/10", "1/100", f"1/{10**9}", f"1/{2**90}", "1"]


def status(value: dict[str, Any]) -> str:
    return verify_bytes(handmade.canonical_bytes(value), max_cost=10**13).status


def real(value: Fraction) -> Any:  # noqa: ANN401 (mpmath ships no types)
    return mpmath.mpf(value.numerator) / value.denominator


def losses(entries: list[Entry]) -> list[tuple[Any, Fraction, int]]:
    """(ε, δ, count), with ε to 60 digits."""
    return [(mpmath.mpf(oracles.value_of(e).mid), Fraction(d), n) for e, d, n in entries]


def advanced(entries: list[Entry], delta: str) -> Any:  # noqa: ANN401
    parameters = losses(entries)
    k = sum(n for _, _, n in parameters)
    epsilon, loss = max(e for e, _, _ in parameters), max(d for _, d, _ in parameters)
    rest = Fraction(delta) - k * loss
    if rest <= 0:
        return None
    root = mpmath.sqrt(2 * k * mpmath.log(1 / real(rest)))
    return root * epsilon + k * epsilon * (mpmath.exp(epsilon) - 1)


def kairouz_oh_viswanath(entries: list[Entry], delta: str) -> Any:  # noqa: ANN401
    parameters = losses(entries)
    kept = Fraction(1)
    for _, d, n in parameters:
        kept *= (1 - d) ** n
    rest = 1 - (1 - Fraction(delta)) / kept
    if rest < 0:
        return None
    total = sum(e * n for e, _, n in parameters)
    if rest == 0 or not total:
        return total
    mean = sum(n * e * (mpmath.exp(e) - 1) / (mpmath.exp(e) + 1) for e, _, n in parameters)
    square = sum(n * e * e for e, _, n in parameters)
    inner = mpmath.e + mpmath.sqrt(square) / real(rest)
    return min(
        total,
        mean + mpmath.sqrt(2 * square * mpmath.log(inner)),
        mean + mpmath.sqrt(2 * square * mpmath.log(1 / real(rest))),
    )


FORMULAS = {ADVANCED: advanced, ALIKE: kairouz_oh_viswanath, DIFFERENT: kairouz_oh_viswanath}


def multiple(factor: int, epsilon: str) -> str:
    """The canonical text of a multiple of a rational, or of ``ln(2)``."""
    if "ln" in epsilon:
        return {0: "0", 1: epsilon}.get(factor, f"{factor}*{epsilon}")
    return str(factor * Fraction(epsilon))


@cache
def ledger(seed: int, *, alike: bool) -> tuple[tuple[Entry, ...], str]:
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    entries: dict[tuple[str, str], int] = {}
    for _ in range(1 if alike else chance.randint(1, 4)):
        entries[chance.choice(EPSILONS), chance.choice(LOSSES)] = chance.randint(1, 5000)
    merged = tuple(sorted((e, d, n) for (e, d), n in entries.items()))
    return merged, chance.choice(DELTAS)


@each_case("rule", FORMULAS)
@each_case("seed", range(40))
def test_a_formula_is_accepted_just_above_its_value_and_not_below(rule: str, seed: int) -> None:
    entries, delta = ledger(seed, alike=rule == ALIKE)
    with mpmath.workdps(DIGITS):
        value = FORMULAS[rule](list(entries), delta)
        scaled = None if value is None else int(mpmath.floor(value * 10**30))
    if scaled is None:
        claim = handmade.formula(rule, list(entries), "100000000", delta, digits=40)
        assert status(claim) == "rejected"
    else:
        _assert_accepted_just_above(rule, entries, delta, Fraction(scaled, 10**30))


def _assert_accepted_just_above(
    rule: str, entries: tuple[Entry, ...], delta: str, truth: Fraction
) -> None:
    above = handmade.formula(rule, list(entries), str(truth + NEAR), delta, digits=50)
    assert status(above) == "accepted"
    if truth > NEAR:
        below = handmade.formula(rule, list(entries), str(truth - NEAR), delta, digits=50)
        assert status(below) == "rejected"


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 30))]
)
def test_nothing_false_is_accepted_however_few_the_digits(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    epsilon, loss = chance.choice(["1/10", "7/10", "ln(2)", "3"]), chance.choice(["0", "1/100"])
    entries = [(epsilon, loss, chance.randint(1, 7))]
    delta = chance.choice(["1/10", "1/5", "2/5", "9/10"])
    found = oracles.optimum(entries, delta, places=6)
    for move in range(-20, 21):
        claimed = str(max(found + Fraction(move, 10**3), Fraction(0)))
        kind = oracles.truth(entries, claimed, delta)
        for digits in (1, 5, 30):
            claims = [
                handmade.formula(rule, entries, claimed, delta, digits=digits) for rule in FORMULAS
            ]
            claims.append(handmade.steps(entries, claimed, delta, digits=digits))
            assert kind == "upper" or {status(claim) for claim in claims} == {"rejected"}


@pytest.mark.parametrize("seed", slow_after(8, range(30)))
def test_steps_are_accepted_where_the_theorems_sum_says_so(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    epsilon, loss = chance.choice(["1/10", "7/10", "ln(2)", "3"]), chance.choice(["0", "1/1000"])
    k = chance.randint(1, 60)
    entries, delta = [(epsilon, loss, k)], chance.choice(["1/5", "1/100", f"1/{10**9}"])
    allowed = oracles.forced_delta(entries, delta)
    with mpmath.workdps(DIGITS):
        [(value, _, _)] = losses(entries)
        for i in range(k // 2 + 1):
            terms = (
                mpmath.binomial(k, j)
                * (mpmath.exp((k - j) * value) - mpmath.exp((k - 2 * i + j) * value))
                for j in range(i)
            )
            holds = mpmath.fsum(terms) / (1 + mpmath.exp(value)) ** k <= real(allowed)
            claimed = multiple(k - 2 * i, epsilon)
            assert status(handmade.steps(entries, claimed, delta, digits=40)) == (
                "accepted" if holds else "rejected"
            )


def test_a_step_between_two_of_the_grid_is_that_below_it() -> None:
    entries: list[Entry] = [("1/2", "0", 100)]
    for claimed in ("48", "481/10", "489999/10000", "49", "50", "1000"):
        assert status(handmade.steps(entries, claimed, f"1/{2**60}")) == "accepted"


def test_without_any_epsilon_only_delta_matters() -> None:
    entries: list[Entry] = [("0", "1/10", 2)]
    for delta, expected in (("19/100", "accepted"), ("9/50", "rejected")):
        claims = [handmade.formula(rule, entries, "0", delta) for rule in (ALIKE, DIFFERENT)]
        claims.append(handmade.steps(entries, "0", delta))
        assert {status(claim) for claim in claims} == {expected}
