"""A column is read only where it is one in every database: a law over names, places and spellings.

The judge is what other databases make of the same words: MySQL and BigQuery take a name in double
quotes for a text, the standard takes ``user`` for a call. For each place in which a statement has a
column, the spelling that may be something else is refused, and the cure that is named is read.
"""

from __future__ import annotations

import json

import pytest

from exactdp.errors import InputError
from exactdp.mechanisms import Mechanism
from exactdp.workloads.reading import read_workload
from exactdp.workloads.sql_names import FUNCTIONS, PLACES
from exactdp.workloads.workload import REPLACE_ONE, Workload
from tests.marking import each_case

STATEMENTS = (
    "SELECT COUNT(*) FROM t WHERE {} < 65",
    "SELECT COUNT(*) FROM t WHERE 65 > {}",
    "SELECT COUNT(*) FROM t WHERE NOT ({} IN (1, 2) OR {} = 3)",
    "SELECT COUNT(*) FROM t WHERE {} BETWEEN 1 AND 3",
    "SELECT {}, COUNT(*) FROM t GROUP BY {}",
    "SELECT COUNT(*) FROM t GROUP BY {}",
    "SELECT COUNT(DISTINCT {}) FROM t",
    "SELECT SUM(LEAST(GREATEST({}, 0), 5)) FROM t",
    "SELECT SUM(CLAMP({}, 0, 5)) FROM t",
)


def read(statement: str, name: str, written: str, relation: str | None = None) -> Workload:
    domain: dict[str, object] = {"domain": {name: {"size": 100}}, "queries": []}
    if relation:
        domain["neighbouring"] = relation
    text = statement.replace("{}", written)
    return read_workload(text.encode(), domain=json.dumps(domain).encode(), each=Mechanism(1))


@each_case("relation", [None, REPLACE_ONE])
@each_case("statement", STATEMENTS)
@each_case("name", ["age", "age group"])
def test_a_name_in_double_quotes_is_refused_as_it_may_be_a_text(
    statement: str, name: str, relation: str | None
) -> None:
    with pytest.raises(InputError, match="read this as a text") as refused:
        read(statement, name, f'"{name}"', relation)
    assert refused.value.field == "column"
    assert refused.value.path.startswith("line 1, column ")
    assert f'"{name}"' in refused.value.value
    assert read(statement, name, f't."{name}"', relation).queries


@pytest.mark.slow
@each_case("statement", STATEMENTS)
@each_case("name", sorted(FUNCTIONS))
def test_a_word_that_is_a_function_somewhere_is_no_column_without_its_table(
    statement: str, name: str
) -> None:
    for written in (name, name.upper()):
        with pytest.raises(InputError, match="expected"):
            read(statement, name, written)
    assert read(statement, name, f't."{name}"').queries


@pytest.mark.slow
@each_case("statement", STATEMENTS)
@each_case("name", sorted(PLACES))
def test_a_column_that_databases_add_is_refused_behind_its_table_too(
    statement: str, name: str
) -> None:
    for written in (name, name.upper(), f"t.{name}", f't."{name}"'):
        with pytest.raises(InputError, match="give the column another name"):
            read(statement, name, written)


def test_the_cure_for_a_name_that_is_a_function_is_read() -> None:
    with pytest.raises(InputError, match=r"write table\.user with the name of the table"):
        read(STATEMENTS[0], "user", "user")
    assert read(STATEMENTS[0], "user", "t.user").queries


def test_other_names_and_aliases_in_double_quotes_are_read() -> None:
    text = 'SELECT COUNT(*) AS "n" FROM "t" WHERE age < 65'
    assert read(text, "age", "age").queries
