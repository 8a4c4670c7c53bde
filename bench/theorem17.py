r"""How the running time of Theorem 1.7 grows with k, η and Σε, measured.

    python -m bench.theorem17 [-o bench/theorem17.json]

Rules of this file: a time is the processor time of one call, the least of three, in a process that
has made the same call before, so that start-up and imports are none of it; sizes are such that the
smallest instance takes many milliseconds; an exponent is the slope of a line through logarithms.

Theory of operation: the theorem counts arithmetic operations of constant time:
:math:`O(\log(\frac k\eta \sum\epsilon_i)\,\frac{k^2}{\eta}\sum\epsilon_i)` in the proceedings, with
:math:`k^2(1 + \bar\epsilon)` for k² in the journal. So its algorithm is run in doubles here, tables
and binary search as in section 5, and its operations are counted. It is compared with
``exactdp papers mv18``, which gives the same answer from one product of polynomials.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.7 and section 5.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from exactdp.literature.murtagh_vadhan import mv18

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = ROOT / "bench" / "theorem17.json"
DELTA: Final = "1/10"
_RUNS: Final = 3

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Instance:
    """k different ε with a given sum, and an accuracy η.

    Attributes:
        k: how many.
        eta: η.
        total: Σε.
    """

    k: int
    eta: Fraction
    total: Fraction

    def epsilons(self) -> list[Fraction]:
        """ε_i that grow evenly, the last three times the first."""
        parts = [self.k + 2 * i for i in range(self.k)]
        return [self.total * part / sum(parts) for part in parts]


@dataclass(frozen=True, slots=True)
class Tables:
    """What the paper's algorithm answers in doubles, and how many operations it took."""

    multiple: int
    beta: Fraction
    operations: int


def by_tables(instance: Instance) -> Tables:
    """Section 5 of the journal with doubles: two tables for each step of a binary search."""
    epsilons = instance.epsilons()
    beta = instance.eta / (instance.k + instance.total + 1)
    multiples = [math.ceil(each * (1 / beta + 1)) for each in epsilons]
    unit = math.log1p(float(beta))
    total, operations = sum(multiples), 0
    logarithm = sum(math.log1p(math.exp(-a * unit)) for a in multiples)  # of ∏(1 + q^-a)
    low, high = 0, total
    while low < high:
        middle = (low + high) // 2
        bound = (total - middle) // 2
        truthful = _table([math.exp(-a * unit) for a in multiples], multiples, bound)
        other = _table([math.exp(a * unit) for a in multiples], multiples, bound)
        operations += 4 * instance.k * (bound + 1)
        divergence = (truthful - math.exp((middle - total) * unit) * other) * math.exp(-logarithm)
        if divergence <= float(Fraction(DELTA)):
            high = middle
        else:
            low = middle + 1
    return Tables(low, beta, operations)


def _table(weights: Sequence[float], multiples: Sequence[int], bound: int) -> float:
    """The sum of the weights of all sets whose multiples add up to at most ``bound``."""
    row = [1.0] * (bound + 1)
    for a, weight in zip(multiples, weights, strict=True):
        row[a:] = [row[s] + weight * row[s - a] for s in range(a, bound + 1)]
    return row[bound]


def bound(instance: Instance) -> float:
    """The expression inside the theorem's O, as the proceedings have it."""
    size = float(instance.total * instance.k / instance.eta)
    return math.log(size) * instance.k * size


def by_product(instance: Instance) -> int | None:
    """The same multiple from one product, exactly."""
    ledger = [(each, 0) for each in instance.epsilons()]
    return mv18(ledger, delta=DELTA, eta=instance.eta).multiple


def series(base: Instance) -> dict[str, list[Instance]]:
    """One size at a time doubled three times, the others as in ``base``."""
    doubled = [2**i for i in range(4)]
    return {
        "k": [Instance(base.k * n, base.eta, base.total) for n in doubled],
        "eta": [Instance(base.k, base.eta / n, base.total) for n in doubled],
        "total": [Instance(base.k, base.eta, base.total * n) for n in doubled],
    }


TABLES_BASE: Final = Instance(80, Fraction(1, 10), Fraction(1))
PRODUCT_BASE: Final = Instance(1600, Fraction(1, 10), Fraction(2))
SIZES: Final[Mapping[str, Callable[[Instance], Fraction]]] = {
    "k": lambda instance: Fraction(instance.k),
    "eta": lambda instance: instance.eta,
    "total": lambda instance: instance.total,
}


def exponent(points: Sequence[Point]) -> float:
    """The slope of the line of least squares through the logarithms.

    >>> exponent([(1, 3), (2, 12), (4, 48)])
    2.0
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(each) / len(logs) for each in zip(*logs, strict=True))
    above = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    below = sum((x - mean_x) ** 2 for x, _ in logs)
    return float(round(above / below, 12))


def measured(task: Callable[[Instance], object], instance: Instance) -> float:
    """Processor time of the quickest of some calls, after one that does not count."""
    task(instance)
    times = []
    for _ in range(_RUNS):
        begun = time.process_time()
        task(instance)
        times.append(time.process_time() - begun)
    return min(times)


def records() -> list[dict[str, Any]]:
    """Both programs on all instances of their series."""
    tables = [
        _record("tables", size, each, measured(by_tables, each))
        | {"operations": by_tables(each).operations}
        for size, instances in series(TABLES_BASE).items()
        for each in instances
    ]
    products = [
        _record("product", size, each, measured(by_product, each))
        for size, instances in series(PRODUCT_BASE).items()
        for each in instances
    ]
    return [*tables, *products]


def _record(program: str, size: str, instance: Instance, seconds: float) -> dict[str, Any]:
    return {
        "program": program,
        "varied": size,
        "k": instance.k,
        "eta": str(instance.eta),
        "total": str(instance.total),
        "seconds": round(seconds, 4),
    }


def exponents(kept: Sequence[Mapping[str, Any]], program: str, what: str) -> dict[str, float]:
    """The fitted exponent in each size, of ``seconds`` or ``operations``."""
    found = {}
    for size in SIZES:
        rows = [row for row in kept if row["program"] == program and row["varied"] == size]
        found[size] = exponent([(float(Fraction(row[size])), float(row[what])) for row in rows])
    return found


def exponents_of_bound() -> dict[str, float]:
    """The exponents of the theorem's expression on the instances of the tables."""
    return {
        size: exponent([(float(SIZES[size](each)), bound(each)) for each in instances])
        for size, instances in series(TABLES_BASE).items()
    }


def main() -> None:
    """Measure, and keep what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    document = {"delta": DELTA, "records": records()}
    options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
