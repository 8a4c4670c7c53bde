"""Counts of distinct values and clipped sums: how much one row changes them, against a database."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms import Mechanism
from exactdp.workloads import sql_workload
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.workload import REPLACE_ONE, Attribute, Query, Workload
from tests.marking import each_case

VALUES = ("-3", "-1", "0", "2", "5")
DOMAIN = Workload(
    (
        Attribute("age", 4),
        Attribute("score", 5, VALUES, numeric=True),
        Attribute("sex", 2, ("f", "m")),
    ),
    (),
)
ROWS = list(product(range(4), (-3, -1, 0, 2, 5), ("f", "m")))
Row = tuple[int, int, str]


def read(text: str, domain: Workload = DOMAIN) -> Workload:
    return sql_workload.read(text, domain, Mechanism("1/10"))


def numbered(row: Row) -> dict[int, int]:
    """The values of a row by their numbers in the domain."""
    return {0: row[0], 1: VALUES.index(str(row[1])), 2: "fm".index(row[2])}


class Table:
    """A database that is asked again after each change."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._connection.create_function("LEAST", 2, min)
        self._connection.create_function("GREATEST", 2, max)
        self._connection.create_function("CLAMP", 3, lambda x, low, high: min(max(x, low), high))
        self._connection.execute("CREATE TABLE t (age INTEGER, score INTEGER, sex TEXT)")

    def answer(self, statement: str, rows: list[Row]) -> Fraction:
        self._connection.execute("DELETE FROM t")
        self._connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        [answer] = self._connection.execute(statement).fetchone()
        return Fraction(answer or 0)


AGGREGATES = [
    "COUNT(DISTINCT age)",
    *(
        aggregate.format(low=low, high=high)
        for low, high in ((0, 3), (-2, 2), (-2, 0), (1, 4), (-9, -2), (0, 0))
        for aggregate in (
            "SUM(LEAST(GREATEST(score, {low}), {high}))",
            "SUM(GREATEST({low}, LEAST(age, {high})))",
            "SUM(clamp(score, {low}, {high}))",
        )
    ),
]
CONDITIONS = ("", " WHERE age < 2", " WHERE score > -2 AND sex = 'f'")


@pytest.mark.slow
@each_case("condition", CONDITIONS)
@each_case("aggregate", AGGREGATES)
def test_a_row_outside_the_coverage_changes_nothing_and_one_inside_no_more_than_is_said(
    aggregate: str, condition: str
) -> None:
    statement = f"SELECT {aggregate} FROM t{condition}"  # noqa: S608 (made here)
    table, random = Table(), Random(7)  # noqa: S311 (a fixed sample)
    added, replaced = (
        read(f"-- scale: 1\n{statement}", domain).queries[0]
        for domain in (DOMAIN, replace(DOMAIN, neighbouring=REPLACE_ONE))
    )
    for _ in range(3):
        rest = random.sample(ROWS, random.randrange(4))
        alone = table.answer(statement, rest)
        answers = [table.answer(statement, [*rest, row]) for row in ROWS]
        for row, answer in zip(ROWS, answers, strict=True):
            assert added.admits(numbered(row)) or answer == alone
            assert abs(answer - alone) <= epsilon(added)
        assert max(answers) - min(answers) <= epsilon(replaced)


def epsilon(query: Query) -> Fraction:
    """At scale 1, the sensitivity."""
    assert isinstance(query.mechanism, Mechanism)
    return Fraction(str(query.mechanism.epsilon))


@pytest.mark.parametrize(
    ("clipped", "admitted"),
    [
        ("LEAST(GREATEST(score, 0), 9)", [3, 4]),
        ("GREATEST(LEAST(score, 9), -9)", [0, 1, 3, 4]),
        ("LEAST(GREATEST(-9, score), 0)", [0, 1]),
        ("LEAST(GREATEST(score, 1), 9)", range(5)),
        ("LEAST(GREATEST(score, 0), 0)", []),
    ],
)
def test_rows_that_add_nothing_are_not_covered(clipped: str, admitted: list[int]) -> None:
    [query] = read(f"SELECT SUM({clipped}) FROM t")  # noqa: S608 (made here)
    assert dict(query.where) == {1: Coverage.of_values(admitted)}


def test_all_rows_are_covered_where_a_column_may_hold_its_numbers_as_texts() -> None:
    domain = Workload((Attribute("score", 5, VALUES),), ())
    [query] = read("SELECT SUM(LEAST(GREATEST(score, 0), 9)) FROM t", domain)
    assert dict(query.where) == {0: Coverage.of([(0, 5)])}


def test_a_sum_and_a_count_of_those_that_add_nothing_are_disjoint() -> None:
    both = read(
        "SELECT SUM(LEAST(GREATEST(age, 0), 2)) FROM t; SELECT COUNT(*) FROM t WHERE age = 0"
    )
    assert both.queries[0].disjoint(both.queries[1])


