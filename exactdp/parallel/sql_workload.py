r"""SQL workloads: a log of counting queries as a workload over a given domain.

Purpose: ``SELECT COUNT(*) FROM table WHERE …``, statement by statement, as predicate queries.

Rules of this file: a statement is understood exactly or refused with its line and column; all
statements count rows of one table, which is the database whose rows are protected. Parameters come
from a comment before the statement (``-- epsilon: 0.1, delta: 1e-9, label: adults``) or else from
the default that the caller names.

Theory of operation: the statement is a query whose coverage is its WHERE clause. GROUP BY makes it
a histogram, whose cells are disjoint: a row is counted in one of them, so that the whole statement
is one query with the parameters of a cell, over the coverage of its WHERE clause (the parallel
composition theorem in its oldest form; McSherry, SIGMOD 2009, Theorem 4). That needs an answer for
every cell of the domain, also for empty ones: a list of the cells that exist is another mechanism.

Sources: McSherry, "Privacy integrated queries", SIGMOD 2009; Smith et al., PoPETs 2022, section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.model import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism
from exactdp.parallel.workload import Query, Workload

if TYPE_CHECKING:
    from sqlglot import expressions as exp

_KEYS: Final = ("epsilon", "delta", "rho", "mu", "label")
_NOTE: Final = re.compile(r"\s*(epsilon|delta|rho|mu|label)\s*:")
_PARTS: Final = frozenset({"expressions", "from", "from_", "where", "group"})


def read(text: str, domain: Workload, each: Entry | None = None) -> Workload:
    """Read SQL statements as queries over the attributes of ``domain``.

    Args:
        text: statements, separated by semicolons.
        domain: a workload whose attributes are the columns; its own queries come first.
        each: the parameters of a statement that names none.

    Raises:
        InputError: not SQL, or a statement without parameters, or a value outside the domain.
        UnsupportedError: a statement that is not a conjunction of predicates, each on one
            attribute; the path is its line and column.
    """
    try:
        import sqlglot  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError(
            field="workload",
            value="SQL",
            expected="the package sqlglot, which reads SQL",
            remedy="pip install 'exactdp[parallel]'",
        ) from None
    try:
        statements = sqlglot.parse(text)
    except sqlglot.errors.SqlglotError as error:
        raise _not_sql(error) from None
    reader = _Statements(text, domain, each)
    return domain.extended(reader.queries(statements))


def _not_sql(error: Exception) -> InputError:
    details = (getattr(error, "errors", None) or [{}])[0]
    place = f"line {details['line']}" if "line" in details else ""
    return InputError(
        field="workload",
        value=str(details.get("highlight") or "a statement"),
        path=place,
        expected=f"SQL ({details.get('description') or shorten(str(error))})",
        code="bad-sql",
    )


class _Statements:
    """A reader of the statements of one file."""

    def __init__(self, text: str, domain: Workload, each: Entry | None) -> None:
        from exactdp.parallel.predicates import Conditions, refused  # noqa: PLC0415 (needs sqlglot)

        self._text = text
        self._conditions = Conditions(domain.attributes, self.place)
        self._refused = refused
        self._each = each
        self._table = ""

    def place(self, node: exp.Expression) -> str:
        """The line and column at which a part of a statement begins."""
        starts = [part.meta["start"] for part in node.walk() if "start" in part.meta]
        if not starts:
            return ""
        start = min(starts)
        line = self._text.count("\n", 0, start) + 1
        return f"line {line}, column {start - self._text.rfind(chr(10), 0, start)}"

    def queries(self, statements: Iterable[object]) -> list[Query]:
        """The queries of all statements; empty ones are nothing."""
        from sqlglot import expressions as exp  # noqa: PLC0415 (an extra)

        found = []
        for statement in statements:
            if statement is None or isinstance(statement, exp.Semicolon):
                continue
            if not isinstance(statement, exp.Select):
                raise UnsupportedError(
                    field="query", value=statement, expected="SELECT COUNT(*) FROM … WHERE …"
                )
            found.append(self._query(statement))
        return found

    def _query(self, select: exp.Select) -> Query:
        self._check_parts(select)
        where = select.args.get("where")
        coverage = {} if where is None else self._conditions.where(where.this)
        return Query(self._mechanism(select), coverage)

    def _check_parts(self, select: exp.Select) -> None:
        """One table, one count of its rows, and at most a WHERE and a plain GROUP BY."""
        from sqlglot import expressions as exp  # noqa: PLC0415 (an extra)

        for name, part in select.args.items():
            if part and name not in _PARTS:
                raise self._refused(
                    select, self.place, f"no {name.rstrip('_').upper()} in a counting query"
                )
        source = select.args.get("from_") or select.args.get("from")
        table = source.this if source is not None else select
        if not isinstance(table, exp.Table) or table.args.get("joins"):
            raise self._refused(table, self.place, "FROM one table")
        name = exp.table_name(table)
        if self._table not in ("", name):
            raise self._refused(table, self.place, f"one table for all queries, {self._table}")
        self._table = name
        self._check_columns(select)

    def _check_columns(self, select: exp.Select) -> None:
        """COUNT(*) once, and besides it the columns of GROUP BY, which are attributes."""
        from sqlglot import expressions as exp  # noqa: PLC0415 (an extra)

        group = select.args.get("group")
        cells: set[int] = set()
        if group is not None:
            others = [part for name, part in group.args.items() if name != "expressions" and part]
            if others or not all(isinstance(each, exp.Column) for each in group.expressions):
                raise self._refused(group, self.place, "GROUP BY with columns alone")
            cells = {self._conditions.attribute(column) for column in group.expressions}
        counts = 0
        for column in select.expressions:
            shown = column.unalias()
            if isinstance(shown, exp.Count) and isinstance(shown.this, exp.Star):
                counts += 1
            elif (
                not isinstance(shown, exp.Column) or self._conditions.attribute(shown) not in cells
            ):
                raise self._refused(
                    column, self.place, "COUNT(*), and besides it columns of GROUP BY"
                )
        if counts != 1:
            raise self._refused(select, self.place, "COUNT(*) once")

    def _mechanism(self, select: exp.Select) -> Entry:
        """The parameters in the comments before a statement, or the default."""
        notes: dict[str, str] = {}
        for comment in select.comments or []:
            if _NOTE.match(comment):
                notes |= self._notes(comment, select)
        label = notes.pop("label", "")
        if not notes:
            return self._default(label, select)
        try:
            return _stated(notes, label)
        except InputError as error:
            raise error.located(self.place(select)) from None

    def _notes(self, comment: str, select: exp.Select) -> dict[str, str]:
        notes: dict[str, str] = {}
        for part in comment.split(","):
            key, colon, value = part.partition(":")
            if key.strip() not in _KEYS or not colon or key.strip() in notes:
                raise InputError(
                    field="comment",
                    value=comment.strip(),
                    path=self.place(select),
                    expected="epsilon: E, delta: D, label: TEXT; or rho: R; or mu: M; each once",
                )
            notes[key.strip()] = value.strip()
        return notes

    def _default(self, label: str, select: exp.Select) -> Entry:
        each = self._each
        if each is None:
            raise InputError(
                field="epsilon",
                value="nothing",
                path=self.place(select),
                expected="parameters for every statement",
                remedy="write -- epsilon: 0.1 above it, or name a default with --each 0.1",
            )
        if isinstance(each, Mechanism):
            return Mechanism(each.epsilon, each.delta, label=label)
        if isinstance(each, ConcentratedMechanism):
            return ConcentratedMechanism(each.rho, label=label)
        return GaussianMechanism(each.mu, label=label)


def _stated(notes: dict[str, str], label: str) -> Entry:
    """The mechanism that a comment states."""
    if set(notes) == {"rho"}:
        return ConcentratedMechanism(notes["rho"], label=label)
    if set(notes) == {"mu"}:
        return GaussianMechanism(notes["mu"], label=label)
    if "epsilon" in notes and notes.keys() <= {"epsilon", "delta"}:
        return Mechanism(notes["epsilon"], notes.get("delta", "0"), label=label)
    raise UnsupportedError(
        field="comment",
        value=", ".join(notes),
        expected="epsilon, with or without delta; or rho; or mu",
    )
