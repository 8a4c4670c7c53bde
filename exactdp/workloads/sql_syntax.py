r"""The SQL that is understood: parts of a statement, and the arguments that each may have.

Rules of this file: what is not listed is refused, so that syntax which sqlglot learns tomorrow is
refused until somebody lists it here. What a listed part means is the business of
:mod:`exactdp.workloads.sql_workload` and :mod:`exactdp.workloads.predicates`.

Sources: sqlglot's syntax trees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sqlglot import expressions as exp

from exactdp.errors import UnsupportedError, shorten

COMPARISONS: Final = (
    "a comparison with =, <>, <, <=, >, >=, IN or BETWEEN, or AND, OR and NOT of such"
)
AGGREGATES: Final = (
    "COUNT(*), COUNT(DISTINCT column), or SUM(LEAST(GREATEST(column, L), U)), which may be spelled "
    "SUM(CLAMP(column, L, U))"
)
COUNTING_QUERY: Final = (
    "SELECT COUNT(*), COUNT(DISTINCT …) or a clipped SUM FROM one table, with WHERE and GROUP BY "
    "at most"
)
_NO_ARITHMETIC: Final = (
    "a date or timestamp written out, such as DATE '2026-01-31': what a clock, an interval or a "
    "calendar computes is not fixed in advance, or not the same in every database"
)
_REASONS: Final[Mapping[type[exp.Expr], str]] = {
    exp.Join: "one table, not a join: one row of a table may be in many rows of a join, so that no "
    "bound holds for it",
    **dict.fromkeys(
        (exp.Interval, exp.DateAdd, exp.DateSub, exp.DateDiff, exp.Extract, exp.DateTrunc),
        _NO_ARITHMETIC,
    ),
    **dict.fromkeys((exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime), _NO_ARITHMETIC),
    exp.Avg: f"{AGGREGATES}: a mean is a sum over a count, each with a mechanism of its own",
}
"""Why parts that many logs have are refused."""
_TWO_SIDES: Final = frozenset({"this", "expression"})
_ONE: Final = frozenset({"this"})

KNOWN: Final[Mapping[type[exp.Expr], frozenset[str]]] = {
    exp.Select: frozenset({"expressions", "from_", "where", "group"}),
    exp.From: _ONE,
    exp.Table: frozenset({"this", "db", "catalog", "alias"}),
    exp.TableAlias: _ONE,
    exp.Where: _ONE,
    exp.Group: frozenset({"expressions"}),
    exp.Alias: frozenset({"this", "alias"}),
    exp.Count: frozenset({"this", "big_int"}),
    exp.Distinct: frozenset({"expressions"}),
    exp.Sum: _ONE,
    exp.Least: frozenset({"this", "expressions", "ignore_nulls"}),
    exp.Greatest: frozenset({"this", "expressions", "ignore_nulls"}),
    exp.Cast: frozenset({"this", "to"}),
    exp.DataType: _ONE,
    exp.Star: frozenset(),
    exp.Column: frozenset({"this", "table"}),
    exp.Identifier: frozenset({"this", "quoted"}),
    exp.Literal: frozenset({"this", "is_string"}),
    exp.Neg: _ONE,
    exp.Paren: _ONE,
    exp.Not: _ONE,
    exp.And: _TWO_SIDES,
    exp.Or: _TWO_SIDES,
    exp.EQ: _TWO_SIDES,
    exp.NEQ: _TWO_SIDES,
    exp.LT: _TWO_SIDES,
    exp.LTE: _TWO_SIDES,
    exp.GT: _TWO_SIDES,
    exp.GTE: _TWO_SIDES,
    exp.In: frozenset({"this", "expressions"}),
    exp.Between: frozenset({"this", "low", "high"}),
}
"""The parts of a statement, with the arguments that have a meaning here."""
_CLAMP: Final = frozenset({"this", "expressions"})


def is_clamp(part: exp.Expr) -> bool:
    """Whether this is CLAMP(column, L, U), summed: a function that SQL's standard does not name."""
    return (
        isinstance(part, exp.Anonymous)
        and str(part.this).upper() == "CLAMP"
        and len(part.expressions) == len(("column", "L", "U"))
        and isinstance(part.parent, exp.Sum)
    )


def require_known(statement: exp.Expr, place: Callable[[exp.Expr], str]) -> None:
    """Refuse a statement that has a part, or an argument of a part, that is not listed.

    Raises:
        UnsupportedError: the path is the line and column of the part.
    """
    for part in statement.find_all(*_REASONS):
        raise refused(part, place, _REASONS[type(part)])
    for part in statement.walk():
        known = _CLAMP if is_clamp(part) else KNOWN.get(type(part))
        if known is None:
            raise refused(part, place, _expected(part))
        for name, value in part.args.items():
            if name not in known and value not in (None, False, []):
                shown = name.strip("_").upper().replace("_", " ")
                raise refused(part, place, f"{_expected(part)}, without {shown}")


def _expected(part: exp.Expr) -> str:
    return COMPARISONS if part.find_ancestor(exp.Where) else COUNTING_QUERY


def refused(
    what: exp.Expr,
    place: Callable[[exp.Expr], str],
    expected: str,
    remedy: str = "rewrite it, or write a workload in JSON",
) -> UnsupportedError:
    """The refusal of a part of a statement."""
    try:
        shown = shorten(what.sql(comments=False))
    except Exception:  # noqa: BLE001 (sqlglot reads what it cannot write; refused all the same)
        shown = type(what).__name__
    return UnsupportedError(
        field="query", value=shown, path=place(what), expected=expected, remedy=remedy
    )
