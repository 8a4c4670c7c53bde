r"""The rule ``cases``: a workload from above, by classes of queries in each case of its rows.

Rules of this file: as in ``parallel.py``. A query is dropped on the way to a case only if none of
the rows of that case satisfies it.

Theory of operation: a split sorts the rows by one attribute: those whose value is below a number,
and the others. The clauses of the queries are narrowed to either half, and a query with a clause
that has no ranges left is met by no row there. So every row belongs to one leaf, and meets at most
one query of each of that leaf's classes. The classes of all leaves are joined by their position:
one mechanism that dominates all that stand there is enough for each. A colouring is one leaf.

Where a row is replaced, the cases are of two rows, each with classes of its own; at a position both
have the same query, or one of them has none. In one leaf for both, a class has two queries at most
that either meets, so that it counts as its greatest mechanism and its second greatest.

Sources: certs/SPEC.md, section 11.18; Smith, Asghar, Gioiosa, Mrabet, Gaspers,
Tyler, "Making the Most of Parallel Composition in Differential Privacy", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, zip_longest
from typing import ClassVar, Final, Never, TypeAlias

from ..format.meter import pay
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, increasing, integer, members, one_of
from ..format.strict_json import Json
from .by_noise import REPLACED
from .domination import greatest
from .entries import Mechanism
from .ledger import Entry
from .parallel import MAX_INDEX, WorkloadReduction, disjoint, size_of
from .rule import parameter
from .workload import ADDED, Ranges, Workload

A_NODE: Final = 3000
ROWS: Final = ("leaving", "entering")

Classes: TypeAlias = Sequence[Sequence[int]]
"""Queries by number, in classes, of which some may be empty."""

Wheres: TypeAlias = Mapping[int, Mapping[int, Ranges]]
"""The queries that some row of a case may meet, with what is left of their clauses."""


@dataclass(frozen=True)
class Split:
    """Two cases: a row's value of an attribute is below a number, or it is not."""

    attribute: int
    below: int
    row: int | None
    """Which of two rows; None if there is one."""


@dataclass(frozen=True)
class Leaf:
    """A case with its classes: of any row, or of the one that leaves and the one that enters."""

    sides: Sequence[Classes]


Tree: TypeAlias = Sequence[Split | Leaf]
"""The nodes in depth-first order; of a split the lower half comes first."""


# --- reading ------------------------------------------------------------------------------------


def _read_tree(value: Json) -> Tree:
    nodes = [_read_node(each) for each in array(value, "tree")]
    opened = (1 if isinstance(node, Split) else -1 for node in nodes)
    *before, at_the_end = accumulate(opened, initial=1)
    if at_the_end or not all(before):
        raise MalformedError("the nodes are not one tree in depth-first order")
    if not all(any(classes) for classes in _by_position(_sides(nodes))):
        raise MalformedError("a position that is empty in every leaf")
    return nodes


def _read_node(value: Json) -> Split | Leaf:
    for keys in (("colours",), ROWS):
        if isinstance(value, dict) and keys[0] in value:
            parts = members(value, keys, "leaf")
            return Leaf([[_read_class(each) for each in array(parts[key], key)] for key in keys])
    parts = members(value, ("attribute", "below"), "node", ("row",))
    attribute, below = (integer(parts[key], 0, MAX_INDEX, key) for key in ("attribute", "below"))
    row = ROWS.index(one_of(parts["row"], ROWS, "row")) if "row" in parts else None
    return Split(attribute, below, row)


def _read_class(value: Json) -> list[int]:
    listed = [integer(each, 0, MAX_INDEX, "query") for each in array(value, "colour")]
    return increasing(listed, "the queries of a colour")


def _sides(tree: Tree) -> list[Classes]:
    """The classes of every leaf; of two rows those of the one that leaves first."""
    return [side for node in tree if isinstance(node, Leaf) for side in node.sides]


def _by_position(listed: Sequence[Classes]) -> Iterator[tuple[Sequence[int], ...]]:
    """The classes that stand first in their leaves, the second ones, and so on."""
    pay(200 * len(listed) * max(map(len, listed), default=0))
    return zip_longest(*listed, fillvalue=())


