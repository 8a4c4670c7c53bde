"""Shuffled reports as cells of doubles: the counts of two values in question, and of others."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import exp, lgamma, log
from typing import Any

from tests.mutation.batches_oracle import Cells

MOST_REPORTS = 150
_TWO = 2


def has_too_many_reports(entry: dict[str, Any]) -> bool:
    """Whether its counts would take long to list."""
    return int(entry.get("shuffled_reports", {}).get("reports", 0)) > MOST_REPORTS


def laws_of_reports(entry: dict[str, Any], kind: str) -> Cells:
    """Of one round: what dominates, or where all others hold a third value, or one of two."""
    parts = entry["shuffled_reports"]
    n, k = int(parts["reports"]), int(parts.get("values", 0))
    given = parts.get("odds")
    odds = float(Fraction(given)) if given else exp(float(Fraction(parts["local_epsilon"])))
    if kind == "lower":
        k = k or (_TWO if odds <= _TWO or n <= 24 * odds else 3)
        if k == _TWO:
            return [
                (weight, weight * (odds * x + (n - x) / odds) / n)
                for x, weight in _binomial(n, 1 / (odds + 1))
            ]
        share, third = 2 / (odds + k - 1), odds / (odds + k - 3)  # which is told apart
        return _cells(n, odds, share, third, (1 / odds, 1.0))
    if not k:
        return _cells(n, odds, 1 / odds, 0.0, (1.0, 0.0))
    like = (k - 2) / (odds + k - 3) if k > _TWO else 0.0
    return _cells(n, odds, 2 / (odds + k - 1), like, (1.0, 0.0))


def _cells(n: int, odds: float, share: float, like: float, others: tuple[float, float]) -> Cells:
    """P and Q of each count, up to a factor that makes them laws."""
    found: Cells = []
    for c, weight in _binomial(n, share):
        for a, half in _binomial(c, 0.5):
            for r, other in _binomial(n - c, like):
                both = weight * half * other
                more = others[0] * r + others[1] * (n - c - r)
                p, q = odds * a + c - a + more, a + odds * (c - a) + more
                if both * min(p, q) > 1e-15:
                    found.append((both * p, both * q))
    total = sum(p for p, _ in found)
    return [(p / total, q / total) for p, q in found]


def _binomial(trials: int, chance: float) -> Iterator[tuple[int, float]]:
    if not 0 < chance < 1:
        yield (0 if chance <= 0 else trials), 1.0
        return
    for i in range(trials + 1):
        ways = lgamma(trials + 1) - lgamma(i + 1) - lgamma(trials - i + 1)
        weight = exp(ways + i * log(chance) + (trials - i) * log(1 - chance))
        if weight > 1e-15:
            yield i, weight