def test_noise_of_a_scale_weighs_a_sum_by_its_bounds() -> None:
    log = "-- scale: 20\nSELECT COUNT(*) FROM t;\n-- scale: 20, label: scores\n"
    log += "SELECT SUM(LEAST(GREATEST(score, -2), 5)) FROM t"
    added = read(log)
    assert [query.mechanism for query in added] == [
        Mechanism("1/20"),
        Mechanism("1/4", label="scores"),
    ]
    assert str(compose_parallel(added, delta=0).optimum[0]) == "3/10"
    replaced = read(log, replace(DOMAIN, neighbouring=REPLACE_ONE))
    assert [str(query.mechanism.epsilon) for query in replaced] == ["1/20", "7/20"]  # type: ignore[attr-defined]  # both are given by ε


@each_case(
    ("statement", "field", "place"),
    [
        ("SELECT SUM(score) FROM t", "query", "line 2, column 8"),
        ("SELECT SUM(LEAST(score, 3)) FROM t", "query", "line 2, column 8"),
        ("SELECT SUM(LEAST(LEAST(score, 3), 4)) FROM t", "query", "line 2, column 8"),
        ("SELECT SUM(LEAST(GREATEST(score, 0, 1), 4)) FROM t", "query", "line 2, column 18"),
        ("SELECT SUM(LEAST(GREATEST(score, age), 4)) FROM t", "query", "line 2, column 18"),
        ("SELECT SUM(LEAST(GREATEST(score, 5), 4)) FROM t", "SUM", "line 2, column 8"),
        ("SELECT SUM(LEAST(GREATEST(score, '0'), 4)) FROM t", "value", "line 2"),
        ("SELECT SUM(LEAST(GREATEST(sex, 0), 4)) FROM t", "value", "line 2"),
        ("SELECT SUM(LEAST(GREATEST(height, 0), 4)) FROM t", "column", "line 2"),
        ("SELECT SUM(DISTINCT LEAST(GREATEST(score, 0), 4)) FROM t", "query", "line 2, column 8"),
        ("SELECT SUM(1) FROM t", "query", "line 2, column 8"),
        ("SELECT COUNT(DISTINCT height) FROM t", "column", "line 2, column 23"),
        ("SELECT COUNT(DISTINCT age + 1) FROM t", "query", "line 2"),
        ("SELECT COUNT(DISTINCT *) FROM t", "query", "line 2"),
        ("SELECT COUNT(age) FROM t", "query", "line 2, column 8"),
        ("SELECT COUNT(*), SUM(LEAST(GREATEST(score, 0), 4)) FROM t", "query", "line 2"),
        ("SELECT MAX(age) FROM t", "query", "line 2, column 8"),
        ("SELECT SUM(CLAMP(score, 0)) FROM t", "query", "line 2, column 12"),
        ("SELECT SUM(CLAMP(score, 0, age)) FROM t", "query", "line 2, column 28"),
        ("SELECT SUM(CLAMP(score, 5, 4)) FROM t", "SUM", "line 2, column 8"),
        ("SELECT SUM(CLAMP(score, '0', 4)) FROM t", "query", "line 2"),
        ("SELECT SUM(CLAMP(age + 1, 0, 4)) FROM t", "query", "line 2"),
        ("SELECT SUM(CLIP(score, 0, 4)) FROM t", "query", "line 2, column 12"),
        ("SELECT CLAMP(score, 0, 4) FROM t", "query", "line 2, column 8"),
        ("SELECT COUNT(*) FROM t WHERE CLAMP(age, 0, 4) = 1", "query", "line 2, column 30"),
        ("SELECT SUM(score CLAMPED BETWEEN 0 AND 4) FROM t", "workload", "line 2"),
    ],
)
def test_what_no_bound_is_known_of_is_refused_with_its_place(
    statement: str, field: str, place: str
) -> None:
    with pytest.raises(InputError, match="expected") as caught:
        read(f"\n{statement}")
    assert caught.value.field == field
    assert caught.value.path.startswith(place)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("SELECT COUNT(*) FROM t JOIN u ON t.a = u.a", "not a join"),
        ("SELECT COUNT(*) FROM t, u", "not a join"),
        ("SELECT COUNT(*) FROM t NATURAL JOIN u", "not a join"),
        ("SELECT AVG(age) FROM t", "a mean is a sum over a count"),
        ("SELECT SUM(age) FROM t", "without bounds"),
    ],
)
def test_a_refusal_gives_the_reason_by_name(statement: str, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        read(statement)


@pytest.mark.parametrize("scale", ["0", "-1", "x", "1e999999"])
def test_a_scale_is_a_number_above_0(scale: str) -> None:
    with pytest.raises(InputError, match="scale at line 1, column 1"):
        read(f"-- scale: {scale}\nSELECT COUNT(*) FROM t")


@pytest.mark.parametrize(
    "comment", ["scale = 5", "scale: 5, epsilon: 1", "a scale of 5: large", "scale: 1, scale: 1"]
)
def test_a_scale_in_another_form_or_beside_another_parameter_is_refused(comment: str) -> None:
    with pytest.raises(InputError, match=r"^comment at line 1, column 1"):
        read(f"-- {comment}\nSELECT COUNT(*) FROM t")
