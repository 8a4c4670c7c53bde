r"""A reduction of a workload to a ledger: ``parallel-case-tree``, a colouring in every case.

Rules of this file: as in ``parallel.py``. A query is dropped on the way to a case only if none of
the rows of that case satisfies it.

Theory of operation: a split sorts the rows by one attribute: those whose value is below a number,
and the others. The clauses of the queries are narrowed to either half, and a query with a clause
that has no ranges left is met by no row there. So every row belongs to one leaf, and meets at most
one query of each of that leaf's colours. The colours of all leaves are joined by their position:
one mechanism with the greatest parameters of all that stand there is enough for each.

Sources: certs/SPEC.md, section 10.6; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the
Most of Parallel Composition in Differential Privacy", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import ClassVar, Final, Never, TypeAlias

from ..format.meter import pay
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, members
from ..format.strict_json import Json
from .domination import greatest
from .ledger import BY_PARAMETERS, Entry
from .parallel import MAX_INDEX, Classes, WorkloadReduction, disjoint, of_pairs, size_of
from .rule import parameter
from .workload import ADDED, Ranges, Workload

Wheres: TypeAlias = Mapping[int, Mapping[int, Ranges]]
"""The queries that some row of a case may meet, with what is left of their clauses."""


@dataclass(frozen=True)
class Split:
    """Two cases: the rows whose value of an attribute is below a number, and the others."""

    attribute: int
    below: int


@dataclass(frozen=True)
class Leaf:
    """A case with its colours; one without a query keeps the position of those after it."""

    colours: Classes

    @property
    def queries(self) -> list[int]:
        """All queries of its colours."""
        return [query for colour in self.colours for query in colour]


A_NODE: Final = 3000

Tree: TypeAlias = Sequence[Split | Leaf]
"""The nodes in depth-first order; of a split the lower half comes first."""


def _read_tree(value: Json) -> Tree:
    nodes = [_read_node(each) for each in array(value, "tree")]
    depths([isinstance(node, Split) for node in nodes])
    require_positions(leaf for leaf in nodes if isinstance(leaf, Leaf))
    return nodes


def _read_node(value: Json) -> Split | Leaf:
    if isinstance(value, dict) and "colours" in value:
        return Leaf(read_colours(members(value, ("colours",), "leaf")["colours"], "colours"))
    return read_split(members(value, ("attribute", "below"), "node"))


def read_split(parts: Mapping[str, Json]) -> Split:
    """An attribute and a number, of which a workload may not have the one."""
    attribute = integer(parts["attribute"], 0, MAX_INDEX, "attribute")
    return Split(attribute, integer(parts["below"], 0, MAX_INDEX, "below"))


def read_colours(value: Json, name: str) -> Classes:
    """The colours of a leaf, each of increasing numbers; some may be empty."""
    return [_read_colour(each) for each in array(value, name)]


def _read_colour(value: Json) -> list[int]:
    colour = [integer(each, 0, MAX_INDEX, "query") for each in array(value, "colour")]
    if any(i >= j for i, j in pairwise(colour)):
        raise MalformedError("the queries of a colour are not increasing")
    return colour


def depths(splits: Sequence[bool]) -> list[int]:
    """The number of splits above each node, of which it is told which are splits."""
    waiting, found = [0], []
    for splits_rows in splits:
        if not waiting:
            break
        found.append(waiting.pop())
        if splits_rows:
            waiting += [found[-1] + 1] * 2
    if waiting or len(found) < len(splits):
        raise MalformedError("the nodes are not one tree in depth-first order")
    return found


def require_positions(leaves: Iterable[Leaf]) -> None:
    """A query at each position, in one leaf at least."""
    if not all(any(colours) for colours in _by_position(leaves)):
        raise MalformedError("a position that is empty in every leaf")


def _by_position(leaves: Iterable[Leaf]) -> Iterator[tuple[Sequence[int], ...]]:
    """The colours that stand first in their leaves, the second ones, and so on."""
    listed = [leaf.colours for leaf in leaves]
    pay(200 * len(listed) * max(map(len, listed), default=0))
    return zip_longest(*listed, fillvalue=())


def at_each_position(leaves: Iterable[Leaf], workload: Workload) -> Iterator[Entry]:
    """One mechanism for each position, with the greatest parameters of the queries there."""
    for colours in _by_position(leaves):
        yield greatest(workload.queries[i].entry for colour in colours for i in colour)


@dataclass(frozen=True)
class ParallelCaseTree(WorkloadReduction):
    """From above: one mechanism for each position, whichever case a row belongs to."""

    name: ClassVar[str] = "parallel-case-tree"
    kind: ClassVar[str] = "upper"
    families: ClassVar[frozenset[str]] = BY_PARAMETERS
    relations: ClassVar[tuple[str, ...]] = (ADDED,)

    tree: Tree = parameter(_read_tree)

    @property
    def _leaves(self) -> list[Leaf]:
        return [node for node in self.tree if isinstance(node, Leaf)]

    def require(self, workload: Workload) -> None:
        """Attributes and queries of this workload."""
        for node in self.tree:
            if isinstance(node, Split):
                require_split(node, workload)
            else:
                require_leaf(node, workload)

    def entries(self, workload: Workload) -> Iterable[Entry]:
        """The greatest parameters at each position."""
        return at_each_position(self._leaves, workload)

    def check_given(self, workload: Workload, _premises: Sequence[Never]) -> None:
        """A leaf's colours hold all that its rows may meet, and what is met of one is disjoint."""
        whole = {i: q.where for i, q in enumerate(workload.queries) if all(q.where.values())}
        sizes = [size_of(query) for query in workload.queries]
        waiting: list[Wheres] = [whole]
        for node in self.tree:
            wheres = waiting.pop()
            pay(A_NODE + 1000 * sum(sizes[i] for i in wheres))
            if isinstance(node, Split):
                waiting += [narrowed(wheres, node, high=True), narrowed(wheres, node, high=False)]
            else:
                check_leaf(node, wheres, sizes)


def require_split(split: Split, workload: Workload) -> None:
    """An attribute of this workload."""
    if split.attribute >= len(workload.domain):
        raise MalformedError("tree: an attribute that is not in the domain")


def require_leaf(leaf: Leaf, workload: Workload) -> None:
    """Queries of this workload, each in one colour."""
    if any(query >= workload.count for query in leaf.queries):
        raise MalformedError("tree: a query that is not in the workload")
    if len(set(leaf.queries)) < len(leaf.queries):
        raise RejectedError("a query is in two colours of a leaf")


def narrowed(wheres: Wheres, split: Split, *, high: bool) -> Wheres:
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


def check_leaf(leaf: Leaf, wheres: Wheres, sizes: Sequence[int]) -> None:
    """All that may be met is in a colour, and any two of one are disjoint here."""
    if missing := wheres.keys() - set(leaf.queries):
        raise RejectedError(f"query {min(missing)} is in no colour of a leaf, and may be met there")
    for colour in leaf.colours:
        met = [i for i in colour if i in wheres]
        pay(of_pairs(sizes, met))
        for position, i in enumerate(met):
            for j in met[:position]:
                if not disjoint(wheres[i], wheres[j]):
                    raise RejectedError(f"queries {j} and {i} of one colour overlap")
