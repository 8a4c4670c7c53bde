r"""The reduction from Max Cut to maximum overlap, by which the latter is NP-hard.

Rules of this file: nothing is searched; a graph becomes a workload, and a row a cut.

Theory of operation: each vertex is an attribute of two values, the side of a cut that it is on.
Each edge is two queries, one for each way in which a cut separates its ends. A row is a cut, and
meets one of an edge's queries if the cut separates the edge, and none of them otherwise. So the
maximum overlap is the size of a maximum cut, and whoever finds the one finds the other.

Source: Smith et al., PoPETs 2022, Theorem 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from exactdp.errors import DomainError
from exactdp.mechanisms import Parametric
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.workload import Attribute, Query, Workload

Edge: TypeAlias = tuple[int, int]
"""Two vertices by number."""


def workload_of_cuts(vertices: int, edges: Iterable[Edge], mechanism: Parametric) -> Workload:
    """The workload whose maximum overlap is the size of a maximum cut of a graph.

    Args:
        vertices: how many there are; they are numbered from 0.
        edges: pairs of different vertices.
        mechanism: what answers each query.

    Raises:
        DomainError: an edge that does not join two vertices of the graph.

    >>> from exactdp import Mechanism
    >>> from exactdp.workloads.composing import overlap_of
    >>> triangle = workload_of_cuts(3, [(0, 1), (1, 2), (2, 0)], Mechanism("1/10"))
    >>> len(triangle), overlap_of(triangle).most.upper
    (6, 2)
    """
    sides = [Coverage.of_values([side]) for side in (0, 1)]
    queries = []
    for u, v in edges:
        if u == v or not (0 <= u < vertices and 0 <= v < vertices):
            raise DomainError(
                field="edges", value=f"({u}, {v})", expected="two vertices of the graph"
            )
        queries += [Query(mechanism, {u: one, v: other}) for one, other in (sides, sides[::-1])]
    attributes = tuple(Attribute(f"v{i}", 2) for i in range(vertices))
    return Workload(attributes, tuple(queries))


def cut_of(row: Mapping[int, int]) -> frozenset[int]:
    """The vertices on one side of the cut that a row is."""
    return frozenset(vertex for vertex, side in row.items() if side)
