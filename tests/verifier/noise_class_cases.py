"""Good and bad certificates about classes of sampled and of Gaussian mechanisms, for the corpora.

Written from certs/SPEC.md, sections 7.6, 11.5, 11.7 and 11.18, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import (
    PAIR,
    Certificate,
    Entry,
    RuleCase,
    dots,
    entry,
    laplace,
    plan,
    score,
)
from tests.verifier.noise_fourier_cases import noise_fourier
from tests.verifier.noise_workload_cases import (
    COLOURING,
    RELATION,
    WITNESS,
    Query,
    colouring,
    geometric,
    of_scale,
    query,
    witness,
)

ONE_STEP: Final = {"scale": "2", "shifts": ["1"]}
TWO_STEPS: Final = {"scale": "4", "shifts": ["1", "2"]}
UNPROVED: Final = "rule mesh-upper: the divergence is not proved to be at most"

SAMPLED: Final[list[Query]] = [
    query("0 0 1", mu="1/2"),
    query("0 1 3", mu="1/3"),
    query("0 0 2", mu="1/2", rate="1/10"),
    query("0 2 3", mu="1", rate="1/10"),
    query("0 0 1", mu="1/2"),
    query("0 1 2", mu="1/2", rate="1/3"),
    query("0 0 1", **of_scale("2"), rate="1/4"),
    query("0 1 2", **of_scale("3"), rate="1/2"),
    query("0 2 3", **of_scale("2"), rate="1/2"),
    query("0 0 1", **geometric("2", 1), rate="1/5"),
    query("0 1 3", **geometric("2", 1)),
    query("0 0 1", bounded_range="1/2", rate="1/3"),
    query("0 1 3", bounded_range="1", rate="1/2"),
    query("0 0 1", pair=PAIR, rate="1/5"),
    query("0 1 3", pair=PAIR, rate="1/2"),
]
"""Gaussian mechanisms, and samples of each family, apart by age."""
COLOURS: Final = ["0 1", "2 3", "4 5", "6 7 8", "9 10", "11 12", "13 14"]
GREATEST: Final[list[Entry]] = [
    entry(2, mu="1/2"),
    entry(mu="1", rate="1/10"),
    laplace("2", rate="1/2"),
    entry(discrete_laplace=ONE_STEP),
    entry(bounded_range="1", rate="1/2"),
    entry(pair=PAIR, rate="1/2"),
]
EPSILON: Final = "9/5"
DELTA: Final = "3/100"


def sampled(
    epsilon: str = EPSILON,
    delta: str = DELTA,
    queries: Sequence[Query] = SAMPLED,
) -> Certificate:
    """What classes of samples reveal."""
    windows = [(-90, 90)] + [(-40, 40)] * (len(GREATEST) - 1)
    bound = dots(GREATEST, epsilon, "1/20", *[plan(windows)] * 2, delta=delta, **RELATION)
    return colouring(queries, COLOURS, bound)


def replaced(queries: Sequence[Query], place: int, known: dict[str, object]) -> list[Query]:
    """The same, with something else known of one query."""
    made = list(queries)
    made[place] = {**known, "where": queries[place]["where"]}
    return made


BY_SAMPLES: Final = sampled()


UNPROVED_SUM: Final = "rule fourier-upper: the divergence is not proved to be at most"
LOSSES: Final[list[Query]] = [
    query("0 0 1", epsilon="1/4", delta="1/100000"),
    query("0 1 3", epsilon="1/5", delta="0"),
    query("0 0 2", **geometric("4", 1, 2)),
    query("0 2 3", **geometric("5", 1)),
    query("0 0 1", **of_scale("2")),
    query("0 1 3", **of_scale("3")),
    query("0 0 1", **of_scale("2")),
    query("0 0 2", mu="1"),
    query("0 2 3", mu="1/2"),
]
OF_LOSSES: Final = ["0 1", "2 3", "4 5", "6", "7 8"]
GREATEST_LOSSES: Final[list[Entry]] = [
    entry(epsilon="1/4", delta="1/100000"),
    entry(discrete_laplace=TWO_STEPS),
    laplace("2", 2),
    entry(mu="1"),
]
FEW: Final = {"last": "60", "near": "60", "far": "1", "blocks": "1", "factors": ["0"], "noise": "0"}


def by_losses(
    epsilon: str = "22/5",
    queries: Sequence[Query] = LOSSES,
) -> Certificate:
    """The same of the sum of their losses."""
    bound = noise_fourier("upper", epsilon, GREATEST_LOSSES, **FEW, **RELATION)
    return colouring(queries, OF_LOSSES, bound)


BY_LOSSES: Final = by_losses()


OVERLAPPING: Final[list[Query]] = [
    query("0 0 2", **of_scale("1"), rate="1/2"),
    query("0 1 3", **of_scale("1"), rate="1/2"),
    query("0 0 1 2 3", mu="1", rate="1/2"),
    query(mu="1/2"),
]
MET: Final = [laplace("1", rate="1/2"), entry(mu="1", rate="1/2"), entry(mu="1/2")]


def met(epsilon: str, row: int = 0) -> Certificate:
    """What the row of this age reveals, if all take part by chance."""
    below = score(MET, epsilon, "1/20", plan([(-60, 60)] * 3), 40, delta="1/100", **RELATION)
    return witness(OVERLAPPING, [["0", str(row)]], below)


BY_ROW: Final = met("2")


def accepts() -> dict[str, Certificate]:
    return {
        f"{COLOURING}-sampled": BY_SAMPLES,
        f"{COLOURING}-losses": BY_LOSSES,
        f"{WITNESS}-sampled": BY_ROW,
    }


MORE: Final[dict[str, tuple[int, dict[str, object]]]] = {
    "mu-above": (1, {"mu": "3/5"}),
    "sampled-mu-above": (3, {"mu": "6/5", "rate": "1/10"}),
    "sampled-rate-above": (8, {**of_scale("2"), "rate": "3/4"}),
    "sampled-shift-of-less-noise": (10, geometric("1", 1)),
    "sampled-range-above": (12, {"bounded_range": "3/2", "rate": "1/2"}),
    "sampled-pair-without-rate": (14, {"pair": PAIR}),
}
"""For each name which query reveals more than the good certificate bounds."""
MORE_LOSSES: Final[dict[str, tuple[int, dict[str, object]]]] = {
    "epsilon-above": (1, {"epsilon": "1/2", "delta": "0"}),
    "delta-above": (1, {"epsilon": "1/5", "delta": "1/1000"}),
    "shift-above": (3, geometric("4", 1, 3)),
    "laplace-above": (5, of_scale("3/2")),
    "mu-above": (8, {"mu": "11/10"}),
}
"""The same of the sum of losses."""


def cases() -> Iterator[RuleCase]:
    """Bounds below what the classes reveal, and classes that are not apart."""
    for name, epsilon, delta in (("epsilon", "7/4", DELTA), ("delta", EPSILON, "1/35")):
        yield f"{COLOURING}/sampled-{name}-below", sampled(epsilon, delta), BY_SAMPLES, UNPROVED
    for name, (place, known) in MORE.items():
        bad = sampled(queries=replaced(SAMPLED, place, known))
        yield f"{COLOURING}/{name}", bad, BY_SAMPLES, UNPROVED
    bad = changed(BY_SAMPLES, "statement.subject.queries.8.where", [["0", "1", "3"]])
    clause = "queries 7 and 8 of one colour"
    yield f"{COLOURING}/sampled-overlap", bad, BY_SAMPLES, clause
    yield f"{COLOURING}/losses-epsilon-below", by_losses("21/5"), BY_LOSSES, UNPROVED_SUM
    for name, (place, known) in MORE_LOSSES.items():
        bad = by_losses(queries=replaced(LOSSES, place, known))
        yield f"{COLOURING}/losses-{name}", bad, BY_LOSSES, UNPROVED_SUM
    bad = changed(BY_LOSSES, "statement.subject.queries.8.where", [["0", "1", "3"]])
    clause = "queries 7 and 8 of one colour"
    yield f"{COLOURING}/losses-overlap", bad, BY_LOSSES, clause
    above = "rule mesh-lower: the divergence is not proved to be above"
    yield f"{WITNESS}/sampled-epsilon-above", met("5/2"), BY_ROW, above
