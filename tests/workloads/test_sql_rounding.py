"""A row counts wherever some database counts it, whatever binary fractions its columns hold.

The judge compares in Python as databases do: a column of decimals, of doubles or of single
precision, which are rounded by :mod:`struct`, beside literals that are exact, doubles, or rounded
to the column's type. Conditions are drawn with AND, OR, NOT, BETWEEN and IN.
"""

from __future__ import annotations

import json
import operator
import struct
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.mechanisms import Mechanism
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.reading import read_workload
from exactdp.workloads.rounded_numbers import as_double, as_single

Number = Fraction
Holds = Callable[[Callable[[Number], Number], Callable[[Number], Number], Number], bool]


def exactly(number: Number) -> Number:
    return number


def double(number: Number) -> Number:
    return Fraction(float(number))


def single(number: Number) -> Number:
    return Fraction(struct.unpack("f", struct.pack("f", float(number)))[0])


DATABASES = (
    (exactly, exactly),
    (double, double),
    (single, single),
    (single, double),
    (single, exactly),
)
SIGNS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
DECIMALS = ("0.1", "0.15", "0.2", "0.3", "0.7", "1.5", "16777217", "33554433.5", "-0.1")
WHOLE = ("0", "1", "7", "16777215", "16777216", "16777217", "16777219", "20000001", "20000003")
BESIDE_WHOLE = (*WHOLE, "0.99999999", "16777216.5", "1.00000001")
DOMAINS = {
    "decimals": ({"values": [*map(float, DECIMALS)]}, DECIMALS, DECIMALS),
    "whole numbers": ({"size": 20_000_010}, WHOLE, BESIDE_WHOLE),
}


def compared(sign: str, text: str) -> Holds:
    holds, number = SIGNS[sign], Fraction(text)
    return lambda stored, taken, value: bool(holds(stored(value), taken(number)))


def drawn(random: Random, literals: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, Holds]:
    """A condition, and for which values it holds in a database."""
    kind = random.choice(["sign"] * 4 + ["between", "in", "not", "and", "or"])
    one, two = random.choice(own), random.choice(own)
    match kind:
        case "sign":
            sign = random.choice([*SIGNS])
            text = one if sign in ("=", "<>") else random.choice(literals)
            return f"a {sign} {text}", compared(sign, text)
        case "between":
            low, high = compared(">=", one), compared("<=", two)
            return f"a BETWEEN {one} AND {two}", lambda s, t, v: low(s, t, v) and high(s, t, v)
        case "in":
            first, second = compared("=", one), compared("=", two)
            return f"a IN ({one}, {two})", lambda s, t, v: first(s, t, v) or second(s, t, v)
        case "not":
            text, inner = drawn(random, literals, own)
            return f"NOT ({text})", lambda s, t, v: not inner(s, t, v)
        case _:
            pass
    (left, holds), (right, also) = (drawn(random, literals, own) for _ in "lr")
    if kind == "and":
        return f"({left}) AND ({right})", lambda s, t, v: holds(s, t, v) and also(s, t, v)
    return f"(({left}) OR ({right}))", lambda s, t, v: holds(s, t, v) or also(s, t, v)


def coverages(attribute: object, conditions: list[str]) -> list[Coverage]:
    domain = json.dumps({"domain": {"a": attribute}, "queries": []}).encode()
    text = ";".join(f"SELECT COUNT(*) FROM t WHERE {each}" for each in conditions)  # noqa: S608 (made here)
    size = len(DECIMALS) if "values" in str(attribute) else 20_000_010
    queries = read_workload(text.encode(), domain=domain, each=Mechanism(1)).queries
    return [query.where.get(0, Coverage.of([(0, size)])) for query in queries]


@pytest.mark.slow
@pytest.mark.parametrize("name", DOMAINS)
def test_a_value_that_some_database_counts_is_covered(name: str) -> None:
    attribute, own, literals = DOMAINS[name]
    random = Random(7)  # noqa: S311 (a fixed sample)
    conditions = [drawn(random, literals, own) for _ in range(250)]
    found = coverages(attribute, [text for text, _ in conditions])
    for (text, holds), coverage in zip(conditions, found, strict=True):
        for place, value in enumerate(own):
            number = place if name == "decimals" else int(value)
            counted = any(holds(*database, Fraction(value)) for database in DATABASES)
            assert not counted or not coverage.disjoint(Coverage.of_values([number])), (text, value)


def test_numbers_that_no_database_rounds_are_told_apart_as_before() -> None:
    halves = {"values": [0.5, 1, 1.5, 2.25]}
    for attribute, limits in ((halves, ("0.5", "1.5")), ({"size": 60_000}, ("7", "59999"))):
        for limit in limits:
            signs = ("a < {}", "a = {}", "a > {}")
            parts = coverages(attribute, [each.format(limit) for each in signs])
            assert all(one.disjoint(other) for one, other in pairwise(parts))


@pytest.mark.parametrize(
    ("conditions", "epsilon"),
    [
        (("x > 0.1", "x < 0.15"), "2"),
        (("x > 0.1", "x = 0.1"), "2"),
        (("x <> 0.1", "x = 0.1"), "2"),
        (("NOT x <= 0.1", "x < 0.15"), "2"),
        (("x = 0.1", "x = 0.2"), "1"),
        (("x < 0.15", "x > 0.15"), "1"),
    ],
)
def test_a_column_of_single_precision_is_counted_with(
    conditions: tuple[str, ...], epsilon: str
) -> None:
    text = ";".join(f"SELECT COUNT(*) FROM t WHERE {each}" for each in conditions)  # noqa: S608 (made here)
    domain = b'{"domain": {"x": {"values": [0.1, 0.2]}}, "queries": []}'
    workload = read_workload(text.encode(), domain=domain, each=Mechanism(1))
    assert str(compose_parallel(workload, delta=0).optimum[1]) == epsilon


@given(st.fractions(-(10**15), 10**15) | st.floats(-1e30, 1e30).map(Fraction))
def test_a_number_is_rounded_as_python_rounds_it(number: Fraction) -> None:
    assert as_double(number) == double(number)
    assert as_single(double(number)) == single(number)
