"""The measured running time of Theorem 1.7: what is kept, what is counted, and the page."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bench.theorem17 import (
    PRODUCT_BASE,
    RESULTS,
    TABLES_BASE,
    Instance,
    bound,
    by_product,
    by_tables,
    exponent,
    exponents,
    exponents_of_bound,
    series,
)

PAGE = Path(__file__).resolve().parents[1] / "docs" / "papers.md"
KEPT: list[dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))["records"]


def test_an_exponent_is_the_slope_between_logarithms() -> None:
    assert exponent([(x, 5 / x**3) for x in (1, 2, 4, 8)]) == -3


@pytest.mark.parametrize(
    "instance",
    [
        Instance(10, Fraction(1, 2), Fraction(2)),
        Instance(7, Fraction(1, 5), Fraction(9)),
        Instance(30, Fraction(1), Fraction(1, 3)),
    ],
)
def test_tables_in_doubles_and_one_exact_product_give_the_same_multiple(instance: Instance) -> None:
    assert sum(instance.epsilons()) == instance.total
    assert by_tables(instance).multiple == by_product(instance)


def test_what_is_kept_is_about_the_instances_of_the_program() -> None:
    for program, base in (("tables", TABLES_BASE), ("product", PRODUCT_BASE)):
        told = [
            (row["varied"], row["k"], row["eta"], row["total"])
            for row in KEPT
            if row["program"] == program
        ]
        assert told == [
            (size, each.k, str(each.eta), str(each.total))
            for size, instances in series(base).items()
            for each in instances
        ]


def test_the_operations_that_are_kept_are_counted_again() -> None:
    first = next(row for row in KEPT if row["program"] == "tables")
    assert by_tables(TABLES_BASE).operations == first["operations"]


def test_operations_grow_as_the_theorem_says() -> None:
    counted = exponents(KEPT, "tables", "operations")
    promised = exponents_of_bound()
    assert all(abs(counted[size] - promised[size]) < 0.05 for size in promised)
    operations = [row["operations"] for row in KEPT if row["program"] == "tables"]
    bounds = [bound(each) for instances in series(TABLES_BASE).values() for each in instances]
    constants = [count / most for count, most in zip(operations, bounds, strict=True)]
    assert max(constants) < 3


def test_the_page_shows_the_exponents_of_what_is_kept() -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = {
        "the theorem's expression": exponents_of_bound(),
        "operations of its tables": exponents(KEPT, "tables", "operations"),
        "processor time of its tables": exponents(KEPT, "tables", "seconds"),
        "processor time of `mv18`": exponents(KEPT, "product", "seconds"),
    }
    for title, fitted in shown.items():
        numbers = (f"{fitted[size]:.2f}".replace("-", "−") for size in ("k", "eta", "total"))
        assert f"| {' | '.join([title, *numbers])} |" in page
