"""SQL logs as workloads: what is understood, and what is refused where."""

from __future__ import annotations

import sqlite3
from itertools import product
from random import Random

import pytest

from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms import ConcentratedMechanism, Mechanism
from exactdp.workloads import sql_workload
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import maximum_overlap
from exactdp.workloads.workload import Attribute, Workload
from tests.marking import each_case

DOMAIN = Workload(
    (Attribute("age", 10), Attribute("sex", 2, ("f", "m")), Attribute("year", 3, ("1", "5", "9"))),
    (),
)
EACH = Mechanism("1/10")


def read(text: str) -> Workload:
    return sql_workload.read(text, DOMAIN, EACH)


def where(condition: str) -> dict[int, Coverage]:
    [query] = read("SELECT COUNT(*) FROM people WHERE " + condition)  # noqa: S608 (made here)
    return dict(query.where)


@each_case(
    ("condition", "admitted"),
    [
        ("age = 3", [3]),
        ("3 = age", [3]),
        ("age = (3)", [3]),
        ("((age)) < (2)", [0, 1]),
        ("(2) > (age)", [0, 1]),
        ("age <> 3", [0, 1, 2, 4, 5, 6, 7, 8, 9]),
        ("age < 2", [0, 1]),
        ("age <= 2", [0, 1, 2]),
        ("2 > age", [0, 1]),
        ("age > 7.5", [8, 9]),
        ("age >= 8", [8, 9]),
        ("age > -3", range(10)),
        ("age < -3", []),
        ("age BETWEEN 2 AND 4", [2, 3, 4]),
        ("age BETWEEN 4 AND 2", []),
        ("age IN (1, 3, 2)", [1, 2, 3]),
        ("age NOT IN (0, 9)", range(1, 9)),
        ("NOT (age < 3 OR age = 5)", [3, 4, 6, 7, 8, 9]),
        ("(age < 5 AND (age > 2))", [3, 4]),
        ("age < 5 AND age > 2", [3, 4]),
        ("people.age = 3", [3]),
        ("AGE = 3", [3]),
    ],
)
def test_conditions_on_a_numbered_attribute(condition: str, admitted: list[int]) -> None:
    assert where(condition) == {0: Coverage.of_values(admitted)}


def test_conditions_on_listed_values_compare_as_numbers_or_as_texts() -> None:
    assert where("sex = 'm'") == {1: Coverage.of_values([1])}
    assert where("year >= 5") == {2: Coverage.of_values([1, 2])}
    assert where("year < 2 AND sex IN ('f')") == {
        2: Coverage.of_values([0]),
        1: Coverage.of_values([0]),
    }


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("age = 12", "12"),
        ("age = -1", "-1"),
        ("age <> 12", "12"),
        ("sex = 'x'", "x"),
        ("sex NOT IN ('f', 'x')", "x"),
    ],
)
def test_equality_with_a_value_outside_the_domain_is_refused(condition: str, value: str) -> None:
    with pytest.raises(InputError, match="as the domain has it") as caught:
        where(condition)
    assert caught.value.value == value


def test_a_histogram_is_one_query_over_its_where_clause() -> None:
    workload = read("SELECT sex, COUNT(*) AS n FROM people WHERE age < 3 GROUP BY sex")
    assert dict(workload.queries[0].where) == {0: Coverage.of([(0, 3)])}
    assert maximum_overlap(QueryGraph.of(workload)).upper == 1


def test_comments_give_parameters_and_labels_and_other_comments_are_prose() -> None:
    workload = read(
        """
        -- The first question.
        -- epsilon: 1/4, delta: 1e-9, label: adults
        SELECT COUNT(*) FROM people WHERE age > 5;
        SELECT COUNT(*) FROM people;
        /* rho: 1/8 */ SELECT COUNT(*) FROM people;
        """
    )
    assert [query.mechanism for query in workload] == [
        Mechanism("1/4", "1e-9", label="adults"),
        EACH,
        ConcentratedMechanism("1/8"),
    ]


