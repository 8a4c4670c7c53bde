"""A row that two queries count is never taken for none: a law over spellings, against databases.

For each kind of domain, each pair of conditions that are read is put to a real database, whose
columns have each type and each collation that fits the domain: where it finds a row that satisfies
both, the two queries overlap; where it finds a row for one, that query is no contradiction.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from unicodedata import combining, normalize

import duckdb
import pytest

from exactdp.errors import InputError
from exactdp.mechanisms import Mechanism
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.reading import read_workload
from exactdp.workloads.workload import Query
from tests.marking import each_case

OPERATORS = ("= {}", "IN ({})", "<> {}", "NOT IN ({})", "< {}", "> {}", ">= {}", "<= {}")
PAIRED = ("BETWEEN {} AND {}", "NOT BETWEEN {} AND {}", "IN ({}, {})")


@dataclass(frozen=True)
class Case:
    """A domain as JSON has it, columns that hold its values, and spellings of literals."""

    domain: str
    columns: tuple[str, ...]
    rows: tuple[object, ...]
    literals: tuple[str, ...]
    collation: str | None = None
    ducks: tuple[str, ...] = ()

    def conditions(self, *, all_of_them: bool) -> list[str]:
        """Conditions of one comparison, and some that are negated."""
        few = self.literals if all_of_them else self.literals[:3]
        operators = OPERATORS if all_of_them else OPERATORS[::2]
        singles = [each.format(x) for each, x in product(operators, self.literals)]
        pairs = [each.format(*both) for each in PAIRED for both in product(few, few)]
        negated = [each.format(x) for each, x in product(OPERATORS, few)]
        return [f"a {each}" for each in (*singles, *pairs)] + [f"NOT (a {e})" for e in negated]

    def read(self, condition: str) -> Query | InputError:
        """The query with this condition, or why it is refused."""
        text = f"SELECT COUNT(*) FROM t WHERE {condition}"  # noqa: S608 (made here)
        domain = f'{{"domain": {{"a": {self.domain}}}, "queries": [{{"epsilon": 1}}]}}'
        try:
            return read_workload(
                text.encode(),
                domain=domain.encode(),
                each=Mechanism("1"),
                collation=self.collation,
            ).queries[1]
        except InputError as error:
            return error


NUMBERS = (
    *("1", "1.0", "1e0", "10", "1e1", "10.0", "100e-1", "01", "+1", "-1", "0", "-0", "0.5", "1."),
    *("'1'", "'1.0'", "' 1'", "'01'", "'x'", "''", "1.00000000000000000001", "9.99999999999999999"),
    *(
        "0.99999999999999999999",
        "1e-400",
        "12",
        "1e400",
        "9007199254740993",
        "9.007199254740993e15",
    ),
)
TEXTS = ("'x'", "'X'", "'x '", "' x'", "'y'", "'é'", "'e'", "'E'", "''", "'x-'", "1", "'x\t'")
DATES = (
    *("'2026-01-01'", "'2026-1-1'", "'2026-01-02'", "'2026-01-01 00:00:00'", "'20260101'"),
    *("DATE '2026-01-01'", "DATE '2026-01-02'", "DATE '2027-01-01'", "20260101", "'01/01/2026'"),
)
SQLITE = ("TEXT", "TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM", "TEXT COLLATE LOOSE")
DUCKS = ("INTEGER", "DOUBLE", "DECIMAL(18, 4)")
TIMES = ("DATE", "TIMESTAMP", "VARCHAR")
ROUNDED = ("0.1", "0.2", "0.7", "1e-1", "0.15", "0.150", "0.10000000149", "'0.1'", "0.3", "0.5")
WHOLE = (
    "16777216",
    "16777217",
    "16777218",
    "16777215",
    "16777216.5",
    "16777219",
    "3",
    "0.99999999",
)
LARGE = (0, 1, *range(2**24 - 1, 2**24 + 4))
HUGE = tuple(range(2**53 - 1, 2**53 + 3))
CASES = {
    "size": Case(
        '{"size": 12}', ("INTEGER", "REAL", "NUMERIC"), tuple(range(12)), NUMBERS, ducks=DUCKS
    ),
    "huge size": Case('{"size": "1000000000000000000"}', ("INTEGER",), (0, 1, *HUGE), NUMBERS),
    "numbers": Case(
        '{"values": [1, 5, 9, 10, 100]}',
        ("INTEGER", "REAL"),
        (1, 5, 9, 10, 100),
        NUMBERS,
        ducks=DUCKS,
    ),
    "decimals": Case(
        '{"values": [0.5, 1, 10.25]}', ("REAL",), (0.5, 1, 10.25), NUMBERS, ducks=DUCKS[1:]
    ),
    "decimals that are rounded": Case(
        '{"values": [0.1, 0.15, 0.2, 0.7]}',
        ("REAL", "NUMERIC"),
        (0.1, 0.15, 0.2, 0.7),
        ROUNDED,
        ducks=("FLOAT", "DOUBLE", "DECIMAL(18, 4)"),
    ),
    "beyond 24 bits": Case(
        '{"size": 16777220}', ("INTEGER",), LARGE, WHOLE, ducks=("INTEGER", "FLOAT", "DOUBLE")
    ),
    "numbers in quotes": Case(
        '{"values": ["1", "5", "9", "10", "100"]}',
        ("INTEGER", "REAL", "TEXT", *SQLITE),
        ("1", "5", "9", "10", "100"),
        NUMBERS,
        ducks=("INTEGER", "VARCHAR"),
    ),
    "one number in three spellings": Case(
        '{"values": ["1", "01", "1.0"]}', SQLITE, ("1", "01", "1.0"), NUMBERS
    ),
    "texts": Case('{"values": ["x", "y"]}', SQLITE, ("x", "y"), TEXTS),
    "texts alike": Case(
        '{"values": ["x", "X", "x ", "y", "é", "e", "x-"]}',
        SQLITE,
        ("x", "X", "x ", "y", "é", "e", "x-"),
        TEXTS,
        ducks=("VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOCASE.NOACCENT"),
    ),
    "texts told apart": Case(
        '{"values": ["x", "X", "x ", "y", "é", "e", "x-"]}',
        ("TEXT",),
        ("x", "X", "x ", "y", "é", "e", "x-"),
        TEXTS,
        "binary",
    ),
    "dates": Case(
        '{"values": ["2026-01-01", "2026-01-02"]}',
        SQLITE,
        ("2026-01-01", "2026-01-02"),
        DATES,
        ducks=TIMES,
    ),
    "dates in two forms": Case(
        '{"values": ["2026-01-01", "2026-1-1"]}',
        SQLITE,
        ("2026-01-01", "2026-1-1"),
        DATES,
        ducks=TIMES,
    ),
}


def bare(text: str) -> str:
    """What a collation without regard to case, accents, spaces and punctuation compares."""
    return "".join(
        c for c in normalize("NFKD", text).casefold() if c.isalnum() and not combining(c)
    )


def loose(one: str, other: str) -> int:
    return (bare(one) > bare(other)) - (bare(one) < bare(other))


Counted = Callable[[str], frozenset[int]]


def in_sqlite(case: Case, column: str) -> Counted:
    """The rows that satisfy a condition; SQLite takes dates for texts."""
    table = sqlite3.connect(":memory:")
    table.create_collation("LOOSE", loose)
    table.execute(f"CREATE TABLE t (n INTEGER, a {column})")
    table.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(case.rows)))

    def counted(condition: str) -> frozenset[int]:
        plain = condition.replace("DATE ", "")
        return frozenset(n for (n,) in table.execute(f"SELECT n FROM t WHERE {plain}"))  # noqa: S608 (made here)

    return counted


def in_duckdb(case: Case, column: str) -> Counted:
    """The rows that satisfy a condition; none if DuckDB refuses it, as it knows types."""
    table = duckdb.connect()
    table.execute(f"CREATE TABLE t (n INTEGER, a {column})")
    table.executemany("INSERT INTO t VALUES (?, ?)", [list(row) for row in enumerate(case.rows)])

    def counted(condition: str) -> frozenset[int]:
        try:
            found = table.execute(f"SELECT n FROM t WHERE {condition}").fetchall()  # noqa: S608 (made here)
        except duckdb.Error:
            return frozenset()
        return frozenset(n for (n,) in found)

    return counted


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_two_queries_that_count_the_same_row_of_a_database_overlap(name: str) -> None:
    require_overlaps(CASES[name], all_of_them=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_more_pairs_that_count_the_same_row_of_a_database_overlap(name: str) -> None:
    require_overlaps(CASES[name], all_of_them=True)


def require_overlaps(case: Case, *, all_of_them: bool) -> None:
    read = {each: case.read(each) for each in case.conditions(all_of_them=all_of_them)}
    refused = [each for each in read.values() if isinstance(each, InputError)]
    assert refused
    assert all(each.path.startswith("line 1, column ") for each in refused)
    known = {each: query.where[0] for each, query in read.items() if isinstance(query, Query)}
    tables = [(column, in_sqlite(case, column)) for column in case.columns]
    tables += [(column, in_duckdb(case, column)) for column in case.ducks]
    for column, counted in tables:
        kinds = {(counted(each), coverage): each for each, coverage in known.items()}
        for (rows, coverage), (others, other) in product(kinds, repeat=2):
            assert not (rows & others and coverage.disjoint(other)), (
                f"{column}: {kinds[rows, coverage]}; {kinds[others, other]}"
            )


@pytest.mark.parametrize(
    ("domain", "conditions", "epsilon"),
    [
        ('{"size": 12}', ("a = 1", "a = 1.0", "a = 1e0", "a IN (1, 2)"), 4),
        ('{"size": 12}', ("a = 10", "a = 1e1", "a = 5", "a >= 9.5"), 3),
        ('{"values": [1, 2.5]}', ("a = 2.5", "a = 2.50", "a <> 1.0", "a = 1"), 3),
        ('{"values": ["2025", "2026"]}', ("a = 2026", "a = '2026'", "a > 2025", "a < 2026"), 3),
        ('{"values": ["x", "y"]}', ("a = 'x'", "a <> 'y'", "a = 'y'"), 2),
    ],
)
def test_what_all_databases_agree_about_is_read(
    domain: str, conditions: tuple[str, ...], epsilon: int
) -> None:
    case = Case(domain, (), (), ())
    read = [case.read(each) for each in conditions]
    queries = [each for each in read if isinstance(each, Query)]
    assert len(queries) == len(read)
    tree = json.dumps({"domain": {"a": json.loads(domain)}, "queries": []})
    workload = read_workload(tree.encode()).extended(queries)
    assert [str(end) for end in compose_parallel(workload, delta=0).optimum] == [str(epsilon)] * 2


@each_case(
    ("domain", "condition", "said"),
    [
        ('{"size": 10}', "a = 10", "from 0 to 9; add 10 to the domain"),
        ('{"size": 10}', "a <> 0.5", "from 0 to 9; add 0.5 to the domain"),
        ('{"size": 10}', "a = '1.0'", "a number without quotes.*; take the quotes away"),
        ('{"values": [1, 2]}', "a = '1.0'", "such as 1, 2; write 1, as the domain does"),
        ('{"values": ["x", "y"]}', "a = 'X '", "write x, as the domain does"),
        ('{"values": ["x", "X"]}', "a = 'x'", "tells apart from 'X'.*say --collation binary"),
        ('{"values": ["2026-01-01"]}', "a = '2026-1-1'", "write 2026-01-01, as the domain does"),
        ('{"values": ["2026-01-01"]}', "a = DATE '2027-01-01'", "add 2027-01-01 to the domain"),
        ('{"values": ["9", "10"]}', "a < 10", "list the values of a without quotes if the column"),
        ('{"values": ["x", "1"]}', "a = 1", "a text in quotes, as a has values such as 'x'"),
        ('{"size": 10}', "a < 0.99999999999999999999", "of at most 15 digits.*write fewer digits"),
        (r'{"values": ["x\\y"]}', "a = 'x\\y'", "a text without a backslash"),
    ],
)
def test_what_databases_may_disagree_about_is_refused_with_its_cure(
    domain: str, condition: str, said: str
) -> None:
    refused = Case(domain, (), (), ()).read(condition)
    assert isinstance(refused, InputError)
    assert re.search(said, str(refused))
