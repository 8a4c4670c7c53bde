r"""The l₁-sensitivity of a workload's counts, each times a weight: weighted maximum overlap.

Rules of this file: weights are whole numbers at least 0; what is enclosed is enclosed by a row from
below, and by a finished search from above.

Theory of operation: a row that is added moves the count of each query that it satisfies by one, and
no other. The counts of Q, each times its weight, then move by the weights of the queries that this
row meets, so that the greatest sum over all neighbours, ΔQ, is the weight of the heaviest set that
one row meets: γ where all weights are 1. With noise of scale ΔQ/ε on all of them at once, the
Laplace mechanism is as private as composition says where weights are the queries' shares of ε.

Source: Smith et al., PoPETs 2022, Theorem 7; Dwork, McSherry, Nissim, Smith, TCC 2006.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.errors import DomainError
from exactdp.timing.clock import Clock
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest, maximum_overlap
from exactdp.workloads.workload import Workload


def l1_sensitivity(
    workload: Workload,
    weights: Sequence[int] | None = None,
    *,
    time_limit: int | None = None,
    clock: Clock | None = None,
) -> Heaviest:
    """How far all counts of a workload, each times a weight, move together for one row.

    Args:
        workload: counting queries.
        weights: a whole number at least 0 for each query; None for 1 each.
        time_limit: seconds for the query graph and the search; what is proved by then is returned.
        clock: a time limit that has begun to run already, instead.

    Raises:
        DomainError: there are not as many weights as queries, or one is negative.
    """
    if weights is not None and (len(weights) != len(workload) or min(weights, default=0) < 0):
        raise DomainError(
            field="weights",
            value=f"{len(weights)} weights",
            expected=f"{len(workload)} whole numbers at least 0, one for each query",
        )
    clock = clock or Clock(time_limit)
    graph = QueryGraph.of(workload, clock.share(1 / 2))
    return maximum_overlap(graph, weights, clock)
