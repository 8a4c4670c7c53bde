"""Dates and timestamps in conditions: against a database, and refused where they are computed."""

from __future__ import annotations

import re
import sqlite3
from datetime import date, timedelta
from random import Random

import pytest

from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms import Mechanism
from exactdp.workloads import sql_workload
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.workload import Attribute, Workload
from tests.marking import each_case

DAYS = tuple(str(date(2024, 2, 20) + timedelta(days=i)) for i in range(20))
HOURS = tuple(f"2024-02-2{day} {hour:02}:00:00" for day in (8, 9) for hour in range(0, 24, 6))
DOMAIN = Workload(
    (
        Attribute("day", len(DAYS), DAYS),
        Attribute("hour", len(HOURS), HOURS),
        Attribute("mixed", 2, ("2024-02-28", "2024-02-28 00:00")),
        Attribute("age", 9),
    ),
    (),
)


def where(condition: str) -> dict[int, Coverage]:
    text = f"SELECT COUNT(*) FROM t WHERE {condition}"  # noqa: S608 (made here)
    [query] = sql_workload.read(text, DOMAIN, Mechanism("1/10"))
    return dict(query.where)


@each_case(
    ("condition", "admitted"),
    [
        ("day >= DATE '2024-03-01'", range(10, 20)),
        ("day < DATE '2024-02-29'", range(9)),
        ("DATE '2024-02-29' > day", range(9)),
        ("day = DATE '2024-02-29'", [9]),
        ("day <> DATE '2024-02-29'", [*range(9), *range(10, 20)]),
        ("day BETWEEN DATE '2024-02-28' AND DATE '2024-03-01'", [8, 9, 10]),
        ("day BETWEEN '2024-02-28' AND '2024-03-01'", [8, 9, 10]),
        ("day IN (DATE '2024-02-20', '2024-02-21')", [0, 1]),
        ("day <= TIMESTAMP '2024-02-21 12:00:00'", [0, 1]),
        ("day < CAST('2024-02-21' AS DATE)", [0]),
        ("NOT day < DATE '2024-03-09'", [18, 19]),
        ("day > DATE '2030-01-01'", []),
    ],
)
def test_conditions_on_days(condition: str, admitted: list[int]) -> None:
    assert where(condition) == {0: Coverage.of_values(admitted)}


@pytest.mark.parametrize(
    ("condition", "admitted"),
    [
        ("hour >= TIMESTAMP '2024-02-28 12:00:00'", range(2, 8)),
        ("hour < TIMESTAMP '2024-02-28T12:00'", [0, 1]),
        ("hour < DATE '2024-02-29'", range(4)),
        ("hour BETWEEN DATE '2024-02-28' AND DATE '2024-02-29'", range(5)),  # midnight is in it
        ("hour > '2024-02-29 06:00:00'", [6, 7]),
        ("hour = TIMESTAMP '2024-02-29 06:00'", [5]),
    ],
)
def test_conditions_on_instants(condition: str, admitted: list[int]) -> None:
    assert where(condition) == {1: Coverage.of_values(admitted)}


@pytest.mark.slow
def test_a_database_finds_the_days_that_the_coverage_admits() -> None:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE TABLE t (day TEXT)")
    table.executemany("INSERT INTO t VALUES (?)", [(day,) for day in DAYS])
    random = Random(3)  # noqa: S311 (a fixed sample)
    for _ in range(150):
        condition = " AND ".join(_condition(random) for _ in range(random.randint(1, 3)))
        # The database has no literals of dates: it compares texts, whose order is that of days.
        statement = f"SELECT day FROM t WHERE {re.sub('(DATE) ', '', condition)}"  # noqa: S608 (made here)
        found = [DAYS.index(day) for (day,) in table.execute(statement)]
        assert where(condition) == {0: Coverage.of_values(found)}, condition


def _condition(random: Random) -> str:
    one, other = (f"DATE '2024-0{random.choice('23')}-{random.randint(1, 29):02}'" for _ in "12")
    relation = random.choice(["=", "<>", "<", "<=", ">", ">="])
    there = f"DATE '{random.choice(DAYS)}'"  # an equality with another day is refused
    one = there if relation in ("=", "<>") else one
    text = random.choice([f"day {relation} {one}", f"day BETWEEN {one} AND {other}"])
    return random.choice([text, f"NOT ({text})", f"(day = {there} OR {text})"])


@pytest.mark.parametrize(
    "condition",
    [
        "day > DATE '2024-02-28' + INTERVAL '1' DAY",
        "day > DATE '2024-02-28' + 1",
        "day > CURRENT_DATE",
        "hour > CURRENT_TIMESTAMP",
        "EXTRACT(YEAR FROM day) = 2024",
        "day >= DATE_ADD(day, 3)",
        "hour > TIMESTAMP WITH TIME ZONE '2024-02-28 00:00:00+01'",
        "CAST(day AS DATE) = DATE '2024-02-28'",
        "day = CAST(age AS DATE)",
        "age = CAST('3' AS int)",
        "hour > TIMESTAMP(3) '2024-02-28 00:00:00'",
    ],
)
def test_what_is_computed_is_refused_with_its_place(condition: str) -> None:
    with pytest.raises(UnsupportedError, match="at line 1, column"):
        where(condition)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("day > DATE '2024-02-30'", "a date as 2026-01-31"),
        ("day = DATE '2030-01-01'", "a value of day as the domain has it"),
        ("day <> '2024-2-20'", "write 2024-02-20, as the domain does"),
        ("day > DATE '28.2.2024'", "a date as 2026-01-31"),
        ("day > DATE '2024-02-28 12:00:00'", "a date as 2026-01-31"),
        ("hour > TIMESTAMP '2024-02-28 12:00:00+01:00'", "without time zone"),
        ("hour > TIMESTAMP '2024-02-28 12:00:00Z'", "without time zone"),
        ("age > DATE '2024-02-28'", "whose values are not all dates"),
        ("mixed > DATE '2024-02-27'", "whose values are not all dates in one form"),
        ("mixed > '2024-02-27'", "a number without quotes"),
        ("hour > '2024-02-28'", "a number without quotes"),
    ],
)
def test_what_is_no_date_of_the_domain_is_refused_with_its_place(condition: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        where(condition)
    assert caught.value.path.startswith("line 1, column ")
