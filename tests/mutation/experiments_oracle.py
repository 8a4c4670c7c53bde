"""An independent judge of what the outcome of an experiment rejects: tails from factorials.

Limits of rates are found by bisection, to some ten digits; nothing comes from exactdp.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mpmath import iv, mpmathify  # type: ignore[import-untyped]  # mpmath ships no types

from tests.verifier.oracles import interval, value_of

MOST_RUNS = 2000
_STEPS = 50
_NEAR = Fraction(1, 10**8)


def is_true(statement: dict[str, Any]) -> bool | None:
    """Whether the outcome is rejected by its test; None if too large, or too close, to tell."""
    subject = statement["subject"]
    if statement["kind"] != "rejected" or statement["interaction"] != "adaptive":
        return False
    if statement["neighbouring"] != "unspecified" or statement["group"] != "1":
        return False
    level, epsilon = Fraction(subject["level"]), value_of(statement["epsilon"])
    if "canaries" in subject:
        return _of_one_run(subject, level, epsilon, Fraction(statement["delta"]))
    return _of_many_runs(subject, level, epsilon, Fraction(statement["delta"]))


def _of_many_runs(
    subject: dict[str, Any],
    level: Fraction,
    epsilon: Any,  # noqa: ANN401 (mpmath has no types)
    delta: Fraction,
) -> bool | None:
    (n, a), (m, b) = (
        (int(subject[key]["runs"]), int(subject[key]["found"])) for key in ("members", "others")
    )
    if max(n, m) > MOST_RUNS:
        return None
    share = level / (2 * int(subject["thresholds"]))
    p, q = limit(n, a, share), 1 - limit(m, m - b, share)
    if p == 0 or q == 1:
        return False
    most = max((p - delta) / q, (1 - delta - q) / (1 - p))
    if most <= 0:
        return False
    excess = iv.log(interval(most)) - epsilon
    return None if abs(excess.mid) < interval(_NEAR) else bool(excess.mid > 0)


@lru_cache(maxsize=1000)
def limit(runs: int, hits: int, share: Fraction) -> Fraction:
    """Nearly the greatest p with P[Bin(runs, p) >= hits] <= share."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS if hits else 0):
        middle = (low + high) / 2
        if tail(runs, hits, middle) <= float(share):
            low = middle
        else:
            high = middle
    return Fraction(low)


def tail(runs: int, hits: int, p: float) -> float:
    """P[Bin(runs, p) >= hits], nearly."""
    return math.fsum(term(runs, k, p) for k in range(hits, runs + 1))


def term(runs: int, hits: int, p: float) -> float:
    """P[Bin(runs, p) = hits], nearly."""
    ways = math.lgamma(runs + 1) - math.lgamma(hits + 1) - math.lgamma(runs - hits + 1)
    return math.exp(ways + hits * math.log(p) + (runs - hits) * math.log1p(-p))


def ratio_of_tail(runs: int, hits: int, p: float) -> float:
    """P[Bin(runs, p) >= hits] over P[Bin(runs, p) = hits], nearly."""
    ratios, weight = [1.0], 1.0
    for k in range(hits, runs):
        weight *= (runs - k) / (k + 1) * p / (1 - p)
        ratios.append(weight)
    return math.fsum(ratios)


def _of_one_run(
    subject: dict[str, Any],
    level: Fraction,
    epsilon: Any,  # noqa: ANN401 (mpmath has no types)
    delta: Fraction,
) -> bool | None:
    m, r, v, j = (int(subject[key]) for key in ("canaries", "guesses", "right", "guess_counts"))
    if r > MOST_RUNS:
        return None
    p = 1 / (1 + math.exp(-float(mpmathify(epsilon.mid))))
    if p >= 1:
        return None
    if v == 0:
        return False
    fails = m * float(delta) / v * ratio_of_tail(r, v, p) if delta else 0.0
    excess = (tail(r, v, p) + fails) * j - float(level)
    return None if abs(excess) < _NEAR else excess < 0
