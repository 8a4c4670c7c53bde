r"""A reduction of a workload whose neighbours replace a row: ``replace-case-tree``.

Rules of this file: as in ``cases.py``, for each of the two rows.

Theory of operation: a split sorts the row that leaves, or the row that enters, by one attribute. So
every pair of rows belongs to one leaf, where each of the two meets at most one query of each of its
own classes. A position has classes of one row alone, or one and the same query for both; so at most
one query at each position is touched, in every leaf. The classes of all leaves are joined by their
position: one mechanism with the greatest parameters of all that stand there is enough for each.

Sources: certs/SPEC.md, section 14.4; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the
Most of Parallel Composition in Differential Privacy", PoPETs 2022, for the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Never, TypeAlias

from ..format.meter import pay
from ..format.outcomes import RejectedError
from ..format.shapes import array, members, one_of
from ..format.strict_json import Json
from .by_noise import REPLACED
from .cases import (
    A_NODE,
    Leaf,
    Split,
    Wheres,
    at_each_position,
    check_leaf,
    depths,
    narrowed,
    read_colours,
    read_split,
    require_leaf,
    require_positions,
    require_split,
)
from .ledger import BY_PARAMETERS, Entry
from .parallel import WorkloadReduction, size_of
from .rule import parameter
from .workload import Workload

ROWS = ("leaving", "entering")


@dataclass(frozen=True)
class SplitOfRow:
    """Two cases, by a value of one of the two rows."""

    row: str
    split: Split


@dataclass(frozen=True)
class LeafOfTwo:
    """A case: the classes of either row."""

    leaving: Leaf
    entering: Leaf


PairTree: TypeAlias = Sequence[SplitOfRow | LeafOfTwo]
"""The nodes in depth-first order; of a split the lower half comes first."""


def _read_tree(value: Json) -> PairTree:
    nodes = [_read_node(each) for each in array(value, "tree")]
    depths([isinstance(node, SplitOfRow) for node in nodes])
    require_positions(_leaves(nodes))
    return nodes


def _read_node(value: Json) -> SplitOfRow | LeafOfTwo:
    if isinstance(value, dict) and "leaving" in value:
        sides = members(value, ROWS, "leaf")
        return LeafOfTwo(*(Leaf(read_colours(sides[row], row)) for row in ROWS))
    parts = members(value, ("attribute", "below", "row"), "node")
    return SplitOfRow(one_of(parts["row"], ROWS, "row"), read_split(parts))


def _leaves(tree: PairTree) -> list[Leaf]:
    """The leaves of either row."""
    both = (node for node in tree if isinstance(node, LeafOfTwo))
    return [leaf for node in both for leaf in (node.leaving, node.entering)]


@dataclass(frozen=True)
class ReplaceCaseTree(WorkloadReduction):
    """From above: one mechanism for each position, whichever cases the two rows belong to."""

    name: ClassVar[str] = "replace-case-tree"
    kind: ClassVar[str] = "upper"
    families: ClassVar[frozenset[str]] = BY_PARAMETERS
    relations: ClassVar[tuple[str, ...]] = (REPLACED,)

    tree: PairTree = parameter(_read_tree)

    def require(self, workload: Workload) -> None:
        """Attributes and queries of this workload, and positions that one query is touched at."""
        for node in self.tree:
            if isinstance(node, SplitOfRow):
                require_split(node.split, workload)
                continue
            require_leaf(node.leaving, workload)
            require_leaf(node.entering, workload)
            for one, other in zip(node.leaving.colours, node.entering.colours, strict=False):
                if one and other and (one != other or len(one) > 1):
                    raise RejectedError("a position of a leaf has different queries for both rows")

    def entries(self, workload: Workload) -> Iterable[Entry]:
        """The greatest parameters at each position."""
        return at_each_position(_leaves(self.tree), workload)

    def check_given(self, workload: Workload, _premises: Sequence[Never]) -> None:
        """A leaf's classes hold all that its rows may meet, and what is met of one is disjoint."""
        whole: Wheres = {
            i: q.where for i, q in enumerate(workload.queries) if all(q.where.values())
        }
        sizes = [size_of(query) for query in workload.queries]
        waiting = [(whole, whole)]
        for node in self.tree:
            leaving, entering = waiting.pop()
            pay(A_NODE + 1000 * sum(sizes[i] for each in (leaving, entering) for i in each))
            if isinstance(node, LeafOfTwo):
                check_leaf(node.leaving, leaving, sizes)
                check_leaf(node.entering, entering, sizes)
                continue
            for high in (True, False):
                if node.row == "leaving":
                    waiting.append((narrowed(leaving, node.split, high=high), entering))
                else:
                    waiting.append((leaving, narrowed(entering, node.split, high=high)))