@each_case(
    ("statement", "place"),
    [
        ("SELECT COUNT(*) FROM people WHERE age = 3 OR sex = 'f'", "line 1, column 35"),
        ("SELECT COUNT(*) FROM people WHERE age = year", "line 1, column 35"),
        ("SELECT COUNT(*) FROM people WHERE age + 1 = 3", "line 1, column 35"),
        ("SELECT COUNT(*) FROM people WHERE sex LIKE 'f%'", "line 1, column 35"),
        ("SELECT COUNT(*) FROM people WHERE age IS NULL", "line 1, column 35"),
        ("SELECT COUNT(*) FROM people WHERE age IN (SELECT 3)", "line 1, column 35"),
        ("SELECT COUNT(*) FROM people WHERE 1 = 1", "line 1, column 35"),
        ("SELECT SUM(age) FROM people", "line 1, column 8"),
        ("SELECT COUNT(age) FROM people", "line 1, column 8"),
        ("SELECT DISTINCT COUNT(*) FROM people", "line 1"),
        ("SELECT COUNT(*), COUNT(*) FROM people", "line 1"),
        ("SELECT sex FROM people GROUP BY sex", "line 1"),
        ("SELECT age, COUNT(*) FROM people GROUP BY sex", "line 1, column 8"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex HAVING COUNT(*) > 5", "line 1"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY ROLLUP (sex)", "line 1"),
        ("SELECT COUNT(*) FROM people LIMIT 1", "line 1"),
        ("SELECT COUNT(*) FROM people, others", "line 1"),
        ("SELECT COUNT(*) FROM people JOIN others ON a = b", "line 1"),
        ("SELECT COUNT(*) FROM (SELECT * FROM people) p", "line 1"),
        ("SELECT COUNT(*)", "line 1"),
        ("DELETE FROM people", ""),
        ("SELECT COUNT(*) FROM people UNION SELECT COUNT(*) FROM people", ""),
        ("SELECT COUNT(*) FROM people;\nSELECT COUNT(*) FROM others", "line 2, column 22"),
    ],
)
def test_what_is_no_counting_query_over_predicates_is_refused(statement: str, place: str) -> None:
    with pytest.raises(UnsupportedError, match=f"( at {place}|^query: )") as caught:
        read(statement)
    assert caught.value.path.startswith(place)


@pytest.mark.parametrize(
    ("statement", "field"),
    [
        ("SELECT COUNT(*) FROM people WHERE height = 3", "column"),
        ("SELECT COUNT(*) FROM people WHERE sex < 'm'", "value"),
        ("SELECT COUNT(* FROM people", "workload"),
        ("-- epsilon: 1, epsilon: 2\nSELECT COUNT(*) FROM people", "comment"),
        ("-- epsilon: 1, rho: 2\nSELECT COUNT(*) FROM people", "comment"),
        ("-- epsilon: x\nSELECT COUNT(*) FROM people", "epsilon"),
    ],
)
def test_slips_are_named(statement: str, field: str) -> None:
    with pytest.raises(InputError, match=f"^{field} at line ") as caught:
        read(statement)
    assert caught.value.field == field
    assert caught.value.path.startswith("line ")


def test_a_statement_without_parameters_asks_for_them() -> None:
    with pytest.raises(InputError, match="--each"):
        sql_workload.read("SELECT COUNT(*) FROM people", DOMAIN)


@pytest.mark.slow
def test_a_database_counts_the_rows_that_the_coverage_admits() -> None:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE TABLE people (age INTEGER, sex TEXT, year INTEGER)")
    rows = list(product(range(10), ("f", "m"), (1, 5, 9)))
    table.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    random = Random(1)  # noqa: S311 (a fixed sample)
    for _ in range(200):
        condition = " AND ".join(_condition(random) for _ in range(random.randint(1, 4)))
        statement = f"SELECT COUNT(*) FROM people WHERE {condition}"  # noqa: S608 (made here)
        [query] = read(statement)
        counted = table.execute(statement).fetchone()[0]
        admitted = sum(
            query.admits({0: age, 1: "fm".index(sex), 2: (1, 5, 9).index(year)})
            for age, sex, year in rows
        )
        assert admitted == counted, statement


def _condition(random: Random) -> str:
    column = random.choice(["age", "year", "sex"])
    value = {"age": random.randrange(10), "year": random.choice([1, 5, 9])}
    if column == "sex":
        return random.choice(["sex = 'f'", "sex <> 'f'", "sex IN ('f', 'm')", "NOT sex = 'm'"])
    relation = random.choice(["=", "<>", "<", "<=", ">", ">="])
    simple = f"{column} {relation} {value[column]}"
    return random.choice([simple, f"NOT ({simple})", f"({simple} OR {column} = {value[column]})"])