# --- the rule -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cases(WorkloadReduction):
    """From above: one mechanism for each position, whichever case a row belongs to."""

    name: ClassVar[str] = "cases"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    relations: ClassVar[tuple[str, ...]] = (ADDED, REPLACED)

    tree: Tree = parameter(_read_tree)

    def require(self, workload: Workload) -> None:
        """Cases of as many rows as a neighbour changes, in terms of this workload."""
        if len(self.tree) > 1 and "noise" in workload.families:
            raise RejectedError("is not about mechanisms given by noise in several cases")
        paired = workload.relation == REPLACED
        for node in self.tree:
            if isinstance(node, Leaf):
                if not paired and len(node.sides) > 1:
                    raise MalformedError("tree: classes of two rows, though no row is replaced")
                if paired and len(node.sides) == 1 and len(self.tree) > 1:
                    raise MalformedError("tree: colours in one of several cases of two rows")
                _require_leaf(node, workload)
                continue
            if node.attribute >= len(workload.domain):
                raise MalformedError("tree: an attribute that is not in the domain")
            if (node.row is not None) != paired:
                raise MalformedError("tree: a split names a row if and only if rows are replaced")

    def entries(self, workload: Workload) -> Iterable[Entry]:
        """What dominates at each position; in one leaf for two rows twice for each class."""
        sides = _sides(self.tree)
        for listed in _by_position(sides):
            entries = [workload.queries[i].entry for i in chain.from_iterable(listed)]
            if workload.relation == REPLACED and len(sides) == 1:
                yield from _two_greatest(entries)
            else:
                yield greatest(entries)

    def check_given(self, workload: Workload, _premises: Sequence[Never]) -> None:
        """A leaf's classes hold all that its rows may meet, and what is met of one is disjoint."""
        whole: Wheres = {
            i: q.where for i, q in enumerate(workload.queries) if all(q.where.values())
        }
        sizes = [size_of(query) for query in workload.queries]
        waiting: list[list[Wheres]] = [[whole] * (2 if workload.relation == REPLACED else 1)]
        for node in self.tree:
            opened = waiting.pop()
            pay(A_NODE + 1000 * sum(sizes[i] for wheres in opened for i in wheres))
            if isinstance(node, Split):
                row = node.row or 0
                for high in (True, False):
                    half = _narrowed(opened[row], node, high=high)
                    waiting.append([*opened[:row], half, *opened[row + 1 :]])
                continue
            for side, wheres in zip(node.sides, opened, strict=False):
                _check_classes(side, wheres, sizes)


def _require_leaf(leaf: Leaf, workload: Workload) -> None:
    """Queries of this workload, each in one class; for two rows the same at a position, or one."""
    for side in leaf.sides:
        queries = list(chain.from_iterable(side))
        if any(query >= workload.count for query in queries):
            raise MalformedError("tree: a query that is not in the workload")
        if len(set(queries)) < len(queries):
            raise RejectedError("a query is in two colours of a leaf")
    if len(leaf.sides) > 1:
        for one, other in zip(*leaf.sides, strict=False):
            if one and other and (one != other or len(one) > 1):
                raise RejectedError("a position of a leaf has different queries for both rows")


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


def _narrowed(wheres: Wheres, split: Split, *, high: bool) -> Wheres:
    """What the rows of one half may meet."""
    low, end = (split.below, MAX_INDEX) if high else (0, split.below)
    kept: dict[int, Mapping[int, Ranges]] = {}
    for i, where in wheres.items():
        ranges = where.get(split.attribute)
        if ranges is None:
            kept[i] = where
        elif left := tuple((max(a, low), min(b, end)) for a, b in ranges if a < end and low < b):
            kept[i] = {**where, split.attribute: left}
    return kept


def _check_classes(classes: Classes, wheres: Wheres, sizes: Sequence[int]) -> None:
    """All that may be met is in a class, and any two of one are disjoint here."""
    if missing := wheres.keys() - set(chain.from_iterable(classes)):
        raise RejectedError(f"query {min(missing)} is in no colour of a leaf, and may be met there")
    for colour in classes:
        met = [i for i in colour if i in wheres]
        pay(500 * len(met) * sum(sizes[i] for i in met))
        for position, i in enumerate(met):
            for j in met[:position]:
                if not disjoint(wheres[i], wheres[j]):
                    raise RejectedError(f"queries {j} and {i} of one colour overlap")
