r"""``exactdp.parallel``: what a workload costs, from a file or a workload."""

from __future__ import annotations

from os import PathLike

from exactdp.arithmetic.numbers import Number
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.mechanisms import Entry
from exactdp.timing.clock import Clock
from exactdp.workloads.composing import DEFAULT_TIME_LIMIT, ParallelComposition, compose_parallel
from exactdp.workloads.reading import read_workload
from exactdp.workloads.stated_noise import StatedNoise
from exactdp.workloads.workload import Workload


def parallel(  # noqa: PLR0913 (one argument for each option of the command)
    workload: Workload | str | PathLike[str] | bytes,
    *,
    delta: Number = 0,
    domain: str | PathLike[str] | bytes | None = None,
    each: Entry | StatedNoise | None = None,
    collation: str | None = None,
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: int | None = DEFAULT_TIME_LIMIT,
) -> ParallelComposition:
    """The least ε of a workload: queries that no row meets together do not add up.

    Args:
        workload: a Workload, the path of one in JSON or of a log in SQL, or its bytes.
        delta: the global δ.
        domain: for SQL: the attributes, as a workload in JSON.
        each: for SQL: the parameters of statements without any.
        collation: for SQL: "binary" if the database tells all texts of the domain apart.
        tolerance: the greatest width of each composition's interval, in nats; None takes 1e-9, or
            1e-4 where a query is given by its noise.
        max_cost: refuse compositions predicted to cost more.
        time_limit: seconds for reading and for the searches; None for none.

    Raises:
        InputError: bad arguments, or a file that cannot be read.
        CostLimitError: a composition would exceed the limits.

    >>> queries = b'{"domain": {"age": {"size": 9}}, "queries": [{"epsilon": 1}, {"epsilon": 1}]}'
    >>> print(parallel(queries).above.upper)
    2
    """
    clock = Clock(time_limit)
    if not isinstance(workload, Workload):
        workload = read_workload(workload, domain=domain, each=each, collation=collation)
    return compose_parallel(
        workload, delta=delta, tolerance=tolerance, max_cost=max_cost, clock=clock
    )
