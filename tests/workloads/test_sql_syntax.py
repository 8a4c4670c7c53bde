"""Syntax that is not listed is refused, whatever it is: generated over all that sqlglot knows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

import pytest
import sqlglot
from sqlglot import expressions as exp

from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms import Mechanism
from exactdp.workloads import sql_workload
from exactdp.workloads.sql_syntax import KNOWN, require_known
from exactdp.workloads.workload import Attribute, Workload
from tests.marking import each_case

DOMAIN = Workload((Attribute("age", 10), Attribute("sex", 2, ("f", "m"))), ())
STATEMENT = (
    "SELECT sex, COUNT(*) AS n, SUM(LEAST(GREATEST(age, 0), 9)), COUNT(DISTINCT age)"
    " FROM shop.people AS p WHERE p.age IN (1, 2) AND day > DATE '2026-01-31' AND (NOT age <> -1"
    " OR age = 1 OR age < 3 OR age <= 2 OR age > 1 OR age >= 5 OR age BETWEEN 1 AND 4) GROUP BY sex"
)


def tree() -> exp.Expr:
    return sqlglot.parse_one(STATEMENT)


def place(_: exp.Expr) -> str:
    return "line 1, column 1"


def all_kinds(kind: type[exp.Expression] = exp.Expression) -> Iterator[type[exp.Expression]]:
    for below in kind.__subclasses__():
        yield below
        yield from all_kinds(below)


def test_every_listed_part_occurs_in_the_example() -> None:
    require_known(tree(), place)
    assert {type(part) for part in tree().walk()} == set(KNOWN)


UNLISTED = sorted({*all_kinds()} - set(KNOWN), key=lambda kind: kind.__name__)


def test_sqlglot_knows_more_than_is_listed() -> None:
    assert len(UNLISTED) > 500


@pytest.mark.slow
def test_an_unlisted_part_is_refused_in_every_place() -> None:
    places = range(1, len(list(tree().walk())))
    for number, kind in zip(cycle(places), UNLISTED, strict=False):
        changed = tree()
        list(changed.walk())[number].replace(kind())
        with pytest.raises(UnsupportedError, match="query"):
            require_known(changed, place)


@pytest.mark.slow
def test_an_unlisted_argument_is_refused_on_every_part() -> None:
    tried = 0
    for number, part in enumerate(tree().walk()):
        for argument in {*part.arg_types, "unheard_of"} - KNOWN[type(part)]:
            for value in (True, "x", [exp.Star()], exp.Star()):
                changed = tree()
                list(changed.walk())[number].set(argument, value)
                with pytest.raises(UnsupportedError, match=r"SELECT COUNT|a comparison with"):
                    require_known(changed, place)
                tried += 1
    assert tried > 500


REFUSED = [
    "SELECT COUNT(*) FROM GREATEST(3)",
    "SELECT COUNT(*) FROM t WHERE age = GREATEST(1, 2)",
    "SELECT COUNT(*) FROM t WHERE SUM(age) > 3",
    "SELECT COUNT(*) FROM t GROUP BY GREATEST(age, 3)",
    "SELECT CAST(COUNT(*) AS int) FROM t",
    "SELECT COUNT(*) FROM t UNPIVOT(a FOR b IN (c, d))",
    "SELECT COUNT(*) FROM t PIVOT(SUM(a) FOR b IN ('x', 'y'))",
    "SELECT COUNT(*) FROM t TABLESAMPLE (10)",
    "SELECT COUNT(*) FROM t TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (1)",
    "SELECT COUNT(*) FROM f(3)",
    "SELECT COUNT(*) FROM t AS x(sex, age)",
    "SELECT COUNT(*) FROM t AS x(sex, age) WHERE age = 3",
    "SELECT COUNT(*) FROM t WHERE u.age = 3",
    "SELECT COUNT(*) FROM t AS u WHERE t.age = 3",
    "SELECT COUNT(*) FROM t WHERE s.t.age = 3",
    'SELECT COUNT(*) FROM T WHERE "t".age = 3',
    "SELECT u.sex, COUNT(*) FROM t GROUP BY u.sex",
    "SELECT COUNT(*) FROM ONLY t",
    "SELECT COUNT(*) FROM t FINAL",
    "SELECT COUNT(*) FROM t p",
    "SELECT COUNT(*) FROM t FOR SYSTEM_TIME AS OF '2020-01-01'",
    "SELECT COUNT(*) FROM t WITH (NOLOCK)",
    "SELECT COUNT(*) FROM t FOR UPDATE",
    "SELECT COUNT(*) FROM t WITH ORDINALITY",
    "SELECT COUNT(*) FROM LATERAL f(t)",
    "SELECT COUNT(*) FROM UNNEST(t)",
    "SELECT COUNT(*) FROM (VALUES (1))",
    "SELECT COUNT(*) FROM t LATERAL VIEW EXPLODE(a) b",
    "SELECT COUNT(*) FROM t MATCH_RECOGNIZE (PATTERN (a) DEFINE a AS a)",
    "SELECT COUNT(*) FROM t QUALIFY age = 3",
    "SELECT COUNT(*) FROM t WINDOW w AS (PARTITION BY age)",
    "SELECT COUNT(*) FROM t OFFSET 1",
    "SELECT COUNT(*) FROM t FETCH FIRST 1 ROW ONLY",
    "SELECT TOP 1 COUNT(*) FROM t",
    "SELECT COUNT(*) INTO u FROM t",
    "SELECT /*+ PARALLEL */ COUNT(*) FROM t",
    "WITH t AS (SELECT 1) SELECT COUNT(*) FROM t",
    "SELECT COUNT(*) OVER () FROM t",
    "SELECT COUNT(*) FILTER (WHERE age = 3) FROM t",
    "SELECT COUNT(* EXCEPT (age)) FROM t",
    "SELECT COUNT(*), age AS sex FROM t GROUP BY sex",
    "SELECT COUNT(*) FROM t WHERE age = 3 COLLATE x",
    "SELECT COUNT(*) FROM t WHERE age BETWEEN SYMMETRIC 4 AND 2",
    "SELECT COUNT(*) FROM t WHERE age = ANY (SELECT 3)",
    "SELECT COUNT(*) FROM t WHERE age IN UNNEST([1])",
    "SELECT COUNT(*) FROM t WHERE age IN (1, NULL)",
    "SELECT COUNT(*) FROM t WHERE age IS DISTINCT FROM 3",
    "SELECT COUNT(*) FROM t WHERE age = 3::int",
    "SELECT COUNT(*) FROM t WHERE CAST(age AS int) = 3",
    "SELECT COUNT(*) FROM t WHERE sex = N'f'",
    "SELECT COUNT(*) FROM t WHERE age = :x",
    "SELECT COUNT(*) FROM t WHERE age = ?",
    "SELECT COUNT(*) FROM t WHERE age = 0x1",
    "SELECT COUNT(*) FROM t WHERE age = 1 XOR age = 2",
    "SELECT COUNT(*) FROM t WHERE !age = 1",
    "SELECT COUNT(*) FROM t WHERE age = - -1",
    "SELECT COUNT(*) FROM t WHERE age = -'1'",
    "SELECT COUNT(*) FROM t WHERE sex = \"f\"",
    "SELECT COUNT(*) FROM t WHERE sex = 'f' 'm'",
    "SELECT COUNT(*) FROM t WHERE age < '3'",
    "SELECT COUNT(*) FROM t WHERE \"AGE\" = 3",
    "(SELECT COUNT(*) FROM t)",
    "TABLE t",
    "DELETE FROM t",
]  # fmt: skip


@each_case("statement", REFUSED)
def test_syntax_that_says_more_is_refused_with_its_place(statement: str) -> None:
    with pytest.raises(InputError, match="expected") as caught:
        sql_workload.read(f"\n  {statement}", DOMAIN, Mechanism("1"))
    assert caught.value.path.startswith("line 2")


@pytest.mark.parametrize("command", ["EXPLAIN", "explain", "CALL"])
def test_a_command_before_a_statement_is_refused_by_its_name(command: str) -> None:
    text = f"SELECT COUNT(*) FROM t;\n{command} SELECT COUNT(*) FROM t"  # noqa: S608 (made here)
    with pytest.raises(InputError, match="query") as caught:
        sql_workload.read(text, DOMAIN, Mechanism("1"))
    assert caught.value.path == "line 2, column 1"
    assert caught.value.value == command


def test_a_chain_of_two_hundred_alternatives_is_read() -> None:
    text = "SELECT COUNT(*) FROM t WHERE " + "age = 1 OR " * 200 + "age = 2"
    [query] = sql_workload.read(text, DOMAIN, Mechanism("1"))
    assert dict(query.where)[0].ranges == ((1, 3),)


@pytest.mark.parametrize("depth", [1000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("opening", "closing"), [("(", ")"), ("NOT ", ""), ("age = 1 OR ", ""), ("age = 1 AND (", ")")]
)
def test_a_condition_that_is_nested_too_deep_is_refused(
    opening: str, closing: str, depth: int
) -> None:
    condition = f"{opening * depth}age = 1{closing * depth}"
    text = f"SELECT COUNT(*) FROM t;\nSELECT COUNT(*) FROM t WHERE {condition}"  # noqa: S608 (made here)
    with pytest.raises(InputError, match="a condition that is nested less") as caught:
        sql_workload.read(text, DOMAIN, Mechanism("1"))
    assert caught.value.path == "line 2, column 1"


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT COUNT(*) FROM shop.t WHERE t.age = 3",
        "SELECT COUNT(*) FROM t AS u WHERE u.age = 3",
        "SELECT COUNT(*) FROM T WHERE t.AGE = 3",
        'SELECT COUNT(*) FROM "T" WHERE "T"."age" = 3',
        "SELECT ALL COUNT(*) FROM t WHERE (((age = 3)))",
    ],
)
def test_names_are_understood_as_databases_do(statement: str) -> None:
    [query] = sql_workload.read(statement, DOMAIN, Mechanism("1"))
    assert dict(query.where)[0].ranges == ((3, 4),)


def test_tables_are_compared_as_databases_do() -> None:
    each = Mechanism("1")
    same = "select count(*) from t; select count(*) from T"
    assert len(sql_workload.read(same, DOMAIN, each)) == 2
    for other in ('"T"', "shop.t", "u"):
        with pytest.raises(UnsupportedError, match="one table for all queries"):
            sql_workload.read(same.replace("T", other), DOMAIN, each)
