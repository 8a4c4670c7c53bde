r"""SQL workloads: a log of counting queries as a workload over a given domain.

Purpose: ``SELECT COUNT(*) FROM table WHERE …``, statement by statement, as predicate queries.

Rules of this file: a statement is understood exactly or refused with its line and column; all
statements count rows of one table, which is the database whose rows are protected. Parameters come
from comments above the statement (``-- epsilon: 0.1, delta: 1e-9, label: adults``) or else from
the default that the caller names.

Theory of operation: the statement is a query whose coverage is its WHERE clause. GROUP BY makes it
a histogram, whose cells are disjoint: a row is counted in one of them, so that the whole statement
is one query with the parameters of a cell, over the coverage of its WHERE clause (the parallel
composition theorem in its oldest form; McSherry, SIGMOD 2009, Theorem 4). It needs an answer for
every cell of the domain, also for empty ones: a list of the cells that exist is another mechanism.
Where one row replaces another, two cells may change, so that each cell is a query of its own there.

Sources: McSherry, "Privacy integrated queries", SIGMOD 2009; Smith et al., PoPETs 2022, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from exactdp.errors import CostLimitError, InputError, UnsupportedError, shorten
from exactdp.mechanisms import Entry
from exactdp.mechanisms.entries import BESIDE
from exactdp.mechanisms.keys import listed
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.sql_statements import Statement, place_of, statements
from exactdp.workloads.stated_noise import StatedNoise, mechanism_on, noise_in_comment
from exactdp.workloads.workload import Query, Workload, check_noise

if TYPE_CHECKING:
    from fractions import Fraction

    from sqlglot import expressions as exp

    from exactdp.workloads.aggregates import RowEffect

_MOST_CELLS: Final = 10_000


def read(
    text: str,
    domain: Workload,
    each: Entry | StatedNoise | None = None,
    *,
    told_apart: bool = False,
) -> Workload:
    """Read SQL statements as queries over the attributes of ``domain``.

    Args:
        text: statements, separated by semicolons.
        domain: a workload whose attributes are the columns; its own queries come first.
        each: the parameters of a statement that names none.
        told_apart: whether the database's collation is known to tell the texts of the domain apart.

    Raises:
        InputError: not SQL, nested too deep, or a statement without parameters.
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
        reader = _Reader(text, domain, each, told_apart=told_apart)
        return domain.extended(reader.queries(statements(text)))
    except sqlglot.errors.SqlglotError as error:
        raise _not_sql(error) from None


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


