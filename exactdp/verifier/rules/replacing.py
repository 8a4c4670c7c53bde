r"""A reduction of a workload whose neighbours replace a row: ``replace-colouring``.

Rules of this file: as in ``parallel.py``.

Theory of operation: replacing a row touches the queries that the old row satisfies and those that
the new one does. Each of the two satisfies at most one query of a class whose queries are disjoint
in pairs. Two mechanisms stand for a class, then: one with the greatest parameters, and one with the
second greatest, for only one query is above these. A class of one query needs one.

Sources: certs/SPEC.md, section 14; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler,
"Making the Most of Parallel Composition in Differential Privacy", PoPETs 2022, for the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from .by_noise import REPLACED
from .domination import greatest
from .entries import Mechanism
from .ledger import BY_PARAMETERS, Entry
from .parallel import Colouring
from .workload import Workload


@dataclass(frozen=True)
class ReplaceColouring(Colouring):
    """From above: two mechanisms for each class of queries that are disjoint, or one for one."""

    name: ClassVar[str] = "replace-colouring"
    families: ClassVar[frozenset[str]] = BY_PARAMETERS
    relations: ClassVar[tuple[str, ...]] = (REPLACED,)

    def entries(self, workload: Workload) -> Iterable[Entry]:
        """The greatest parameters of each class, and the second greatest."""
        for colour in self.colours:
            yield from _two_greatest([workload.queries[i].entry for i in colour])


def _two_greatest(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The greatest parameters; and of the other queries that of the greatest, if any.

    Both have the greatest δ, for it need not belong to the greatest ε.
    """
    first = greatest(entries)
    yield first
    if len(entries) > 1:
        most = _compared(first)
        place = next(i for i, each in enumerate(entries) if _compared(each) == most)
        second = greatest([*entries[:place], *entries[place + 1 :]])
        if isinstance(first, Mechanism) and isinstance(second, Mechanism):
            second = replace(second, delta=first.delta)
        yield second


def _compared(entry: Entry) -> object:
    """What the greatest is found by, as it is written."""
    return entry.epsilon if isinstance(entry, Mechanism) else entry.text
