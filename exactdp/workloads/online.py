r"""Parallel composition online: queries that are chosen after earlier answers have been seen.

Purpose: the setting of Smith et al., section 9. Parameters are promised in advance, predicates
are not.

Rules of this file: what is guaranteed is known before the first query and never changes; a query
that would break the guarantee is refused, not squeezed in.

Theory of operation: the criterion for fixed predicates, the greatest δ_I(ε) over overlapping sets,
is false here: an analyst who looks first and then chooses which row to ask about again can do worse
than every single row. (One answer with odds 3, then one with odds 9 about the row if that answer
was truthful, two with odds 5 about it if not: 0.711 at y = 3, where neither pair alone exceeds
0.611; tests/workloads/test_online.py computes it.) What remains is a number of classes whose
parameters (ε_j, δ_j) are fixed in advance: each class takes queries that are disjoint from all that
it holds and whose parameters do not exceed its own. A row then meets at most one query of a class,
whichever it turns out to be, so that the whole is an adaptive composition with parameters fixed in
advance.

Sources: Smith et al., PoPETs 2022, section 9; Murtagh & Vadhan, TCC 2016, Theorem 3.4; Rogers,
Roth, Ullman, Vadhan, "Privacy odometers and filters", NeurIPS 2016 (why adaptive parameters are
another theorem).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from exactdp.arithmetic.comparison import compare
from exactdp.errors import DomainError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Parametric
from exactdp.mechanisms.multiset import merged
from exactdp.workloads.workload import NEIGHBOURING, Query


@dataclass(frozen=True, slots=True)
class OnlineClass:
    """Disjoint queries that share one promise.

    Attributes:
        promise: the parameters that no query of the class exceeds.
        queries: in the order in which they came.
    """

    promise: Parametric
    queries: tuple[Query, ...] = ()

    def takes(self, query: Query) -> bool:
        """Whether the class may hold ``query`` as well."""
        return covers(self.promise, query.parameters) and all(
            query.disjoint(other) for other in self.queries
        )


@dataclass(frozen=True, slots=True)
class OnlineWorkload:
    """Classes fixed in advance, and the queries placed in them so far.

    >>> from exactdp.mechanisms import Mechanism
    >>> from exactdp.workloads.coverage import Coverage
    >>> tenth = Mechanism("1/10")
    >>> young, old = ({0: Coverage.of([ends])} for ends in ((0, 40), (40, 120)))
    >>> log = OnlineWorkload.promised([tenth])
    >>> log = log.with_query(Query(tenth, young)).with_query(Query(tenth, old))
    >>> len(log.classes[0].queries), log.ledger.size
    (2, 1)
    """

    classes: tuple[OnlineClass, ...]

    @staticmethod
    def promised(promises: Iterable[Parametric]) -> OnlineWorkload:
        """Empty classes, one for each mechanism of ``promises`` (for each of its count)."""
        return OnlineWorkload(
            tuple(OnlineClass(each) for each in promises for _ in range(each.count))
        )

    @property
    def ledger(self) -> Ledger:
        """What the whole costs, however many queries are placed: one mechanism for each class."""
        entries = merged(each.promise.without_label() for each in self.classes)
        return Ledger(entries, neighbouring=NEIGHBOURING, empty=True)

    def with_query(self, query: Query) -> OnlineWorkload:
        """The workload with one more query, in the first class that takes it.

        A contradiction needs no class: no row can meet it.

        Raises:
            DomainError: no class takes it; answering it would break what was promised.
        """
        if query.is_contradiction:
            return self
        for place, each in enumerate(self.classes):
            if each.takes(query):
                grown = OnlineClass(each.promise, (*each.queries, query))
                return OnlineWorkload((*self.classes[:place], grown, *self.classes[place + 1 :]))
        raise DomainError(
            field="query",
            value=query.mechanism.label or "a query",
            expected="a query disjoint from all queries of some class that promises as much",
            remedy="promise more classes in advance, or ask about other rows",
        )


def covers(promise: Parametric, entry: Parametric) -> bool:
    """Whether every mechanism with the parameters of ``entry`` also keeps ``promise``."""
    stated, promised = entry.implied_epsilon_delta(), promise.implied_epsilon_delta()
    if stated is not None and promised is not None:
        return compare(stated[0], promised[0]) <= 0 and stated[1] <= promised[1]
    order, most = entry.ordering(), promise.ordering()
    return order is not None and most is not None and order.is_below(most)
