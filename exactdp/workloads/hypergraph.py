r"""The overlap hypergraph: every set of queries that one row satisfies.

Purpose: what the query graph cannot say, for pairs do not decide which queries overlap together; as
an answer for small workloads, whose maximum overlap is its rank.

Rules of this file: all sets are listed, so that there may be no more than a limit; what a large
workload's largest set is, :mod:`exactdp.workloads.overlap` finds without listing any.

Theory of operation: a subset of overlapping queries overlaps (Proposition 8). So the sets of k + 1
queries are those of k with a later query added, where the coverages in common stay non-empty.

Source: Smith et al., PoPETs 2022, appendix A: Propositions 8 and 9, Figure 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from exactdp.errors import CostLimitError
from exactdp.workloads.workload import Workload, joint_coverage

_MOST_SETS: Final = 100_000


@dataclass(frozen=True, slots=True)
class OverlapHypergraph:
    """The sets of queries that one row satisfies.

    Attributes:
        hyperedges: all such sets that are not empty, the smaller first, by queries' numbers.
        maximal: those that are in no other.
    """

    hyperedges: tuple[tuple[int, ...], ...]
    maximal: tuple[tuple[int, ...], ...]

    @property
    def rank(self) -> int:
        """The size of the largest: the maximum overlap γ (Proposition 9)."""
        return len(self.hyperedges[-1]) if self.hyperedges else 0


def overlap_hypergraph(workload: Workload, *, limit: int = _MOST_SETS) -> OverlapHypergraph:
    r"""All sets of queries that overlap.

    Args:
        workload: the queries.
        limit: the most sets to list.

    Raises:
        CostLimitError: there are more.

    >>> from exactdp.workloads.reading import read_workload
    >>> queries = '[{"epsilon": 1}, {"epsilon": 1, "where": {"age": [0]}}]'
    >>> text = f'{{"domain": {{"age": {{"size": 9}}}}, "queries": {queries}}}'
    >>> overlap_hypergraph(read_workload(text.encode())).hyperedges
    ((0,), (1,), (0, 1))
    """
    found: list[tuple[int, ...]] = []
    level: list[tuple[int, ...]] = [()]
    within: set[tuple[int, ...]] = set()
    while level:
        larger = []
        for queries in level:
            first = queries[-1] + 1 if queries else 0
            for added in range(first, len(workload)):
                together = (*queries, added)
                if _overlap(workload, together):
                    larger.append(together)
                    within.update(_without_one(together))
                    _check_number(len(found) + len(larger), limit)
        found += larger
        level = larger
    return OverlapHypergraph(tuple(found), tuple(each for each in found if each not in within))


def _overlap(workload: Workload, queries: tuple[int, ...]) -> bool:
    chosen = [workload.queries[i] for i in queries]
    return not any(query.is_contradiction for query in chosen) and (
        joint_coverage(chosen) is not None
    )


def _without_one(queries: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [(*queries[:i], *queries[i + 1 :]) for i in range(len(queries))]


def _check_number(sets: int, limit: int) -> None:
    if sets > limit:
        raise CostLimitError(
            field="hyperedges",
            value=f"more than {limit}",
            expected=f"at most {limit} overlapping sets of queries",
            remedy="ask overlap_of for the largest, which lists none",
        )
