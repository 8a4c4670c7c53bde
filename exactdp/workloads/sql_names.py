r"""Names of columns that are names in every database.

Rules of this file: what some database takes for a text, a function or a column of its own making is
refused as the name of a column, with its cure.

Theory of operation: MySQL, BigQuery and Spark read ``"age"`` as a text, so that ``"age" < 65`` and
``age >= 65`` may both hold for every row; behind a table, as in ``t."age"``, there is no text in
any database. ``user`` and its kin call a function without brackets in the standard or in a widely
used database, but not behind a table. A row's place is a column that no table states, behind a
table's name too.

Sources: ISO/IEC 9075-2 (value functions), and the manuals of the databases that are named.
"""

from __future__ import annotations

from typing import Final

from sqlglot import expressions as exp

from exactdp.errors import InputError
from exactdp.workloads.sql_literals import Place

FUNCTIONS: Final = frozenset(
    {
        *("user", "current_user", "session_user", "system_user", "uid", "account", "profile"),
        *("current_role", "role", "current_catalog", "current_schema", "current_path", "session"),
        *("current_database", "current_server", "current_transform_group", "database"),
        *("current_date", "current_time", "current_timestamp", "current_datetime"),
        *("current_timezone", "localtime", "localtimestamp", "sysdate", "systime", "systimestamp"),
        *("utc_date", "utc_time", "utc_timestamp", "current_utcdate", "current_utctime"),
        *("current_utctimestamp", "dbtimezone", "sessiontimezone", "date", "time", "today"),
        *("current", "rownum", "rownumber", "level", "connect_by_isleaf", "connect_by_iscycle"),
        *("current_connection", "current_transaction", "row_count", "sysuuid", "sitename"),
        *("dbservername", "nextval", "currval"),
    }
)
"""Words that are functions without brackets, or columns of a database's own making."""
PLACES: Final = frozenset(
    {
        *("rowid", "_rowid_", "oid", "ora_rowscn", "object_id", "object_value", "ctid"),
        *("tableoid", "xmin", "xmax", "cmin", "cmax", "_partitiontime", "_partitiondate"),
        *("_table_suffix", "_file_name"),
    }
)
"""Columns that a database adds to every table."""


def require_a_name_everywhere(column: exp.Expr, place: Place) -> None:
    """Refuse a column that is something else in some database.

    Raises:
        InputError: the path is where it stands.
    """
    if not isinstance(column, exp.Column):
        return
    name = column.name
    table = column.args.get("table")
    if name.casefold() in PLACES:
        reason = "a column of the table: some databases give each row a column of this name"
        raise _refused(column, place, reason, "give the column another name, also in the domain")
    if table is not None:
        return
    if column.this.args.get("quoted"):
        reason = "a name without quotes: some databases, such as MySQL, read this as a text"
        cure = f"write {name}, or table.{name}" if name.isidentifier() else f'write table."{name}"'
        raise _refused(column, place, reason, f"{cure} with the name of the table")
    if name.casefold() in FUNCTIONS:
        reason = f"a column: {name} is a function or a row's place in some databases"
        raise _refused(
            column, place, reason, f"write table.{name} with the name of the table, or rename it"
        )


def _refused(column: exp.Column, place: Place, expected: str, remedy: str) -> InputError:
    return InputError(
        field="column", value=column.sql(), path=place(column), expected=expected, remedy=remedy
    )