class _Reader:
    """A reader of the statements of one file."""

    def __init__(
        self, text: str, domain: Workload, each: Entry | StatedNoise | None, *, told_apart: bool
    ) -> None:
        from sqlglot.dialects.dialect import Dialect  # noqa: PLC0415 (an extra)

        from exactdp.workloads.aggregates import AggregateReader  # noqa: PLC0415 (needs sqlglot)
        from exactdp.workloads.predicates import Conditions  # noqa: PLC0415 (needs sqlglot)

        self._text = text
        self._domain = domain
        self._parser = Dialect.get_or_raise(None).parser()
        self._conditions = Conditions(domain.attributes, self.place, told_apart=told_apart)
        self._aggregates = AggregateReader(self._conditions, self.place)
        self._each = each
        self._table: _Names = ()
        self._start = 0

    def place(self, node: exp.Expr) -> str:
        """The line and column at which a part of a statement begins, or else the statement."""
        starts = [part.meta["start"] for part in node.walk() if "start" in part.meta]
        return place_of(self._text, min(starts, default=self._start))

    def queries(self, found: Iterable[Statement]) -> list[Query]:
        """The queries of all statements."""
        return [query for statement in found for query in self._shallow(statement)]

    def _shallow(self, statement: Statement) -> list[Query]:
        """The queries of a statement, unless it is nested deeper than it can be walked through."""
        try:
            return self._queries_of(statement)
        except RecursionError:
            raise InputError(
                field="query",
                value="conditions in one another, hundreds deep",
                path=place_of(self._text, statement.start),
                expected="a condition that is nested less",
                remedy="take away brackets, or write IN (…) for a chain of OR",
                code="too-deep",
            ) from None

    def _queries_of(self, statement: Statement) -> list[Query]:
        self._start = statement.start
        select = self._select(statement)
        where = select.args.get("where")
        coverage = {} if where is None else self._conditions.where(where.this)
        aggregate = self._aggregate(select)
        for attribute, covered in aggregate.coverage.items():
            known = coverage.get(attribute)
            coverage[attribute] = covered if known is None else known.meet(covered)
        sensitivity = aggregate.sensitivity(replaces=self._domain.replaces)
        mechanism = self._mechanism(statement, sensitivity)
        group = select.args.get("group")
        if group is None or not self._domain.replaces:
            return [Query(mechanism, coverage)]
        columns = {self._conditions.attribute(column) for column in group.expressions}
        return [Query(mechanism, cell) for cell in self._cells(coverage, sorted(columns), group)]

    def _cells(
        self, coverage: dict[int, Coverage], columns: Sequence[int], group: exp.Expr
    ) -> Iterator[dict[int, Coverage]]:
        """The coverage of each cell of a table by these columns."""
        sizes = [self._domain.attributes[column].size for column in columns]
        admitted = [
            coverage.get(column, Coverage.of([(0, size)]))
            for column, size in zip(columns, sizes, strict=True)
        ]
        if (number := prod(each.count for each in admitted)) > _MOST_CELLS:
            raise CostLimitError(
                field="GROUP BY",
                value=f"{number} cells",
                path=self.place(group),
                expected=f"at most {_MOST_CELLS}, each a query of its own where a row is replaced",
                remedy="ask for fewer cells, or state parameters for rows added or removed",
            )
        for values in product(*admitted):
            cell = {c: Coverage.of_values([v]) for c, v in zip(columns, values, strict=True)}
            yield coverage | cell

    def _select(self, statement: Statement) -> exp.Select:
        """The syntax tree of a statement, in which there is nothing but what is understood."""
        from sqlglot import expressions as exp  # noqa: PLC0415 (an extra)

        from exactdp.workloads.sql_syntax import (  # noqa: PLC0415 (needs sqlglot)
            COUNTING_QUERY,
            refused,
            require_known,
        )

        for token in statement.tokens:
            if token.text == "!":
                raise InputError(
                    field="query",
                    value="!",
                    path=place_of(self._text, int(token.start)),
                    expected="NOT, which binds less tightly than ! in some databases",
                )
        [tree] = self._parser.parse(list(statement.tokens), self._text)
        if not isinstance(tree, exp.Select):
            raise refused(tree or exp.Select(), self.place, COUNTING_QUERY)
        require_known(tree, self.place)
        self._aggregate(tree)
        self._check_table(tree)
        return tree

    def _check_table(self, select: exp.Select) -> None:
        """The table of all other statements, by its name or by an alias after AS."""
        from sqlglot import expressions as exp  # noqa: PLC0415 (an extra)

        from exactdp.workloads.sql_syntax import refused  # noqa: PLC0415 (needs sqlglot)

        source = select.args.get("from_")
        if source is None:
            raise refused(select, self.place, "FROM one table")
        table = source.this
        if not all(isinstance(part, exp.Identifier) for part in table.parts):
            raise refused(table, self.place, "a table by its name")
        names = tuple(_name(part) for part in table.parts)
        if self._table not in ((), names):
            shown = ".".join(name for name, _ in self._table)
            raise refused(table, self.place, f"one table for all queries, {shown}")
        self._table = names
        alias = table.args.get("alias")
        if alias is not None and not self._follows_as(alias.this):
            raise refused(table, self.place, "a table's name, or a name AS another")
        known = names[-1] if alias is None else _name(alias.this)
        for column in select.find_all(exp.Column):
            qualifier = column.args.get("table")
            if qualifier is not None and _name(qualifier) != known:
                raise refused(column, self.place, f"columns of the table {known[0]}")

    def _follows_as(self, alias: exp.Expression) -> bool:
        """Whether AS stands before an alias; without it the word may be syntax of some dialect."""
        written = self._text[: alias.meta["start"]].split()
        return bool(written) and written[-1].casefold() == "as"

    def _aggregate(self, select: exp.Select) -> RowEffect:
        """One aggregate, and besides it the columns of GROUP BY, which are attributes."""
        from sqlglot import expressions as exp  # noqa: PLC0415 (an extra)

        from exactdp.workloads.sql_syntax import (  # noqa: PLC0415 (needs sqlglot)
            AGGREGATES,
            refused,
        )

        group = select.args.get("group")
        cells: set[int] = set()
        if group is not None:
            if not all(isinstance(each, exp.Column) for each in group.expressions):
                raise refused(group, self.place, "GROUP BY with columns alone")
            cells = {self._conditions.attribute(column) for column in group.expressions}
        found = []
        for column in select.expressions:
            shown = column.unalias()
            if not isinstance(shown, exp.Column):
                found.append(self._aggregates.read(shown))
            elif self._conditions.attribute(shown) not in cells:
                raise refused(column, self.place, f"columns of GROUP BY beside {AGGREGATES}")
        if len(found) != 1:
            raise refused(select, self.place, f"one aggregate: {AGGREGATES}")
        return found[0]

    def _mechanism(self, statement: Statement, sensitivity: Fraction) -> Entry:
        """The parameters in the comments above a statement, or the default."""
        notes = dict(statement.notes)
        label = notes.pop("label", "")
        place = statement.noted if notes else place_of(self._text, statement.start)
        try:
            stated = _stated(notes) if notes else self._default()
            mechanism = mechanism_on(stated, sensitivity, label)
            check_noise(mechanism, self._domain.neighbouring)
        except InputError as error:
            raise error.located(place) from None
        return mechanism

    def _default(self) -> Entry | StatedNoise:
        if self._each is None:
            raise InputError(
                field="epsilon",
                value="nothing",
                expected="parameters for every statement",
                remedy="write -- epsilon: 0.1 above it, or name a default with --each 0.1",
            )
        return self._each


_Names = tuple[tuple[str, bool], ...]
"""The parts of a table's name, and whether each stands in quotes."""


def _name(identifier: exp.Expression) -> tuple[str, bool]:
    """A name as databases compare them: exactly if in quotes, else whatever the case."""
    if identifier.args.get("quoted"):
        return identifier.name, True
    return identifier.name.casefold(), False


def _stated(notes: dict[str, str]) -> Entry | StatedNoise:
    """What a comment states; of noise of a scale, Laplace noise, what it implies."""
    if set(notes) == {"scale"}:
        return noise_in_comment(notes)
    families = [key for key in BESIDE if key in notes]
    if len(families) != 1 or not notes.keys() <= {families[0], *BESIDE[families[0]]}:
        raise UnsupportedError(
            field="comment",
            value=", ".join(notes),
            expected=f"exactly one of {listed(['scale', *BESIDE], 'and')}, with what may stand "
            "beside it",
            remedy="for example: -- sigma: 2, sensitivity: 1, rate: 1/10",
        )
    return noise_in_comment(notes)
