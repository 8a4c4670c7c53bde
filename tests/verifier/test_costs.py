"""The formulas of cost, against those that the tests wrote from the SPEC."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from exactdp.verifier import verify_bytes
from exactdp.verifier.format.numbers import Number, integer_text
from exactdp.verifier.rules.fixed_point import exact_block
from exactdp.verifier.rules.prices import window
from tests.verifier import handmade

LARGE: list[handmade.Entry] = [("1/10", "0", 10**6), ("1/7", "1/1000", 3), ("2", "1/10", 50)]


def stated_and_needed(value: dict[str, Any]) -> tuple[str, str]:
    """Overstate the cost by 1, and read off the message what is needed."""
    right = json.loads(handmade.canonical_bytes(value))["cost"]
    more = {**value, "cost": str(int(value["cost"]) + 1)}
    reason = verify_bytes(handmade.canonical_bytes(more), max_cost=10**40).reason
    return right, reason.rpartition("stated, ")[2].removesuffix(" is needed")


@pytest.mark.parametrize("digits", [1, 30, 999])
def test_the_cost_of_a_grid(digits: int) -> None:
    for unit in ("1/10", "3/100", "7"):
        stated, needed = stated_and_needed(
            handmade.grid("upper", LARGE, "1", "1/2", unit=unit, digits=digits)
        )
        assert stated == needed


@pytest.mark.parametrize("digits", [1, 30, 999])
def test_the_cost_of_a_bracket(digits: int) -> None:
    for unit in ("1/10", "3/100", "7"):
        for make in (handmade.connect_the_dots, handmade.gridded_test):
            for sums in (1, 204, 10**7):
                stated, needed = stated_and_needed(
                    make(LARGE, "1", "1/2", unit=unit, digits=digits, sums=sums)
                )
                assert stated == needed


@pytest.mark.parametrize("digits", [1, 30, 999])
@pytest.mark.parametrize("entries", [[], [("0", "1/9", 7)], LARGE], ids=["none", "zero", "large"])
def test_the_cost_of_a_formula(digits: int, entries: list[handmade.Entry]) -> None:
    for rule in ("advanced-composition", "kairouz-oh-viswanath-heterogeneous"):
        stated, needed = stated_and_needed(
            handmade.formula(rule, entries, "1", "1/2", digits=digits)
        )
        assert stated == needed


@pytest.mark.parametrize("digits", [1, 30, 999])
@pytest.mark.parametrize("entry", [("0", "1/9", 7), ("1/7", "0", 10**6)], ids=["zero", "large"])
def test_the_cost_of_steps(digits: int, entry: handmade.Entry) -> None:
    stated, needed = stated_and_needed(handmade.steps([entry], "1", "1/2", digits=digits))
    assert stated == needed


@pytest.mark.parametrize("digits", [1, 30, 999])
@pytest.mark.parametrize("sums", [1, 1000, 10**7])
def test_the_cost_of_a_lattice(digits: int, sums: int) -> None:
    entries = [*LARGE, ("ln(2)", "0", 2), ("1/3 + ln(2) + 2*ln(3)", "0", 1)]
    stated, needed = stated_and_needed(
        handmade.lattice("upper", entries, "1", "1/2", digits=digits, sums=sums)
    )
    assert stated == needed


@pytest.mark.parametrize("sums", [1, 1000, 10**7])
def test_the_cost_of_rational_odds(sums: int) -> None:
    entries = [("0", "1/3", 9), ("ln(2)", "0", 1000), ("ln(2)", "1/7", 5), ("ln(11/10)", "0", 7)]
    stated, needed = stated_and_needed(
        handmade.rational_odds("upper", entries, "1", "1/2", sums=sums)
    )
    assert stated == needed


def test_a_cost_of_thousands_of_digits_is_a_plain_rejection() -> None:
    claim = handmade.certificate(
        "grid",
        "upper",
        [("1", "0", 1)],
        "1",
        "1/2",
        cost=1,
        digits="30",
        unit=f"1/{integer_text(2**30_000)}",
    )
    verdict = verify_bytes(handmade.canonical_bytes(claim))
    assert (verdict.status, verdict.exit_code) == ("rejected", 1)
    assert verdict.reason.endswith("… is needed")


@pytest.mark.slow
def test_a_block_has_no_more_weights_than_its_cost_says() -> None:
    for count in (1, 10, 1000, 10**5, 10**7):
        for digits in (1, 5, 30, 100):
            for epsilon in (Fraction(1, 10**6), Fraction(1), Fraction(9)):
                weights = exact_block(Number(epsilon), count, digits)
                assert len(weights) <= window(count, digits) + 1
