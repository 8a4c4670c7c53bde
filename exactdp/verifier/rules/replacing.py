r"""Reductions of a workload whose neighbours replace a row: ``two-rows`` and ``replace-colouring``.

Rules of this file: the subject is of a type of its own, so that what holds where rows are added or
removed is never taken for what holds where they are replaced.

Theory of operation: replacing a row touches the queries that the old row satisfies and those that
the new one does. Hence, from below, two different rows: the mechanisms of all queries that either
of them satisfies compose as a ledger does. From above, each of the two satisfies at most one query
of a class whose queries are disjoint in pairs. Two mechanisms stand for a class, then: one with the
greatest parameters, and one with the second greatest, for only one query is above these. A class
of one query needs one.

Sources: certs/SPEC.md, section 14; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler,
"Making the Most of Parallel Composition in Differential Privacy", PoPETs 2022, for the classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Never

from ..format.numbers import rational_text
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array
from ..format.strict_json import Json
from ..kernel import Form, Judgement, StandsIn
from .ledger import Entry, Ledger, Mechanism, Scaled
from .parallel import (
    ParallelColouring,
    Row,
    greatest,
    merged,
    read_row,
    require_row,
    satisfying,
)
from .reduction import Reduction
from .rule import parameter
from .workload import Query, ReplaceOneWorkload, Workload


def _read_rows(value: Json) -> tuple[Row, Row]:
    rows = [read_row(each) for each in array(value, "rows")]
    if len(rows) != 2:
        raise MalformedError("rows: not two rows")
    return rows[0], rows[1]


@dataclass(frozen=True)
class TwoRows(Reduction[ReplaceOneWorkload]):
    """From below: the mechanisms of all queries that one of two different rows satisfies."""

    name: ClassVar[str] = "two-rows"
    form: ClassVar[Form] = Form(ReplaceOneWorkload, by=Ledger)
    kind: ClassVar[str] = "lower"

    rows: tuple[Row, Row] = parameter(_read_rows)

    def require(self, workload: ReplaceOneWorkload) -> None:
        """Two rows of this domain, of which one replaces the other."""
        one, other = self.rows
        require_row(one, workload)
        require_row(other, workload)
        if all(one.get(each, 0) == other.get(each, 0) for each in {*one, *other}):
            raise RejectedError("the two rows are the same")

    def conclude(self, workload: ReplaceOneWorkload, _premises: Sequence[Never]) -> Judgement:
        """What stands in, found by asking every query about both."""
        met = satisfying(workload, *self.rows)
        return StandsIn(workload, merged((q.texts, q.entry) for q in met), self.kind)

    def check_given(self, _workload: ReplaceOneWorkload, _premises: Sequence[Never]) -> None:
        """Nothing is left to check."""


@dataclass(frozen=True)
class ReplaceColouring(ParallelColouring):
    """From above: two mechanisms for each class of queries that are disjoint, or one for one."""

    name: ClassVar[str] = "replace-colouring"
    form: ClassVar[Form] = Form(ReplaceOneWorkload, by=Ledger)

    def conclude(self, workload: Workload, _premises: Sequence[Never]) -> Judgement:
        """The greatest parameters of each class, and the second greatest."""
        classes = ([workload.queries[i] for i in colour] for colour in self.colours)
        entries = (entry for queries in classes for entry in _two_greatest(queries))
        return StandsIn(workload, merged(entries), self.kind)


def _two_greatest(queries: Sequence[Query]) -> Iterator[Entry]:
    """The entry of the greatest parameters; and of the others that of the greatest, if any.

    Both have the greatest δ, for it need not belong to the greatest ε.
    """
    texts, first = greatest(queries)
    yield texts, first
    if len(queries) > 1:
        most = _compared(first)
        place = next(i for i, q in enumerate(queries) if _compared(q.entry) == most)
        (notion, parts), second = greatest([*queries[:place], *queries[place + 1 :]])
        if isinstance(first, Mechanism) and isinstance(second, Mechanism):
            parts = (parts[0], rational_text(first.delta))
            second = replace(second, delta=first.delta)
        yield (notion, parts), second


def _compared(entry: Mechanism | Scaled) -> object:
    """What the greatest is found by, as it is written."""
    return entry.epsilon if isinstance(entry, Mechanism) else entry.parameter
